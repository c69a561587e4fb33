/** Points in time as people write them: a day, a time, or so long before now. */

import type { Query } from '../../client/url.ts';
import { parseDuration } from '../../core/clock.ts';
import { invariant } from '../../core/invariants.ts';
import type { Desk } from '../desk.ts';

/** A day in UTC, a moment, or so long before now. Milliseconds. */
export type When = { day: number } | { at: number } | { agoMs: number };

const DAY_MS = 86_400_000;

/** Undefined where it is none of these. */
export function whenOf(text: string): When | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = /^\d{4}-\d{2}-\d{2}(?:[T ]\d|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return isDay ? { day: at } : { at };
  const agoMs = /^\d*$/.test(text) ? null : parseDuration(text);
  return agoMs === null ? undefined : { agoMs };
}

/** The name by which people know each bound. */
const BOUNDS = { created_at_from: 'since', created_at_to: 'until' } as const;
type Name = keyof typeof BOUNDS;
export type Dates = { [name in Name]?: string };

export interface Between {
  /** What the service can filter by: whole days. */
  days: Dates;
  /** Bounds that name a moment inside a day: what fits them is decided here. */
  by: string[];
  fits(row: { created_at?: string | null | undefined }): boolean;
}

/**
 * What the two bounds mean now; a duration counts from the service's own time. A day counts to its end.
 * @param here the service has no filter by day: all of it is decided here
 */
export async function between(desk: Desk, query: Query, here = false): Promise<Between> {
  const found: Between = { days: {}, by: [], fits: () => true };
  let now: number | undefined;
  for (const name of Object.keys(BOUNDS) as Name[]) {
    const text = query[name];
    if (typeof text !== 'string') continue;
    const when = whenOf(text);
    invariant(when !== undefined, 'a time is read before a list is asked for');
    if ('agoMs' in when) now ??= await (await import('../sandbox/service-time.ts')).serviceNow(desk);
    const at = instantOf(when, now ?? 0, name === 'created_at_to');
    if (!here) found.days[name] = new Date(at).toISOString().slice(0, 10);
    if ('day' in when && !here) continue;
    found.by.push(BOUNDS[name]);
    const before = found.fits;
    found.fits = (row) => before(row) && isWithin(name, Date.parse(row.created_at ?? ''), at);
  }
  return found;
}

/** @param toEnd a day that is named counts to its last millisecond */
export function instantOf(when: When, now: number, toEnd: boolean): number {
  if ('day' in when) return when.day + (toEnd ? DAY_MS - 1 : 0);
  return 'at' in when ? when.at : now - when.agoMs;
}

const isWithin = (name: Name, createdAt: number, at: number): boolean =>
  name === 'created_at_from' ? createdAt >= at : createdAt <= at;
