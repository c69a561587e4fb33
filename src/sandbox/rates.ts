/**
 * The sandbox's fixed exchange rates: units of a currency for one US dollar, at mid-market, and one margin for all pairs.
 * They are made up to be near enough to life, and never move: the same request gives the same amounts every time.
 */
import { byWord } from '../core/by-word.ts';
import { type Decimal, div, gt, mul, round, sub } from '../core/money.ts';

const perDollar: Readonly<Record<string, Decimal>> = byWord({
  AED: '3.6725',
  BRL: '5.40',
  BTC: '0.000016',
  BWP: '13.60',
  CAD: '1.36',
  CHF: '0.88',
  CNY: '7.20',
  CRC: '520',
  EGP: '48',
  EUR: '0.92',
  GBP: '0.79',
  GHS: '15.20',
  GNF: '8600',
  GTQ: '7.75',
  INR: '83.50',
  JPY: '150',
  KES: '129',
  KRW: '1340',
  MAD: '9.90',
  NGN: '1550',
  NZD: '1.64',
  PEN: '3.75',
  TZS: '2600',
  UGX: '3700',
  USD: '1',
  VND: '25000',
  XAF: '603',
  XOF: '603',
  ZAR: '18.20',
  ZMW: '26',
});

/** The part of the mid-market rate that the service keeps when it exchanges. @assumes rates */
export const MARGIN: Decimal = '0.01';

const RATE_PLACES = 10;
/** Towards bitcoin a rate is so small that ten places would keep two or three of its digits. */
const SMALL: Decimal = '0.00001';
const SMALL_RATE_PLACES = 18;
const kept = new Map<string, Decimal>();

function remembered(key: string, make: () => Decimal): Decimal {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

function dollarRate(currency: string): Decimal {
  return perDollar[currency] ?? '1';
}

/** Units of `to` for one unit of `from`, without margin. */
export function midRate(from: string, to: string): Decimal {
  if (from === to) return '1';
  return remembered(`mid ${from} ${to}`, () => tidy(div(dollarRate(to), dollarRate(from))));
}

/** Units of `to` that the service gives for one unit of `from`; 1 where both are the same. */
export function exchangeRate(from: string, to: string): Decimal {
  if (from === to) return '1';
  return remembered(`give ${from} ${to}`, () => tidy(mul(midRate(from, to), sub('1', MARGIN))));
}

/** The part of a rate that is left once it has moved: the fault `rate-moved`. */
const MOVED: Decimal = '0.6';

export const movedRate = (from: string, to: string): Decimal =>
  from === to ? '1' : tidy(mul(exchangeRate(from, to), MOVED));

export function inDollars(amount: Decimal, currency: string): Decimal {
  return round(mul(amount, midRate(currency, 'USD')), 2, 'half_up');
}

/** One over a rate, for a list that shows it the other way round. */
export function inverse(rate: Decimal): Decimal {
  return tidy(div('1', rate));
}

function tidy(exact: Decimal): Decimal {
  const rate = round(exact, gt(SMALL, exact) ? SMALL_RATE_PLACES : RATE_PLACES, 'half_up');
  return rate.includes('.') ? rate.replace(/(?:\.0+|(?<!0)0+)$/, '') : rate;
}
