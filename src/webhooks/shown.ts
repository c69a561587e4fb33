/** The published records of deliveries in the inbox: those of a list, without bodies, and one of them whole. */

import { byWord } from '../core/by-word.ts';
import { isoTime } from '../core/clock.ts';
import type { Look } from '../core/look.ts';
import type { DataOf } from '../frame/shape.ts';
import type { ToldDelivery } from '../payments/shapes/told.ts';
import { eachDelivery, type InboxMatch } from './in-inbox.ts';
import type { deliveryShape, receivedShape } from './shapes.ts';
import type {
  DeliveryFilter,
  DeliveryReader,
  KeptDelivery,
  ListedDelivery,
  Refusal,
  RefusalLog,
} from './store/port.ts';

export type ShownReceived = DataOf<typeof receivedShape>;
export type ShownDelivery = DataOf<typeof deliveryShape>;

function shownReceived(delivery: ListedDelivery): ShownReceived {
  return {
    id: delivery.id,
    received_at: isoTime(delivery.receivedAt),
    event: delivery.event,
    object_id: delivery.objectId,
    transaction_id: delivery.transactionId,
    webhook: delivery.webhook,
    state: delivery.state,
    repeat: delivery.repeat,
    late: delivery.late,
    recovered: delivery.recovered,
    attempts: delivery.attempts,
    answer: delivery.answer,
    changed_at: isoTime(delivery.changedAt),
  };
}

function shownRefusal({ id, receivedAt, cause, message }: Refusal): ShownReceived {
  return {
    id,
    received_at: isoTime(receivedAt),
    event: null,
    object_id: null,
    transaction_id: null,
    webhook: null,
    state: 'invalid',
    repeat: false,
    late: false,
    recovered: false,
    attempts: 0,
    answer: message ?? cause,
    changed_at: isoTime(receivedAt),
  };
}

/** Signatures are cut wherever anything is printed; a nonce is an ordinary text elsewhere. */
const withoutNonce = (name: string, value: string): string =>
  /nonce$/i.test(name) ? `${value.slice(0, 8)}…` : value;

/** Returns a delivery that was found, whole. */
export const shownWhole = ({ kept, refused }: InboxMatch): ShownDelivery =>
  kept ? shownDelivery(shownReceived(kept), kept) : shownDelivery(shownRefusal(refused), refused);

/** Reads page by page, the newest first. */
export async function* receivedIn(
  inbox: DeliveryReader,
  filter: DeliveryFilter,
  limit: number,
): AsyncGenerator<ShownReceived[]> {
  for await (const page of eachDelivery(inbox, filter, limit)) yield page.map(shownReceived);
}

/** Only the latest are kept, so that they are one page. */
export const refusalsIn = async (
  inbox: RefusalLog,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<ShownReceived[]> => (await inbox.refusals(limit)).map(shownRefusal);

/** `again, late`; empty for most. */
export const markWords = ({ repeat, late, recovered }: ShownReceived): string =>
  [repeat && 'again', late && 'late', recovered && 'from the log'].filter(Boolean).join(', ');

/** The verdict of a delivery, and what became of it. */
export const deliveryStates: Readonly<Record<string, { words: string; look: Look }>> = byWord({
  kept: { words: 'verified, kept', look: 'good' },
  waiting: { words: 'verified, waits for the handler', look: 'waiting' },
  handed_on: { words: 'verified, handed on', look: 'good' },
  dead_letter: { words: 'verified, the handler never took it', look: 'bad' },
  invalid: { words: 'does not verify', look: 'bad' },
});

/** The same in words, as a page shows it. */
export function toldReceived(one: ShownReceived): ToldDelivery {
  const { words, look } = deliveryStates[one.state] ?? { words: one.state, look: 'plain' };
  return {
    id: one.id,
    at: one.received_at,
    event: one.event,
    object: one.object_id,
    state: { word: words, look },
    marks: markWords(one),
    tries: one.attempts,
    answer: one.answer,
  };
}

function shownDelivery(
  row: ShownReceived,
  { url, headers, body }: Pick<KeptDelivery, 'url' | 'headers' | 'body'>,
): ShownDelivery {
  return {
    ...row,
    url,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutNonce(name, value)])),
    body: parsed(body),
    body_bytes: body.length,
  };
}

function parsed(body: Uint8Array): unknown {
  const words = Buffer.from(body).toString('utf8');
  try {
    return depthOf(words) > MOST_LEVELS ? words : JSON.parse(words);
  } catch {
    return words;
  }
}

/**
 * The most levels of a body. A value that is nested deeper is shown as its text: masking and printing go down
 * level by level.
 */
const MOST_LEVELS = 200;

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
