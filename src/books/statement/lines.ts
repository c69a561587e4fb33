/** The lines of a statement, as they are printed: each movement with the balance behind it. */

import { type Direction, directionOf, directionOfAll } from '../../contract/direction.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { add, eq, sub, sum } from '../../core/money.ts';
import { type Problem, refuse } from '../../core/problem.ts';
import { type DayRates, marginOf, paidDay } from '../../payments/cost.ts';
import { type MaskLevel, maskData } from '../../payments/words/mask.ts';
import { fullName } from '../../payments/words/person.ts';
import { correctedMonth } from '../closings.ts';
import { dayRates } from '../day-rates.ts';
import { movementPages } from '../movements.ts';
import type { Paid } from '../shapes.ts';
import type { Books, Movement } from '../store/port.ts';
import type { Statement, StatementAccount } from './statement.ts';

/** An end that was not seen has no balance, and another name. */
export type LineKind =
  | 'opening'
  | 'opening_not_seen'
  | 'debit'
  | 'refund'
  | 'collection'
  | 'correction'
  | 'unexplained'
  | 'closing'
  | 'closing_not_seen';

export interface Line {
  kind: LineKind;
  /** When it happened, as ISO 8601; of an unexplained difference when it was found. */
  at: string;
  /** It happened after this, where no more is known. */
  after: string | null;
  currency: string;
  /** Has the sign by which the balance moved; null for the two ends. */
  amount: string | null;
  /** The balance behind it; null before the balance was first seen: what came in until then is unknown. */
  balance: string | null;
  transaction_id: string | null;
  external_id: string | null;
  recipient_id: string | null;
  name: string | null;
  reference: string | null;
  state: string | null;
  /** The cost of the payment, or the amount that was collected; null where several differ in currency. */
  input_amount: string | null;
  input_currency: string | null;
  output_amount: string | null;
  output_currency: string | null;
  /** Units of the output currency for one of this. */
  rate: string | null;
  /** The part of the mid-market rate of the day of the payment that was not given, such as 0.01; null where the books did not see that rate. */
  margin: string | null;
  /** The same in money of the input currency, rounded half up to its decimals. */
  margin_amount: string | null;
  /** Null where no payment, or payments of both directions, moved the balance. */
  direction: Direction | null;
  /** The amount of each recipient, where one movement pays several; else null. */
  recipients: Paid[] | null;
  /** The closed month, such as 2026-10, whose payment this is of; null where that month was open when it came. */
  corrects: string | null;
}

/** The lines of each balance, oldest first, in pages: a million of them are never held. @throws Problem (conflict) where the books change meanwhile */
export async function* statementLines(
  books: Books,
  statement: Statement,
  mask: MaskLevel,
): AsyncGenerator<Line[]> {
  const rates = await dayRates(books, statement);
  for (const account of statement.accounts) yield* accountLines(books, { account, statement, rates, mask });
}

/** The lines of all balances by time; what came at the same moment stands in the order of the balances. */
export async function* linesByTime(
  books: Books,
  statement: Statement,
  mask: MaskLevel,
): AsyncGenerator<Line> {
  const rates = await dayRates(books, statement);
  const heads: { pages: AsyncGenerator<Line[]>; page: Line[]; at: number }[] = [];
  const advance = async (head: (typeof heads)[number]): Promise<void> => {
    while (++head.at >= head.page.length) {
      const { done, value } = await head.pages.next();
      if (done) {
        heads.splice(heads.indexOf(head), 1);
        return;
      }
      Object.assign(head, { page: value, at: -1 });
    }
  };
  for (const account of statement.accounts)
    heads.push({ pages: accountLines(books, { account, statement, rates, mask }), page: [], at: -1 });
  for (const head of [...heads]) await advance(head);
  while (heads.length > 0) {
    const lineOf = ({ page, at }: (typeof heads)[number]): Line => page[at] as Line;
    const next = heads.reduce((best, head) => (lineOf(head).at < lineOf(best).at ? head : best));
    yield lineOf(next);
    await advance(next);
  }
}

