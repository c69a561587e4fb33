/** Rows as node-postgres gives them (a bigint is a text), and what they stand for. */
import type { ForwardState, KeptDelivery, ListedDelivery } from '../port.ts';

type Row = Record<string, unknown>;

export const LISTED = `d.id, d.received_at, d.webhook, d.event, d.object_id, d.transaction_id,
  encode(d.delivery_print, 'hex') AS delivery_print, encode(d.event_print, 'hex') AS event_print, d.url, d.state,
  d.repeat, d.recovered, d.late, d.attempts, d.answer, d.changed_at`;
export const KEPT = `${LISTED}, c.headers, c.body`;
export const KEPT_FROM = 'remit_inbox.deliveries d JOIN remit_inbox.contents c USING (account, id)';

const text = (value: unknown): string | null => (value === null ? null : String(value));

export function readListed(row: Row): ListedDelivery {
  return {
    id: String(row.id),
    webhook: String(row.webhook),
    event: String(row.event),
    objectId: String(row.object_id),
    transactionId: text(row.transaction_id),
    deliveryPrint: String(row.delivery_print),
    eventPrint: String(row.event_print),
    url: String(row.url),
    receivedAt: Number(row.received_at),
    recovered: row.recovered === true,
    late: row.late === true,
    repeat: row.repeat === true,
    state: row.state as ForwardState,
    attempts: Number(row.attempts),
    answer: text(row.answer),
    changedAt: Number(row.changed_at),
  };
}

export function readKept(row: Row): KeptDelivery {
  return { ...readListed(row), headers: JSON.parse(String(row.headers)), body: row.body as Uint8Array };
}
