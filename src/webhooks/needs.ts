/** Received payouts that a person must act on: events that a program can be notified of (`payments/event-hooks.ts`). */
import { recipient as recipientSchema } from '../contract/resources/transaction.ts';
import { nextActionOf } from '../payments/cases/next-action.ts';
import type { Desk } from '../payments/desk.ts';
import type { HookFacts } from '../payments/event-hooks.ts';
import { readDelivery } from './intake/verify.ts';
import type { ReceivedDelivery } from './store/port.ts';

/** The number of latest deliveries by which a repeat is recognized. */
const MOST_KNOWN = 1_000;

/** Returns the payouts in a delivery that a person must act on, each with its state and its reason once. */
export function newNeeds({ now }: Desk['clock']): (received: ReceivedDelivery) => HookFacts[] {
  const known = new Set<string>();
  return ({ event, body }) => {
    if (!event.startsWith('recipient.')) return [];
    const read = recipientSchema.safeParse(readDelivery(body)?.object);
    if (!read.success) return [];
    const { id = null, transaction_id = null, state } = read.data;
    const { act, because } = nextActionOf(read.data, now());
    const place = JSON.stringify([id, state, because]);
    if (act === null || act === 'wait' || known.has(place)) return [];
    known.add(place);
    for (const oldest of known) if (known.size > MOST_KNOWN) known.delete(oldest);
    return [{ event: 'needs_you', of: 'recipient', id, transaction_id, why: because }];
  };
}
