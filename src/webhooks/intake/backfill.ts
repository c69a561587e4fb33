/**
 * Fetches deliveries that were missed: the service's log of deliveries is compared with the inbox, by event, object
 * and body. A delivery that is not here is kept as the service sent it, signed again (decision 0038) and marked as
 * recovered, in the order in which it happened.
 */

import type { Delivery } from '../../contract/resources/webhook.ts';
import { type Credentials, headerNames, headerValue } from '../../contract/signed-text.ts';
import { bodyDigest, signedHeaders } from '../../contract/signing.ts';
import type { Clock } from '../../core/clock.ts';
import { invariant } from '../../core/invariants.ts';
import type { DeliveryKeeper, ReceivedDelivery } from '../store/port.ts';
import { eventPrint } from './fingerprints.ts';
import { type RawHeaders, receivedFrom } from './receive.ts';
import { readDelivery } from './verify.ts';

/** One try of the service, as its log tells it. */
export interface LoggedTry {
  /** A time of the service's clock, milliseconds since 1970. */
  at: number;
  webhook: string;
  event: string;
  objectId: string;
  url: string;
  /** The body text that was sent; null where the log does not have it. */
  body: string | null;
  headers: Readonly<Record<string, string>>;
}

export interface BackfillOptions {
  inbox: DeliveryKeeper;
  /** Pages of the log, in any order. */
  log: AsyncIterable<readonly LoggedTry[]>;
  /** A time of the service's clock: filters of the service may know days only, so that is looked at here. */
  since: number;
  /** True for a try that was meant for this inbox. */
  ours: (logged: LoggedTry) => boolean;
  /** True for a delivery that is handed on, as any other. */
  wanted: (delivery: Delivery) => boolean;
  credentials: Credentials;
  clock: Clock;
  nonce: () => string;
}

export interface Backfilled {
  /** Tries that were looked at. */
  compared: number;
  missed: Missed[];
  /** The time of the newest try seen; null when there was none. */
  newest: number | null;
}

export interface Missed {
  at: number;
  event: string;
  objectId: string;
  /** Null when the log does not have its body, or not a whole one: it cannot be recovered. */
  id: string | null;
}

/** Where a try stands in the log: by its time, and among those of one instant by the order of the list. */
interface Placed extends LoggedTry {
  place: number;
}

interface Comparison {
  /** The first try of each event: that is when it happened, however often it was tried. */
  missing: Map<string, Placed>;
  known: Map<string, Pick<Placed, 'at' | 'place' | 'objectId'>>;
}

/** A page is one question to the inbox: bodies of what is there are not held. */
export async function backfill(options: BackfillOptions): Promise<Backfilled> {
  const comparison: Comparison = { missing: new Map(), known: new Map() };
  let compared = 0;
  let newest: number | null = null;
  let descending = true;
  let fell = false;
  let last = Number.POSITIVE_INFINITY;
  let place = 0;
  for await (const page of options.log) {
    for (const { at } of page) {
      descending &&= at <= last;
      fell ||= at < last && last !== Number.POSITIVE_INFINITY;
      last = at;
      newest = Math.max(newest ?? at, at);
    }
    const placed = page.map((logged) => ({ ...logged, place: place++ }));
    const ours = placed.filter((logged) => logged.at >= options.since && options.ours(logged));
    compared += ours.length;
    await compare(options.inbox, ours, comparison);
    /* Newest first is what services do and none promises: only a list that has kept to it is left early. */
    if (descending && fell && last < options.since) break;
  }
  const order: Order = (a, b) => a.at - b.at || (descending ? b.place - a.place : a.place - b.place);
  const missed = await recover(options, comparison, order);
  invariant(missed.length === comparison.missing.size, 'everything that was missed is recovered or named');
  return { compared, newest, missed };
}

type Order = (a: Pick<Placed, 'at' | 'place'>, b: Pick<Placed, 'at' | 'place'>) => number;

const printOf = ({ event, objectId, body, at }: LoggedTry): string =>
  body === null ? `${event} ${objectId} ${at}` : eventPrint(bodyDigest(body));

async function compare(
  inbox: DeliveryKeeper,
  page: readonly Placed[],
  { missing, known }: Comparison,
): Promise<void> {
  const here = await inbox.known(page.flatMap((logged) => (logged.body === null ? [] : printOf(logged))));
  for (const logged of page) {
    const print = printOf(logged);
    const { at, place, objectId } = logged;
    if (here.has(print)) {
      if (at < (known.get(print)?.at ?? Number.POSITIVE_INFINITY)) known.set(print, { at, place, objectId });
    } else if (at < (missing.get(print)?.at ?? Number.POSITIVE_INFINITY)) missing.set(print, logged);
  }
}

async function recover(
  options: BackfillOptions,
  { missing, known }: Comparison,
  order: Order,
): Promise<Missed[]> {
  const newest = new Map<string, Pick<Placed, 'at' | 'place'>>();
  for (const one of known.values()) {
    const other = newest.get(one.objectId);
    if (!other || order(one, other) > 0) newest.set(one.objectId, one);
  }
  const missed: Missed[] = [];
  for (const logged of [...missing.values()].sort(order)) {
    const { at, event, objectId } = logged;
    const later = newest.get(objectId);
    const late = later !== undefined && order(later, logged) > 0;
    const delivery = readLogged(logged);
    const id = delivery && (await keep(options, delivery, restored(options, logged, { delivery, late })));
    missed.push({ at, event, objectId, id });
  }
  return missed;
}

/** It may have come in the meantime, by a retry of the service. */
async function keep(
  { inbox, wanted }: BackfillOptions,
  delivery: Delivery,
  received: ReceivedDelivery,
): Promise<string> {
  const [kept] = await inbox.keep([{ ...received, handOn: wanted(delivery) }]);
  invariant(kept, 'what is recovered has a place in the inbox');
  return kept.id;
}

/** Null where the log has no body, or one that is cut short, or another one. */
function readLogged({ body, event, objectId }: LoggedTry): Delivery | null {
  const read = body === null ? null : readDelivery(Buffer.from(body));
  return read && read.event === event && (read.object.id ?? '') === objectId ? read : null;
}

/**
 * Restores a delivery as the service sent it, nonce included; the log cuts signatures short, so it is signed as the
 * service did.
 */
function restored(
  { credentials, clock, nonce: fresh }: BackfillOptions,
  { body, url, headers }: LoggedTry,
  { delivery, late }: { delivery: Delivery; late: boolean },
): ReceivedDelivery {
  const bytes = Buffer.from(body ?? '');
  const nonce = headerValue(headers, headerNames.nonce) || fresh();
  const digest = bodyDigest(bytes);
  const signed = signedHeaders(credentials, { nonce, method: 'POST', url, body: bytes });
  return receivedFrom(
    delivery,
    { nonce, bodyDigest: digest },
    {
      body: bytes,
      url,
      headers: signedAgain(headers, signed),
      receivedAt: clock.now(),
      recovered: true,
      late,
    },
  );
}

function signedAgain(headers: Readonly<Record<string, string>>, signed: Record<string, string>): RawHeaders {
  const names = [...Object.keys(signed), headerNames.secret].map((name) => name.toLowerCase());
  const rest = Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase()));
  return [...rest, ...Object.entries(signed)];
}
