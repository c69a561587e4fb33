/** Events that a program can be told of, as records: ids and counts, and no names or accounts. */

import { type Step, stepsIn } from '../books/statement/statement.ts';
import { recipient as recipientSchema } from '../contract/resources/transaction.ts';
import { isoTime } from '../core/clock.ts';
import { isZero } from '../core/money.ts';
import type { DataOf } from '../frame/shape.ts';
import { conclusionOf } from '../runs/conclusion.ts';
import { standingOf } from '../runs/standing.ts';
import type { PayRun, PayRuns } from '../runs/store/port.ts';
import { readDelivery } from '../webhooks/intake/verify.ts';
import type { ReceivedDelivery } from '../webhooks/store/port.ts';
import { standingOf as standingOfCase } from './cases/standing.ts';
import type { Desk } from './desk.ts';
import type { Books } from './ports/books.ts';
import type { happenedShape } from './shapes/machine.ts';

export type Happened = DataOf<typeof happenedShape>;
export type EventName = Happened['event'];
type Facts = Pick<Happened, 'event' | 'of'> & Partial<Happened>;

/** Returns the record of an event, with where and when it happened. */
export async function happened(desk: Desk, { event, of, ...rest }: Facts): Promise<Happened> {
  const { name: profile, environment } = await desk.connection();
  return {
    event,
    at: isoTime(desk.clock.now()),
    command: desk.by.words,
    environment,
    profile,
    of,
    ...{ id: null, name: null, transaction_id: null, ending: null, why: null },
    ...{ count: null, amount: null, currency: null },
    ...rest,
  };
}

/** Events that can happen to a run. */
export const EVENTS_OF_RUN = ['paused', 'ended', 'needs_you', 'unknown_outcome'] as const;

/** Events of a run as the store has it now: whichever worker pays, they are the same. */
export async function eventsOfRun(payruns: PayRuns, run: PayRun): Promise<Facts[]> {
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  const { counts } = await standingOf(payruns, now);
  const of = { of: 'run', id: run.id, name: run.name } as const;
  const isPaused = now.state === 'paused' || (now.hold !== undefined && counts.planned > 0);
  const needed = counts.in_error + counts.conflict;
  const unknown = counts.unknown + counts.sending;
  return [
    ...(isPaused ? [{ event: 'paused', ...of, why: now.hold?.because ?? now.why ?? null } as const] : []),
    ...(!isPaused && counts.planned === 0
      ? [{ event: 'ended', ...of, ending: (await conclusionOf(payruns, now)).ending } as const]
      : []),
    ...(needed > 0 ? [{ event: 'needs_you', ...of, count: needed } as const] : []),
    ...(unknown > 0 ? [{ event: 'unknown_outcome', ...of, count: unknown } as const] : []),
  ];
}

/** Repeats are known by the latest so many. */
const MOST_KNOWN = 1_000;

/** Returns what a delivery says that somebody must act on: of each payout, its state and its reason once. */
export function newNeeds({ now }: Desk['clock']): (received: ReceivedDelivery) => Facts[] {
  const known = new Set<string>();
  return ({ event, body }) => {
    if (!event.startsWith('recipient.')) return [];
    const read = recipientSchema.safeParse(readDelivery(body)?.object);
    if (!read.success) return [];
    const { id = null, transaction_id = null, state } = read.data;
    const { act, because } = standingOfCase(read.data, now());
    const place = JSON.stringify([id, state, because]);
    if (act === null || act === 'wait' || known.has(place)) return [];
    known.add(place);
    for (const oldest of known) if (known.size > MOST_KNOWN) known.delete(oldest);
    return [{ event: 'needs_you', of: 'recipient', id, transaction_id, why: because }];
  };
}

/** Changes of balances that no payment explains, and that the books did not have before. */
export async function unexplainedSince(books: Books): Promise<() => Promise<Facts[]>> {
  const place = ({ currency, at }: Step): string => `${currency} ${at}`;
  const known = new Set((await stepsIn(books)).map(place));
  return async () =>
    (await stepsIn(books))
      .filter((step) => !known.has(place(step)) && !isZero(step.amount))
      .map(({ currency, amount, after, at }) => ({
        ...({ event: 'unexplained', of: 'balance', currency, amount } as const),
        why: `between ${isoTime(after)} and ${isoTime(at)}`,
      }));
}
