/** The totals of rows, by payout type, currency and input currency. */
import { decimalsOf } from '../../core/currency.ts';
import { fromMinorUnits, minorUnits } from '../../core/money.ts';
import type { NewRow } from '../../core/ports/payruns.ts';
import type { PlanTotal } from './plan-text.ts';

type Counted = Pick<NewRow, 'type' | 'currency' | 'inputCurrency' | 'amount' | 'estimate'>;
/** In minor units. */
type Total = Omit<PlanTotal, 'amount' | 'estimate'> & Record<'amount' | 'estimate', bigint>;

export class Totals {
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
