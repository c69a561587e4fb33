/** Deliveries in the inbox: lists without bodies, and one of them whole. */

import { isoTime } from '../../core/clock.ts';
import type { KeptDelivery, ListedDelivery, Refusal } from '../../core/ports/inbox.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { deliveryShape, receivedShape } from '../../desk/shapes/webhooks.ts';
import { endOf } from '../../desk/webhooks/in-inbox.ts';
import { text, type View } from '../terminal/view.ts';

export type ShownReceived = DataOf<typeof receivedShape>;

const marksOf = ({ repeat, late, recovered }: ShownReceived): string =>
  [repeat && 'repeat', late && 'late', recovered && 'recovered'].filter(Boolean).join(', ');

export const receivedView: View<ShownReceived> = {
  shape: receivedShape,
  empty: 'no deliveries in the inbox',
  columns: [
    { name: 'received_at', head: 'RECEIVED', time: true, get: (row) => row.received_at },
    { name: 'event', get: (row) => row.event ?? '-' },
    { name: 'object_id', head: 'OBJECT', priority: 3, id: true, get: (row) => row.object_id },
    { name: 'state', state: true, get: (row) => row.state },
    { name: 'marks', priority: 4, get: marksOf },
    { name: 'answer', priority: 2, wrap: true, get: (row) => row.answer },
    { name: 'id', id: true, get: (row) => row.id, brief: endOf },
  ],
};

/** Deliveries that did not verify: each has a reason, and nothing that its body claims. */
export const refusedView: View<ShownReceived> = {
  shape: receivedShape,
  empty: 'no delivery failed to verify',
  columns: [
    { name: 'received_at', head: 'RECEIVED', priority: 2, time: true, get: (row) => row.received_at },
    { name: 'answer', head: 'WHY', priority: 1, wrap: true, get: (row) => row.answer },
    { name: 'id', id: true, get: (row) => row.id, brief: endOf },
  ],
};

export function shownReceived(delivery: ListedDelivery): ShownReceived {
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

export function shownRefusal({ id, receivedAt, cause, message }: Refusal): ShownReceived {
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

/** A delivery with its body. Nonce and signature are cut short wherever something is printed. */
export type ShownDelivery = DataOf<typeof deliveryShape>;

export const deliveryView: View<ShownDelivery> = {
  shape: deliveryShape,
  columns: [
    ...receivedView.columns,
    { name: 'url', priority: 4, get: (row) => row.url },
    { name: 'body_bytes', right: true, priority: 5, get: (row) => text(row.body_bytes) },
  ],
  details: (row) => [
    ['delivery', row.id],
    ['received', row.received_at],
    ['event', row.event],
    ['object', row.object_id],
    ['transaction', row.transaction_id],
    ['state', row.state, { state: true }],
    ['marks', marksOf(row)],
    ['attempts', text(row.attempts)],
    ['answer', row.answer, { wrap: true }],
    ['changed', row.changed_at],
    ['sent to', row.url],
    '',
    ...Object.entries(row.headers).map(([name, value]) => [name, value] as const),
    '',
    ['body', `${row.body_bytes} bytes`],
    ...bodyLines(row.body).map((line) => ['', line] as const),
  ],
};

const bodyLines = (body: unknown): string[] =>
  typeof body === 'string' ? [body] : JSON.stringify(body, null, 2).split('\n');

/** Signatures are cut wherever anything is printed; a nonce is an ordinary text elsewhere. */
const withoutNonce = (name: string, value: string): string =>
  /nonce$/i.test(name) ? `${value.slice(0, 8)}…` : value;

export function shownDelivery(
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
