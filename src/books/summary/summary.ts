/**
 * Payouts counted and added up in groups, from the books, in one pass and without the service. Amounts of two currencies are never
 * added, so each group has a row for each pair of them.
 */

import { isFunded } from '../../client/funded.ts';
import { type Direction, directionOf } from '../../contract/direction.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isBack, isPaidOut } from '../../contract/states/money.ts';
import { thousands } from '../../core/amount-words.ts';
import { add, divRounded, sub } from '../../core/money.ts';
import { usage } from '../../core/problem.ts';
import type { DataOf } from '../../frame/shape.ts';
import { CostSum, type DayRates, paidDay } from '../../payments/cost.ts';
import type { Desk } from '../../payments/desk.ts';
import type { Period } from '../../payments/lists/statement-period.ts';
import type { Costs } from '../../payments/shapes/payments.ts';
import { dayRates } from '../day-rates.ts';
import { reachOf, refuseForgottenTime } from '../reach.ts';
import type { summaryShape } from '../shapes.ts';
import type { Books, Mark } from '../store/port.ts';
import { type Grouping, groupBy, isOfTime, isRefused, Medians, type SummaryPayout } from './groups.ts';
import { readAll } from './read-all.ts';

export type SummaryRow = DataOf<typeof summaryShape>;

export interface Summary extends Period {
  by: Grouping;
  /** A time of the service's clock: until when the books know everything. */
  knownUntil: number;
  /** The same by ours. */
  completeAt: number;
  rows: SummaryRow[];
  totals: SummaryTotal[];
}

/** The sum of all rows of one input currency and one direction. */
export interface SummaryTotal {
  direction: Direction;
  currency: string | null;
  payouts: number;
  input_amount: string;
  refunded: string;
  net: string;
  margin_amount: string | null;
  margin_unknown: number;
  fee_amount: string | null;
}

/** The number of rows that a screen and a spreadsheet can take, and memory too. */
const MOST_ROWS = 100_000;
const SHARE_PLACES = 4;

/** @throws Problem where the books are not complete, or a part of the time was removed from them */
export async function summaryOf(
  desk: Desk,
  books: Books,
  { by, from, to }: Period & { by: Grouping },
): Promise<Summary> {
  const { known, completeAt } = await reachOf(books);
  refuseForgottenTime(await books.progress(), from);
  const counting = new Counting(by, desk.zone, await dayRates(books, { from, to }));
  await desk.working('counting payouts', (progress) =>
    readAll(desk, books, { from, to, progress, take: (...one) => counting.take(...one) }),
  );
  const rows = counting.rows();
  return { from, to, by, knownUntil: known, completeAt, rows, totals: totalsOf(rows) };
}

const roundedOf = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds);

type Counted = Omit<SummaryRow, 'net' | 'first_try' | 'median_seconds' | keyof Costs> & {
  costs: CostSum;
  place: number;
  firstTry: number;
  tried: number;
};

class Counting {
  readonly #by: Grouping;
  readonly #groupOf: ReturnType<typeof groupBy>;
  readonly #groups = new Map<string, Counted>();
  readonly #medians = new Medians();
  readonly #rates: DayRates;

  constructor(by: Grouping, zone: string, rates: DayRates) {
    this.#rates = rates;
    this.#by = by;
    this.#groupOf = groupBy(by, zone);
  }

  take(transaction: Transaction, createdAt: number, marks: readonly Mark[]): void {
    const isPaidFor = isFunded(transaction);
    const [rates, day] = [this.#rates, paidDay(transaction, createdAt)];
    for (const recipient of transaction.recipients ?? []) {
      const input = recipient.input_currency ?? transaction.input_currency ?? null;
      const output = recipient.output_currency ?? recipient.requested_currency ?? null;
      const group = this.#of({ recipient, transaction, createdAt, input, output });
      group.payouts++;
      if (isPaidFor) addAmounts(group, recipient);
      if (isPaidFor && !isBack(recipient.state))
        group.costs.note(recipient, { rates, day, currency: input ?? '' });
      this.#follow(
        group,
        recipient,
        marks.filter(({ of }) => of === recipient.id),
        createdAt,
      );
    }
  }

