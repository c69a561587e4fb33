/**
 * Brings the books up to date. The first time every page of the list is read; later the pages of what is new, and what was not
 * final when it was last read.
 *
 * The service does not say in which order it lists. So the order is looked at, and not assumed: where it is not newest first,
 * every page is read. What was kept is counted against what the service says that there is: where records are missing, the next
 * time every page is read again, and until then the books are not called complete.
 */

import { ApiError } from '../client/errors.ts';
import { getTransaction } from '../contract/operations/transactions.ts';
import { counted, thousands } from '../core/amount-words.ts';
import { isLoopback } from '../core/hosts.ts';
import { hint } from '../core/next.ts';
import { type Desk, note, tell } from '../payments/desk.ts';
import { serviceNow } from '../payments/service-time.ts';
import { type BalanceLook, isTooSoon, keepDayRates, lookAtBalances } from './balances.ts';
import { type CorrectionSum, correctionsOf, correctionWords } from './closings.ts';
import { feedFromInbox } from './from-inbox.ts';
import { BookReader, PER, type Walk } from './reader.ts';
import type { BookProgress, Books } from './store/port.ts';

export interface SyncWish {
  /** Calls a minute; undefined where nothing bounds them, as on a sandbox. */
  perMinute: number | undefined;
  /** Every page is read, whatever is there. */
  all: boolean;
}

export interface Synced {
  pages: number;
  calls: number;
  added: number;
  changed: number;
  /** Records that were read in an older state than the books have. */
  older: number;
  /** Everything that there was when this began is in the books. */
  isComplete: boolean;
  /** How many the service says that it has beyond those in the books; 0 where it does not say. */
  missing: number;
  /** Not final: read again the next time. */
  open: number;
  /** How many calls that takes. The service lists transactions by no state, so pages are read from the oldest on, or each by itself. */
  again: number;
  /** Movements of closed months that came since the books were complete last. */
  corrections: CorrectionSum[];
}

/** The service's time is scarce: two calls a second are two hundred records. */
export const PER_MINUTE = 120;
/** Calls a minute at most; undefined on a sandbox, which may be asked as often as anybody likes. */
export const paceAt = (baseUrl: string): number | undefined =>
  isLoopback(new URL(baseUrl).hostname) ? undefined : PER_MINUTE;

/** Two that are created at once may come into the list in another order than their times. */
const OVERLAP_MS = 10 * 60_000;
/** Read one by one at most; beyond that pages are cheaper, and the service's day is bounded (docs/wire.md 13). */
const MOST_SINGLE = 500;

export async function syncBooks(desk: Desk, books: Books, wish: SyncWish): Promise<Synced> {
  const beganAt = desk.clock.now();
  return desk.working('reading transactions', async (progress) => {
    const reader = new BookReader(desk, books, {
      perMinute: wish.perMinute,
      tell: (done, total) => progress.tell(done, total),
    });
    const sync = new Sync(desk, books, reader);
    const before = await books.progress();
    // Before the balances are looked at: what it says moved one before.
    if (!wish.all && before.completeAt !== undefined && before.walk === undefined)
      await sync.hearInbox(before.completeAt);
    // A payment that an earlier run read may have moved a balance since.
    if (before.walk === undefined) await sync.look(before);
    return sync.end(
      wish.all || before.completeAt === undefined || before.walk !== undefined
        ? await sync.walkAll(before.walk ?? { page: 1, beganAt })
        : await sync.readOn(before, beganAt),
    );
  });
}

interface Walked extends Walk {
  beganAt: number;
}

class Sync {
  readonly #desk: Desk;
  readonly #books: Books;
  readonly #reader: BookReader;

  constructor(desk: Desk, books: Books, reader: BookReader) {
    this.#desk = desk;
    this.#books = books;
    this.#reader = reader;
  }

