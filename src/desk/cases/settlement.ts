/**
 * What a transaction came to in money, from its recipients (docs/wire.md 8): a part of it may be paid out and another part back.
 * Decimals in the input currency; null where the record does not say enough.
 */
import type { Transaction } from '../../contract/resources/transaction.ts';
import { isBack } from '../../contract/states/money.ts';
import { type Decimal, sub, sum } from '../../core/money.ts';

export interface Settlement {
  /** What came back of it. */
  refunded_amount: Decimal | null;
  /** What was paid in, less what came back. */
  net_amount: Decimal | null;
}

export function settlementOf({ recipients, paid_amount: paid }: Transaction): Settlement {
  if (!recipients || recipients.length === 0) return { refunded_amount: null, net_amount: null };
  const back = recipients.filter(({ state }) => isBack(state));
  if (back.length === 0) return { refunded_amount: '0', net_amount: paid ?? null };
  const amounts = back.map((one) => one.input_amount);
  if (amounts.some((amount) => amount == null)) return { refunded_amount: null, net_amount: null };
  const refunded = sum(amounts as Decimal[]);
  return { refunded_amount: refunded, net_amount: paid == null ? null : sub(paid, refunded) };
}
