/** Looks for payouts by what a caller says: in the books; without books, through the newest payments that the service lists. */

import { listTransactions } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { counted } from '../core/amount-words.ts';
import type { Hint } from '../core/next.ts';
import type { Desk } from '../payments/desk.ts';
import { readList } from '../payments/lists/list-reader.ts';
import { spanOf } from '../payments/lists/period.ts';
import { seenIn } from '../payments/lookup/transaction.ts';
import { ageNote, type FoundRow, foundRow } from './found.ts';
import { booksIfAny } from './open-books.ts';
import { type Hit, hitsAmong, type Looking, searchBooks } from './search.ts';
import type { FoundEntry } from './store/port.ts';

/** The service's day is bounded: ten calls and no more (docs/wire.md 13). */
const LOOKED_AT = 1_000;

interface ListedHits {
  hits: Hit[];
  looked: number;
  /** There were no more to look at. */
  isWhole: boolean;
}

/** @throws Problem (usage) where no word is long enough to look for */
async function searchListed(desk: Desk, looking: Omit<Looking, 'hider'>): Promise<ListedHits> {
  const fits = hitsAmong(looking);
  const heardAt = desk.clock.now();
  const { looked, pages } = await readList<Transaction>(desk, {
    operation: listTransactions,
    query: {},
    limits: { limit: LOOKED_AT },
  });
  const entries: FoundEntry[] = [];
  for await (const page of pages())
    for (const one of page)
      entries.push({
        id: one.id ?? '',
        createdAt: Date.parse(one.created_at ?? '') || 0,
        heardAt,
        body: JSON.stringify(one),
      });
  return { hits: fits(entries), looked: looked.rows, isWhole: looked.ended === 'end' };
}

export interface LookedFor {
  /** Each with the words that it fitted. */
  rows: { row: FoundRow; why: string }[];
  hasBooks: boolean;
  notes: Hint[];
}

/** @param words as they were typed. @param period days, as `spanOf` takes them */
export async function lookFor(
  desk: Desk,
  { words: given, limit, ...period }: { words: string; limit: number } & Parameters<typeof spanOf>[1],
): Promise<LookedFor> {
  const words = given.split(/\s+/).filter((word) => word !== '');
  const span = await spanOf(desk, period);
  const opened = await booksIfAny(desk);
  const { zone } = desk;
  if (opened === undefined) {
    const { hits, looked, isWhole } = await searchListed(desk, { words, limit, zone, ...span });
    const payments = counted(looked, 'payment');
    return {
      rows: hits.map(rowOf),
      hasBooks: false,
      notes: [
        isWhole
          ? `This machine has no books, so the service was asked: ${payments}, and those are all.`
          : `This machine has no books, so the service was asked: its newest ${payments}, and there are older ones.`,
      ],
    };
  }
  const { books } = opened;
  const looking = { words, limit: limit + 1, zone, hider: opened.hider?.(), ...span };
  const { hits, isCut } = await searchBooks(books, looking);
  const listed = hits.slice(0, limit);
  await desk.remember(listed.flatMap(({ transaction }) => seenIn(transaction)));
  const isWhole = hits.length <= limit && !isCut;
  return {
    rows: listed.map(rowOf),
    hasBooks: true,
    notes: [await ageNote(books), ...(isWhole ? [] : ['More fit: add another word.'])],
  };
}

const rowOf = (hit: Hit): LookedFor['rows'][number] => ({ row: foundRow(hit), why: hit.why.join(', ') });
