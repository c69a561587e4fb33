/**
 * How amounts resolve. A requested amount in the input or the output currency is that side's amount, and the other side
 * follows by the rate. In a third currency it is turned into the input first and plays no part after that.
 */
import { currencyRule, roundFor, roundsUp } from '../../core/currency.ts';
import { type Decimal, div, gt, isZero, mul } from '../../core/money.ts';
import { exchangeRate, inDollars, midRate } from '../rates.ts';
import { isBlank, plainAmount } from './reading.ts';

/** @assumes amount-limits */
const MAX_WHOLE_DIGITS = 15;
const MAX_DECIMALS = 10;

/**
 * A positive amount in plain digits that the currency can have. Currencies that are rounded up take decimals and lose them;
 * for the others too many decimals are refused.
 */
export function readAmount(
  value: unknown,
  currency: string,
): { amount: Decimal } | { word: 'blank' | 'invalid' } {
  if (isBlank(value)) return { word: 'blank' };
  const amount = plainAmount(value);
  if (amount === null || !gt(amount, '0')) return { word: 'invalid' };
  const [whole = '', fraction = ''] = amount.split('.');
  const places = roundsUp(currency) ? MAX_DECIMALS : (currencyRule(currency)?.decimals ?? 2);
  const fits = whole.length <= MAX_WHOLE_DIGITS && !/[1-9]/.test(fraction.slice(places));
  return fits ? { amount } : { word: 'invalid' };
}

export interface Resolved {
  inputAmount: Decimal;
  outputAmount: Decimal;
  inputUsdAmount: Decimal;
  /** Units of the output currency for one of the input currency. */
  rate: Decimal;
}

/** Null when either side would be nothing. @assumes rounding */
export function resolveAmounts(
  requested: Decimal,
  requestedCurrency: string,
  input: string,
  output: string,
): Resolved | null {
  const rate = exchangeRate(input, output);
  const [inputAmount, outputAmount] =
    requestedCurrency === output
      ? fromOutput(roundFor(output, requested), input, rate)
      : fromInput(roundFor(input, inInput(requested, requestedCurrency, input)), output, rate);
  if (isZero(inputAmount) || isZero(outputAmount)) return null;
  return { inputAmount, outputAmount, rate, inputUsdAmount: inDollars(inputAmount, input) };
}

/** @assumes third-currency */
function inInput(requested: Decimal, currency: string, input: string): Decimal {
  return currency === input ? requested : mul(requested, midRate(currency, input));
}

function fromOutput(output: Decimal, input: string, rate: Decimal): [Decimal, Decimal] {
  return [roundFor(input, div(output, rate)), output];
}

function fromInput(input: Decimal, outputCurrency: string, rate: Decimal): [Decimal, Decimal] {
  return [input, roundFor(outputCurrency, mul(input, rate))];
}
