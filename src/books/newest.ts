/** All payments of the books, the newest first, in pieces: one begins where the last one ended, also while others are added. */

import { type Hit, hitsOf } from './search.ts';
import type { Books } from './store/port.ts';

/** Where the next piece begins. Times in milliseconds, by the service's clock. */
export interface Behind {
  /** Does not count. */
  before: number;
  /** Payments of the millisecond before it that were given already. */
  skip: number;
}

export interface HitPage {
  /** One for each recipient. */
  hits: Hit[];
  /** Undefined behind the oldest. */
  behind: Behind | undefined;
}

/** @param within `limit` counts payments; `from` counts, `to` does not */
export async function newestOf(
  books: Books,
  within: { limit: number; from?: number | undefined; to?: number | undefined; behind?: Behind | undefined },
): Promise<HitPage> {
  const { limit, from, to } = within;
  const skip = within.behind?.skip ?? 0;
  const read = await books.find([], { limit: limit + skip, from, to: within.behind?.before ?? to });
  const entries = read.slice(skip);
  const last = entries.at(-1);
  const isMore = last !== undefined && read.length === limit + skip;
  return {
    hits: entries.flatMap((entry) => hitsOf(entry, [])),
    behind: isMore
      ? {
          before: last.createdAt + 1,
          skip: read.filter(({ createdAt }) => createdAt === last.createdAt).length,
        }
      : undefined,
  };
}
