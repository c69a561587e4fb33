/**
 * The books beside the service, record by record, and the sums from which a statement proves itself: nothing is written. Every page is read,
 * as a first `sync` does.
 */

import { onePage, type Page } from '../client/pages.ts';
import { listTransactions } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { money } from '../core/amount-words.ts';
import { add, isZero } from '../core/money.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from '../payments/desk.ts';
import { bookEntryOf } from './entry.ts';
import { type Hider, hidden } from './hidden.ts';
import { Pace } from './pace.ts';
import type { differenceShape } from './shapes.ts';
import { statementOf } from './statement/statement.ts';
import type { BookEntry, Books, Mark } from './store/port.ts';

export type Difference = DataOf<typeof differenceShape>;

export interface Compared {
  compared: number;
  /** The first thousand. */
  differences: Difference[];
  count: number;
  /** Ended before the last page. */
  isCut: boolean;
}

const PER = 100;
const MOST_NAMED = 1_000;

export async function checkBooks(
  desk: Desk,
  books: Books,
  { perMinute, hider }: { perMinute: number | undefined; hider?: (() => Hider) | undefined },
): Promise<Compared> {
  // The entry as the books keep it: without names where they have none.
  const asKept = (entry: BookEntry): BookEntry => (hider === undefined ? entry : hidden(entry, hider()));
  const found: Compared = { compared: 0, differences: [], count: 0, isCut: false };
  const seen = new Set<string>();
  const pace = new Pace(desk, perMinute);
  const client = await desk.client();
  const { forgottenBefore = Number.NEGATIVE_INFINITY } = await books.progress();
  await desk.working('comparing with the service', async (progress) => {
    for (let page: number | null = 1; page !== null; ) {
      if (desk.signal.aborted) {
        found.isCut = true;
        return;
      }
      await pace.enter();
      const query = { page, per: PER };
      const read: Page<Transaction> = await onePage(client, listTransactions, { query });
      const marks = await books.marks(read.items.flatMap(({ id }) => (id ? [id.toLowerCase()] : [])));
      for (const transaction of read.items) {
        const entry = bookEntryOf(transaction, 0);
        // A record may come again on the next page, where another was made meanwhile.
        if (entry === undefined || entry.createdAt < forgottenBefore || seen.has(entry.id)) continue;
        seen.add(entry.id);
        found.compared += 1;
        const kept = await books.get(entry.id);
        const { body } = asKept(entry);
        if (kept === body) {
          const [ours, theirs] = movedBy(marks.get(entry.id) ?? [], entry.marks);
          if (ours !== theirs)
            note(found, {
              id: entry.id,
              kind: 'movements differ',
              what: `${ours || 'none'} in the books, ${theirs || 'none'} by the record`,
            });
          continue;
        }
        note(
          found,
          kept === undefined
            ? { id: entry.id, kind: 'not in the books', what: `state ${entry.state}` }
            : { id: entry.id, kind: 'differs', what: differenceOf(JSON.parse(kept), JSON.parse(body)) },
        );
      }
      progress.tell(found.compared, read.total);
      page = read.next;
    }
    for (let after = ''; ; ) {
      const some = await books.bodies(after, PER);
      for (const { id } of some)
        if (!seen.has(id)) note(found, { id, kind: 'not at the service', what: 'no page shows it' });
      const last = some.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    // Payments that were forgotten are in the sums still, and not among the movements.
    if (forgottenBefore === Number.NEGATIVE_INFINITY)
      for (const difference of await unprovedSums(books)) note(found, difference);
  });
  return found;
}

/** Returns the movements of the books and of the record, in no order of time: `debit -14.99 EUR, refund 14.99 EUR`. */
function movedBy(kept: readonly Moving[], said: readonly Moving[]): [string, string] {
  // A correction makes up for movements of a closed month, whatever their kind: then the sums are what they come to.
  const isCorrected = kept.some(({ kind }) => kind === 'correction');
  return isCorrected ? [sumWords(kept), sumWords(said)] : [movementWords(kept), movementWords(said)];
}

type Moving = Pick<Mark, 'kind' | 'of' | 'currency' | 'amount'>;

const movementWords = (marks: readonly Moving[]): string =>
  marks
    .flatMap(({ kind, currency, amount }) => (amount === undefined ? [] : [`${kind} ${amount} ${currency}`]))
    .sort()
    .join(', ');

function sumWords(marks: readonly Moving[]): string {
  const sums = new Map<string, string>();
  for (const { of, currency, amount = '0' } of marks)
    sums.set(`${of} ${currency}`, add(sums.get(`${of} ${currency}`) ?? '0', amount));
  return [...sums]
    .filter(([, sum]) => !isZero(sum))
    .map(([name, sum]) => `${name}: ${sum}`)
    .sort()
    .join(', ');
}

/** Currencies whose movements do not come to what was summed up of them. Empty where no balance was seen: then nothing is proved yet. */
async function unprovedSums(books: Books): Promise<Difference[]> {
  if ((await books.seenBalances()).length === 0) return [];
  const whole = { from: 0, to: Number.MAX_SAFE_INTEGER, currency: undefined };
  const { accounts } = await statementOf(books, whole);
  return accounts.flatMap(({ currency, totals: { difference } }) =>
    isZero(difference)
      ? []
      : [
          {
            id: currency,
            kind: 'sums differ',
            what: `${money(difference, currency)} are left over`,
          } as const,
        ],
  );
}

function note(found: Compared, difference: Difference): void {
  found.count += 1;
  if (found.differences.length < MOST_NAMED) found.differences.push(difference);
}

function differenceOf(kept: Transaction, service: Transaction): string {
  const [ours, theirs] = [kept as Record<string, unknown>, service as Record<string, unknown>];
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter(
    (name) => JSON.stringify(ours[name]) !== JSON.stringify(theirs[name]),
  );
  return names
    .map((name) => (name === 'state' ? `state ${kept.state} here, ${service.state} at the service` : name))
    .join(', ');
}
