/** A time that a statement or a summary is of: a month, or from one day to another, as days of a zone. */
import type { Clock } from '../../core/clock.ts';
import { usage } from '../../core/problem.ts';
import { isDay, wallTime } from '../../core/zone.ts';
import { instantOf, type When } from './period.ts';

/** A period as it was asked for; this month where nothing is given. */
export interface AskedPeriod {
  month: string | undefined;
  since: When | undefined;
  until: When | undefined;
}

/** Milliseconds since 1970; `to` does not count. */
export interface Period {
  from: number;
  to: number;
}

/** @param now what ages and `this month` count from. @throws Problem (usage) where it ends before it begins */
export function periodOf(
  { month, since, until }: AskedPeriod,
  { now, zone }: { now: number; zone: string },
): Period {
  const whole = { month: month ?? wallTime(now, zone).day.slice(0, 7) };
  const isWhole = since === undefined && until === undefined;
  const from = isWhole ? whole : since;
  const to = isWhole ? whole : until;
  const period = {
    from: from === undefined ? 0 : instantOf(from, { now, zone, toEnd: false }),
    to: to === undefined ? now + 1 : endOf(to, { now, zone }),
  };
  if (period.from >= period.to)
    throw usage('this time ends before it begins', 'name the earlier day first, or a whole month');
  return period;
}

/** The end of a day, a month or a moment, which does not count. */
export const endOf = (when: When, at: { now: number; zone: string }): number =>
  instantOf(when, { ...at, toEnd: true }) + 1;

/**
 * The time is over, and the books do not reach its end. What time it is for the service, the books tell: a sandbox has its own.
 *
 * @param reach until when the books know everything, by the service's clock and by ours
 */
export function isShort(
  { clock }: { clock: Clock },
  { knownUntil, completeAt, to }: { knownUntil: number; completeAt: number; to: number },
): boolean {
  return knownUntil < to && to <= clock.now() + knownUntil - completeAt;
}

/** @throws Problem (usage) */
export function readMonth(text: string): string {
  if (/^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`)) return text;
  throw usage(`"${text}" is not a month`, 'such as 2026-10');
}

/** `2026-10-01 to 2026-10-31`: the first and the last day, where it begins and ends with days; else the moments. */
export function periodWords({ from, to }: Period, zone: string): string {
  const [first, last] = [wallTime(from, zone), wallTime(to - 1, zone)];
  const isWhole = first.time === '00:00:00' && wallTime(to, zone).time === '00:00:00';
  return isWhole ? `${first.day} to ${last.day}` : `${first.day} ${first.time} to ${last.day} ${last.time}`;
}
