/** A time of the service is in UTC; for whoever reads it on a terminal the local time stands beside it. */
import type { Cell } from './view.ts';

/** `2026-11-21T09:12:00.123Z`, or `2026-11-21 09:12:00 UTC`, and nothing else in the cell, or behind a comma. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z| UTC)(?=$|, )/;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-21T09:12:00Z (10:12 local)`; with the day where it is another one, and nothing where local time is UTC. */
export function withLocal(cell: Cell, zone: string | undefined): Cell {
  if (zone === undefined || typeof cell !== 'string') return cell;
  const [utc = '', day, time] = UTC_TIME.exec(cell) ?? [];
  if (day === undefined || time === undefined) return cell;
  const at = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(at)) return cell;
  const local = localParts(at, zone);
  if (`${local.day} ${local.time}` === `${day} ${time.slice(0, 5)}`) return cell;
  return `${utc} (${local.day === day ? '' : `${local.day} `}${local.time} local)${cell.slice(utc.length)}`;
}

function localParts(at: number, zone: string): { day: string; time: string } {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
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
    hourCycle: 'h23',
  } as const;
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(timeZone, made);
  return made;
}
