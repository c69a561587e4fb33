/** One step along a state table: pure, and refused when the table has no row for it. */
import { findMove, type Move, type Start } from '../../contract/states/state.ts';
import { invariant } from '../../core/invariants.ts';
import type { Change } from '../store/records.ts';

export interface Step<S extends string> {
  to: S;
  change: Change;
  events: Move<S, string>['events'];
}

/** @throws InvariantError when the table has no such row: whoever asks must have made sure that it may */
export function step<S extends string, T extends string>(
  table: readonly Move<S, T>[],
  from: S,
  on: T,
  at: number,
): Step<S> {
  const row = findMove(table, from, on);
  invariant(row, `there is a rule for ${on} from ${from}`);
  return { to: row.to, change: { at, to: row.to, rule: row.rule, basis: row.basis }, events: row.events };
}

export function start<S extends string>(starts: readonly Start<S>[], when: string, at: number): Step<S> {
  const row = starts.find((candidate) => candidate.when === when);
  invariant(row, `there is a start for ${when}`);
  return { to: row.to, change: { at, to: row.to, rule: row.rule, basis: row.basis }, events: row.events };
}
