/** Many deliveries, put into an inbox the way the listener does, in large batches. */
import { eventNames } from '../../src/contract/events.ts';
import type { Inbox, ReceivedDelivery } from '../../src/webhooks/store/port.ts';
import { untilStill } from './processor.ts';

const AT_ONE_COMMIT = 5_000;
/** One in so many is handed on, and one of those in so many given up; a prime, so that each event is among them. */
const HANDED_ON = 17;
const GIVEN_UP = 5;
const OF_ONE_TRANSACTION = 5;
const STARTS_AT = 1_790_000_000_000;
const EVERY_MS = 1_000;

const hex = (number: number): string => number.toString(16).padStart(32, '0');

/** Bodies are short: they are in a table of their own, and no list reads them. */
function received(number: number): ReceivedDelivery {
  const event = eventOf(number);
  return {
    webhook: 'w-1',
    event,
    objectId: `o-${number}`,
    transactionId: transactionOf(number),
    deliveryPrint: hex(number * 2 + 1),
    eventPrint: hex(number * 2 + 2),
    body: Buffer.from(`{"webhook":"w-1","event":"${event}","object":{"id":"o-${number}"}}`),
    url: 'https://partner.example/webhooks/remit',
    headers: [['Content-Type', 'application/json']],
    receivedAt: receivedAt(number),
    recovered: false,
    late: false,
  };
}

export const eventOf = (number: number): string => eventNames[number % eventNames.length] as string;
export const transactionOf = (number: number): string => `t-${Math.floor(number / OF_ONE_TRANSACTION)}`;
export const receivedAt = (number: number): number => STARTS_AT + number * EVERY_MS;

export async function fillInbox(inbox: Inbox, count: number): Promise<void> {
  for (let from = 0; from < count; from += AT_ONE_COMMIT) {
    const numbers = Array.from({ length: Math.min(AT_ONE_COMMIT, count - from) }, (_, i) => from + i);
    const handed = numbers.filter((number) => number % HANDED_ON === 0);
    const kept = numbers.filter((number) => number % HANDED_ON !== 0);
    await inbox.keep(handed.map((number) => ({ ...received(number), handOn: true })));
    await inbox.keep(kept.map((number) => ({ ...received(number), handOn: false })));
    await handOn(inbox);
  }
  // What was put off is done when nothing comes.
  await untilStill(process.pid);
}

async function handOn(inbox: Inbox): Promise<void> {
  for (;;) {
    const { deliveries } = await inbox.claim({ owner: 'bench', limit: 250, leaseMs: 60_000 });
    if (deliveries.length === 0) return;
    await inbox.record(
      'bench',
      deliveries.map(({ id }, i) => ({
        id,
        outcome: i % GIVEN_UP === 0 ? 'dead_letter' : 'handed_on',
        answer: i % GIVEN_UP === 0 ? '500' : '200',
      })),
    );
  }
}
