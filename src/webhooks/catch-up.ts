/** Compares the inbox with the service's log, keeps what was missed, and says in one line what that was. */

import { type ListAnswer, pages } from '../client/pages.ts';
import { listWebhookLogs } from '../contract/operations/logs.ts';
import { listWebhooks } from '../contract/operations/webhooks.ts';
import type { WebhookLog } from '../contract/resources/log.ts';
import type { Delivery } from '../contract/resources/webhook.ts';
import { isoTime } from '../core/clock.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from '../payments/desk.ts';
import { serviceNow } from '../payments/service-time.ts';
import { type Backfilled, backfill, type LoggedTry, type Missed } from './intake/backfill.ts';
import { type gapShape, NOT_WHOLE } from './shapes.ts';
import type { DeliveryKeeper, DeliveryReader, InboxNotes } from './store/port.ts';

export type Gap = DataOf<typeof gapShape>;

export interface CatchUpOptions {
  inbox: DeliveryKeeper & DeliveryReader & InboxNotes;
  /** The start, in the service's time. By default the last comparison, or a day ago where there was none. */
  since?: number | undefined;
  /** The registered URL, where one is known. */
  publicUrl?: string | undefined;
  /** Looks at deliveries of this definition alone. */
  webhook?: string | undefined;
  /** True where a delivery is to be handed on. */
  wanted: (delivery: Delivery) => boolean;
}

export interface CaughtUp extends Backfilled {
  since: number;
  gap: Gap | null;
}

const COMPARED_TO = 'log_compared_to';
/** The log may be written a little after the delivery. */
const OVERLAP_MS = 10 * 60_000;
const FIRST_LOOK_MS = 24 * 3_600_000;

export async function catchUp(desk: Desk, options: CatchUpOptions): Promise<CaughtUp> {
  const { inbox, wanted } = options;
  const since = options.since ?? (await sinceLastTime(desk, options));
  const ids = await definitionsOf(desk, options);
  const done = await backfill({
    inbox,
    log: readLog(desk, since),
    since,
    ours: ({ webhook, url }) =>
      options.webhook === undefined
        ? ids.has(webhook) || url === options.publicUrl
        : webhook === options.webhook,
    wanted,
    credentials: (await desk.connection()).credentials,
    clock: desk.clock,
    nonce: desk.newId,
  });
  if (done.newest !== null && options.webhook === undefined) await moveMarks(options, since, done.newest);
  return { ...done, since, gap: gapOf(done.missed) };
}

/** How far the log was compared: for what came here before, and for what is registered for the URL. */
const marksOf = ({ publicUrl }: CatchUpOptions): string[] => [
  COMPARED_TO,
  ...(publicUrl === undefined ? [] : [`${COMPARED_TO} ${publicUrl}`]),
];

/** Several endpoints have a mark each: the one that is furthest back misses nothing. */
async function sinceLastTime(desk: Desk, options: CatchUpOptions): Promise<number> {
  const first = (await serviceNow(desk)) - FIRST_LOOK_MS;
  const marks = await Promise.all(marksOf(options).map((name) => options.inbox.note(name)));
  return Math.min(...marks.map((mark) => (mark === undefined ? first : Number(mark) - OVERLAP_MS)));
}

/** Only over time that was looked at: a look that begins after the mark leaves a gap behind it. */
async function moveMarks(options: CatchUpOptions, since: number, newest: number): Promise<void> {
  for (const name of marksOf(options)) {
    const mark = await options.inbox.note(name);
    const whole = mark === undefined ? options.since === undefined : since <= Number(mark);
    if (whole && newest > Number(mark ?? 0)) await options.inbox.setNote(name, String(newest));
  }
}

/** Whatever came here before came from one of these, and what is registered for our URL is meant for us. */
async function definitionsOf(
  desk: Desk,
  { inbox, publicUrl, webhook }: CatchUpOptions,
): Promise<Set<string>> {
  if (webhook !== undefined) return new Set([webhook]);
  const here = publicUrl === undefined ? [] : await definitionsAt(desk, publicUrl);
  return new Set([...(await inbox.webhooks()), ...here]);
}

