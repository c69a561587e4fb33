/** The search of the books, where there are none: the same words, looked for in the newest payments that the service lists. */
import { listTransactions } from '../../contract/operations/transactions.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import type { FoundEntry } from '../../core/ports/books.ts';
import type { Desk } from '../desk.ts';
import { readList } from '../lists/list-reader.ts';
import { type Hit, hitsAmong, type Looking } from './search.ts';

/** The service's day is bounded: ten calls and no more (docs/wire.md 13). */
const LOOKED_AT = 1_000;

export interface ListedHits {
  hits: Hit[];
  looked: number;
  /** There were no more to look at. */
  isWhole: boolean;
}

/** @throws Problem (usage) where no word is long enough to look for */
export async function searchListed(desk: Desk, looking: Omit<Looking, 'hider'>): Promise<ListedHits> {
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
