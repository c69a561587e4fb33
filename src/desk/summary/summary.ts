/**
 * Payouts counted and added up in groups, from the books, in one pass and without the service. Amounts of two currencies are never
 * added, so each group has a row for each pair of them.
 */

import { isFunded } from '../../client/funded.ts';
import { type Direction, directionOf } from '../../contract/direction.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isBack, isPaidOut } from '../../contract/states/money.ts';
import { add, divRounded, sub } from '../../core/money.ts';
import type { Books, Mark, Place, PlacedBody } from '../../core/ports/books.ts';
import { interrupted, usage } from '../../core/problem.ts';
import { reachOf, refuseForgotten } from '../books/reach.ts';
import type { Desk, Progress } from '../desk.ts';
import type { summaryShape } from '../shapes/books.ts';
import type { DataOf } from '../shapes/shape.ts';
import type { Period } from '../statement/period.ts';
import { thousands } from '../words/amount.ts';
import { type Grouping, groupBy, isOfTime, isRefused, Medians, type Payout } from './groups.ts';

export type SummaryRow = DataOf<typeof summaryShape>;

export interface Summary extends Period {
  by: Grouping;
  /** By the service's clock: until when the books know everything. */
  knownUntil: number;
  /** The same by ours. */
  completeAt: number;
  rows: SummaryRow[];
  totals: Total[];
}

/** The sum of all rows of one input currency and one direction. */
export interface Total {
  direction: Direction;
  currency: string | null;
  payouts: number;
  input_amount: string;
  refunded: string;
  net: string;
}

const AT_ONCE = 1_000;
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
  refuseForgotten(await books.progress(), from);
  const counting = new Counting(by, desk.zone);
  await desk.working('counting payouts', (progress) =>
    readAll(desk, books, { from, to, counting, progress }),
  );
  const rows = counting.rows();
  return { from, to, by, knownUntil: known, completeAt, rows, totals: totalsOf(rows) };
}

async function readAll(
  desk: Desk,
  books: Books,
  { from, to, counting, progress }: Period & { counting: Counting; progress: Progress },
): Promise<void> {
  let read = 0;
  for (let after: Place | undefined; ; ) {
    if (desk.signal.aborted) throw interrupted();
    const page: PlacedBody[] = await books.created({ from, to, after, limit: AT_ONCE });
    const marks = await books.marks(page.map(({ id }) => id));
    for (const { id, body, createdAt } of page)
      counting.take(JSON.parse(body) as Transaction, createdAt, marks.get(id) ?? []);
    read += page.length;
    progress.tell(read);
    if (page.length < AT_ONCE) return;
    after = page.at(-1);
  }
}

const roundedOf = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds);

type Counted = Omit<SummaryRow, 'net' | 'first_try' | 'median_seconds'> & {
  place: number;
  firstTry: number;
  tried: number;
};

class Counting {
  readonly #by: Grouping;
  readonly #groupOf: ReturnType<typeof groupBy>;
  readonly #groups = new Map<string, Counted>();
  readonly #medians = new Medians();

  constructor(by: Grouping, zone: string) {
    this.#by = by;
    this.#groupOf = groupBy(by, zone);
  }

  take(transaction: Transaction, createdAt: number, marks: readonly Mark[]): void {
    const isPaidFor = isFunded(transaction);
    for (const recipient of transaction.recipients ?? []) {
      const input = recipient.input_currency ?? transaction.input_currency ?? null;
      const output = recipient.output_currency ?? recipient.requested_currency ?? null;
      const group = this.#of({ recipient, transaction, createdAt, input, output });
      group.payouts++;
      if (isPaidFor) addAmounts(group, recipient);
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

  #of(payout: Payout): Counted {
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
    const counted = { ...made, place: this.#groups.size };
    this.#groups.set(key, counted);
    return counted;
  }

  rows(): SummaryRow[] {
    const medians = this.#medians.of(this.#groups.size);
    return [...this.#groups.values()]
      .map(({ place, firstTry, tried, ...group }) => ({
        ...group,
        net: sub(group.input_amount, group.refunded),
        first_try: tried === 0 ? null : divRounded(String(firstTry), String(tried), SHARE_PLACES, 'half_up'),
        median_seconds: roundedOf(medians[place]),
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

function totalsOf(rows: readonly SummaryRow[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { input_currency: currency, direction, payouts, input_amount, refunded, net } of rows) {
    const key = JSON.stringify([currency, direction]);
    const sum = totals.get(key) ?? {
      currency,
      payouts: 0,
      input_amount: '0',
      refunded: '0',
      net: '0',
    };
    totals.set(key, {
      currency,
      direction,
      payouts: sum.payouts + payouts,
      input_amount: add(sum.input_amount, input_amount),
      refunded: add(sum.refunded, refunded),
      net: add(sum.net, net),
    });
  }
  const place = ({ currency, direction }: Total): string => `${currency ?? '~'} ${direction}`;
  return [...totals.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
