/** Targets of deliveries: a handler over HTTP, a program, or the reader of our output. */
import type { KeptDelivery } from '../store/port.ts';

export interface Attempt {
  ok: boolean;
  /** The status that the handler answered; null for a program, or where there was no answer. */
  status: number | null;
  /** A status, an exit code, or why there was none: for people. */
  answer: string;
  ms: number;
  /** Broken off because the listener ends: as if it had not been tried. */
  brokenOff?: true;
}

/** `stop` fires when the listener cannot wait any longer. */
export type Target = (delivery: KeptDelivery, attempt: number, stop?: AbortSignal) => Promise<Attempt>;

/** The headers that the hop adds about a delivery, beside those of the service. An absent mark means no. */
export function markHeaders(delivery: KeptDelivery, attempt: number): Record<string, string> {
  const { id, repeat, late, recovered } = delivery;
  return {
    'Remit-Delivery-Id': id,
    'Remit-Attempt': String(attempt),
    ...(repeat ? { 'Remit-Repeat': 'true' } : {}),
    ...(late ? { 'Remit-Late': 'true' } : {}),
    ...(recovered ? { 'Remit-Recovered': 'true' } : {}),
  };
}
