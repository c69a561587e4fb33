/** One step along a state table: pure, and refused when the table has no row for it. */
import type { Move, Start } from '../../contract/states/state.ts';
import { invariant } from '../../core/invariants.ts';
import type { Change } from '../store/records.ts';

export interface Step<S extends string> {
  to: S;
  change: Omit<Change, 'order'>;
  events: Move<S, string>['events'];
}

/** @throws InvariantError when the table has no such row: whoever asks must have made sure that it may */
export function step<S extends string, T extends string>(
  table: readonly Move<S, T>[],
  from: S,
  on: T,
  at: number,
): Step<S> {
  const row = indexOf(table).get(`${from} ${on}`) as Move<S, T> | undefined;
  invariant(row, `there is a rule for ${on} from ${from}`);
  return taken(row, at);
}

export function start<S extends string>(starts: readonly Start<S>[], when: string, at: number): Step<S> {
  const row = starts.find((candidate) => candidate.when === when);
  invariant(row, `there is a start for ${when}`);
  return taken(row, at);
}

function taken<S extends string>({ to, rule, basis, events }: Omit<Start<S>, 'when'>, at: number): Step<S> {
  return { to, change: { at, to, rule, basis }, events };
}

type Index = ReadonlyMap<string, Move<string, string>>;
const indexes = new WeakMap<object, Index>();

/** Every request takes several steps: the rows of a table are found by key. */
function indexOf(table: readonly Move<string, string>[]): Index {
  const known = indexes.get(table);
  if (known) return known;
  const index = new Map(table.map((row) => [`${row.from} ${row.on}`, row]));
  indexes.set(table, index);
  return index;
}
