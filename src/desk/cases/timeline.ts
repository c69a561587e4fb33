/**
 * The life of one payout, from what the service itself keeps (decision 0035): requests that it received from us and webhooks
 * that it sent. Both carry the service's own time. Nothing is guessed: what the logs no longer hold is not shown.
 */
import type { Client } from '../../client/client.ts';
import { readJson } from '../../client/json.ts';
import { pages } from '../../client/pages.ts';
import { listApiLogs, listWebhookLogs } from '../../contract/operations/logs.ts';
import type { ApiLog, WebhookLog } from '../../contract/resources/log.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';

export interface Moment {
  at: string;
  /** Who made it: the service, or you. */
  by: 'service' | 'you';
  /** `state`: it came to stand there. `request`: you asked for something. */
  what: 'state' | 'request';
  /** The state, or what was asked. */
  name: string;
  /** Which try, where it is one. */
  attempt: number | null;
  event: string | null;
  code: string | null;
  reason: string | null;
  /** The status that your request was answered with. */
  status: string | null;
}

export interface Timeline {
  moments: Moment[];
  /** How many log records were looked at, and whether there were more. */
  looked: number;
  whole: boolean;
}

const PER = 100;
const MOST_PAGES = 5;

export async function timelineOf(
  client: Client,
  recipient: Recipient,
  transaction: Transaction,
): Promise<Timeline> {
  const since = (transaction.created_at ?? recipient.created_at ?? '').slice(0, 10);
  const query = { per: PER, ...(since === '' ? {} : { created_at_from: since }) };
  const [sent, received] = await Promise.all([
    read(pages(client, listWebhookLogs, { query })),
    read(pages(client, listApiLogs, { query })),
  ]);
  const about = { recipient: recipient.id ?? '', transaction: transaction.id ?? '' };
  const found = [
    moment({ at: recipient.created_at ?? '', name: 'initial', reason: 'created with its payment' }),
    ...(await all(await onceEach(sent.records), (one) => momentOfWebhook(one, about))),
    ...(await all(received.records, (log) => momentOfRequest(log, about))),
  ];
  const whole = sent.whole && received.whole;
  return {
    moments: numbered(concluded(found, recipient)),
    looked: sent.records.length + received.records.length,
    whole,
  };
}

interface Delivered {
  log: WebhookLog;
  object: unknown;
}

/**
 * What happened, once each, in the order of the logs. A delivery that is tried again has the same body and a higher number of
 * tries; the same event of a later try of the payout may have that body too, and begins at one. Several endpoints are told
 * of everything: the third `recipient.error` of one is the third of the other.
 */
async function onceEach(logs: readonly WebhookLog[]): Promise<Delivered[]> {
  const times = new Map<string, number>();
  const told = new Set<string>();
  const events: Delivered[] = [];
  for (const log of logs) {
    const { event, tries, request } = log.metadata ?? {};
    const own = `${event} ${request?.url} ${request?.body}`;
    const before = times.get(own) ?? 0;
    if (before > 0 && (tries ?? 2) > 1) continue;
    times.set(own, before + 1);
    const { object } = (await bodyOf(request?.body)) ?? {};
    const what = `${event} ${JSON.stringify(object)} ${before}`;
    if (!told.has(what)) events.push({ log, object });
    told.add(what);
  }
  return events;
}

/** The service has the newest first; here the oldest comes first. */
async function read<Row>(source: AsyncGenerator<Row[]>): Promise<{ records: Row[]; whole: boolean }> {
  const records: Row[] = [];
  let read = 0;
  for await (const page of source) {
    if (read++ >= MOST_PAGES) return { records: records.reverse(), whole: false };
    records.push(...page);
  }
  return { records: records.reverse(), whole: true };
}

async function all<Row>(
  rows: readonly Row[],
  momentOf: (row: Row) => Promise<Moment | undefined>,
): Promise<Moment[]> {
  return (await Promise.all(rows.map(momentOf))).filter((one) => one !== undefined);
}

const moment = (members: Partial<Moment> & Pick<Moment, 'at' | 'name'>): Moment => ({
  by: 'service',
  what: 'state',
  attempt: null,
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
  { log: { created_at: at, metadata }, object: told }: Delivered,
  about: About,
): Promise<Moment | undefined> {
  const event = metadata?.event ?? '';
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
    at: at ?? '',
    name: recipient.state ?? '',
    event,
    code,
    reason: code === null ? null : (messages.at(-1) ?? null),
  });
}

async function momentOfRequest(log: ApiLog, about: About): Promise<Moment | undefined> {
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

/** Puts them in order of time. What only repeats the state before is left out, and the present state is the last. */
function concluded(found: readonly Moment[], now: Recipient): Moment[] {
  const ordered = [...found].sort((a, b) => a.at.localeCompare(b.at) || rank(a) - rank(b));
  const shown: Moment[] = [];
  let last = '';
  for (const one of ordered) {
    const repeats = one.what === 'state' && one.name === last && !one.event?.startsWith('recipient.');
    if (!repeats) shown.push(one);
    if (one.what === 'state') last = one.name;
  }
  if (now.state && last !== now.state)
    shown.push(moment({ at: '', name: now.state, reason: 'as it stands now' }));
  return shown;
}

/** Orders what happened in the same instant: first what was asked, then what followed, last what the transaction says. */
function rank({ what, name, event }: Moment): number {
  if (name === 'initial') return 0;
  if (what === 'request') return 1;
  if (!event?.startsWith('recipient.')) return 4;
  return name === 'pending' ? 2 : 3;
}

/** A try that was not told as pending is counted by its end. */
function numbered(moments: readonly Moment[]): Moment[] {
  let attempt = 0;
  let last = '';
  return moments.map((one) => {
    if (one.what !== 'state') return one;
    const isEnd = one.name === 'error' || one.name === 'success';
    if (one.name === 'pending' || (isEnd && last !== 'pending')) attempt += 1;
    last = one.name;
    return attempt > 0 && (isEnd || one.name === 'pending') ? { ...one, attempt } : one;
  });
}
