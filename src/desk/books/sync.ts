/**
 * Brings the books up to date. The first time every page of the list is read; later the pages of what is new, and what was not
 * final when it was last read.
 *
 * The service does not say in which order it lists. So the order is looked at, and not assumed: where it is not newest first,
 * every page is read. What was kept is counted against what the service says that there is: where records are missing, the next
 * time every page is read again, and until then the books are not called complete.
 *
 * If the process dies: pages and how far the reading is are kept in one transaction, a thousand records or what a second brought, so the next
 * time it goes on with the next page.
 */

import { ApiError } from '../../client/errors.ts';
import { onePage, type Page } from '../../client/pages.ts';
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
const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 1_000;
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

interface Waiting {
  entries: BookEntry[];
  walk: Step['walk'];
  /** By our clock. */
  since: number;
}

interface ReadPage extends Page<Transaction> {
  entries: BookEntry[];
}

interface Step {
  /** What comes behind this page is known. */
  isEnough: boolean;
  /** Where every page is being read: the next one; null behind the last one. */
  walk: BookProgress['walk'] | null;
}

class Sync {
  readonly #desk: Desk;
  readonly #books: Books;
  readonly #tell: SyncSetting['tell'];
  readonly #pace: Pace;
  #look: Look | undefined;
  #waiting: Waiting = { entries: [], walk: undefined, since: 0 };
  readonly #counted = { pages: 0, calls: 0, added: 0, changed: 0, older: 0 };

  constructor(desk: Desk, books: Books, { wish, tell }: SyncSetting) {
    this.#desk = desk;
    this.#books = books;
    this.#tell = tell;
    this.#pace = new Pace(desk, wish.perMinute);
  }

  /** Every page, from where the last time ended. */
  async walkAll({ page: first, beganAt }: NonNullable<BookProgress['walk']>): Promise<Walked> {
    let { newestAt } = await this.#books.counts();
    const walked = await this.#walk(first, ({ entries, next }) => {
      newestAt ??= Math.max(...entries.map(({ createdAt }) => createdAt));
      return { isEnough: false, walk: next === null ? null : { page: next, beganAt } };
    });
    const { total, isDone } = walked;
    const { transactions } = await this.#books.counts();
    // What was made while this was read, or since it was interrupted, stands before the pages that were left.
    if (isDone && total !== undefined && total > transactions) return this.walkNew({ newestAt }, beganAt);
    return { ...walked, beganAt };
  }

  /** One page is on its way while those before it are kept. What was read is kept, whatever ends it. */
  async #walk(first: number, step: (read: ReadPage) => Step): Promise<Omit<Walked, 'beganAt'>> {
    let total: number | undefined;
    const { signal } = this.#desk;
    try {
      for (let coming = this.#page(first); ; ) {
        const read = await coming;
        total = read.total ?? total;
        const { isEnough, walk } = step(read);
        const next = isEnough || signal.aborted ? null : read.next;
        if (next !== null) {
          coming = this.#page(next);
          // It is awaited in the next round, unless keeping fails before.
          coming.catch(() => {});
        }
        await this.#gather(read.entries, walk);
        this.#tell(read.entries.length + (read.page - 1) * PER, walk === undefined ? undefined : total);
        if (next === null) return { total, isDone: isEnough || read.next === null };
      }
    } finally {
      await this.#flush();
    }
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
    let last = Number.POSITIVE_INFINITY;
    let isOrdered = true;
    const until = await this.#until(newestAt - OVERLAP_MS, beganAt);
    const walked = await this.#walk(1, ({ entries }) => {
      for (const { createdAt } of entries) {
        isOrdered &&= createdAt <= last;
        last = createdAt;
      }
      return { isEnough: isOrdered && last < until, walk: undefined };
    });
    if (!isOrdered) note(this.#desk, said`the service does not list the newest first: every page was read`);
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
        await this.#keep(entriesOf([object], heardAt));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        note(this.#desk, said`the service has no transaction ${id} any more: the books keep it as it was`);
      }
    }
    return true;
  }

  async #page(page: number): Promise<ReadPage> {
    await this.#pace.enter();
    const heardAt = this.#desk.clock.now();
    const read = await onePage<Transaction>(await this.#desk.client(), listTransactions, {
      query: { page, per: PER },
    });
    this.#counted.pages += 1;
    this.#counted.calls += 1;
    return { ...read, entries: entriesOf(read.items, heardAt) };
  }

  /** Many records are written together, which takes half the time; at most what a second brought is read again after a kill. */
  async #gather(entries: readonly BookEntry[], walk: BookProgress['walk'] | null): Promise<void> {
    const now = this.#desk.clock.now();
    const waiting = this.#waiting;
    if (waiting.entries.length === 0) waiting.since = now;
    for (const entry of entries) waiting.entries.push(entry);
    waiting.walk = walk;
    if (waiting.entries.length >= MOST_WAITING || now - waiting.since >= LONGEST_WAIT_MS) await this.#flush();
  }

  /** Until where the pages were read is kept in one transaction with what they had. */
  async #flush(): Promise<void> {
    const { entries, walk } = this.#waiting;
    if (entries.length === 0 && walk === undefined) return;
    this.#waiting = { entries: [], walk: undefined, since: 0 };
    const standing = await this.#books.progress();
    const { forgottenBefore = Number.NEGATIVE_INFINITY } = standing;
    await this.#keep(
      entries.filter(({ createdAt }) => createdAt >= forgottenBefore),
      walk === undefined ? undefined : { ...standing, walk: walk ?? undefined },
    );
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

/** What has no id cannot be kept. */
const entriesOf = (transactions: readonly Transaction[], heardAt: number): BookEntry[] =>
  transactions.flatMap((transaction) => entryOf(transaction, heardAt) ?? []);
