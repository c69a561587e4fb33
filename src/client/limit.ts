/** The most that a payment may cost (decision 0003). Payments under a limit are compared here alone. */
import type { Transaction } from '../contract/resources/transaction.ts';
import { decimalsOf } from '../core/currency.ts';
import { type AmountFrom, type Decimal, format, gt, mul, parseAmount, round } from '../core/money.ts';

/** The cost of a transaction, or of a calculation of it. */
export type Cost = Pick<Transaction, 'input_amount' | 'input_currency'>;

/** @throws AmountError where it is no amount of this currency */
export const readLimit = (maxInput: string, currency: string, from: AmountFrom = 'typed'): Decimal =>
  parseAmount(maxInput, decimalsOf(currency), currency, from);

/** The lower of two, of which either may be absent. */
export const lowerLimit = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && gt(a, b)) ? b : a;

/** How much dearer than the price that was shown a payment may become: half a per cent. */
const MARGIN = '1.005';

/** The most that a yes to a shown price allows; undefined where none could be read. */
export const shownLimit = ({ input_amount: amount, input_currency: currency }: Cost): Decimal | undefined =>
  amount && currency ? round(mul(amount, MARGIN), decimalsOf(currency), 'down') : undefined;

/** An amount that cannot be read keeps no limit. */
export const isAbove = ({ input_amount: amount, input_currency: currency }: Cost, limit: string): boolean =>
  !amount || !currency || gt(amount, limit);

/**
 * True for a calculation above the limit. One without an amount refuses nothing, since the transaction itself is
 * compared once it is there.
 */
export const looksAbove = ({ input_amount: amount }: Cost, limit: string | undefined): boolean =>
  amount != null && limit !== undefined && gt(amount, limit);

/** Says why it is above the limit; `moved` where it was below it a moment ago. */
export function aboveWords(
  { input_amount: amount, input_currency: currency }: Cost,
  limit: string,
  { moved = false }: { moved?: boolean } = {},
): string {
  if (!amount || !currency) return 'what it costs cannot be read, so no limit can be kept';
  const [costs, most] = [costText(amount, currency), costText(limit, currency)];
  return moved
    ? `the rate moved: it costs ${costs} now, more than the limit, ${most}`
    : `it would cost ${costs}, more than the limit that was given, ${most}`;
}

/** `12.50 EUR`. */
export const costText = (amount: string, currency: string): string =>
  `${format(amount, decimalsOf(currency))} ${currency}`;
