/**
 * The books: a copy of what the account's transactions are, kept on our side, so that finding and counting asks the service for
 * nothing. A record that is older never takes the place of a newer one.
 */

import type { Find } from '../../payments/finds.ts';

/** A transaction as it was read, with its recipients. Times in milliseconds. */
export interface BookEntry {
  id: string;
  externalId: string | undefined;
  state: string;
  /** True where it changes no more, as far as its state and those of its recipients say. */
  isFinal: boolean;
  /** A time of the service's clock. */
  createdAt: number;
  /** A time of the service's clock: when it last changed; when it was created, where the service does not say. */
  changedAt: number;
  /** A time of our clock: when what was read was asked for. */
  heardAt: number;
  recipients: number;
  /** The transaction as the service answered it, as JSON; amounts are decimal texts. */
  body: string;
  /** The texts by which it can be found. */
  finds: readonly Find[];
  /** The events of which the record tells. */
  marks: readonly NewMark[];
  /** The key with which names and accounts in it were hashed; undefined where it has them in full. */
  hiddenBy?: string | undefined;
}

/**
 * An event of a transaction or of one of its recipients. The first four moved a balance: a debit took from it, a
 * refund and a collection gave to it, and a correction is what a movement of a closed time comes to differently. `failed` is a payout
 * that was seen in error, `canceled` one that was seen called off.
 */
export type MarkKind = 'debit' | 'refund' | 'collection' | 'correction' | 'paid' | 'failed' | 'canceled';

export interface Mark {
  kind: MarkKind;
  /** The id of the transaction, of a debit; else of the recipient. */
  of: string;
  /** When it happened, by the service's clock, as nearly as what was read tells; it stays as it was first told. */
  at: number;
  currency: string;
  /** A decimal with the sign by which the balance moved; undefined where none moved. */
  amount: string | undefined;
}

export interface NewMark extends Mark {
  /** When it happened, where the transaction was already in the books before it did; the books put it no earlier than they knew everything. */
  laterAt: number;
}

/** A mark that moved a balance, with its transaction; an empty text where that was not asked for. */
export interface Movement extends Mark {
  amount: string;
  seq: number;
  body: string;
}

/** A balance as it was seen at a moment when the books said all that had moved it. */
export interface SeenBalance {
  currency: string;
  /** A time of the service's clock: when what is not explained was first and last this. */
  firstAt: number;
  lastAt: number;
  /** The balance at the last moment. */
  amount: string;
  /** The balance less all that the books knew to have moved it. */
  unexplained: string;
}

/** The rate of a day: units of `to` for one of `from`. */
export interface DayRate {
  /** A day of UTC, `2026-11-21`. */
  day: string;
  from: string;
  to: string;
  /** The rate at mid-market. */
  mid: string;
}

export interface StoredEntries {
  added: number;
  changed: number;
  /** The number of entries that were left as they stand, since those are newer. */
  older: number;
}

/** How far the copying is. */
export interface BookProgress {
  /** Every page is being read: the next one, when its reading began, by our clock, and when the newest on the first was created. */
  walk?: { page: number; beganAt: number; newestAt?: number | undefined } | undefined;
  /** Everything that there was when this began, by our clock, is in the books. */
  completeAt?: number | undefined;
  /** When the newest transaction in the books was created at that moment, by the service's clock. */
  newestAt?: number | undefined;
  /** The same moment by the service's clock, or a little before. */
  knownUntil?: number | undefined;
  /** When the balances were last looked at, by our clock. */
  lookedAt?: number | undefined;
  /** Transactions that were created before this, by the service's clock, are not kept. */
  forgottenBefore?: number | undefined;
  /** The books are kept without names: which key hashes them. */
  hiddenBy?: string | undefined;
}

export interface BookCounts {
  transactions: number;
  recipients: number;
  /** Not final when they were last read. */
  open: number;
  /** When the oldest and the newest were created. */
  oldestAt: number | undefined;
  newestAt: number | undefined;
  bytes: number;
}

export interface OpenEntry {
  id: string;
  createdAt: number;
  heardAt: number;
}

/** Where an entry stands in the order of creation. */
export interface EntryPlace {
  createdAt: number;
  seq: number;
}

export interface PlacedBody extends EntryPlace {
  id: string;
  body: string;
}

