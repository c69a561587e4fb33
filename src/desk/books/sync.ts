/**
 * Brings the books up to date. The first time every page of the list is read; later the pages of what is new, and what was not
 * final when it was last read.
 *
 * The service does not say in which order it lists. So the order is looked at, and not assumed: where it is not newest first,
 * every page is read. What was kept is counted against what the service says that there is: where records are missing, the next
 * time every page is read again, and until then the books are not called complete.
 *
 * If the process dies: a page and how far the reading is are kept in one transaction, so the next time it goes on with the next page.
 */

import { ApiError } from '../../client/errors.ts';
import { onePage } from '../../client/pages.ts';
import { getTransaction, listTransactions } from '../../contract/operations/transactions.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { said } from '../../core/next.ts';
import type { BookEntry, BookProgress, Books, Kept } from '../../core/ports/books.ts';
import { type Desk, note } from '../desk.ts';
import { serviceNow } from '../sandbox/service-time.ts';
import { counted } from '../words/amount.ts';
import { isTooSoon, keepDayRates, type Look, lookAtBalances } from './balances.ts';
import { entryOf } from './entry.ts';
import { Pace } from './pace.ts';

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
}

const PER = 100;
/** Two that are created at once may come into the list in another order than their times. */
const OVERLAP_MS = 10 * 60_000;
/** Read one by one at most; beyond that pages are cheaper, and the service's day is bounded (docs/wire.md 13). */
const MOST_SINGLE = 500;

export async function syncBooks(desk: Desk, books: Books, wish: SyncWish): Promise<Synced> {
  const beganAt = desk.clock.now();
  return desk.working('reading transactions', async (progress) => {
    const sync = new Sync(desk, books, { wish, tell: (done, total) => progress.tell(done, total) });
    const before = await books.progress();
    // What an earlier run read may have moved a balance since.
    if (before.walk === undefined) await sync.look(before);
    return sync.end(
      wish.all || before.completeAt === undefined || before.walk !== undefined
        ? await sync.walkAll(before.walk ?? { page: 1, beganAt })
        : await sync.readOn(before, beganAt),
    );
  });
}

interface Walked {
  beganAt: number;
  /** What the service says that there is. */
  total: number | undefined;
  /** The walk went as far as it must. */
  isDone: boolean;
}

interface SyncSetting {
  wish: SyncWish;
  tell(done: number, total: number | undefined): void;
}

class Sync {
  readonly #desk: Desk;
  readonly #books: Books;
  readonly #tell: SyncSetting['tell'];
  readonly #pace: Pace;
  #look: Look | undefined;
  readonly #counted = { pages: 0, calls: 0, added: 0, changed: 0, older: 0 };

  constructor(desk: Desk, books: Books, { wish, tell }: SyncSetting) {
    this.#desk = desk;
    this.#books = books;
    this.#tell = tell;
    this.#pace = new Pace(desk, wish.perMinute);
  }

