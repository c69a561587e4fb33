/**
 * A statement of a balance, from the books: what it was, all that moved it, what it is then. The service has neither a statement nor a
 * list of top-ups: what changed a balance, and no payment explains, is a line of its own and is called that.
 */

import type { Transaction } from '../../contract/resources/transaction.ts';
import { isoTime } from '../../core/clock.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { add, gt, isZero, sub } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { notFound, usage } from '../../core/problem.ts';
import type { DataOf } from '../../frame/shape.ts';
import { CostSum, type DayRates, paidDay } from '../../payments/cost.ts';
import type { Period } from '../../payments/lists/statement-period.ts';
import { type CorrectionSum, correctionsOf } from '../closings.ts';
import { dayRates } from '../day-rates.ts';
import { DEBITED_WITHIN_MS } from '../marks.ts';
import { movementPages } from '../movements.ts';
import { reachOf, refuseForgottenTime } from '../reach.ts';
import type { statementTotalsShape } from '../shapes.ts';
import type { Books, MonthClosing, Movement, SeenBalance } from '../store/port.ts';

export type StatementTotals = DataOf<typeof statementTotalsShape>;

export interface BalanceGap {
  currency: string;
  amount: string;
  /** It happened between these two looks at the balance, in milliseconds by the service's clock. */
  after: number;
  at: number;
}

/** The facts of one balance. */
export interface StatementAccount {
  currency: string;
  totals: StatementTotals;
  /** The beginning: that of the time asked for, or the first look at the balance. Milliseconds by the service's clock. */
  from: number;
  /** The balance from which the lines count, be it seen or reckoned back from the first look. */
  opening: string;
  closing: string;
  /** Changes that no payment explains, found in this time. */
  steps: BalanceGap[];
  /** One that was found after this time, and may have happened within it. */
  later: BalanceGap | undefined;
  /** When the balance was first seen, where that was after the beginning: what came in before is in the opening. */
  firstSeen: number | undefined;
  /** Debits dated within the last hour before an end: dated by their creation, they may be of the other side of it. */
  nearAnEnd: number;
}

export interface Statement extends Period {
  /** A time of the service's clock: until when the books know everything. */
  knownUntil: number;
  /** The same by ours. */
  completeAt: number;
  accounts: StatementAccount[];
  /** The months that are closed, and what came since they were, within this time. */
  closings: readonly MonthClosing[];
  corrections: readonly CorrectionSum[];
}

interface Asked extends Period {
  currency: string | undefined;
  /** Leaves out the time before the balance was seen. */
  fromFirstSeen?: boolean;
  /** Adds up margins and fees too, for which each transaction is read: without them they are left empty. */
  withCosts?: boolean;
}

/** @throws Problem where the books have not seen a balance yet */
export async function statementOf(
  books: Books,
  { from, to, currency, fromFirstSeen = false, withCosts = false }: Asked,
): Promise<Statement> {
  const { known, completeAt } = await reachOf(books);
  refuseForgottenTime(await books.progress(), from);
  const seen = groupedBy(await books.seenBalances(), (one) => one.currency);
  if (seen.size === 0)
    throw notFound(
      'the books have not seen a balance yet: payments moved while it was read',
      hint`look again: ${{ do: 'sync_books' }}`,
    );
  if (currency !== undefined && !seen.has(currency))
    throw notFound(
      `there is no balance in ${currency}`,
      `there are balances in ${[...seen.keys()].join(', ')}`,
    );
  const rates = withCosts ? await dayRates(books, { from, to }) : undefined;
  const accounts: StatementAccount[] = [];
  for (const [name, balances] of seen) {
    if (currency !== undefined && name !== currency) continue;
    const [{ firstAt }] = balances as [SeenBalance];
    const begins = fromFirstSeen ? Math.max(from, firstAt) : from;
    if (begins >= to) continue;
    const account = await accountOf(books, { from: begins, to, rates }, balances);
    if (currency !== undefined || account.totals.movements > 0 || !isZero(account.opening))
      accounts.push(account);
  }
  if (fromFirstSeen && accounts.length === 0)
    throw usage(
      'no balance was seen before the end of this time',
      'take a later time, or begin where nobody had seen one',
    );
  const closings = await books.closings();
  const corrections = (await correctionsOf(books, closings, { from, to })).filter(
    (one) => currency === undefined || one.currency === currency,
  );
  return { from, to, knownUntil: known, completeAt, accounts, closings, corrections };
}

