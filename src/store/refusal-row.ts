/** A refusal as both engines keep it: the same columns, read the same way. */
import type { Refusal } from '../core/ports/inbox.ts';

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

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
