import type { ReceivedDelivery, Refusal } from './port.ts';

type Texts = Pick<ReceivedDelivery, 'webhook' | 'event' | 'objectId' | 'transactionId' | 'url'>;

const NUL = /\0/g;

/** Neither engine keeps a NUL within a text. The body is bytes, and has it still. */
export function withoutNul<T extends Texts>(delivery: T): T {
  const { webhook, event, objectId, transactionId, url } = delivery;
  if (!`${webhook}${event}${objectId}${transactionId}${url}`.includes('\0')) return delivery;
  const plain = (text: string): string => text.replace(NUL, '\ufffd');
  return {
    ...delivery,
    webhook: plain(webhook),
    event: plain(event),
    objectId: plain(objectId),
    transactionId: transactionId === null ? null : plain(transactionId),
    url: plain(url),
  };
}

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

/** A refusal as both engines keep it: the same columns, read the same way. */
export function readRefusal(row: Readonly<Record<string, unknown>>): Refusal {
  return {
    id: String(row.id),
    receivedAt: Number(row.received_at),
    from: String(row.peer),
    url: String(row.url),
    target: String(row.target),
    headers: JSON.parse(String(row.headers)),
    body: row.body as Uint8Array,
    bodyBytes: Number(row.body_bytes),
    cause: text(row.cause),
    message: text(row.message),
  };
}
