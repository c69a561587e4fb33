/** How often an integration reads, against what the service asks for (docs/wire.md 13). */
import { isoTime } from '../core/clock.ts';
import { BUDGETS, kinds, type ReadKind } from '../payments/read-budget.ts';
import type { LoggedCall } from './evidence.ts';

const HOUR_MS = 3_600_000;
/** The most reads of one transaction in its first hour; after that it may be read once an hour. */
export const FIRST_HOUR = 6;

/** The least time between two reads of the same balance or rates. */
const APART_MS = 5 * 60_000;

export interface DayReads {
  /** The day in UTC: `2026-11-21`. */
  day: string;
  kind: ReadKind;
  reads: number;
  atMost: number;
}

/** Days and kinds that were read at all, in order. */
export function readsPerDay(calls: readonly LoggedCall[]): DayReads[] {
  const counts = new Map<string, Map<ReadKind, number>>();
  for (const { at, kind } of calls) {
    if (kind === undefined) continue;
    const day = isoTime(at).slice(0, 10);
    const ofDay = counts.get(day) ?? new Map<ReadKind, number>();
    counts.set(day, ofDay.set(kind, (ofDay.get(kind) ?? 0) + 1));
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([day, ofDay]) =>
      kinds.flatMap((kind) => {
        const reads = ofDay.get(kind);
        return reads === undefined ? [] : [{ day, kind, reads, atMost: BUDGETS[kind].perDay }];
      }),
    );
}

export interface TransactionReads {
  id: string;
  reads: number;
  /** How many of them are more than is asked for. */
  beyond: number;
}

/** Each transaction that was read, worst first. */
export function readsPerTransaction(calls: readonly LoggedCall[]): TransactionReads[] {
  const begun = new Map<string, number>();
  const reads = new Map<string, number[]>();
  for (const { does, id, at, createdAt, succeeded, isOften } of calls) {
    if (id === '') continue;
    if (does === 'create_transaction' && succeeded) begun.set(id, createdAt ?? at);
    if (does !== 'read_transaction' || isOften) continue;
    // Without a time of creation, it counts from its first read: that allows the most.
    if (!begun.has(id)) begun.set(id, createdAt ?? at);
    const times = reads.get(id);
    if (times === undefined) reads.set(id, [at]);
    else times.push(at);
  }
  return [...reads]
    .map(([id, times]) => ({ id, reads: times.length, beyond: beyond(times, begun.get(id) ?? 0) }))
    .sort((a, b) => b.beyond - a.beyond || b.reads - a.reads);
}

function beyond(times: readonly number[], begunAt: number): number {
  const perHour = new Map<number, number>();
  for (const at of times) {
    const hour = Math.max(0, Math.floor((at - begunAt) / HOUR_MS));
    perHour.set(hour, (perHour.get(hour) ?? 0) + 1);
  }
  return [...perHour].reduce(
    (sum, [hour, count]) => sum + Math.max(0, count - (hour === 0 ? FIRST_HOUR : 1)),
    0,
  );
}

export interface RepeatedReads {
  /** `/accounts/EUR`. */
  thing: string;
  kind: ReadKind;
  reads: number;
  /** How many of them came less than five minutes after one that is within the limit. */
  beyond: number;
}

/** Balances and rates that were read, each as it was asked for, worst first. */
export function readsPerThing(calls: readonly LoggedCall[]): RepeatedReads[] {
  const things = new Map<string, RepeatedReads & { lastAt: number }>();
  for (const { at, kind, thing } of calls) {
    if (kind === undefined || thing === undefined) continue;
    const one = things.get(thing) ?? { thing, kind, reads: 0, beyond: 0, lastAt: Number.NEGATIVE_INFINITY };
    things.set(thing, one);
    one.reads += 1;
    if (at - one.lastAt < APART_MS) one.beyond += 1;
    else one.lastAt = at;
  }
  return [...things.values()]
    .map(({ lastAt: _, ...counted }) => counted)
    .sort((a, b) => b.beyond - a.beyond || b.reads - a.reads);
}