async function* accountLines(
  books: Books,
  {
    account,
    statement,
    rates,
    mask,
  }: { account: StatementAccount; statement: Statement; rates: DayRates; mask: MaskLevel },
): AsyncGenerator<Line[]> {
  const { currency, totals, from, firstSeen } = account;
  const { to, knownUntil: known } = statement;
  let balance = account.opening;
  const seenAt = (at: number): string | null => (firstSeen === undefined || at >= firstSeen ? balance : null);
  const bare = (
    kind: LineKind,
    at: number,
    amount: string | null = null,
    after: number | null = null,
  ): Line => ({
    kind,
    at: iso(at),
    after: after === null ? null : iso(after),
    currency,
    amount,
    balance: seenAt(at),
    ...EMPTY,
  });
  let lines: Line[] = [bare(firstSeen === undefined ? 'opening' : 'opening_not_seen', from)];
  const steps = [...account.steps];
  const passSteps = (until: number): void => {
    for (let step = steps[0]; step !== undefined && step.at < until; step = steps[0]) {
      balance = add(balance, step.amount);
      lines.push(bare('unexplained', step.at, step.amount, step.after));
      steps.shift();
    }
  };
  for await (const page of movementPages(books, { currency, from, to })) {
    for (const movement of page) {
      const transaction = JSON.parse(movement.body) as Transaction;
      const reaching = rates.reach(paidDay(transaction, movement.at));
      if (reaching) await reaching;
      // At the same moment what was seen comes behind what had moved it.
      passSteps(movement.at);
      balance = add(balance, movement.amount);
      const corrects = correctedMonth(statement.closings, movement, transaction);
      lines.push(lineOf(movement, seenAt(movement.at), { transaction, rates, mask, corrects }));
    }
    yield lines;
    lines = [];
  }
  passSteps(to);
  if (!eq(balance, sub(account.closing, totals.difference))) throw changed();
  balance = totals.closing ?? account.closing;
  const end: Line = bare('closing', Math.min(to - 1, Math.max(from, known)));
  lines.push({
    ...end,
    balance: totals.closing,
    kind: totals.closing === null ? 'closing_not_seen' : 'closing',
  });
  yield lines;
}

/** Another process brought the books up to date after the sums were made: what was printed does not come to them. */
const changed = (): Problem =>
  refuse(
    'conflict',
    'books_changed',
    'the books changed while the statement was read: what was printed is not whole',
    { hint: 'run it again' },
  );

const EMPTY = {
  transaction_id: null,
  external_id: null,
  recipient_id: null,
  name: null,
  reference: null,
  state: null,
  input_amount: null,
  input_currency: null,
  output_amount: null,
  output_currency: null,
  rate: null,
  margin: null,
  margin_amount: null,
  direction: null,
  recipients: null,
  corrects: null,
};

const NO_MARGIN = { margin: null, margin_amount: null };

const iso = (at: number): string => new Date(at).toISOString();

function lineOf(
  { kind, at, of, currency, amount }: Movement,
  balance: string | null,
  {
    transaction,
    rates,
    mask,
    corrects,
  }: { transaction: Transaction; rates: DayRates; mask: MaskLevel; corrects: string | null },
): Line {
  const recipients = transaction.recipients ?? [];
  const own = recipients.find(({ id }) => id === of);
  const day = paidDay(transaction, at);
  const paid = (own === undefined ? recipients : [own]).map((one): Paid => {
    const { exchange_rate: rate = null, output_currency: to = null, input_amount: input = null } = one;
    const from = one.input_currency ?? transaction.input_currency ?? null;
    const known = kind === 'collection' ? NO_MARGIN : marginOf(one, { rates, day, currency });
    return {
      recipient_id: one.id ?? null,
      name: fullName(maskData(one.payout_method?.details, mask, 'details')),
      input_amount: input,
      input_currency: from,
      output_amount: one.output_amount ?? null,
      output_currency: to,
      rate,
      ...known,
    };
  });
  return {
    kind: kind as LineKind,
    at: iso(at),
    after: null,
    currency,
    amount,
    balance,
    transaction_id: transaction.id ?? null,
    external_id: transaction.external_id ?? null,
    recipient_id: own?.id ?? null,
    // Books without names have none.
    name: paid.flatMap(({ name }) => name || []).join(', '),
    reference: textOf(transaction.payin_reference),
    state: (own ?? transaction).state ?? null,
    ...together(paid),
    direction: own === undefined ? directionOfAll(recipients) : directionOf(own),
    recipients: paid.length > 1 ? paid : null,
    corrects,
  };
}

/**
 * Returns the amounts of several recipients as one where they are of one currency, with one rate where each
 * has the same.
 */
function together(paid: readonly Paid[]): Omit<Paid, 'recipient_id' | 'name'> {
  const [from, to] = [
    same(paid.map((one) => one.input_currency)),
    same(paid.map((one) => one.output_currency)),
  ];
  return {
    input_amount: from === null ? null : sumOfAll(paid.map((one) => one.input_amount)),
    input_currency: from,
    output_amount: to === null ? null : sumOfAll(paid.map((one) => one.output_amount)),
    output_currency: to,
    rate: same(paid.map(({ rate }) => rate)),
    margin: same(paid.map(({ margin }) => margin)),
    margin_amount: from === null ? null : sumOfAll(paid.map((one) => one.margin_amount)),
  };
}

/** Null where there is none, or where one of them is not known. */
function sumOfAll(amounts: readonly (string | null)[]): string | null {
  const known = amounts.flatMap((amount) => amount ?? []);
  return known.length > 0 && known.length === amounts.length ? sum(known) : null;
}

const same = (values: readonly (string | null)[]): string | null =>
  values.every((one) => one === values[0]) ? (values[0] ?? null) : null;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
