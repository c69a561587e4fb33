/**
 * A settlement is the sum of a transaction in money, from its recipients (docs/wire.md 8): a part of it may
 * be paid out and another part back. Decimals in the input currency; null where the record does not say
 * enough.
 */
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { fundsOf, isBack, isPaidOut } from '../../contract/states/money.ts';
import { type Decimal, sub, sum } from '../../core/money.ts';

export interface PaymentSettlement {
  /** The money that came back of it. */
  refunded_amount: Decimal | null;
  /** The money that was paid in, less what came back. */
  net_amount: Decimal | null;
}

export function settlementOf({ recipients, paid_amount: paid }: Transaction): PaymentSettlement {
  if (!recipients || recipients.length === 0) return { refunded_amount: null, net_amount: null };
  const back = recipients.filter(({ state }) => isBack(state));
  if (back.length === 0) return { refunded_amount: '0', net_amount: paid ?? null };
  const amounts = back.map((one) => one.input_amount);
  if (amounts.some((amount) => amount == null)) return { refunded_amount: null, net_amount: null };
  const refunded = sum(amounts as Decimal[]);
  return { refunded_amount: refunded, net_amount: paid == null ? null : sub(paid, refunded) };
}

/** The books add these to a record, as ISO 8601, as nearly as they know; null where they do not. */
export interface FromBooks {
  paid_at: string | null;
  refunded_at: string | null;
  /** True where the money for a payout came in; null if not known. Given for a payout alone. */
  funded?: boolean | null;
  /** The margin of a payment, as a share and in money of its input currency; null where the books did not see the rates of its day. */
  margin?: string | null;
  margin_amount?: string | null;
}

export type Beside<Row> = Row & { from_books?: FromBooks };

/** True where the money for a payout came in, by its record alone. */
export function fundedBy({ state, transaction_state: whole }: Recipient): boolean | null {
  if (isPaidOut(state) || isBack(state) || fundsOf(whole) === 'yes') return true;
  return whole === 'initial' || whole === 'approved' ? false : null;
}

/** Returns the settlement of one payout, in its input currency; null if not known. */
export function settlementOfPayout(payout: Beside<Recipient>): PaymentSettlement {
  const { state, input_amount: input, from_books: kept } = payout;
  if (input == null) return { refunded_amount: null, net_amount: null };
  const refunded = isBack(state) ? input : '0';
  const funded = kept?.funded ?? fundedBy(payout);
  const net = funded === null ? null : funded ? sub(input, refunded) : '0';
  return { refunded_amount: refunded, net_amount: net };
}