/** Where a movement stands in the order of a statement. */
export interface MovementPlace {
  at: number;
  seq: number;
  kind: string;
  of: string;
}

/** A month that was closed: no movement is dated into it any more, and none before its end changes. Times in milliseconds. */
export interface MonthClosing {
  /** `2026-10`, in this zone. */
  month: string;
  zone: string;
  /** Times of the service's clock; `to` does not count. */
  from: number;
  to: number;
  /** A time of our clock. */
  closedAt: number;
  /** A time of the service's clock: until when the books knew everything. */
  knownUntil: number;
  /** SHA-256 of the manifest of its papers, in hex. */
  manifest: string;
  /** The sum of all movements of each balance before `to`. */
  moved: readonly { currency: string; amount: string }[];
}

export interface Within {
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
}

export interface FoundEntry {
  id: string;
  createdAt: number;
  heardAt: number;
  body: string;
}

export interface Books {
  /**
   * Runs in one transaction, with the progress where it is given. @throws StoreError (`remade`) for an entry that is not hidden as these
   * books are
   */
  keep(entries: readonly BookEntry[], progress?: BookProgress): Promise<StoredEntries>;
  progress(): Promise<BookProgress>;
  setProgress(progress: BookProgress): Promise<void>;
  counts(): Promise<BookCounts>;
  /** How many were created at this moment or later. */
  since(createdAt: number): Promise<number>;
  /** Returns the entries that are not final and were not heard of since, oldest first. */
  open(heardBefore: number, limit: number): Promise<OpenEntry[]>;
  /** Follows the order of their ids, after this one. */
  bodies(afterId: string, limit: number): Promise<{ id: string; body: string }[]>;
  get(id: string): Promise<string | undefined>;
  /** With when it was heard. */
  entry(id: string): Promise<FoundEntry | undefined>;
  /** Created in this time, oldest first, after the given one; `to` does not count. */
  created(within: {
    from: number;
    to: number;
    after?: EntryPlace | undefined;
    limit: number;
  }): Promise<PlacedBody[]>;
  /** Returns the marks of these transactions, by their ids; none for one that is not here. */
  marks(ids: readonly string[]): Promise<Map<string, Mark[]>>;
  /** Returns the movements of a balance in this time, oldest first, after the given one; `to` does not count. */
  movements(within: {
    currency: string;
    from: number;
    to: number;
    after?: MovementPlace | undefined;
    limit: number;
    /** Without the transactions, which takes a tenth of the time. */
    brief?: boolean | undefined;
    /** Only of transactions that were created in this time. */
    created?: { from: number; to: number } | undefined;
  }): Promise<Movement[]>;
  /** Returns the sum of all movements before this moment, those too that were forgotten since. */
  movedBefore(currency: string, at: number): Promise<string>;
  /** Returns the months that were closed, in the order in which they were. */
  closings(): Promise<MonthClosing[]>;
  /**
   * Closes a month: false, and nothing is kept, where its movements come to something else by now. Of one that is closed already the
   * manifest is replaced with `again`; without it that is false too.
   */
  closeMonth(closing: MonthClosing, again?: boolean): Promise<boolean>;
  /** Keeps balances that were seen, when nothing moved meanwhile. */
  seeBalances(at: number, balances: readonly { currency: string; amount: string }[]): Promise<void>;
  /** Oldest first. */
  seenBalances(): Promise<SeenBalance[]>;
  /** Keeps these rates; those of a day replace the ones that were kept of it. */
  keepRates(rates: readonly DayRate[]): Promise<void>;
  /** Returns the rates of these days, both included. */
  rates(firstDay: string, lastDay: string): Promise<DayRate[]>;
  /**
   * Entries whose texts hold every one of these parts, newest first: one of its spellings, each of three characters or more. Behind
   * each text is a line break, and so before each but the first: a part may hold both. `from`
   * and `to` bound when they were created: the first counts, the second does not. Records that do not hold every text of `containing`,
   * as it is written, are left out: without parts this reads all of that time, so that names of two letters are found.
   */
  find(
    parts: readonly (readonly string[])[],
    within: Within & { containing?: readonly string[] | undefined },
  ): Promise<FoundEntry[]>;
  /** Removed with no byte left; all of them where no moment is given. How many there were. */
  forget(createdBefore: number | undefined): Promise<number>;
  close(): void | Promise<void>;
}