function gapOf(missed: readonly Missed[]): Gap | null {
  const [first] = missed;
  const last = missed.at(-1);
  if (!first || !last) return null;
  const events: Record<string, number> = {};
  for (const { event } of missed) events[event] = (events[event] ?? 0) + 1;
  const recovered = missed.filter(({ id }) => id !== null).length;
  return {
    from: isoTime(first.at),
    to: isoTime(last.at),
    missed: missed.length,
    recovered,
    unrecoverable: missed.length - recovered,
    events,
  };
}

/** `3 deliveries were missed between … and …, and fetched from the log: recipient.error (2), transaction.paid_out`. */
export function gapSentence({ from, to, missed, recovered, unrecoverable, events }: Gap): string {
  const names = Object.entries(events).map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
  const when = from === to ? `at ${from}` : `between ${from} and ${to}`;
  const what = `${missed} ${missed === 1 ? 'delivery was' : 'deliveries were'} missed ${when}`;
  const fetched =
    unrecoverable === 0
      ? 'and fetched from the log'
      : `${recovered} fetched from the log, ${unrecoverable} not: ${NOT_WHOLE}`;
  return `${what}, ${fetched}: ${names.join(', ')}`;
}

/** `12 tries since 2026-11-21T00:00:00.000Z were compared`. */
export const comparedWords = ({ compared, since }: Pick<CaughtUp, 'compared' | 'since'>): string =>
  `${compared} ${compared === 1 ? 'try' : 'tries'} since ${isoTime(since)} ${compared === 1 ? 'was' : 'were'} compared`;

const DAY_MS = 86_400_000;
/** The most that the service is known to give; one that gives fewer is read to its end all the same. */
const PER_PAGE = 100;

/**
 * The service's log of deliveries as the backfill reads it: one page after the other, whatever their size.
 * Filters may know whole days only, and of another time zone: a day more is asked for, and the rest decided
 * here.
 */
export async function* readLog(desk: Desk, since: number): AsyncGenerator<LoggedTry[]> {
  const client = await desk.client();
  const from = new Date(since - DAY_MS).toISOString().slice(0, 10);
  let before = '';
  for (let page: number | null = 1; page !== null; ) {
    const query = { per: PER_PAGE, created_at_from: from, page };
    const answer: ListAnswer<WebhookLog> = await client.call(listWebhookLogs, { query });
    const ids = answer.object.map(({ id }) => id).join();
    if (ids === '' || ids === before) return;
    yield answer.object.flatMap(tryOf);
    before = ids;
    page = nextOf(answer, page);
  }
}

/**
 * Where the service says nothing about pages, a short one may be its own most: only an empty page, or the same one again, is
 * the end.
 */
function nextOf({ meta }: ListAnswer<WebhookLog>, page: number): number | null {
  const pagination = meta?.pagination;
  return pagination && 'next_page' in pagination ? (pagination.next_page ?? null) : page + 1;
}

function tryOf({ created_at, metadata }: WebhookLog): LoggedTry[] {
  const at = Date.parse(created_at ?? '');
  if (Number.isNaN(at) || !metadata) return [];
  const { params, event, instance_id, request } = metadata;
  return [
    {
      at,
      webhook: typeof params?.id === 'string' ? params.id : '',
      event: event ?? '',
      objectId: instance_id ?? '',
      url: request?.url ?? (typeof params?.url === 'string' ? params.url : ''),
      body: request?.body ?? null,
      headers: textsOf(request?.headers ?? {}),
    },
  ];
}

const textsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Definitions that point to this URL. */
async function definitionsAt(desk: Desk, url: string): Promise<string[]> {
  const client = await desk.client();
  const ids: string[] = [];
  for await (const page of pages(client, listWebhooks)) {
    for (const one of page) if (one.url === url && one.id) ids.push(one.id);
  }
  return ids;
}
