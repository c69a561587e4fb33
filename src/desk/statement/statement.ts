/**
 * A statement of a balance, from the books: what it was, all that moved it, what it is then. The service has neither a statement nor a
 * list of top-ups: what changed a balance, and no payment explains, is a line of its own and is called that.
 */
import { add, gt, isZero, sub } from '../../core/money.ts';
import { said } from '../../core/next.ts';
import type { Books, Movement, SeenBalance } from '../../core/ports/books.ts';
import { notFound } from '../../core/problem.ts';
import { reachOf, refuseForgotten } from '../books/reach.ts';
import type { Period } from './period.ts';

export interface Totals {
  currency: string;
  opening: string;
  /** What was paid from the balance. */
  gross: string;
  refunded: string;
  /** `gross` less `refunded`. */
  net: string;
  collected: string;
  unexplained: string;
  closing: string;
  movements: number;
  /** `closing` less `opening` and all that moved: anything but 0 is an error. */
  difference: string;
}

export interface Step {
  currency: string;
  amount: string;
  /** It happened between these two looks at the balance, in milliseconds by the service's clock. */
  after: number;
  at: number;
}

/** What is known of one balance. */
export interface Account {
  currency: string;
  totals: Totals;
  /** Changes that no payment explains, found in this time. */
  steps: Step[];
  /** One that was found after this time, and may have happened within it. */
  later: Step | undefined;
  /** When the balance was first seen, where that was after the beginning: what came in before is in the opening. */
  firstSeen: number | undefined;
  /** Debits dated within the last hour before an end: dated by their creation, they may be of the other side of it. */
  nearAnEnd: number;
}

export interface Statement extends Period {
  /** By the service's clock: until when the books know everything. */
  knownUntil: number;
  /** The same by ours. */
  completeAt: number;
  accounts: Account[];
}

const AT_ONCE = 1_000;
const HOUR_MS = 3_600_000;

/** @throws Problem where the books have not seen a balance yet */
export async function statementOf(
  books: Books,
  { from, to, currency }: Period & { currency: string | undefined },
): Promise<Statement> {
  const { known, completeAt } = await reachOf(books);
  refuseForgotten(await books.progress(), from);
  const seen = new Map<string, SeenBalance[]>();
  for (const one of await books.seenBalances())
    seen.set(one.currency, [...(seen.get(one.currency) ?? []), one]);
  if (seen.size === 0)
    throw notFound(
      'the books have not seen a balance yet: payments moved while it was read',
      said`look again: ${{ do: 'sync_books' }}`,
    );
  if (currency !== undefined && !seen.has(currency))
    throw notFound(
      `there is no balance in ${currency}`,
      `there are balances in ${[...seen.keys()].join(', ')}`,
    );
  const accounts: Account[] = [];
  for (const [name, balances] of seen) {
    if (currency !== undefined && name !== currency) continue;
    const account = await accountOf(books, { from, to }, balances);
    const { opening, movements } = account.totals;
    if (currency !== undefined || movements > 0 || !isZero(opening)) accounts.push(account);
  }
  return { from, to, knownUntil: known, completeAt, accounts };
}

async function accountOf(books: Books, period: Period, balances: readonly SeenBalance[]): Promise<Account> {
  const { from, to } = period;
  const [first] = balances as [SeenBalance];
  const { currency } = first;
  const opening = await balanceAt(books, balances, from);
  const closing = await balanceAt(books, balances, to);
  const steps = stepsOf(balances);
  const within = steps.filter(({ at }) => at >= from && at < to);
  const sums = { debit: '0', refund: '0', collection: '0' };
  let movements = within.length;
  let nearAnEnd = 0;
  for await (const page of movementPages(books, { currency, from: from - HOUR_MS, to, brief: true }))
    for (const { kind, at, amount } of page) {
      if (kind === 'debit' && (at < from || at >= to - HOUR_MS)) nearAnEnd++;
      if (at < from) continue;
      movements++;
      sums[kind as keyof typeof sums] = add(sums[kind as keyof typeof sums], amount);
    }
  const unexplained = within.reduce((sum, { amount }) => add(sum, amount), '0');
  const moved = [...Object.values(sums), unexplained].reduce(add);
  const gross = sub('0', sums.debit);
  return {
    currency,
    totals: {
      currency,
      opening,
      gross,
      refunded: sums.refund,
      net: sub(gross, sums.refund),
      collected: sums.collection,
      unexplained,
      closing,
      movements,
      difference: sub(closing, add(opening, moved)),
    },
    steps: within,
    later: steps.find(({ after, at }) => after < to && at >= to),
    firstSeen: first.firstAt > from ? first.firstAt : undefined,
    nearAnEnd,
  };
}

/** What no payment explains at that moment, and all that payments moved until then. */
async function balanceAt(books: Books, balances: readonly SeenBalance[], at: number): Promise<string> {
  const [first] = balances as [SeenBalance];
  const { unexplained } = balances.findLast(({ firstAt }) => firstAt < at) ?? first;
  return add(unexplained, await books.movedBefore(first.currency, at));
}

/** The first one that was seen is where the counting begins, and no change. */
const stepsOf = (balances: readonly SeenBalance[]): Step[] =>
  balances.slice(1).map(({ currency, firstAt, unexplained }, index) => {
    const before = balances[index] as SeenBalance;
    return { currency, amount: sub(unexplained, before.unexplained), after: before.lastAt, at: firstAt };
  });

/** Oldest first, a thousand at a time. */
export async function* movementPages(
  books: Books,
  within: Period & { currency: string; brief?: boolean },
): AsyncGenerator<Movement[]> {
  for (let after: Movement | undefined; ; ) {
    const page: Movement[] = await books.movements({ ...within, after, limit: AT_ONCE });
    if (page.length > 0) yield page;
    if (page.length < AT_ONCE) return;
    after = page.at(-1);
  }
}

/** Money left that no payment explains. */
export const lost = ({ steps }: Account): Step[] => steps.filter(({ amount }) => gt('0', amount));
