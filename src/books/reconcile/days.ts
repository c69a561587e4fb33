/** Days of a zone as numbers, and the time that is compared. */
import { isDay, offsetAt, startOfDay } from '../../core/zone.ts';
import type { Fate, Matched } from './fates.ts';
import type { SideRow } from './side.ts';

const DAY_MS = 86_400_000;
/** Every zone's offset is a whole number of these. */
const QUARTER_MS = 900_000;
/** No zone is further from UTC, nor from another zone of the same day. */
const REACH_MS = 14 * 3_600_000;

/** `2026-10-31` as days since 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
export const dayText = (day: number | undefined): string | null =>
  day === undefined ? null : new Date(day * DAY_MS).toISOString().slice(0, 10);

/** On which day a moment is in that zone. Asking the zone data costs much, so it is asked once for each quarter of an hour. */
export function dayIn(zone: string): (at: number) => number {
  const offsets = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(quarter * QUARTER_MS, zone);
      offsets.set(quarter, offset);
    }
    return Math.floor((at + offset) / DAY_MS);
  };
}

/** A month, or the days of a ledger. */
export interface DayPeriod {
  /** Its first day and its last one. */
  first: number;
  last: number;
  /** Its first moment in the zone, and the first one behind it. */
  from: number;
  until: number;
}

export const dayPeriodOf = (first: number, last: number, zone: string): DayPeriod => ({
  first,
  last,
  from: startOfDay(dayText(first) ?? '', zone),
  until: startOfDay(dayText(last + 1) ?? '', zone),
});

/** `2026-10`; undefined where it is no month. */
export function monthPeriod(name: string, zone: string): DayPeriod | undefined {
  const start = `${name}-01`;
  if (!/^\d{4}-\d{2}$/.test(name) || !isDay(start)) return undefined;
  const [year, month] = name.split('-').map(Number);
  const after = new Date(Date.UTC(year ?? 0, month ?? 0, 1)).toISOString().slice(0, 10);
  return dayPeriodOf(dayNumber(start), dayNumber(after) - 1, zone);
}

/** `outside`: it is not of the time that is compared, and goes with a row that is. */
export type Edge = 'outside' | 'near_the_end';

/**
 * Keeps the rows of the period, and those that go with one of them. A row that another zone would put outside is marked as an edge:
 * none is moved over it unseen.
 */
export function closePeriod({ left, right }: Matched, period: DayPeriod | undefined): void {
  if (period === undefined) return;
  const all = [...left.fates, ...right.fates];
  const kept = new Set(all.filter(({ row }) => isWithin(row, period)));
  // A row goes with a row of a group, and that with another row of it: after two rounds each is kept or none.
  for (let round = 0; round < 2; round++)
    for (const one of all) {
      const { mate } = one;
      if (mate !== undefined && kept.has(one) !== kept.has(mate)) kept.add(one).add(mate);
    }
  for (const one of all) if (!kept.has(one)) one.leaveOut();
}

const isWithin = ({ day }: SideRow, { first, last }: DayPeriod): boolean =>
  day === undefined || (day >= first && day <= last);

/** Undefined for a row that every zone puts into this period. */
export function edgeOf({ row }: Fate, period: DayPeriod | undefined): Edge | undefined {
  if (period === undefined) return undefined;
  if (!isWithin(row, period)) return 'outside';
  const { at = Number.NaN } = row;
  return at - period.from < REACH_MS || period.until - at <= REACH_MS ? 'near_the_end' : undefined;
}

/** True where a row outside of the period is so near to it that another zone would put it within. */
export function isJustOutside({ row }: Fate, { from, until }: DayPeriod): boolean {
  const { at = Number.NaN } = row;
  return (at < from && from - at <= REACH_MS) || (at >= until && at - until < REACH_MS);
}
