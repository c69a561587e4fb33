/**
 * Points in time as people write them: a day or a month in their own zone, a word for a day, a moment, or so long before now.
 */

import type { Query } from '../../client/url.ts';
import { parseDuration } from '../../core/clock.ts';
import { invariant } from '../../core/invariants.ts';
import { hint } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import { dayAfter, isDay, momentOf, startOfDay, wallTime } from '../../core/zone.ts';
import { type Desk, note } from '../desk.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** Milliseconds since 1970, or before now; a day, a month and a time on the wall are those of a zone. */
export type When =
  | { day: string }
  | { month: string }
  | { word: 'today' | 'yesterday' | Weekday }
  | { wall: string }
  | { at: number }
  | { agoMs: number };

/** A time that needs no look at the clock. */
export type PeriodEnd = Extract<When, { day: string } | { wall: string } | { at: number }>;

/** Milliseconds since 1970; a day is its beginning. */
export const momentIn = (when: PeriodEnd, zone: string): number =>
  'at' in when ? when.at : 'day' in when ? startOfDay(when.day, zone) : momentOf(when.wall, zone);

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/** Undefined where it is none of these. */
export function whenOf(given: string): When | undefined {
  const text = given.trim();
  const word = text.toLowerCase();
  if (word === 'today' || word === 'yesterday') return { word };
  const weekday = WEEKDAYS.find((one) => one === word);
  if (weekday !== undefined) return { word: weekday };
  if (DAY.test(text)) return isDay(text) ? { day: text } : undefined;
  if (MONTH.test(text)) return isDay(`${text}-01`) ? { month: text } : undefined;
  if (TIME.test(text)) {
    const wall = text.replace(' ', 'T');
    return isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(`${wall}Z`)) ? { wall } : undefined;
  }
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return { at };
  const agoMs = /^\d*$/.test(text) ? null : parseDuration(text);
  return agoMs === null ? undefined : { agoMs };
}

/** The name by which people know each bound. */
const BOUNDS = { created_at_from: 'since', created_at_to: 'until' } as const;
type Name = keyof typeof BOUNDS;
export type Dates = { [name in Name]?: string };

export interface Between {
  /** The bounds by which the service can filter: whole days. */
  days: Dates;
  /** Bounds that name a moment inside a day: what fits them is decided here. */
  by: string[];
  fits(row: { created_at?: string | null | undefined }): boolean;
}

/**
 * Returns the meaning of the two bounds now; a duration counts from the service's own time, and a day is one
 * of the reader's zone. A bound that is named whole, a day or a month, counts to its end.
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
    if ('agoMs' in when || 'word' in when)
      now ??= await (await import('../service-time.ts')).serviceNow(desk);
    const toEnd = name === 'created_at_to';
    const at = instantOf(when, { now: now ?? 0, zone: desk.zone, toEnd });
    if (!here) found.days[name] = new Date(at).toISOString().slice(0, 10);
    if (isWholeDay(when) && desk.zone !== 'UTC') sayZone(desk, text);
    // The service's own days are those of UTC: where a bound is one of them, it filters.
    if (!here && isWholeDay(when) && (toEnd ? at + 1 : at) % DAY_MS === 0) continue;
    found.by.push(BOUNDS[name]);
    const before = found.fits;
    found.fits = (row) => before(row) && isWithin(name, Date.parse(row.created_at ?? ''), at);
  }
  return found;
}

const DAY_MS = 86_400_000;
const isWholeDay = (when: When): boolean => 'day' in when || 'month' in when || 'word' in when;

const sayZone = (desk: Desk, text: string): void =>
  note(desk, hint`"${text}" is read in the time zone ${desk.zone}; ${{ give: 'zone' }} chooses another.`);

/** @param how `toEnd`: a day or a month that is named counts to its last millisecond */
export function instantOf(
  when: When,
  { now, zone, toEnd }: { now: number; zone: string; toEnd: boolean },
): number {
  if ('at' in when) return when.at;
  if ('agoMs' in when) return now - when.agoMs;
  if ('wall' in when) return momentOf(when.wall, zone);
  const [from, after] = daysOf(when, wallTime(now, zone).day);
  return toEnd ? startOfDay(after, zone) - 1 : startOfDay(from, zone);
}

type Days = Extract<When, { day: string } | { month: string } | { word: string }>;

/** Its first day, and the first one behind it. */
function daysOf(when: Days, today: string): [string, string] {
  if ('month' in when) {
    const first = `${when.month}-01`;
    return [first, `${dayAfter(first, 31).slice(0, 7)}-01`];
  }
  const day = 'day' in when ? when.day : dayOf(when.word, today);
  return [day, dayAfter(day, 1)];
}

/** The latest of that name: on a Monday, `monday` is today. */
function dayOf(word: Extract<When, { word: string }>['word'], today: string): string {
  if (word === 'today') return today;
  if (word === 'yesterday') return dayAfter(today, -1);
  const back = (new Date(`${today}T00:00:00Z`).getUTCDay() - WEEKDAYS.indexOf(word) + 7) % 7;
  return dayAfter(today, -back);
}

const isWithin = (name: Name, createdAt: number, at: number): boolean =>
  name === 'created_at_from' ? createdAt >= at : createdAt <= at;

/** Milliseconds by the service's clock; `from` counts, `to` does not. Undefined where it has no end there. */
export interface Span {
  from: number | undefined;
  to: number | undefined;
}

/** An empty text is no bound. @throws Problem (usage) for another one that is no time */
export async function spanOf(
  desk: Desk,
  { since = '', until = '' }: { since?: string | undefined; until?: string | undefined },
): Promise<Span> {
  const whens = [since, until].map((text) => {
    const when = text.trim() === '' ? null : whenOf(text);
    if (when !== undefined) return when;
    throw usage(
      `"${text}" is not a day, a month, a time or a duration`,
      'such as today, monday, 2026-11-21, 2026-10, 2026-11-21T09:00:00Z, 2h or 3d',
    );
  });
  const isRelative = whens.some((when) => when !== null && ('agoMs' in when || 'word' in when));
  const now = isRelative ? await (await import('../service-time.ts')).serviceNow(desk) : 0;
  const [from, to] = whens.map((when, index) =>
    when === null ? undefined : instantOf(when, { now, zone: desk.zone, toEnd: index === 1 }),
  );
  return { from, to: to === undefined ? undefined : to + 1 };
}
