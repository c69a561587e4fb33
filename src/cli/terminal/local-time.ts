/**
 * Times of the service are in UTC, and stay so in files and pipes. On a terminal a time is that of the reader's zone, with the
 * zone said: `2026-11-21 10:12:00 UTC+1` where it stands alone, and once below a table that has a column of them.
 */
import type { Cell } from './view.ts';

/** `2026-11-21T09:12:00.123Z`, or `2026-11-21 09:12:00 UTC`, and nothing else in the cell, or behind a comma. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z| UTC)(?=$|, )/;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-21T09:12:00Z` as `2026-11-21 10:12:00 UTC+1`. As it is where no zone is known, and where it is no time. */
export function withLocal(cell: Cell, zone: string | undefined): Cell {
  const found = localIn(cell, zone);
  if (found === undefined || typeof cell !== 'string') return cell;
  return `${found.local} ${found.offset}${cell.slice(found.length)}`;
}

/** For a column of a table, whose zone is said below it: `2026-11-21 10:12`. */
export function shortLocal(cell: Cell, zone: string | undefined): Cell {
  const found = localIn(cell, zone);
  if (found === undefined || typeof cell !== 'string') return cell;
  return found.local.slice(0, 'yyyy-mm-dd hh:mm'.length) + cell.slice(found.length);
}

function localIn(cell: Cell, zone: string | undefined) {
  if (zone === undefined || typeof cell !== 'string') return undefined;
  const [matched, utc] = UTC_TIME.exec(cell) ?? [];
  if (matched === undefined || utc === undefined) return undefined;
  const at = Date.parse(`${utc.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? undefined : { ...localParts(at, zone), length: matched.length };
}

function localParts(at: number, zone: string): { local: string; offset: string } {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    local: `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`,
    // `GMT`, `GMT+1` or `GMT+5:30`: the same offset by its other name.
    offset: (parts.timeZoneName ?? 'GMT').replace('GMT', 'UTC'),
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const two = '2-digit';
  const options = {
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  } as const;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(timeZone, made);
  return made;
}
