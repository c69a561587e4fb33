/** The rows of a plan as they come: senders and rates are asked for once each, and what the rows come to is added up. */

import { decimalsOf } from '../core/currency.ts';
import { fromMinorUnits, minorUnits } from '../core/money.ts';
import type { Desk } from '../payments/desk.ts';
import type { Fault, RowPlace } from '../tables/row.ts';
import { arrivingIn, arrivingOf, estimateOf, pairOf, type Rates, readRates } from './estimate.ts';
import type { FilePayment } from './files/payment.ts';
import { contentOf, externalIdOf, type PlanTotal, WindowHashes } from './plan-text.ts';
import type { NewRow } from './store/port.ts';

type Counted = Pick<NewRow, 'type' | 'currency' | 'inputCurrency' | 'amount' | 'estimate'>;
/** An amount in minor units. */
type Total = Omit<PlanTotal, 'amount' | 'estimate'> & Record<'amount' | 'estimate', bigint>;

/** The totals of rows, by payout type, currency and input currency. */
export class RowTotals {
  readonly #totals = new Map<string, Total>();

  add(row: Counted): void {
    this.#count(row, 1);
  }

  /** A row that was added is none of them after all. */
  take(row: Counted): void {
    this.#count(row, -1);
  }

  #count({ type, currency, inputCurrency, amount, estimate }: Counted, sign: 1 | -1): void {
    const name = `${type} ${currency} ${inputCurrency}`;
    let total = this.#totals.get(name);
    if (total === undefined) {
      total = { type, currency, inputCurrency, rows: 0, amount: 0n, estimate: 0n };
      this.#totals.set(name, total);
    }
    total.rows += sign;
    total.amount += BigInt(sign) * minorUnits(amount, decimalsOf(currency));
    total.estimate += BigInt(sign) * minorUnits(estimate, decimalsOf(inputCurrency));
  }

  list(): PlanTotal[] {
    const sorted = [...this.#totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.flatMap(([, total]) =>
      total.rows === 0
        ? []
        : [
            {
              ...total,
              amount: fromMinorUnits(total.amount, decimalsOf(total.currency)),
              estimate: fromMinorUnits(total.estimate, decimalsOf(total.inputCurrency)),
            },
          ],
    );
  }
}

/** Rows that one worker takes at a time. */
export const WINDOW = 200;
export const MOST_FAULTS = 10_000;

export class Filling {
  readonly faults: Fault[] = [];
  readonly roundings: string[] = [];
  rates: Rates = {};
  count = 0;
  readonly #desk: Desk;
  /** The name of the run. */
  readonly #name: string;
  readonly #windows = new WindowHashes(WINDOW);
  readonly totals = new RowTotals();
  /** Where in the file the rows stand that bring an id of their own, by that id. */
  readonly brought = new Map<string, RowPlace>();
  /** External ids of the rows that a window begins with, of those that bring none. */
  readonly firsts: string[] = [];

  constructor(desk: Desk, name: string) {
    this.#desk = desk;
    this.#name = name;
  }

  faulty(faults: readonly Fault[]): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(...faults);
  }

  async rowsOf(payments: readonly FilePayment[]): Promise<NewRow[]> {
    await this.#learn(payments);
    return payments.map((payment) => {
      this.count += 1;
      if (this.roundings.length < 100) this.roundings.push(...payment.roundings);
      return this.#row(payment);
    });
  }

  async #learn(payments: readonly FilePayment[]): Promise<void> {
    const pairs = new Set<string>();
    for (const { inputCurrency, type } of payments) {
      const to = arrivingIn(type);
      const pair = pairOf(inputCurrency, to);
      if (inputCurrency !== to && this.rates[pair] === undefined) pairs.add(pair);
    }
    if (pairs.size > 0) this.rates = { ...this.rates, ...(await readRates(this.#desk, pairs)) };
  }

  #row(payment: FilePayment): NewRow {
    const { n, key, type, amount, currency, inputCurrency, account, payee, person, holder } = payment;
    // The amount as it arrives: the service rounds it, and the service's amount for the row is compared with this.
    const arriving = arrivingIn(type) === currency ? arrivingOf(currency, amount) : amount;
    const priced = { type, amount: arriving, currency, inputCurrency };
    const estimate = estimateOf(priced, this.rates);
    const body = JSON.stringify(payment.body);
    this.totals.add({ ...priced, estimate });
    const externalId = payment.externalId ?? externalIdOf(this.#name, key);
    if (payment.externalId !== undefined) this.brought.set(externalId, { n, at: payment.at });
    else if (this.count % WINDOW === 1) this.firsts.push(externalId);
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
      account,
      payee,
      person,
      holder,
      body,
    };
    this.#windows.add(row);
    return row;
  }

  windows(): string[] {
    return this.#windows.end();
  }
}
