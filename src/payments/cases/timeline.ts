/**
 * The life of one payout (decision 0035): requests that the service received from us and webhooks that it sent, from its logs,
 * and what this machine's inbox holds beside them. Nothing is guessed or numbered. What stands here stays as it is when older
 * records are read: they only add to it.
 */

import { readJson } from '../../client/json.ts';
import { pages } from '../../client/pages.ts';
import { listApiLogs, listWebhookLogs } from '../../contract/operations/logs.ts';
import type { ApiLog, WebhookLog } from '../../contract/resources/log.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isNotStarted, isUnderWay } from '../../contract/states/recipient.ts';
import { isoTime, utcDay } from '../../core/clock.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { Desk } from '../desk.ts';
import type { timelineShape } from '../shapes/payments.ts';

export type TimelineMoment = DataOf<typeof timelineShape>;

export interface Timeline {
  moments: TimelineMoment[];
  /** How many log records were looked at, and whether there were more. */
  looked: number;
  whole: boolean;
}

const PER = 100;
const FEW_PAGES = 5;

interface Life {
  recipient: Recipient;
  transaction: Transaction;
}

/** @param all reads the logs to their ends */
export async function timelineOf(
  desk: Desk,
  { recipient, transaction }: Life,
  { all: isAll = false }: { all?: boolean } = {},
): Promise<Timeline> {
  const client = await desk.client();
  const most = isAll ? Number.POSITIVE_INFINITY : FEW_PAGES;
  const since = utcDay(transaction.created_at ?? recipient.created_at ?? '');
  const query = { per: PER, ...(since === undefined ? {} : { created_at_from: since }) };
  const [sent, received] = await Promise.all([
    read(pages(client, listWebhookLogs, { query }), most),
    read(pages(client, listApiLogs, { query }), most),
  ]);
  const about = { recipient: recipient.id ?? '', transaction: transaction.id ?? '' };
  const told = await onceEach(sent.records, sent.whole);
  const whole = sent.whole && received.whole;
  const found = [
    ...(await all([...told, ...beside(told, await inboxOf(desk, about.transaction))], (one) =>
      momentOfWebhook(one, about),
    )),
    ...(await all(received.records, (log) => momentOfRequest(log, about))),
  ];
  const begun = moment({
    at: recipient.created_at ?? '',
    name: 'initial',
    reason: 'created with its payment',
  });
  return {
    moments: concluded([begun, ...(whole ? [] : [GAP])], found, recipient),
    looked: sent.records.length + received.records.length,
    whole,
  };
}

interface Delivered {
  at: string;
  event: string;
  object: unknown;
}

/**
 * Returns the deliveries about a payment that the inbox of this machine received; none where there is no
 * inbox, or it cannot be read.
 */
async function inboxOf(desk: Desk, transactionId: string): Promise<Delivered[]> {
  try {
    const kept = (await (await desk.ports.inbox?.())?.deliveriesAbout(desk, transactionId)) ?? [];
    const listed: Delivered[] = [];
    for (const { body, event, receivedAt } of kept) {
      const { object } = (await bodyOf(Buffer.from(body).toString('utf8'))) ?? {};
      listed.push({ at: isoTime(receivedAt), event, object });
    }
    return listed.reverse();
  } catch {
    return [];
  }
}

const keyOf = ({ event, object }: Delivered): string => `${event} ${JSON.stringify(object)}`;

/** Returns the deliveries that the logs do not tell: the log is older than it is read, or no longer kept. */
function beside(told: readonly Delivered[], received: readonly Delivered[]): Delivered[] {
  const known = new Set(told.map(keyOf));
  return received.filter((one) => !known.has(keyOf(one)));
}

/**
 * Returns the events, once each, in the order of the logs. A delivery that is tried again has the same body
 * and a higher number of tries; the same event of a later try of the payout may have that body too, and
 * begins at one. Several endpoints get every event: the third `recipient.error` of one is the third of
 * the other.
 */
async function onceEach(logs: readonly WebhookLog[], whole: boolean): Promise<Delivered[]> {
  const times = new Map<string, number>();
  const told = new Set<string>();
  const events: Delivered[] = [];
  for (const log of logs) {
    const { event, tries, request } = log.metadata ?? {};
    const own = `${event} ${request?.url} ${request?.body}`;
    const before = times.get(own) ?? 0;
    // A later try of a delivery says when it was tried: its first says when it happened.
    if ((tries ?? 2) > 1 && (before > 0 || (!whole && tries != null))) continue;
    times.set(own, before + 1);
    const { object } = (await bodyOf(request?.body)) ?? {};
    const one: Delivered = { at: log.created_at ?? '', event: event ?? '', object };
    const what = `${keyOf(one)} ${before}`;
    if (!told.has(what)) events.push(one);
    told.add(what);
  }
  return events;
}

