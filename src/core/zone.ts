/** Days and times of a time zone, by the zone data of the runtime. A zone is a name such as `Europe/Lisbon`. */

const formats = new Map<string, Intl.DateTimeFormat>();

export function isZone(zone: string): boolean {
  try {
    return formatFor(zone) !== undefined;
  } catch {
    return false;
  }
}

/** The day and time that a clock on the wall shows: `2026-11-21` and `10:12:00`. */
export interface WallTime {
  day: string;
  time: string;
}

export function wallTime(at: number, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}:${parts.second}`,
  };
}

/** How far the zone is before UTC at that moment, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const { day, time } = wallTime(at, zone);
  return Date.parse(`${day}T${time}Z`) - Math.floor(at / 1_000) * 1_000;
}

/** `UTC`, `UTC+1`, `UTC-3:30`. */
export function offsetName(at: number, zone: string): string {
  const minutes = offsetAt(at, zone) / 60_000;
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** When the wall showed that; of an hour that was there twice the first, of one that was left out the moment after. */
export function momentOf(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  const before = asUtc - offsetAt(asUtc - 86_400_000, zone);
  const after = asUtc - offsetAt(asUtc + 86_400_000, zone);
  for (const at of [Math.min(before, after), Math.max(before, after)])
    if (at + offsetAt(at, zone) === asUtc) return at;
  return Math.max(before, after);
}

/** The first moment of a day, `2026-11-21`. */
export const startOfDay = (day: string, zone: string): number => momentOf(`${day}T00:00:00`, zone);

/** `2026-11-28 08:00 Europe/Berlin (UTC+1)`. Seconds are left out. */
export function minuteIn(at: number, zone: string): string {
  const { day, time } = wallTime(at, zone);
  const offset = offsetName(at, zone);
  return `${day} ${time.slice(0, 5)} ${zone}${zone === offset ? '' : ` (${offset})`}`;
}

/** `2026-11-21`. The 30th of February is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Returns the day that is this many days later, by the calendar. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const two = '2-digit';
  const options = { month: two, day: two, hour: two, minute: two, second: two, hourCycle: 'h23' } as const;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, year: 'numeric', timeZone });
  formats.set(timeZone, made);
  return made;
}
