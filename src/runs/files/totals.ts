/** The totals of the payments of a file, for each pair of currencies, without a float. */
import { decimalsOf, roundFor } from '../../core/currency.ts';
import { fromMinorUnits, minorUnits } from '../../core/money.ts';
import type { FilePayment } from './payment.ts';

export interface PairTotal {
  /** The currency of the amount. */
  currency: string;
  inputCurrency: string;
  rows: number;
  /** The amount that will be paid: rounded as the service rounds it. */
  amount: string;
}

export class FileTotals {
  readonly #pairs = new Map<
    string,
    { currency: string; inputCurrency: string; rows: number; minor: bigint }
  >();

  add({ amount, currency, inputCurrency }: FilePayment): void {
    const name = `${currency} ${inputCurrency}`;
    const pair = this.#pairs.get(name) ?? { currency, inputCurrency, rows: 0, minor: 0n };
    const decimals = decimalsOf(currency);
    const [, fraction = ''] = amount.split('.');
    const paid = fraction.length > decimals ? roundFor(currency, amount) : amount;
    pair.rows++;
    pair.minor += minorUnits(paid, decimals);
    this.#pairs.set(name, pair);
  }

  get pairs(): PairTotal[] {
    return [...this.#pairs.values()].map(({ minor, ...pair }) => ({
      ...pair,
      amount: fromMinorUnits(minor, decimalsOf(pair.currency)),
    }));
  }
}
