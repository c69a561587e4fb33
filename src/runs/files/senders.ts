/** Looks up the senders that rows name, each once, and makes faults of rows whose sender cannot send. */
import { type SenderState, senderStates } from '../../contract/states/sender.ts';
import { atOnce } from '../../core/at-once.ts';
import type { Desk } from '../../payments/desk.ts';
import { findSender } from '../../payments/lookup/sender.ts';
import { problemOf } from '../../payments/problem-of.ts';
import { faultAt } from '../../tables/row.ts';
import type { CheckedRows } from './check.ts';

export interface FoundSender {
  /** Empty where there is none. */
  id: string;
  ok: boolean;
  /** The reason that stands in the way, or may. */
  why?: string;
  /** No sender has it. */
  isNone?: true;
}

const AT_ONCE = 4;
/** In these no sender may send; what another state means, only the account's rules say. */
const BARRED: readonly string[] = ['disabled', 'banned', 'rejected'] satisfies SenderState[];

/** Finds each by an id or an external id. @throws Problem where the service cannot be asked */
export async function lookUpSenders(desk: Desk, wanted: Iterable<string>): Promise<Map<string, FoundSender>> {
  return new Map(
    await atOnce(AT_ONCE, [...new Set(wanted)], async (given) => [given, await lookUp(desk, given)] as const),
  );
}

async function lookUp(desk: Desk, given: string): Promise<FoundSender> {
  try {
    const { id, state } = await findSender(desk, given, 'write');
    const { meaning } = senderStates[state as SenderState] ?? { meaning: `in the state ${state}` };
    const fine = state === 'approved' ? {} : { why: `is ${state}: ${meaning}` };
    return { id: id ?? '', ok: !BARRED.includes(state ?? ''), ...fine };
  } catch (error) {
    const { category } = problemOf(error).facts;
    // A short id names no one in a request, so it counts as no sender.
    if (category !== 'not_found' && category !== 'usage') throw error;
    return { id: '', ok: false, isNone: true, why: 'is no id and no external id of a sender' };
  }
}

/** Each sender is asked for when a row first names it. */
export async function* withSenders(
  desk: Desk,
  batches: AsyncIterable<CheckedRows>,
): AsyncGenerator<CheckedRows> {
  const known = new Map<string, FoundSender>();
  for await (const { payments, faults, doubts } of batches) {
    const named = payments.flatMap(({ sender }) => (sender === undefined ? [] : [sender]));
    const open = new Set(named.filter((one) => !known.has(one)));
    if (open.size > 0) for (const [given, found] of await lookUpSenders(desk, open)) known.set(given, found);
    const isBarred = (sender: string | undefined): boolean =>
      sender !== undefined && known.get(sender)?.ok === false;
    const barred = payments.filter(({ sender }) => isBarred(sender));
    const wrong = barred.map((payment) => {
      const { why = 'cannot send', isNone } = known.get(payment.sender ?? '') ?? {};
      return faultAt(payment, 'sender', isNone ? 'no_sender' : 'sender', why);
    });
    yield {
      payments: barred.length === 0 ? payments : payments.filter(({ sender }) => !isBarred(sender)),
      faults: [...faults, ...wrong].sort((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity)),
      doubts,
    };
  }
}
