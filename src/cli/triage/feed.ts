/** The rows of the board, read in the background and told as they come; accounts masked as for any terminal. */

import { acts } from '../../desk/cases/standing.ts';
import type { Story } from '../../desk/cases/story.ts';
import type { Source } from '../../desk/cases/triage.ts';
import { maskData } from '../../desk/words/mask.ts';
import type { Context } from '../context.ts';

export interface Feed {
  /** Rows by who must act; within a group, in the order in which they came. */
  rows(): readonly Story[];
  status(): string;
  /** True once everything was read, or reading failed. */
  ended(): boolean;
  failure(): unknown;
  onChange(listener: () => void): () => void;
  /** Undefined takes the row away. */
  replace(id: string, story: Story | undefined): void;
}

export function startFeed(context: Context, source: Source): Feed {
  const byAct = new Map(acts.map((act) => [act, [] as Story[]]));
  const listeners = new Set<() => void>();
  let ended = false;
  let failure: unknown;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  async function read(): Promise<void> {
    try {
      for await (const page of source.pages()) {
        for (const story of maskData(page, context.mask))
          if (story.standing.act) byAct.get(story.standing.act)?.push(story);
        tell();
        if (context.world.interrupt.aborted) break;
      }
    } catch (error) {
      failure = error;
    } finally {
      ended = true;
      tell();
    }
  }
  // A failure of the reading is kept in `failure`, which the board shows.
  void read();

  return {
    rows: () => [...byAct.values()].flat(),
    status() {
      const { looked, total, cut } = source.progressed;
      const found = [...byAct.values()].reduce((sum, rows) => sum + rows.length, 0);
      if (failure !== undefined) return `reading stopped after ${looked}: what is below may not be all`;
      if (!ended) return `${found} so far, ${looked} of ${Math.max(total, looked)} looked at…`;
      return cut ? `${found} of the first ${looked}; --limit or --all shows more` : `${found}, all looked at`;
    },
    ended: () => ended,
    failure: () => failure,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replace(id, story) {
      for (const [act, rows] of byAct) {
        const at = rows.findIndex((row) => row.id === id);
        if (at < 0) continue;
        const shown = story && maskData(story, context.mask);
        rows.splice(at, 1, ...(shown?.standing.act === act ? [shown] : []));
        if (shown?.standing.act && shown.standing.act !== act) byAct.get(shown.standing.act)?.push(shown);
        break;
      }
      tell();
    },
  };
}
