/** The logs of the service, read as far back as is asked for, or as they reach. */

import type { ListAnswer } from '../client/pages.ts';
import { pages } from '../client/pages.ts';
import { listApiLogs, listWebhookLogs } from '../contract/operations/logs.ts';
import type { Operation } from '../contract/operations/operation.ts';
import { listWebhooks } from '../contract/operations/webhooks.ts';
import { isoTime } from '../core/clock.ts';
import type { Desk } from '../payments/desk.ts';
import { isComplete, readList } from '../payments/lists/list-reader.ts';
import { instantOf, type When } from '../payments/lists/period.ts';
import { serviceNow } from '../payments/service-time.ts';
import { callOf, type LoggedCall, type Try, tryOf } from './evidence.ts';
import type { Evidence } from './judged.ts';

/** A week of as many reads as the service asks for at most is fewer. */
const MOST = 20_000;
const DAY_MS = 86_400_000;

export interface LogReach {
  log: 'requests' | 'deliveries';
  records: number;
  /** The oldest record that was read. */
  from: string | null;
  /** True where everything since then was read. */
  whole: boolean;
  /** There is more than is read at once. */
  isCut: boolean;
}

interface ReadLog<Found> {
  /** Oldest first. */
  found: Found[];
  reach: LogReach;
}

export const readCalls = (desk: Desk, since: number): Promise<ReadLog<LoggedCall>> =>
  readLog(desk, { operation: listApiLogs, since, log: 'requests', take: callOf });

const readTries = (desk: Desk, since: number): Promise<ReadLog<Try>> =>
  readLog(desk, { operation: listWebhookLogs, since, log: 'deliveries', take: tryOf });

export async function readEvidence(desk: Desk, since: number): Promise<Evidence & { reach: LogReach[] }> {
  const [calls, tries, endpoints] = [
    await readCalls(desk, since),
    await readTries(desk, since),
    await readEndpoints(desk),
  ];
  return { calls: calls.found, tries: tries.found, endpoints, reach: [calls.reach, tries.reach] };
}

/** Milliseconds since 1970, by the clock of the service. */
export const sinceOf = async (desk: Desk, when: When): Promise<number> =>
  instantOf(when, { now: await serviceNow(desk), zone: desk.zone, toEnd: false });

interface Dated {
  created_at?: string | null | undefined;
}

interface AskedLog<Row, Found> {
  operation: Operation<never, ListAnswer<Row>>;
  since: number;
  log: LogReach['log'];
  /** Returns the finding of a record; undefined where the record says too little. */
  take(row: Row): Found | undefined;
}

async function readLog<Row extends Dated, Found extends { at: number }>(
  desk: Desk,
  { operation, since, log, take }: AskedLog<Row, Found>,
): Promise<ReadLog<Found>> {
  const query = { created_at_from: isoTime(since) };
  const limits = { limit: MOST, bound: MOST };
  const { looked, pages: read } = await readList(desk, { operation, query, limits });
  const found: Found[] = [];
  await desk.working(`reading the log of ${log}`, async (progress) => {
    for await (const page of read()) {
      for (const row of page) {
        const one = take(row);
        if (one !== undefined) found.push(one);
      }
      progress.tell(looked.rows);
    }
  });
  // Records come newest first, and many have the same time.
  found.reverse().sort((a, b) => a.at - b.at);
  const isCut = !isComplete(looked);
  const whole = !isCut && (await hasOlder(desk, operation, since));
  const [oldest] = found;
  return {
    found,
    reach: { log, records: looked.found, from: oldest ? isoTime(oldest.at) : null, whole, isCut },
  };
}

/** A log forgets: only a record from before the time that is asked for shows that nothing behind it was forgotten. */
async function hasOlder<Row extends Dated>(
  desk: Desk,
  operation: Operation<never, ListAnswer<Row>>,
  since: number,
): Promise<boolean> {
  const client = await desk.client();
  const query = { per: 1, created_at_to: isoTime(since - DAY_MS).slice(0, 10) };
  const { object } = await client.call(operation, { query });
  return object.some(({ created_at }) => Date.parse(created_at ?? '') < since);
}

async function readEndpoints(desk: Desk): Promise<string[][]> {
  const found: string[][] = [];
  for await (const page of pages(await desk.client(), listWebhooks, { query: { per: 100 } }))
    found.push(...page.map(({ events }) => events ?? []));
  return found;
}
