/** Rows of an inbox's file, and what they stand for. */
import { asBuffer } from '../../../core/bytes.ts';
import type { Row } from '../../../disk/driver.ts';
import type { HandOverState, KeptDelivery, ListedDelivery } from '../port.ts';

export const LISTED = `deliveries.seq AS seq, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
  event_print, url, state, repeat, recovered, late, attempts, answer, changed_at`;
export const KEPT = `${LISTED}, headers, body`;

/** An id's, or a print's, digits as bytes. */
export const bytesOfHex = (hex: string): Buffer =>
  Buffer.from(hex.length === 36 ? hex.replaceAll('-', '') : hex, 'hex');

const hexOf = (bytes: unknown): string => asBuffer(bytes as Uint8Array).toString('hex');

export function uuidOf(bytes: unknown): string {
  const hex = hexOf(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function readListed(row: Row): ListedDelivery {
  return {
    id: uuidOf(row.id),
    webhook: String(row.webhook),
    event: String(row.event),
    objectId: String(row.object_id),
    transactionId: row.transaction_id === null ? null : String(row.transaction_id),
    deliveryPrint: hexOf(row.delivery_print),
    eventPrint: hexOf(row.event_print),
    url: String(row.url),
    receivedAt: Number(row.received_at),
    recovered: row.recovered === 1,
    late: row.late === 1,
    repeat: row.repeat === 1,
    state: row.state as HandOverState,
    attempts: Number(row.attempts),
    answer: row.answer === null ? null : String(row.answer),
    changedAt: Number(row.changed_at),
  };
}

export function readKept(row: Row): KeptDelivery {
  return { ...readListed(row), headers: JSON.parse(String(row.headers)), body: row.body as Uint8Array };
}
