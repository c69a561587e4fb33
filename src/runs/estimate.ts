/**
 * An estimate is the cost of a row by a rate (docs/wire.md 6, 8), as the service works it out: the amount
 * that arrives is rounded by the rule of its currency, and the amount that is paid in by its own. An
 * indication: each transaction has the rate of its own moment.
 */
import { decimalsOf, quotientFor, roundFor } from '../core/currency.ts';
import { invariant } from '../core/invariants.ts';
import { add, type Decimal, div, gt, sub } from '../core/money.ts';
import { unsent } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { quotedRate } from '../payments/quote.ts';
import type { NewRow } from './store/port.ts';

/** `EUR NGN` to the rate: one unit of the first is so many of the second. */
export type Rates = Readonly<Record<string, Decimal>>;

export const pairOf = (from: string, to: string): string => `${from} ${to}`;

/** The currency that arrives: the first half of the payout type. */
export const arrivingIn = (type: string): string => type.split('::')[0] ?? type;

/** An amount as it arrives: the service rounds it. */
export const arrivingOf = (currency: string, amount: Decimal): Decimal =>
  decimalsOf(currency) === 0 && !amount.includes('.') ? amount : roundFor(currency, amount);

type Priced = Pick<NewRow, 'amount' | 'currency' | 'inputCurrency' | 'type'>;

export function estimateOf({ amount, currency, inputCurrency, type }: Priced, rates: Rates): Decimal {
  const to = arrivingIn(type);
  if (inputCurrency === to) return roundFor(inputCurrency, amount);
  const rate = rates[pairOf(inputCurrency, to)];
  invariant(rate, `there is a rate from ${inputCurrency} to ${to}`);
  if (currency === inputCurrency) return roundFor(inputCurrency, amount);
  return quotientFor(inputCurrency, currency === to ? arrivingOf(to, amount) : amount, rate);
}

/** Returns the expected costs of the rows, by input currency. */
export function rowCosts(
  totals: readonly Pick<NewRow, 'inputCurrency' | 'estimate'>[],
): Record<string, Decimal> {
  const costs: Record<string, Decimal> = {};
  for (const { inputCurrency, estimate } of totals)
    costs[inputCurrency] = add(costs[inputCurrency] ?? '0', estimate);
  return costs;
}

/** @throws Problem where the service names no rate */
export async function readRates(desk: Desk, pairs: Iterable<string>): Promise<Rates> {
  const rates: Record<string, Decimal> = {};
  for (const pair of pairs) {
    const [from = '', to = ''] = pair.split(' ');
    if (from === to) continue;
    const { rate } = await quotedRate(desk, { from, to });
    if (rate == null || Number(rate) === 0)
      throw unsent('conflict', 'no_rate', `the service names no rate from ${from} to ${to} now`);
    rates[pair] = rate;
  }
  return rates;
}

export interface Drift {
  pair: string;
  planned: Decimal;
  now: Decimal;
  /** A share: `0.012` is 1.2 %. */
  by: Decimal;
}

/** Pairs whose rate is worse than the planned one by more than `tolerance`, a share. A better one keeps nobody from being paid. */
export function driftsOf(planned: Rates, now: Rates, tolerance: Decimal): Drift[] {
  return Object.entries(planned).flatMap(([pair, rate]) => {
    const current = now[pair];
    if (current === undefined) return [];
    const by = div(sub(rate, current), rate);
    return gt(by, tolerance) ? [{ pair, planned: rate, now: current, by }] : [];
  });
}