/** The service has the newest first; here the oldest comes first. */
async function read<Row>(
  source: AsyncGenerator<Row[]>,
  most: number,
): Promise<{ records: Row[]; whole: boolean }> {
  const records: Row[] = [];
  let read = 0;
  for await (const page of source) {
    if (read++ >= most) return { records: records.reverse(), whole: false };
    records.push(...page);
  }
  return { records: records.reverse(), whole: true };
}

async function all<Row>(
  rows: readonly Row[],
  momentOf: (row: Row) => Promise<TimelineMoment | undefined>,
): Promise<TimelineMoment[]> {
  return (await Promise.all(rows.map(momentOf))).filter((one) => one !== undefined);
}

const moment = (members: Partial<TimelineMoment> & Pick<TimelineMoment, 'at' | 'name'>): TimelineMoment => ({
  by: 'service',
  what: 'state',
  event: null,
  code: null,
  reason: null,
  status: null,
  ...members,
});

interface About {
  recipient: string;
  transaction: string;
}

/** The states of this recipient, and those of its transaction that say something new about it. */
async function momentOfWebhook(
  { at, event, object: told }: Delivered,
  about: About,
): Promise<TimelineMoment | undefined> {
  const object = (told ?? {}) as { id?: string; recipients?: Recipient[]; state?: string };
  const recipient =
    object.id === about.recipient
      ? (object as Recipient)
      : object.id === about.transaction
        ? object.recipients?.find(({ id }) => id === about.recipient)
        : undefined;
  if (recipient === undefined) return undefined;
  const details = recipient.state_reason_details;
  const code = details?.code && details.code !== '0' ? details.code : null;
  const messages = details?.messages ?? [];
  return moment({
    at,
    name: recipient.state ?? '',
    event,
    code,
    reason: code === null ? null : (messages.at(-1) ?? null),
  });
}

async function momentOfRequest(log: ApiLog, about: About): Promise<TimelineMoment | undefined> {
  const { request_method: method = '', request_url: url = '' } = log;
  const path = (url ?? '').split('?')[0] ?? '';
  const asked = await wordFor(method ?? '', path, log, about);
  if (asked === undefined) return undefined;
  return moment({
    at: log.created_at ?? '',
    by: 'you',
    what: 'request',
    name: asked,
    status: log.response_status ?? null,
  });
}

async function wordFor(method: string, path: string, log: ApiLog, about: About): Promise<string | undefined> {
  if (path.endsWith(`/recipients/${about.recipient}`)) {
    if (method === 'PATCH') return 'edit';
    if (method === 'DELETE') return 'cancel';
  }
  if (method !== 'POST') return undefined;
  const text = `${log.request_body ?? ''}`;
  if (path.endsWith('/accounts/debits')) return text.includes(about.transaction) ? 'fund' : undefined;
  if (!/\/transactions(?:\/create_and_fund)?$/.test(path)) return undefined;
  if (!`${log.response_body ?? ''}`.includes(about.transaction)) return undefined;
  return path.endsWith('create_and_fund') ? 'create and fund' : 'create';
}

async function bodyOf(text: string | null | undefined): Promise<{ object?: unknown } | undefined> {
  try {
    return (await readJson(text ?? '')) as { object?: unknown };
  } catch {
    return undefined;
  }
}

/** Between what is known from the record itself and the oldest log record that was read. */
const GAP = moment({ at: '', what: 'gap', name: 'older records were not read' });

/**
 * Puts them in order of time. A transaction's event tells the states of its recipients again: it is left out where it only
 * repeats the state before, and where that one is not known.
 */
function concluded(
  begun: readonly TimelineMoment[],
  found: readonly TimelineMoment[],
  now: Recipient,
): TimelineMoment[] {
  const ordered = [...found].sort((a, b) => atMs(a) - atMs(b) || rank(a) - rank(b));
  const shown: TimelineMoment[] = [...begun];
  let last = begun.length > 1 ? undefined : begun[0]?.name;
  for (const one of ordered) {
    const isOwn = one.what === 'request' || one.event?.startsWith('recipient.');
    if (!isOwn && (last === undefined || one.name === last)) continue;
    shown.push(one);
    if (one.what === 'state') last = one.name;
  }
  if (now.state && last !== now.state)
    shown.push(moment({ at: '', name: now.state, reason: 'its state now' }));
  return shown;
}

/** The time as a number: as text, times with another offset or without milliseconds do not sort. */
export const atMs = ({ at }: { at: string }): number => Date.parse(at) || 0;

/** Orders what happened in the same instant: first what was asked, then what followed, last what the transaction says. */
function rank({ what, name, event }: TimelineMoment): number {
  if (isNotStarted(name)) return 0;
  if (what === 'request') return 1;
  if (!event?.startsWith('recipient.')) return 4;
  return isUnderWay(name) ? 2 : 3;
}
