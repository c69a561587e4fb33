/** Changes of balances: events that a program can be told of (`payments/event-hooks.ts`). */
import { isoTime } from '../core/clock.ts';
import { isZero } from '../core/money.ts';
import type { Facts } from '../payments/event-hooks.ts';
import { type BalanceGap, stepsIn } from './statement/statement.ts';
import type { Books } from './store/port.ts';

/** Changes of balances that no payment explains, and that the books did not have before. */
export async function unexplainedSince(books: Books): Promise<() => Promise<Facts[]>> {
  const place = ({ currency, at }: BalanceGap): string => `${currency} ${at}`;
  const known = new Set((await stepsIn(books)).map(place));
  return async () =>
    (await stepsIn(books))
      .filter((step) => !known.has(place(step)) && !isZero(step.amount))
      .map(({ currency, amount, after, at }) => ({
        ...({ event: 'unexplained', of: 'balance', currency, amount } as const),
        why: `between ${isoTime(after)} and ${isoTime(at)}`,
      }));
}
