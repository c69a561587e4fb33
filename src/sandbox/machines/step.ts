/** One step along a state table: pure, and refused when the table has no row for it. */
import type { Move, Start } from '../../contract/states/state.ts';
import { invariant } from '../../core/invariants.ts';

/** The row that is followed. */
export type Step<S extends string> = Pick<Start<S>, 'to' | 'rule' | 'basis' | 'events'>;

/** @throws InvariantError when the table has no such row: the caller must have made sure that it has */
export function step<S extends string, T extends string>(
  table: readonly Move<S, T>[],
  from: S,
  on: T,
): Step<S> {
  const row = indexOf(table).get(from)?.get(on) as Move<S, T> | undefined;
  invariant(row, `there is a rule for ${on} from ${from}`);
  return row;
}

export function startRow<S extends string>(starts: readonly Start<S>[], when: string): Step<S> {
  const row = starts.find((candidate) => candidate.when === when);
  invariant(row, `there is a start for ${when}`);
  return row;
}

type Index = ReadonlyMap<string, ReadonlyMap<string, Move<string, string>>>;
const indexes = new WeakMap<object, Index>();

/** Every request takes several steps: the rows of a table are found by state and trigger. */
function indexOf(table: readonly Move<string, string>[]): Index {
  const known = indexes.get(table);
  if (known) return known;
  const index = new Map<string, Map<string, Move<string, string>>>();
  for (const row of table) {
    const ofState = index.get(row.from) ?? new Map<string, Move<string, string>>();
    index.set(row.from, ofState.set(row.on, row));
  }
  indexes.set(table, index);
  return index;
}
