/** New log records as they come, oldest first. The reads of the logs themselves are logged too, and left out. */
import type { Client } from '../../../client/client.ts';
import { pages } from '../../../client/pages.ts';
import { listApiLogs, listWebhookLogs } from '../../../contract/operations/logs.ts';
import type { ApiLog, WebhookLog } from '../../../contract/resources/log.ts';
import { isLoopback } from '../../../core/hosts.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { streamOf } from '../../../frame/output/stream-out.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { defineCommand, type OptionsOf } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { dateFlags, readWhen } from '../../../payments/cli/flags/when.ts';
import type { Result } from '../../../payments/cli/result.ts';
import { between } from '../../../payments/lists/period.ts';
import { tolerant } from '../../../payments/polling.ts';
import { apiLogView, webhookLogView } from '../views/log.ts';

type TailOptions = OptionsOf<typeof command>;

const NEAR_MS = 1_000;
const FAR_MS = 30_000;
const PER = 100;
const PAGES = 10;
/** Ids remembered: more than one look can bring. */
const KEPT = 5_000;

export const command = defineCommand({
  description:
    'Looks every 30 seconds (at a sandbox on this machine every second) until Ctrl-C, which ends it with 0. It begins with new records; with --since, it begins with those that were logged from that day on.',
  flags: {
    webhooks: { summary: 'show webhook deliveries in place of requests' },
    since: dateFlags.since,
    count: { value: 'n', summary: 'end after this many' },
  },
  shows: [apiLogView, webhookLogView],
  effect: 'read',
  examples: ['remit logs tail', 'remit logs tail --webhooks -o ndjson', 'remit logs tail --since 2026-11-01'],
  read(input) {
    const { count, since } = input.flags;
    if (since !== undefined) readWhen(since, 'since');
    if (count !== undefined && !/^[1-9]\d{0,8}$/.test(count)) throw usage(`--count ${count} is not a number`);
    return {
      webhooks: input.flags.webhooks,
      since,
      count: count === undefined ? Number.POSITIVE_INFINITY : Number(count),
    };
  },
  run: (context, options): Promise<Result> =>
    options.webhooks
      ? follow(context, options, webhookLogView, (client, query) => pages(client, listWebhookLogs, { query }))
      : follow(context, options, apiLogView, (client, query) => pages(client, listApiLogs, { query })),
});

type Query = Record<string, string | number | undefined>;
type Read<Log> = (client: Client, query: Query) => AsyncIterable<Log[]>;

async function follow<Log extends ApiLog | WebhookLog>(
  context: Context,
  { since, count }: TailOptions,
  view: View<Log>,
  read: Read<Log>,
): Promise<Result> {
  const { process } = context;
  const client = await context.client();
  const { days, fits } = await between(context, { created_at_from: since });
  const pause = isLoopback(new URL(client.baseUrl).hostname) ? NEAR_MS : FAR_MS;
  const print = await streamOf(context, view);
  const look = tolerant(context);
  const seen = new Set<string>();
  let begun = since !== undefined;
  let left = count;
  let hasRead = false;
  context.note('waiting for new records (Ctrl-C ends it)');
  while (!process.interrupt.aborted) {
    const most = begun ? PAGES : 1;
    const once = () => unseen(read(client, { per: PER, ...days }), seen, most);
    // With nothing read yet the first failure is the answer: waiting in silence would look like "nothing new".
    const found = hasRead ? await look(once) : await once();
    hasRead = true;
    if (found !== undefined) {
      for (const log of begun ? found.filter((one) => isNoRead(one) && fits(one)) : []) {
        await print(log);
        if (--left <= 0) return { done: true, exit: exitCodes.ok };
      }
      begun = true;
    }
    await process.sleep(pause, process.interrupt);
  }
  return { done: true, exit: exitCodes.ok };
}

/** Oldest first. Records come newest first: what lies behind one that was seen was seen too. */
async function unseen<Log extends { id: string }>(
  newestFirst: AsyncIterable<Log[]>,
  seen: Set<string>,
  most: number,
): Promise<Log[]> {
  const found: Log[] = [];
  let looked = 0;
  for await (const page of newestFirst) {
    const fresh = page.filter(({ id }) => !seen.has(id));
    found.push(...fresh);
    if (fresh.length < page.length || ++looked >= most) break;
  }
  // Only now: a look that fails half way is made again whole.
  for (const { id } of found) seen.add(id);
  for (const id of [...seen].slice(0, Math.max(0, seen.size - KEPT))) seen.delete(id);
  return [...new Map(found.map((log) => [log.id, log])).values()].reverse();
}

function isNoRead(log: ApiLog | WebhookLog): boolean {
  const { request_method: method, request_url: url } = log as Partial<ApiLog>;
  return method !== 'GET' || !/\/(?:api_logs|logs\/webhooks)(?:\?|$)/.test(url ?? '');
}
