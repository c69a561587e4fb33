/**
 * How amounts resolve. A requested amount in the input or the output currency is that side's amount, and the other side
 * follows by the rate. In a third currency it is turned into the input first and plays no part after that.
 */
import { decimalsOf, roundFor } from '../../core/currency.ts';
import { type Decimal, div, gt, isZero, mul } from '../../core/money.ts';
import { exchangeRate, inDollars, midRate } from '../rates.ts';
import { isBlank, plainAmount } from './reading.ts';

/** @assumes amount-limits */
const MAX_WHOLE_DIGITS = 15;
const MAX_DECIMALS = 50;

type Read = { amount: Decimal } | { word: 'blank' | 'invalid' };

/** A positive amount in plain digits, rounded as the service rounds what is requested. */
export function readRequested(value: unknown, currency: string): Read {
  const read = readPositive(value);
  if ('word' in read) return read;
  const amount = roundFor(currency, read.amount);
  return isZero(amount) || wholeDigits(amount) > MAX_WHOLE_DIGITS ? { word: 'invalid' } : { amount };
}

/** An amount of money that was paid: with no more decimals than the currency has. */
export function readPaid(value: unknown, currency: string): Read {
  const read = readPositive(value);
  if ('word' in read) return read;
  const [, fraction = ''] = read.amount.split('.');
  return /[1-9]/.test(fraction.slice(decimalsOf(currency))) ? { word: 'invalid' } : read;
}

function readPositive(value: unknown): Read {
  if (isBlank(value)) return { word: 'blank' };
  const amount = plainAmount(value);
  if (amount === null || !gt(amount, '0') || wholeDigits(amount) > MAX_WHOLE_DIGITS)
    return { word: 'invalid' };
  const decimals = amount.length - wholeDigits(amount) - 1;
  return decimals > MAX_DECIMALS ? { word: 'invalid' } : { amount };
}

function wholeDigits(amount: Decimal): number {
  const point = amount.indexOf('.');
  return point < 0 ? amount.length : point;
}

export interface Resolved {
  inputAmount: Decimal;
  outputAmount: Decimal;
  inputUsdAmount: Decimal;
  /** Units of the output currency for one of the input currency. */
  rate: Decimal;
}

/** `requested` is rounded as its currency asks. Null when either side would be nothing. @assumes rounding */
export function resolveAmounts(
  requested: Decimal,
  requestedCurrency: string,
  input: string,
  output: string,
  rateOf = exchangeRate,
): Resolved | null {
  const rate = rateOf(input, output);
  const [inputAmount, outputAmount] =
    requestedCurrency === output
      ? [roundFor(input, div(requested, rate)), requested]
      : fromInput(inInput(requested, requestedCurrency, input), output, rate);
  if (isZero(inputAmount) || isZero(outputAmount)) return null;
  return { inputAmount, outputAmount, rate, inputUsdAmount: inDollars(inputAmount, input) };
}

/** @assumes third-currency */
function inInput(requested: Decimal, currency: string, input: string): Decimal {
  return currency === input ? requested : roundFor(input, mul(requested, midRate(currency, input)));
}

function fromInput(input: Decimal, outputCurrency: string, rate: Decimal): [Decimal, Decimal] {
  return [input, roundFor(outputCurrency, mul(input, rate))];
}
