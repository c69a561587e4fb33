/**
 * The books add to the records of a list what the service does not say: when a payout was paid, and when its
 * money came back.
 */

import { isFunded } from '../client/funded.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { isoTime } from '../core/clock.ts';
import { type Hint, hint } from '../core/next.ts';
import { type FromBooks, fundedBy } from '../payments/cases/settlement.ts';
import { type DayRates, paymentCosts } from '../payments/cost.ts';
import type { BooksBeside, Desk } from '../payments/desk.ts';
import { problemOf } from '../payments/problem-of.ts';
import { dayRates } from './day-rates.ts';
import { booksIfAny } from './open-books.ts';
import type { Books, Mark } from './store/port.ts';

/**
 * Books that are not there, or cannot be read, leave the columns empty: the list is the service's.
 *
 * @param names the columns that are filled
 */
export async function booksBeside(desk: Desk, names: readonly string[]): Promise<BooksBeside> {
  const [last = '', ...others] = [...names].reverse();
  const rows = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  const are = others.length === 0 ? 'is' : 'are';
  let books: Books | undefined;
  let completeAt: number | undefined;
  try {
    books = (await booksIfAny(desk))?.books;
    completeAt = (await books?.progress())?.completeAt;
  } catch (error) {
    return { ...without(`${rows} ${are} empty: ${problemOf(error).facts.message}`), isThere: true };
  }
  if (books === undefined)
    return without(
      hint`${rows} ${are} empty: there are no books of this account. Make them: ${{ do: 'sync_books' }}`,
    );
  const says =
    completeAt === undefined
      ? hint`${rows} ${are} from the books, which are not complete: ${{ do: 'sync_books' }}`
      : hint`${rows} ${are} from the books, which are complete until ${isoTime(completeAt)}. What is newer: ${{ do: 'sync_books' }}`;
  return beside(books, says);
}

const without = (says: Hint): BooksBeside => ({
  isThere: false,
  says,
  transactions: async (rows) => [...rows],
  recipients: async (rows) => [...rows],
  paidAt: async () => new Map(),
});

function beside(books: Books, says: Hint): BooksBeside {
  return {
    isThere: true,
    says,
    async transactions(rows) {
      const marks = await books.marks(rows.map(({ id }) => idOf(id)));
      const rates = await ratesFor(books, rows);
      return Promise.all(
        rows.map(async (row) => {
          const whole = await filled(books, row);
          const { margin, margin_amount } = paymentCosts(whole, rates);
          const times = fromMarks(marks.get(idOf(row.id)) ?? []);
          return { ...whole, from_books: { ...times, margin, margin_amount } };
        }),
      );
    },
    async recipients(rows) {
      const marks = await books.marks([...new Set(rows.map(({ transaction_id: id }) => idOf(id)))]);
      return Promise.all(
        rows.map(async (row) => {
          const own = (marks.get(idOf(row.transaction_id)) ?? []).filter(({ of }) => of === row.id);
          return { ...row, from_books: { ...fromMarks(own), funded: await wasFunded(books, row) } };
        }),
      );
    },
    async paidAt(ids) {
      const marks = await books.marks(ids.map(idOf));
      return new Map(
        ids.flatMap((id) => {
          const { paid_at: at } = fromMarks(marks.get(idOf(id)) ?? []);
          return at === null ? [] : [[id, at] as const];
        }),
      );
    },
  };
}

function ratesFor(books: Books, rows: readonly Transaction[]): Promise<DayRates> {
  const times = rows.flatMap(({ created_at: at }) => (at ? [Date.parse(at)] : []));
  return dayRates(books, { from: times.length === 0 ? 0 : Math.min(...times), to: Math.max(...times, 0) });
}

const idOf = (id: string | null | undefined): string => (id ?? '').toLowerCase();

/** The latest of each: a payment to several is paid when the last of them is. */
function fromMarks(marks: readonly Mark[]): FromBooks {
  const latest = (...kinds: Mark['kind'][]): string | null => {
    const times = marks.filter(({ kind }) => kinds.includes(kind)).map(({ at }) => at);
    return times.length === 0 ? null : isoTime(Math.max(...times));
  };
  return { paid_at: latest('paid', 'collection'), refunded_at: latest('refund') };
}

/** A list without the recipients gets them from the books, where nothing has changed since. */
async function filled(books: Books, row: Transaction): Promise<Transaction> {
  if (row.recipients && row.recipients.length > 0) return row;
  const kept = await keptOf(books, row.id);
  const isSame = kept !== undefined && kept.state === row.state && kept.updated_at === row.updated_at;
  return isSame ? { ...row, recipients: kept.recipients } : row;
}

/** Where the record leaves it open, what the books have of its transaction says it. */
async function wasFunded(books: Books, payout: Recipient): Promise<boolean | null> {
  const said = fundedBy(payout);
  if (said !== null) return said;
  const kept = await keptOf(books, payout.transaction_id);
  return kept === undefined || kept.state !== payout.transaction_state ? null : isFunded(kept);
}

async function keptOf(books: Books, id: string | null | undefined): Promise<Transaction | undefined> {
  const body = await books.get(idOf(id));
  return body === undefined ? undefined : (JSON.parse(body) as Transaction);
}
