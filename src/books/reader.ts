/**
 * Reads pages of the list into the books: one page is on its way while those before it are kept, and many records are written together.
 *
 * If the process dies: records and how far the reading is are kept in one transaction, a thousand of them or what a second brought, so the
 * next time it goes on behind them.
 */
import { onePage, type Page } from '../client/pages.ts';
import { listTransactions } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import type { Desk } from '../payments/desk.ts';
import type { BalanceLook } from './balances.ts';
import { bookEntryOf } from './entry.ts';
import { Pace } from './pace.ts';
import type { BookEntry, BookProgress, Books, StoredEntries } from './store/port.ts';

export const PER = 100;
const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 1_000;

export interface ReadPage extends Page<Transaction> {
  entries: BookEntry[];
}

export interface ReadStep {
  /** True where the records behind this page are known. */
  isEnough: boolean;
  /** The next page, where every page is read; null after the last. */
  walk: BookProgress['walk'] | null;
}

export interface Walk {
  /** The number of transactions that there are, by the service. */
  total: number | undefined;
  /** The walk went as far as it must. */
  isDone: boolean;
}

interface Setting {
  perMinute: number | undefined;
  tell(done: number, total: number | undefined): void;
}

interface Waiting {
  entries: BookEntry[];
  walk: ReadStep['walk'];
  /** A time of our clock. */
  since: number;
}

export class BookReader {
  readonly #desk: Desk;
  readonly #books: Books;
  readonly #tell: Setting['tell'];
  readonly #pace: Pace;
  #waiting: Waiting = { entries: [], walk: undefined, since: 0 };
  readonly counted = { pages: 0, calls: 0, added: 0, changed: 0, older: 0 };
  look: BalanceLook | undefined;
  /** When the newest on a page was created: what the books heard of elsewhere may be newer, with others before it. */
  newestRead = 0;

  constructor(desk: Desk, books: Books, { perMinute, tell }: Setting) {
    this.#desk = desk;
    this.#books = books;
    this.#tell = tell;
    this.#pace = new Pace(desk, perMinute);
  }

  /** A call of the service, at the pace that it bears. */
  async call<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    await this.#pace.enter();
    this.counted.calls += 1;
    return send();
  }

  count(kept: StoredEntries): void {
    for (const name of ['added', 'changed', 'older'] as const) this.counted[name] += kept[name];
  }

  /** Reads pages from the first on. The pages that were read are kept, whatever ends the walk. */
  async walk(first: number, step: (read: ReadPage) => ReadStep): Promise<Walk> {
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
          // The next round awaits this read, unless storing fails first.
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

  async keepOne(transaction: Transaction, heardAt: number): Promise<void> {
    const entry = bookEntryOf(transaction, heardAt);
    if (entry !== undefined) await this.#keep([entry]);
  }

  async #page(page: number): Promise<ReadPage> {
    const client = await this.#desk.client();
    let heardAt = 0;
    const read = await this.call(() => {
      heardAt = this.#desk.clock.now();
      return onePage<Transaction>(client, listTransactions, { query: { page, per: PER } });
    });
    this.counted.pages += 1;
    // A transaction without an id cannot be kept.
    const entries = read.items.flatMap((transaction) => bookEntryOf(transaction, heardAt) ?? []);
    for (const { createdAt } of entries) this.newestRead = Math.max(this.newestRead, createdAt);
    return { ...read, entries };
  }

  async #gather(entries: readonly BookEntry[], walk: ReadStep['walk']): Promise<void> {
    const now = this.#desk.clock.now();
    const waiting = this.#waiting;
    if (waiting.entries.length === 0) waiting.since = now;
    for (const entry of entries) waiting.entries.push(entry);
    waiting.walk = walk;
    if (waiting.entries.length >= MOST_WAITING || now - waiting.since >= LONGEST_WAIT_MS) await this.#flush();
  }

  async #flush(): Promise<void> {
    const { entries, walk } = this.#waiting;
    if (entries.length === 0 && walk === undefined) return;
    this.#waiting = { entries: [], walk: undefined, since: 0 };
    const standing = await this.#books.progress();
    // Transactions that were to be forgotten are not kept again.
    const { forgottenBefore = Number.NEGATIVE_INFINITY } = standing;
    await this.#keep(
      entries.filter(({ createdAt }) => createdAt >= forgottenBefore),
      walk === undefined ? undefined : { ...standing, walk: walk ?? undefined },
    );
  }

  /** Where a payment moved a balance after the look, or perhaps before it, the look does not count: the balance may or may not have it. */
  async #keep(entries: readonly BookEntry[], progress?: BookProgress): Promise<void> {
    const { look } = this;
    const isLater = (entry: BookEntry): boolean =>
      look !== undefined &&
      entry.changedAt > look.surelyBefore &&
      entry.marks.some(({ amount }) => amount !== undefined);
    const later = entries.filter(isLater);
    if (look !== undefined && later.length > 0) {
      // Also where a listener kept it before: then keeping it changes nothing.
      look.isMoving = true;
      this.count(await this.#books.keep(later));
    }
    const rest = later.length === 0 ? entries : entries.filter((entry) => !isLater(entry));
    this.count(await this.#books.keep(rest, progress));
  }
}
