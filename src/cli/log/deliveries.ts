/** The events of `--log json` about deliveries: each that came, and each attempt to hand one on. */
import type { ListenerOptions } from '../../desk/webhooks/listener.ts';
import type { Told } from '../../desk/webhooks/told.ts';
import type { LogEventName } from './events.ts';
import type { Log } from './log.ts';

type Hooks = Required<Pick<ListenerOptions, 'onTakenIn' | 'onTried'>>;
type Taken = Parameters<NonNullable<Hooks['onTakenIn']>>[0];
type Tried = Parameters<NonNullable<Hooks['onTried']>>;

export interface DeliveryLog {
  onTakenIn(taken: Taken): void;
  onTried(...tried: Tried): void;
  /** One that did not verify has nothing that it claims, not even its trace. */
  refused(told: Told): void;
  /** Told once, until the store keeps a delivery again. */
  storeLost(message: string): void;
}

export function deliveryLog(log: Log): DeliveryLog {
  let isLost = false;
  return {
    onTakenIn({ outcome, id, repeat, received }) {
      if (isLost) log.event('store_back', { message: 'the inbox keeps deliveries again' });
      isLost = false;
      const about = factsOf(id, received);
      if (outcome === 'duplicate') log.event('delivery_duplicate', about);
      else log.event('delivery_verified', { ...about, repeat, late: received.late });
    },
    onTried(delivery, { ok, status, answer, ms }, state) {
      const error = ok || status !== null ? null : answer;
      const about = { ...factsOf(delivery.id, delivery), attempt: delivery.attempts + 1, status, ms };
      if (state === 'handed_on') log.event('delivery_forwarded', about);
      else log.event(FAILED[state], { ...about, error });
    },
    refused({ id, cause, from, unshown }) {
      log.event('delivery_invalid', { delivery: id, cause, from, unshown });
    },
    storeLost(message) {
      if (!isLost) log.event('store_lost', { message });
      isLost = true;
    },
  };
}

const FAILED = {
  waiting: 'delivery_failed',
  dead_letter: 'delivery_given_up',
} as const satisfies Record<string, LogEventName>;

const factsOf = (id: string, { event, objectId, transactionId, headers }: Taken['received']) => ({
  delivery: id,
  webhook_event: event,
  object_id: objectId,
  transaction_id: transactionId,
  trace_id: traceIdOf(headers),
});

/** By the header `traceparent` (W3C Trace Context). */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** Undefined where it carries none, or one that is not well formed. */
export function traceIdOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const found = headers.find(([name]) => name.toLowerCase() === 'traceparent');
  return TRACEPARENT.exec(found?.[1] ?? '')?.[1];
}
