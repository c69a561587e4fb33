/** An amount as a person or a file gives it, read for its currency. */
import { currencyRule, decimalsOf, roundsUp } from '../../core/currency.ts';
import { type AmountFrom, type Decimal, format, parseAmount } from '../../core/money.ts';

/** @throws AmountError with a sentence for people */
export function readAmount(text: string, currency: string, from: AmountFrom = 'typed'): Decimal {
  // A currency that always rounds up may be asked in decimals: the service rounds, and the caller is told.
  const places = roundsUp(currency) ? 2 : currencyRule(currency) ? decimalsOf(currency) : 8;
  return format(parseAmount(text, places, currency, from), decimalsOf(currency));
}
