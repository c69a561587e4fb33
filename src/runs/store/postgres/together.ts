/** Gathers the work on rows that a turn of the event loop asks for, and does it in one transaction. */
import { groupCommit } from '../../../core/group-commit.ts';
import { groupedBy } from '../../../core/grouped-by.ts';
import type { PostgresQueries } from '../../../disk/postgres-queries.ts';
import type { Lease } from '../port.ts';
import { atomically, nothingStands, type Shared } from './connection.ts';

export interface SharedItem {
  /** The number of the run. */
  run: string;
  lease: Lease;
  n: number;
}

/** Items of one run, each of another row. */
export interface SharedRound {
  run: string;
  shared: Shared;
}

type Work<T, R> = (within: PostgresQueries, group: readonly T[], round: SharedRound) => Promise<R[]>;
type Ended<R> = { value: R } | { error: unknown };

/** Where one of a group fails, each is done by itself, so that it fails alone. */
export function together<T extends SharedItem, R>(shared: Shared, work: Work<T, R>): (item: T) => Promise<R> {
  const all = async (items: readonly T[]): Promise<R[]> => {
    const results = new Map<T, R>();
    const rounds = roundsOf(items);
    await atomically(
      shared.pool,
      async (within) => {
        for (const round of rounds) {
          const done = await work(within, round, { run: round[0]?.run ?? '', shared });
          for (const [i, item] of round.entries()) results.set(item, done[i] as R);
        }
      },
      rounds.map(([first]) => first?.run ?? ''),
    );
    return items.map((item) => results.get(item) as R);
  };
  const commit = groupCommit<T, Ended<R>>(async (items) => {
    try {
      return (await all(items)).map((value) => ({ value }));
    } catch (error) {
      if (items.length === 1 || !nothingStands(error)) return items.map(() => ({ error }));
    }
    const ended: Ended<R>[] = [];
    for (const item of items) ended.push(await alone(all, item));
    return ended;
  });
  return async (item) => {
    const ended = await commit(item);
    if ('error' in ended) throw ended.error;
    return ended.value;
  };
}

async function alone<T, R>(all: (items: readonly T[]) => Promise<R[]>, item: T): Promise<Ended<R>> {
  try {
    const [value] = await all([item]);
    return { value: value as R };
  } catch (error) {
    return { error };
  }
}

/** By run, and in the order of the file. Of two for the same row the second is done after the first. */
function roundsOf<T extends SharedItem>(items: readonly T[]): T[][] {
  const seen = new Map<string, number>();
  const inOrder = [...items].sort((a, b) => a.n - b.n);
  const rounds = groupedBy(inOrder, ({ run, n }) => {
    const row = `${run} ${n}`;
    const turn = seen.get(row) ?? 0;
    seen.set(row, turn + 1);
    return `${turn} ${run}`;
  });
  return [...rounds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, round]) => round);
}
