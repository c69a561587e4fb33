/** Deliveries in the inbox: lists without bodies, and one of them whole. */

import { toCell, type View } from '../../../frame/terminal/view.ts';
import { lookOf } from '../../../payments/words/looks.ts';
import { idEnding } from '../../in-inbox.ts';
import { deliveryShape, receivedShape } from '../../shapes.ts';
import { markWords, type ShownDelivery, type ShownReceived } from '../../shown.ts';

export const receivedView: View<ShownReceived> = {
  shape: receivedShape,
  empty: 'no deliveries in the inbox',
  columns: [
    { name: 'received_at', head: 'RECEIVED', time: true, get: (row) => row.received_at },
    { name: 'event', get: (row) => row.event ?? '-' },
    { name: 'object_id', head: 'OBJECT', priority: 3, id: true, get: (row) => row.object_id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'marks', priority: 4, get: markWords },
    { name: 'answer', priority: 2, wrap: true, get: (row) => row.answer },
    { name: 'id', id: true, get: (row) => row.id, brief: idEnding },
  ],
};

/** Deliveries that did not verify: each has a reason, and nothing that its body claims. */
export const refusedView: View<ShownReceived> = {
  shape: receivedShape,
  empty: 'no delivery failed to verify',
  columns: [
    { name: 'received_at', head: 'RECEIVED', priority: 2, time: true, get: (row) => row.received_at },
    { name: 'answer', head: 'WHY', priority: 1, wrap: true, get: (row) => row.answer },
    { name: 'id', id: true, get: (row) => row.id, brief: idEnding },
  ],
};

export const deliveryView: View<ShownDelivery> = {
  shape: deliveryShape,
  columns: [
    ...receivedView.columns,
    { name: 'url', priority: 4, get: (row) => row.url },
    { name: 'body_bytes', right: true, priority: 5, get: (row) => toCell(row.body_bytes) },
  ],
  details: (row) => [
    ['delivery', row.id],
    ['received', row.received_at],
    ['event', row.event],
    ['object', row.object_id],
    ['transaction', row.transaction_id],
    ['state', row.state, { state: lookOf }],
    ['marks', markWords(row)],
    ['attempts', toCell(row.attempts)],
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