  #follow(group: Counted, recipient: Recipient, marks: readonly Mark[], createdAt: number): void {
    const isPaid = isPaidOut(recipient.state);
    const wasRefused = marks.some(({ kind }) => kind === 'failed') || (!isPaid && isRefused(recipient));
    if (isPaid) group.paid++;
    if (wasRefused) group.refused++;
    if (isPaid || wasRefused) group.tried++;
    if (isPaid && !wasRefused) group.firstTry++;
    const paid = marks.find(({ kind }) => kind === 'paid' || kind === 'collection');
    if (isPaid && paid !== undefined)
      this.#medians.note(group.place, Math.max(0, paid.at - createdAt) / 1_000);
  }

  #of(payout: SummaryPayout): Counted {
    const { input, output } = payout;
    const group = this.#groupOf(payout);
    const direction = directionOf(payout.recipient);
    const key = JSON.stringify([group, input, output, direction]);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    if (this.#groups.size === MOST_ROWS)
      throw usage(
        `there are more than ${thousands(MOST_ROWS)} rows`,
        'name a shorter time, or count by something else',
      );
    const made = { ...NOTHING, group, input_currency: input, output_currency: output, direction };
    const counted = { ...made, costs: new CostSum(), place: this.#groups.size };
    this.#groups.set(key, counted);
    return counted;
  }

  rows(): SummaryRow[] {
    const medians = this.#medians.of(this.#groups.size);
    return [...this.#groups.values()]
      .map(({ place, firstTry, tried, costs, ...group }) => ({
        ...group,
        net: sub(group.input_amount, group.refunded),
        first_try: tried === 0 ? null : divRounded(String(firstTry), String(tried), SHARE_PLACES, 'half_up'),
        median_seconds: roundedOf(medians[place]),
        ...costs.sums(),
      }))
      .sort(isOfTime(this.#by) ? byName : (a, b) => b.payouts - a.payouts || byName(a, b));
  }
}

const NOTHING = {
  payouts: 0,
  funded: 0,
  input_amount: '0',
  refunded: '0',
  paid: 0,
  output_amount: '0',
  refused: 0,
  firstTry: 0,
  tried: 0,
};

function addAmounts(group: Counted, { state, input_amount: input, output_amount: output }: Recipient): void {
  group.funded++;
  if (input != null) group.input_amount = add(group.input_amount, input);
  if (input != null && isBack(state)) group.refunded = add(group.refunded, input);
  if (output != null && isPaidOut(state)) group.output_amount = add(group.output_amount, output);
}

/** Orders rows by name; a row without a name comes last. */
function byName(a: SummaryRow, b: SummaryRow): number {
  const names = ({ group, input_currency, output_currency, direction }: SummaryRow) => [
    group,
    input_currency,
    output_currency,
    direction,
  ];
  const [one, other] = [names(a), names(b)];
  for (const [at, name] of one.entries()) {
    const than = other[at] ?? null;
    if (name === than) continue;
    if (name === null || than === null) return name === null ? 1 : -1;
    return name < than ? -1 : 1;
  }
  return 0;
}

const NO_SUM = {
  payouts: 0,
  input_amount: '0',
  refunded: '0',
  net: '0',
  margin_amount: null,
  margin_unknown: 0,
  fee_amount: null,
};

const addKnown = (sum: string | null, more: string | null): string | null =>
  sum === null || more === null ? (sum ?? more) : add(sum, more);

function totalsOf(rows: readonly SummaryRow[]): SummaryTotal[] {
  const totals = new Map<string, SummaryTotal>();
  for (const row of rows) {
    const { input_currency: currency, direction } = row;
    const key = JSON.stringify([currency, direction]);
    const sum = totals.get(key) ?? { ...NO_SUM, currency, direction };
    totals.set(key, {
      currency,
      direction,
      payouts: sum.payouts + row.payouts,
      input_amount: add(sum.input_amount, row.input_amount),
      refunded: add(sum.refunded, row.refunded),
      net: add(sum.net, row.net),
      margin_amount: addKnown(sum.margin_amount, row.margin_amount),
      margin_unknown: sum.margin_unknown + row.margin_unknown,
      fee_amount: addKnown(sum.fee_amount, row.fee_amount),
    });
  }
  const place = ({ currency, direction }: SummaryTotal): string => `${currency ?? '~'} ${direction}`;
  return [...totals.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