async function accountOf(
  books: Books,
  { from, to, rates }: Period & { rates: DayRates | undefined },
  balances: readonly SeenBalance[],
): Promise<StatementAccount> {
  const [first] = balances as [SeenBalance];
  const { currency } = first;
  const opening = await balanceAt(books, balances, from);
  const closing = await balanceAt(books, balances, to);
  const steps = stepsOf(balances);
  const within = steps.filter(({ at }) => at >= from && at < to);
  const sums = { debit: '0', refund: '0', collection: '0', correction: '0' };
  let movements = within.length;
  let nearAnEnd = 0;
  const costs = new CostSum();
  const brief = rates === undefined;
  for await (const page of movementPages(books, { currency, from: from - DEBITED_WITHIN_MS, to, brief }))
    for (const movement of page) {
      const { kind, at, amount } = movement;
      if (kind === 'debit' && (at < from || at >= to - DEBITED_WITHIN_MS)) nearAnEnd++;
      if (at < from) continue;
      movements++;
      sums[kind as keyof typeof sums] = add(sums[kind as keyof typeof sums], amount);
      if (rates !== undefined) await noteCosts(costs, movement, rates);
    }
  const unexplained = within.reduce((sum, { amount }) => add(sum, amount), '0');
  const moved = [...Object.values(sums), unexplained].reduce(add);
  const gross = sub('0', sums.debit);
  const firstSeen = first.firstAt > from ? first.firstAt : undefined;
  return {
    currency,
    from,
    opening,
    closing,
    totals: {
      currency,
      opening: firstSeen === undefined ? opening : null,
      gross,
      refunded: sums.refund,
      net: sub(gross, sums.refund),
      collected: sums.collection,
      corrected: sums.correction,
      unexplained,
      closing: first.firstAt > to ? null : closing,
      movements,
      difference: sub(closing, add(opening, moved)),
      first_seen: firstSeen === undefined ? null : isoTime(firstSeen),
      ...costs.sums(),
    },
    steps: within,
    later: stepOver(steps, to),
    firstSeen,
    nearAnEnd,
  };
}

/** A refund takes back the costs of its payment. */
async function noteCosts(
  costs: CostSum,
  { kind, at, of, currency, body }: Movement,
  rates: DayRates,
): Promise<void> {
  if (kind === 'collection' || kind === 'correction') return;
  const transaction = JSON.parse(body) as Transaction;
  const day = paidDay(transaction, at);
  await rates.reach(day);
  for (const one of transaction.recipients ?? [])
    if (kind === 'debit' || one.id === of)
      costs.note(one, { rates, day, currency }, kind === 'debit' ? 1 : -1);
}

/**
 * Returns the balance at a moment: the part that no payment explains then, and all that payments moved until
 * then.
 */
export async function balanceAt(books: Books, balances: readonly SeenBalance[], at: number): Promise<string> {
  const [first] = balances as [SeenBalance];
  const { unexplained } = balances.findLast(({ firstAt }) => firstAt < at) ?? first;
  return add(unexplained, await books.movedBefore(first.currency, at));
}

/** A movement that was found after this moment, and may have happened before it. */
export const stepOver = (steps: readonly BalanceGap[], to: number): BalanceGap | undefined =>
  steps.find(({ after, at }) => after < to && at >= to);

/** The first one that was seen is where the counting begins, and no change. */
export const stepsOf = (balances: readonly SeenBalance[]): BalanceGap[] =>
  balances.slice(1).map(({ currency, firstAt, unexplained }, index) => {
    const before = balances[index] as SeenBalance;
    return { currency, amount: sub(unexplained, before.unexplained), after: before.lastAt, at: firstAt };
  });

/** Returns the steps of every balance, by currency, oldest first. */
export const stepsIn = async (books: Books): Promise<BalanceGap[]> =>
  [...groupedBy(await books.seenBalances(), (one) => one.currency).values()].flatMap(stepsOf);

/** Money left that no payment explains. */
export const lost = ({ steps }: StatementAccount): BalanceGap[] =>
  steps.filter(({ amount }) => gt('0', amount));
