/**
 * Times of the service are in UTC, and stay so in files and pipes. On a terminal a time is that of the reader's zone, with the
 * zone named: `2026-11-21 10:12:00 UTC+1` where it stands alone, and once below a table that has a column of them.
 */
import { offsetName, wallTime } from '../../core/zone.ts';
import type { Cell } from './view.ts';

/** `2026-11-21T09:12:00.123Z`, or `2026-11-21 09:12:00 UTC`, and nothing else in the cell, or behind a comma. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z| UTC)(?=$|, | \()/;

/** `2026-11-21T09:12:00Z` as `2026-11-21 10:12:00 UTC+1`. As it is where no zone is known, and where it is no time. */
export const withLocal = (cell: Cell, zone: string | undefined): Cell =>
  inZone(cell, zone, (at, of) => `${minutesOf(at, of, ':ss')} ${offsetName(at, of)}`);

/** For a column of a table, whose zone is named below it: `2026-11-21 10:12`. */
export const shortLocal = (cell: Cell, zone: string | undefined): Cell =>
  inZone(cell, zone, (at, of) => minutesOf(at, of));

const ANYWHERE = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Times within a sentence. */
export const withLocalTimes = (text: string, zone: string | undefined): string =>
  zone === undefined ? text : text.replace(ANYWHERE, (time) => withLocal(time, zone) ?? time);

/** The time of the day alone: `10:12:00`. */
export const clockTime = (at: string, zone: string | undefined): string =>
  zone === undefined ? at.slice(11, 19) : wallTime(Date.parse(at), zone).time;

function minutesOf(at: number, zone: string, seconds = ''): string {
  const { day, time } = wallTime(at, zone);
  return `${day} ${time.slice(0, 'hh:mm'.length + seconds.length)}`;
}

function inZone(cell: Cell, zone: string | undefined, words: (at: number, zone: string) => string): Cell {
  if (zone === undefined || typeof cell !== 'string') return cell;
  const [matched, utc] = UTC_TIME.exec(cell) ?? [];
  if (matched === undefined || utc === undefined) return cell;
  const at = Date.parse(`${utc.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? cell : words(at, zone) + cell.slice(matched.length);
}
