/**
 * The cost of a payment beside its amount: the margin of its rate against the mid-market rate of its day, and its fee. The service says no
 * margin, so it is known for days on which the books saw the rates (decision 0060).
 */

import { isFunded } from '../client/funded.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { isBack } from '../contract/states/money.ts';
import { counted } from '../core/amount-words.ts';
import { utcDay } from '../core/clock.ts';
import { askedDecimals, decimalsOf } from '../core/currency.ts';
import { add, type Decimal, div, divRounded, gt, isZero, mul, round, sub } from '../core/money.ts';
import { type Hint, hint } from '../core/next.ts';
import type { Costs } from './shapes/payments.ts';

const MARGIN_PLACES = 6;
/** The service gives its own rates so many: towards bitcoin ten would keep two or three digits. */
const RATE_PLACES = 10;
const SMALL_RATE_PLACES = 18;
const SMALL = '0.00001';

export interface DayRates {
  /** Reads the rates of earlier days, which a refund of an earlier payment asks for; undefined where they are read. */
  reach(day: string): Promise<void> | undefined;
  /** Returns the mid-market rate of a day of UTC; undefined where the books did not see it. */
  mid(day: string, from: string, to: string): Decimal | undefined;
}

/** For callers that use fees alone. */
export const NO_RATES: DayRates = { reach: () => undefined, mid: () => undefined };

export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The day by whose rate it was paid. A refund gives back what was paid then, whatever the rate is when it comes. */
export const paidDay = ({ created_at: created }: Transaction, at: number): string =>
  utcDay(created ?? '') ?? isoDay(at);

export interface Margin {
  margin: Decimal | null;
  margin_amount: Decimal | null;
}

/** @param currency the one that the payment was paid in */
export function marginOf(
  { exchange_rate: rate, output_currency: to, input_amount: input }: Recipient,
  { rates, day, currency }: { rates: DayRates; day: string; currency: string },
): Margin {
  const mid = to == null ? undefined : rates.mid(day, currency, to);
  if (mid === undefined || rate == null || isZero(mid)) return { margin: null, margin_amount: null };
  const margin = sub('1', divRounded(rate, mid, MARGIN_PLACES, 'half_up'));
  if (input == null) return { margin, margin_amount: null };
  return { margin, margin_amount: round(mul(input, margin), decimalsOf(currency), 'half_up') };
}

/** Returns the fee in the currency that was paid in, which the service names in subunits; null where it names none. */
export function feeOf({ fee_fractional: fee }: Recipient, currency: string): Decimal | null {
  return fee == null ? null : div(fee, `1${'0'.repeat(askedDecimals(currency))}`);
}

/** The costs of several payments from one currency. Amounts of two currencies that arrive have no rate together. */
export class CostSum {
  #input = '0';
  #output = '0';
  #to: string | undefined;
  #isOneRate = true;
  #known = '0';
  #margin: Decimal | undefined;
  #unknown = 0;
  #fee: Decimal | undefined;

  /** @param sign `-1` for a payment whose money came back, where it was counted before */
  note(
    recipient: Recipient,
    from: { rates: DayRates; day: string; currency: string },
    sign: 1 | -1 = 1,
  ): void {
    const { input_amount: input, output_amount: output, output_currency: to } = recipient;
    const signed = (amount: Decimal): Decimal => (sign === 1 ? amount : sub('0', amount));
    const fee = feeOf(recipient, from.currency);
    if (fee !== null) this.#fee = add(this.#fee ?? '0', signed(fee));
    if (input == null || output == null || to == null) return;
    this.#to ??= to;
    this.#isOneRate &&= this.#to === to;
    this.#input = add(this.#input, signed(input));
    this.#output = add(this.#output, signed(output));
    if (to === from.currency) return;
    const { margin_amount: margin } = marginOf(recipient, from);
    if (margin === null) this.#unknown++;
    else {
      this.#margin = add(this.#margin ?? '0', signed(margin));
      this.#known = add(this.#known, signed(input));
    }
  }

  sums(): Costs {
    const margin = this.#margin ?? null;
    return {
      rate: this.#isOneRate ? rateOf(this.#input, this.#output) : null,
      margin:
        margin === null || isZero(this.#known)
          ? null
          : round(div(margin, this.#known), MARGIN_PLACES, 'half_up'),
      margin_amount: margin,
      margin_unknown: this.#unknown,
      fee_amount: this.#fee ?? null,
    };
  }
}

/** Returns what arrived for one of what was paid in; null where nothing was. */
export function rateOf(input: Decimal, output: Decimal): Decimal | null {
  if (!gt(input, '0') || !gt(output, '0')) return null;
  const rate = div(output, input);
  // Without zeros at its end.
  return add(round(rate, gt(SMALL, rate) ? SMALL_RATE_PLACES : RATE_PLACES, 'half_up'), '0');
}

/** @param unknown how many payouts have no margin */
export const unknownMargins = (unknown: number): Hint[] =>
  unknown === 0
    ? []
    : [
        hint`${counted(unknown, 'payout')} to another currency ${unknown === 1 ? 'is' : 'are'} not in the margin: the books did not see the mid-market rate of that day. They see it where they are brought up to date each day: ${{ do: 'sync_books' }}`,
      ];

/** The costs of one payment: of its recipients whose money did not come back; none where it was not paid for. */
export function paymentCosts(transaction: Transaction, rates: DayRates): Costs {
  const costs = new CostSum();
  const day = paidDay(transaction, 0);
  for (const one of isFunded(transaction) ? (transaction.recipients ?? []) : [])
    if (!isBack(one.state))
      costs.note(one, { rates, day, currency: one.input_currency ?? transaction.input_currency ?? '' });
  return costs.sums();
}