  /** Every page, from where the last time ended. */
  async walkAll({ page: first, beganAt }: NonNullable<BookProgress['walk']>): Promise<Walked> {
    let total: number | undefined;
    let { newestAt } = await this.#books.counts();
    for (let page: number | null = first; page !== null; ) {
      if (this.#desk.signal.aborted) return { beganAt, total, isDone: false };
      const read = await this.#page(page);
      total = read.total ?? total;
      newestAt ??= Math.max(...read.entries.map(({ createdAt }) => createdAt));
      const standing = await this.#books.progress();
      await this.#keep(read.entries, {
        ...standing,
        walk: read.next === null ? undefined : { page: read.next, beganAt },
      });
      this.#tell(read.entries.length + (page - 1) * PER, total);
      page = read.next;
    }
    const { transactions } = await this.#books.counts();
    // What was made while this was read, or since it was interrupted, stands before the pages that were left.
    if (total !== undefined && total > transactions) return this.walkNew({ newestAt }, beganAt);
    return { beganAt, total, isDone: true };
  }

  /** What is new, and what was open. */
  async readOn(from: BookProgress, beganAt: number): Promise<Walked> {
    const walked = await this.walkNew(from, beganAt);
    const isRead = await this.readOpen(beganAt);
    return { ...walked, isDone: walked.isDone && isRead };
  }

  /** The balances, before what moved them is read; not again where they were looked at not long ago. */
  async look({ lookedAt }: BookProgress): Promise<void> {
    if (isTooSoon(await this.#desk.connection(), lookedAt, this.#desk.clock.now())) return;
    await this.#pace.enter();
    this.#counted.calls += 1;
    this.#look = await lookAtBalances(this.#desk);
  }

  /** From the newest to what was there the last time. */
  async walkNew({ newestAt = 0 }: BookProgress, beganAt: number): Promise<Walked> {
    let total: number | undefined;
    let last = Number.POSITIVE_INFINITY;
    let isOrdered = true;
    const until = await this.#until(newestAt - OVERLAP_MS, beganAt);
    for (let page: number | null = 1; page !== null; ) {
      if (this.#desk.signal.aborted) return { beganAt, total, isDone: false };
      const read = await this.#page(page);
      total = read.total ?? total;
      await this.#keep(read.entries);
      for (const { createdAt } of read.entries) {
        isOrdered &&= createdAt <= last;
        last = createdAt;
      }
      this.#tell(read.entries.length + (page - 1) * PER, undefined);
      if (isOrdered && last < until) break;
      page = read.next;
    }
    if (!isOrdered) note(this.#desk, said`the service does not list the newest first: every page was read`);
    return { beganAt, total, isDone: true };
  }

  /** Down to the oldest that is open, where that is fewer calls than one for each. */
  async #until(newest: number, beganAt: number): Promise<number> {
    const open = await this.#books.open(beganAt, MOST_SINGLE + 1);
    const [oldest] = open;
    if (oldest === undefined || oldest.createdAt >= newest) return newest;
    const pages = ((await this.#books.since(oldest.createdAt)) - (await this.#books.since(newest))) / PER;
    return open.length > MOST_SINGLE || pages < open.length ? oldest.createdAt : newest;
  }

  /** What was not final and stood on none of the pages. False where it was interrupted: then nobody knows how the rest stands. */
  async readOpen(beganAt: number): Promise<boolean> {
    const client = await this.#desk.client();
    for (const { id } of await this.#books.open(beganAt, MOST_SINGLE)) {
      if (this.#desk.signal.aborted) return false;
      await this.#pace.enter();
      this.#counted.calls += 1;
      const heardAt = this.#desk.clock.now();
      try {
        const { object } = await client.call(getTransaction, { path: { transaction_id: id } });
        await this.#keep(entriesOf([object], heardAt, undefined));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        note(this.#desk, said`the service has no transaction ${id} any more: the books keep it as it was`);
      }
    }
    return true;
  }

  async #page(page: number) {
    await this.#pace.enter();
    const heardAt = this.#desk.clock.now();
    const read = await onePage<Transaction>(await this.#desk.client(), listTransactions, {
      query: { page, per: PER },
    });
    this.#counted.pages += 1;
    this.#counted.calls += 1;
    const { forgottenBefore } = await this.#books.progress();
    return { ...read, entries: entriesOf(read.items, heardAt, forgottenBefore) };
  }

  /** Whatever moved a balance after it was looked at, or perhaps before, says that what was seen then cannot be told apart. */
  async #keep(entries: readonly BookEntry[], progress?: BookProgress): Promise<void> {
    const look = this.#look;
    const isLater = (entry: BookEntry): boolean =>
      look !== undefined &&
      entry.changedAt > look.surelyBefore &&
      entry.marks.some(({ amount }) => amount !== undefined);
    const later = entries.filter(isLater);
    if (look !== undefined && later.length > 0) {
      const { added, changed } = await this.#count(await this.#books.keep(later));
      if (added + changed > 0) look.isMoving = true;
    }
    const rest = later.length === 0 ? entries : entries.filter((entry) => !isLater(entry));
    await this.#count(await this.#books.keep(rest, progress));
  }

  #count(kept: Kept): Kept {
    for (const name of ['added', 'changed', 'older'] as const) this.#counted[name] += kept[name];
    return kept;
  }

  async end({ beganAt, total, isDone }: Walked): Promise<Synced> {
    const { transactions, open, newestAt } = await this.#books.counts();
    const progress = await this.#books.progress();
    // Of what was forgotten nobody knows how many there are.
    const missing =
      total === undefined || progress.forgottenBefore !== undefined ? 0 : Math.max(0, total - transactions);
    const isComplete = isDone && missing === 0;
    if (isComplete) await this.#complete({ ...progress, walk: undefined, completeAt: beganAt, newestAt });
    else if (isDone) {
      await this.#books.setProgress({ ...progress, walk: undefined, completeAt: undefined });
      note(
        this.#desk,
        said`the service has ${counted(missing, 'transaction')} that no page showed: the next time every page is read`,
      );
    }
    return { ...this.#counted, isComplete, missing, open };
  }

  /** A balance says something only together with all that moved it. */
  async #complete(progress: BookProgress): Promise<void> {
    const look = this.#look;
    const knownUntil = look?.at ?? (await serviceNow(this.#desk));
    const lookedAt = look?.heardAt ?? progress.lookedAt;
    await this.#books.setProgress({ ...progress, knownUntil, lookedAt });
    if (look !== undefined && !look.isMoving) await this.#books.seeBalances(look.at, look.balances);
    await keepDayRates(this.#desk, this.#books, knownUntil);
  }
}

/** What has no id cannot be kept; what was to be forgotten is not. */
function entriesOf(
  transactions: readonly Transaction[],
  heardAt: number,
  forgottenBefore: number | undefined,
): BookEntry[] {
  return transactions.flatMap((transaction) => {
    const entry = entryOf(transaction, heardAt);
    return entry === undefined || entry.createdAt < (forgottenBefore ?? Number.NEGATIVE_INFINITY)
      ? []
      : [entry];
  });
}
