/**
 * How states and their moves are written down. A machine moves only along a row of its table, and the change records the
 * row's rule and whether the service description states it or we assumed it.
 */
import type { Look } from '../../core/look.ts';
import type { EventName } from '../events.ts';

/** A step that someone can take about a thing in this state. */
type Possible =
  | 'fund'
  | 'edit'
  | 'cancel'
  | 'request_cancel'
  | 'retry'
  | 'wait'
  | 'contact_operator'
  | 'nothing';

export interface StateInfo {
  /** One sentence for people, lower case, no full stop. */
  meaning: string;
  look: Look;
  /** True where nothing moves it any more, ever. */
  terminal: boolean;
  /** Where a state that can still move is usually the end: when it is. */
  finalWhen?: string;
  can: readonly Possible[];
}

export type Basis = 'stated' | 'assumed';

export interface Move<S extends string, T extends string> {
  from: S;
  on: T;
  to: S;
  basis: Basis;
  /** A short id that a recorded change keeps: `tx.expire`. */
  rule: string;
  /** The rule as a sentence for people. */
  says: string;
  /** Sent when the move is made; those marked `collectionsOnly` in `events.ts` for collections only. */
  events: readonly EventName[];
}

/** How a thing begins. */
export interface Start<S extends string> {
  when: string;
  to: S;
  basis: Basis;
  rule: string;
  says: string;
  events: readonly EventName[];
}

interface Rule<S extends string> {
  to: S | 'same';
  basis: Basis;
  rule: string;
  says: string;
  events?: readonly EventName[];
}

/** One row per state it may start from. */
export function moves<S extends string, T extends string>(
  from: readonly S[],
  on: T,
  { to, events = [], ...rule }: Rule<S>,
): Move<S, T>[] {
  return from.map((state) => ({ from: state, on, to: to === 'same' ? state : to, events, ...rule }));
}

/** The one row for a state and a trigger, or undefined: then the trigger changes nothing and must be refused. */
export function findMove<S extends string, T extends string>(
  table: readonly Move<S, T>[],
  from: S,
  on: T,
): Move<S, T> | undefined {
  return table.find((row) => row.from === from && row.on === on);
}
