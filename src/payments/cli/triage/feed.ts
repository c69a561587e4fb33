/** The rows of the board, read in the background and told as they come; accounts masked as for any terminal. */

import { atOnce } from '../../../core/at-once.ts';

import type { Story } from '../../cases/story.ts';
import { inTurn, type Source, type Troubled } from '../../cases/triage.ts';
import { maskData } from '../../words/mask.ts';
import type { Context } from '../context.ts';

export interface Feed {
  /** Rows by who must act; within a group, the nearest deadline first. */
  rows(): readonly Troubled[];
  status(): string;
  /** True once everything was read, or reading failed. */
  ended(): boolean;
  failure(): unknown;
  /** Reads everything again. What is listed stays until the new list is whole. */
  refresh(): void;
  onChange(listener: () => void): () => void;
  /** Undefined takes the row away. */
  replace(id: string, story: Story | undefined): void;
}

interface Reading {
  source: Source;
  rows: Troubled[];
  ended: boolean;
  failure: unknown;
}

export function startFeed(context: Context, open: () => Source): Feed {
  const listeners = new Set<() => void>();
  let shown = begin();
  let again: Reading | undefined;
  let isStale = false;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  function begin(): Reading {
    return { source: open(), rows: [], ended: false, failure: undefined };
  }

  async function read(reading: Reading): Promise<void> {
    try {
      for await (const page of reading.source.pages()) {
        reading.rows = inTurn([...reading.rows, ...maskData(page, context.mask)]);
        tell();
        if (context.process.interrupt.aborted) break;
      }
      await addSenders(context, reading, tell);
    } catch (error) {
      reading.failure = error;
    } finally {
      reading.ended = true;
      if (reading === again) takeOver(reading);
      tell();
    }
  }

  function takeOver(reading: Reading): void {
    again = undefined;
    isStale = reading.failure !== undefined;
    if (!isStale) shown = reading;
  }
  // A failure of the reading is kept in `failure`, which the board shows.
  void read(shown);

  return {
    rows: () => shown.rows,
    status() {
      if (again !== undefined) return 'refreshing…';
      return isStale ? 'not refreshed: reading failed; this is the list from before' : statusOf(shown);
    },
    ended: () => shown.ended,
    failure: () => shown.failure,
    refresh() {
      if (!shown.ended || again !== undefined) return;
      again = begin();
      void read(again);
      tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replace(id, story) {
      if (!shown.rows.some((row) => row.id === id)) return;
      const before = shown.rows.find((row) => row.id === id);
      const others = shown.rows.filter((row) => row !== before);
      const now = story && { ...maskData(story, context.mask), sender: before?.sender };
      shown.rows = inTurn(now === undefined ? others : [...others, now]);
      tell();
    },
  };
}

const SENDERS_AT_ONCE = 4;

/** The caller is often the sender: rows that the books do not know are read, from the top, and no more than a few. */
async function addSenders(context: Context, reading: Reading, tell: () => void): Promise<void> {
  await atOnce(SENDERS_AT_ONCE, [...reading.rows], async (row) => {
    const known = await reading.source.withSender(row);
    if (known === undefined) return;
    const { sender } = maskData(known, context.mask);
    reading.rows = reading.rows.map((one) => (one.id === row.id ? { ...one, sender } : one));
    tell();
  });
}

function statusOf({ source, rows, ended, failure }: Reading): string {
  const { looked, total, cut } = source.progressed;
  const found = rows.length;
  if (failure !== undefined) return `reading stopped after ${looked}: what is below may not be all`;
  if (!ended) return `${found} so far, ${looked} of ${Math.max(total, looked)} looked at…`;
  return cut ? `${found} of the first ${looked}; --limit or --all shows more` : `${found}, all looked at`;
}
