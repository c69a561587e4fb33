/** One delivery as `webhooks listen` tells it: a member for each question that a reader of the stream has. */
import type { Delivery } from '../contract/resources/webhook.ts';
import { isoTime } from '../core/clock.ts';
import type { Refused } from './intake/refusals.ts';
import type { Attempt } from './intake/target.ts';
import { readDelivery } from './intake/verify.ts';
import type { KeptDelivery, ListedDelivery, ReceivedDelivery } from './store/port.ts';

/** The `event` line of the stream. What did not verify has nothing that its body claims. */
export interface ListenEvent {
  id: string;
  received_at: string;
  webhook: string | null;
  event: string | null;
  object_id: string | null;
  object: Delivery['object'] | null;
  /** The raw body; in the stream as base64, under `body_b64`. */
  body: Uint8Array;
  signature: 'valid' | 'invalid' | 'recovered';
  /** Why it did not verify; null where it did, or where that was not looked into. */
  cause: string | null;
  message: string | null;
  hint: string | null;
  /** Here before, nonce and all: it was dropped. */
  duplicate: boolean;
  /** The same event was here before, under another nonce. */
  repeat: boolean;
  late: boolean;
  recovered: boolean;
  state: ListedDelivery['state'] | null;
  attempts: number;
  /** The status that the handler answered; null where there is none, or where it was not reached. */
  forward_status: number | null;
  forward_error: string | null;
  latency_ms: number | null;
  /** Others before it that did not verify and were only counted. */
  unshown: number;
  from: string | null;
}

interface Kept {
  id: string;
  repeat: boolean;
  duplicate: boolean;
}

/** Kept, or dropped as a duplicate. One literal: it is made for every delivery. */
export function toldTaken(received: ReceivedDelivery, { id, repeat, duplicate }: Kept): ListenEvent {
  return {
    id,
    received_at: isoTime(received.receivedAt),
    webhook: received.webhook,
    event: received.event,
    object_id: received.objectId,
    object: readDelivery(received.body)?.object ?? null,
    body: received.body,
    signature: received.recovered ? 'recovered' : 'valid',
    cause: null,
    message: null,
    hint: null,
    duplicate,
    repeat,
    late: received.late,
    recovered: received.recovered,
    state: duplicate ? null : 'kept',
    attempts: 0,
    forward_status: null,
    forward_error: null,
    latency_ms: null,
    unshown: 0,
    from: null,
  };
}

/** Out of the inbox, to be printed: that is how it is handed on. */
export const toldKept = (delivery: KeptDelivery): ListenEvent => ({
  ...toldTaken(delivery, { ...delivery, duplicate: false }),
  state: 'waiting',
});

export function toldAttempt(
  delivery: KeptDelivery,
  { status, answer, ms, ok }: Attempt,
  state: ListedDelivery['state'],
): ListenEvent {
  return {
    ...toldKept(delivery),
    state,
    attempts: delivery.attempts + 1,
    forward_status: status,
    forward_error: ok || status !== null ? null : answer,
    latency_ms: ms,
  };
}

export function toldRefused({ refusal, finding, unshown }: Refused, forward: Attempt | null): ListenEvent {
  return {
    id: refusal.id,
    received_at: isoTime(refusal.receivedAt),
    webhook: null,
    event: null,
    object_id: null,
    object: null,
    body: refusal.body,
    signature: 'invalid',
    cause: finding?.cause ?? null,
    message: finding?.message ?? null,
    hint: finding?.hint ?? null,
    duplicate: false,
    repeat: false,
    late: false,
    recovered: false,
    state: null,
    attempts: 0,
    forward_status: forward?.status ?? null,
    forward_error: forward === null || forward.status !== null ? null : forward.answer,
    latency_ms: forward?.ms ?? null,
    unshown,
    from: refusal.from,
  };
}
