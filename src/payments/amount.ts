/** An amount as a person or a file gives it, read for its currency. */
import { askedDecimals, decimalsOf } from '../core/currency.ts';
import { type AmountFrom, type Decimal, format, parseAmount } from '../core/money.ts';

/** @throws AmountError with a sentence for people */
export function readAmount(text: string, currency: string, from: AmountFrom = 'typed'): Decimal {
  return format(parseAmount(text, askedDecimals(currency), currency, from), decimalsOf(currency));
}
