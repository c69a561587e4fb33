/** Reads the service's logs and compares them with the tables that the double is made from. It reads only. */
import { listApiLogs, listWebhookLogs } from '../../contract/operations/logs.ts';
import type { ApiLog, WebhookLog } from '../../contract/resources/log.ts';
import { isoTime } from '../../core/clock.ts';
import { Pace } from '../books/pace.ts';
import type { Desk } from '../desk.ts';
import { type Reach, readLog } from '../golive/read-logs.ts';
import type { Difference } from './differences.ts';
import { DriftSearch } from './search.ts';

export interface DriftFound {
  differences: Difference[];
  /** Kinds of difference that found no room in the report. */
  left: number;
  /** Bodies that the log had cut short, or that are no JSON. */
  unread: number;
  reach: Reach[];
}

export async function searchDrift(
  desk: Desk,
  { since, perMinute }: { since: number; perMinute: number | undefined },
): Promise<DriftFound> {
  const pace = new Pace(desk, perMinute);
  const search = new DriftSearch();
  const read = { since, enter: () => pace.enter() };
  const { reach: requests } = await readLog(desk, {
    ...read,
    operation: listApiLogs,
    log: 'requests',
    take: (log: ApiLog) => {
      search.answer(log);
      return dated(log);
    },
  });
  const { reach: deliveries } = await readLog(desk, {
    ...read,
    operation: listWebhookLogs,
    log: 'deliveries',
    take: (log: WebhookLog) => {
      search.delivery(log);
      return dated(log);
    },
  });
  return { ...search.conclude(), unread: search.unread, reach: [requests, deliveries] };
}

function dated({
  created_at: created,
}: {
  created_at?: string | null | undefined;
}): { at: number } | undefined {
  const at = Date.parse(created ?? '');
  return Number.isNaN(at) ? undefined : { at };
}

/** The report as a file: it holds no id, no name, no amount and no text of a person, and may be sent to whoever maintains the double. */
export const driftReport = (
  { differences, left, unread, reach }: DriftFound,
  { since, version }: { since: number; version: string },
): string =>
  `${JSON.stringify(
    {
      report: 'drift',
      version: 1,
      remit: version,
      since: isoTime(since),
      read: reach.map(({ log, records, from, whole }) => ({ log, records, from, whole })),
      unread_bodies: unread,
      left_out: left,
      differences,
    },
    null,
    2,
  )}\n`;