  /** Every page, from where the last time ended. */
  async walkAll({ page: first, beganAt, ...walk }: NonNullable<BookProgress['walk']>): Promise<Walked> {
    let { newestAt } = walk;
    const walked = await this.#reader.walk(first, ({ entries, next }) => {
      newestAt ??= Math.max(...entries.map(({ createdAt }) => createdAt));
      return { isEnough: false, walk: next === null ? null : { page: next, beganAt, newestAt } };
    });
    const { total, isDone } = walked;
    const { transactions } = await this.#books.counts();
    // Payments that were made while this was read, or since it was interrupted, stand before the pages that were left.
    if (isDone && total !== undefined && total > transactions) return this.walkNew({ newestAt }, beganAt);
    return { ...walked, beganAt };
  }

  /** Everything until then is in the books: what was received since is new to them. */
  async hearInbox(completeAt: number): Promise<void> {
    this.#reader.count(await feedFromInbox(this.#desk, this.#books, { since: completeAt }));
  }

  /** Reads the new transactions, and those that were open. */
  async readOn(from: BookProgress, beganAt: number): Promise<Walked> {
    const walked = await this.walkNew(from, beganAt);
    const isRead = await this.readOpen(beganAt);
    return { ...walked, isDone: walked.isDone && isRead };
  }

  /** The balances, before what moved them is read; not again where they were looked at not long ago. */
  async look({ lookedAt }: BookProgress): Promise<void> {
    if (isTooSoon(await this.#desk.connection(), lookedAt, this.#desk.clock.now())) return;
    this.#reader.look = await this.#reader.call(() => lookAtBalances(this.#desk));
  }

  /** From the newest to what was there the last time. */
  async walkNew({ newestAt = 0 }: BookProgress, beganAt: number): Promise<Walked> {
    let last = Number.POSITIVE_INFINITY;
    let isOrdered = true;
    const until = await this.#until(newestAt - OVERLAP_MS, beganAt);
    const walked = await this.#reader.walk(1, ({ entries }) => {
      for (const { createdAt } of entries) {
        isOrdered &&= createdAt <= last;
        last = createdAt;
      }
      return { isEnough: isOrdered && last < until, walk: undefined };
    });
    if (!isOrdered) note(this.#desk, hint`the service does not list the newest first: every page was read`);
    return { ...walked, beganAt };
  }

  /** Down to the oldest that is open, where that is fewer calls than one for each. */
  async #until(newest: number, beganAt: number): Promise<number> {
    const open = await this.#books.open(beganAt, MOST_SINGLE + 1);
    const [oldest] = open;
    if (oldest === undefined || oldest.createdAt >= newest) return newest;
    const pages = ((await this.#books.since(oldest.createdAt)) - (await this.#books.since(newest))) / PER;
    return open.length > MOST_SINGLE || pages < open.length ? oldest.createdAt : newest;
  }

  /**
   * Reads those that were not final and stood on none of the pages. Returns false where it was interrupted:
   * then the state of the rest is unknown.
   */
  async readOpen(beganAt: number): Promise<boolean> {
    const client = await this.#desk.client();
    for (const { id } of await this.#books.open(beganAt, MOST_SINGLE)) {
      if (this.#desk.signal.aborted) return false;
      const heardAt = this.#desk.clock.now();
      try {
        const read = () => client.call(getTransaction, { path: { transaction_id: id } });
        const { object } = await this.#reader.call(read);
        await this.#reader.keepOne(object, heardAt);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        note(this.#desk, hint`the service has no transaction ${id} any more: the books keep it as it was`);
      }
    }
    return true;
  }

  async end({ beganAt, total, isDone }: Walked): Promise<Synced> {
    const { transactions, open } = await this.#books.counts();
    const progress = await this.#books.progress();
    const newestAt = Math.max(progress.newestAt ?? 0, this.#reader.newestRead);
    // The number of forgotten payments is unknown.
    const missing =
      total === undefined || progress.forgottenBefore !== undefined ? 0 : Math.max(0, total - transactions);
    const isComplete = isDone && missing === 0;
    if (isComplete) await this.#complete({ ...progress, walk: undefined, completeAt: beganAt, newestAt });
    else if (isDone) {
      await this.#books.setProgress({ ...progress, walk: undefined, completeAt: undefined });
      note(
        this.#desk,
        hint`the service has ${counted(missing, 'transaction')} that no page showed: the next time every page is read`,
      );
    }
    const corrections = isComplete ? await this.#corrections(progress.knownUntil) : [];
    return {
      ...this.#reader.counted,
      ...{ isComplete, missing, open, corrections },
      again: await this.#callsForOpen(),
    };
  }

  async #corrections(from = 0): Promise<CorrectionSum[]> {
    const found = await correctionsOf(this.#books, await this.#books.closings(), { from });
    for (const says of correctionWords(found)) tell(this.#desk, says);
    return found;
  }

  /** Returns the number of calls that the next time costs for what is open now. */
  async #callsForOpen(): Promise<number> {
    const open = await this.#books.open(Number.MAX_SAFE_INTEGER, MOST_SINGLE + 1);
    const [oldest] = open;
    if (oldest === undefined) return 0;
    const pages = Math.ceil((await this.#books.since(oldest.createdAt)) / PER);
    return open.length > MOST_SINGLE ? pages : Math.min(pages, open.length);
  }

  /** A balance says something only together with all that moved it. */
  async #complete(progress: BookProgress): Promise<void> {
    const { look } = this.#reader;
    const knownUntil = look?.at ?? (await serviceNow(this.#desk));
    const lookedAt = look?.heardAt ?? progress.lookedAt;
    await this.#books.setProgress({ ...progress, knownUntil, lookedAt });
    if (look !== undefined && !look.isMoving && !(await this.#hasMovedSince(look)))
      await this.#books.seeBalances(look.at, look.balances);
    await keepDayRates(this.#desk, this.#books, knownUntil);
  }

  /** A listener or another sync may have kept what this one never read. */
  async #hasMovedSince({ surelyBefore, balances }: BalanceLook): Promise<boolean> {
    const later = { from: surelyBefore + 1, to: Number.MAX_SAFE_INTEGER, limit: 1 };
    for (const { currency } of balances)
      if ((await this.#books.movements({ ...later, currency })).length > 0) return true;
    return false;
  }
}

/** `250 transactions are new and 3 changed. The books are complete; 12 are not final, and are read again the next time, with 3 calls.` */
export function syncedWords({
  added,
  changed,
  open,
  again,
}: Pick<Synced, 'added' | 'changed' | 'open' | 'again'>): string {
  const news = `${counted(added, 'transaction')} ${added === 1 ? 'is' : 'are'} new and ${changed === 0 ? 'none' : thousands(changed)} changed`;
  const left =
    open === 0
      ? 'all are final'
      : `${thousands(open)} ${open === 1 ? 'is' : 'are'} not final, and ${open === 1 ? 'is' : 'are'} read again the next time, with ${counted(again, 'call')}`;
  return `${news}. The books are complete; ${left}.`;
}
