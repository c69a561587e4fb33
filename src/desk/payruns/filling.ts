/** The rows of a plan as they come: senders and rates are asked for once each, and what the rows come to is added up. */
import { decimalsOf } from '../../core/currency.ts';
import { type Decimal, fromMinorUnits, minorUnits } from '../../core/money.ts';
import type { NewRow } from '../../core/ports/payruns.ts';
import type { Desk } from '../desk.ts';
import { arrivingIn, arrivingOf, estimateOf, pairOf, type Rates, readRates } from './estimate.ts';
import type { Payment } from './files/payment.ts';
import type { Fault } from './files/row.ts';
import { contentOf, externalIdOf, type PlanTotal, WindowHashes } from './plan-text.ts';

/** Rows that one worker takes at a time. */
export const WINDOW = 200;
export const MOST_FAULTS = 10_000;

export class Filling {
  readonly faults: Fault[] = [];
  readonly roundings: string[] = [];
  rates: Rates = {};
  count = 0;
  readonly #desk: Desk;
  /** Of the run. */
  readonly #name: string;
  readonly #windows = new WindowHashes(WINDOW);
  readonly #totals = new Map<
    string,
    Omit<PlanTotal, 'amount' | 'estimate'> & Record<'amount' | 'estimate', bigint>
  >();

  constructor(desk: Desk, name: string) {
    this.#desk = desk;
    this.#name = name;
  }

  faulty(faults: readonly Fault[]): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(...faults);
  }

  async rowsOf(payments: readonly Payment[]): Promise<NewRow[]> {
    await this.#learn(payments);
    return payments.map((payment) => {
      this.count += 1;
      if (this.roundings.length < 100) this.roundings.push(...payment.roundings);
      return this.#row(payment);
    });
  }

  async #learn(payments: readonly Payment[]): Promise<void> {
    const pairs = new Set<string>();
    for (const { inputCurrency, type } of payments) {
      const to = arrivingIn(type);
      const pair = pairOf(inputCurrency, to);
      if (inputCurrency !== to && this.rates[pair] === undefined) pairs.add(pair);
    }
    if (pairs.size > 0) this.rates = { ...this.rates, ...(await readRates(this.#desk, pairs)) };
  }

  #row(payment: Payment): NewRow {
    const { n, key, type, amount, currency, inputCurrency, account } = payment;
    // As it arrives: the service rounds it, and what it says of the row is compared with this.
    const arriving = arrivingIn(type) === currency ? arrivingOf(currency, amount) : amount;
    const priced = { type, amount: arriving, currency, inputCurrency };
    const estimate = estimateOf(priced, this.rates);
    const body = JSON.stringify(payment.body);
    this.#add(priced, estimate);
    const externalId = payment.externalId ?? externalIdOf(this.#name, key);
    // Written out: a spread here took a third of the time of a plan.
    const row = {
      type,
      amount: arriving,
      currency,
      inputCurrency,
      n,
      key,
      externalId,
      estimate,
      content: contentOf(externalId, body),
      account: Number.parseInt(account.slice(0, 13), 16),
      body,
    };
    this.#windows.add(row);
    return row;
  }

  #add(
    { type, amount, currency, inputCurrency }: Omit<PlanTotal, 'rows' | 'estimate'>,
    estimate: Decimal,
  ): void {
    const name = `${type} ${currency} ${inputCurrency}`;
    const total = this.#totals.get(name);
    const minor = minorUnits(amount, decimalsOf(currency));
    const cost = minorUnits(estimate, decimalsOf(inputCurrency));
    if (total === undefined)
      this.#totals.set(name, { type, currency, inputCurrency, rows: 1, amount: minor, estimate: cost });
    else {
      total.rows += 1;
      total.amount += minor;
      total.estimate += cost;
    }
  }

  totals(): PlanTotal[] {
    const sorted = [...this.#totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, total]) => ({
      ...total,
      amount: fromMinorUnits(total.amount, decimalsOf(total.currency)),
      estimate: fromMinorUnits(total.estimate, decimalsOf(total.inputCurrency)),
    }));
  }

  windows(): string[] {
    return this.#windows.end();
  }
}
