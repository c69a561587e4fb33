/**
 * The operations desk (decision 0002): what a person or a program asks to be done, on whose account, with what. A face (the
 * command line, the library, later a page) makes one and hands it to the use cases. Nothing here knows a stream, a flag or a
 * prompt.
 */

import type { Client } from '../client/client.ts';
import type { JournalFile } from '../client/store/journal-file.ts';
import type { Intent } from '../client/store/port.ts';
import type { SeenRecord } from '../client/store/seen-port.ts';
import type { Recipient, Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import type { Clock } from '../core/clock.ts';
import type { Effect } from '../core/effect.ts';
import type { Hint, Next } from '../core/next.ts';
import type { Progress } from '../core/progress.ts';
import type { Random } from '../core/random.ts';
import type { Transport } from '../core/transport.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Self } from '../profiles/worker.ts';
import type { WithBooks } from './cases/settlement.ts';
import type { MaskLevel } from './words/mask.ts';

export type { SeenRecord as Seen, Transport };

/** A sentence that is reported while something goes on: a front end words it, or leaves it out. */
export interface Heard {
  says: Hint;
  /** `aside` and `warning` are statements of another weight; a `note` is good to know and no more. */
  as: 'statement' | 'aside' | 'warning' | 'note';
  /** The event that it is, for a front end that keeps a log (decision 0101). */
  about?: LoggedEvent | undefined;
}

/** Events that may happen to a worker, beside those of its rows. */
export type LoggedEvent =
  | 'store_lost'
  | 'store_back'
  | 'service_lost'
  | 'service_back'
  | 'run_waits'
  | 'run_left_alone';

export interface Desk {
  ports: Ports;
  /** Tells who asked, for the journal. */
  by: { words: string; user: string | undefined };
  clock: Clock;
  random: Random;
  newId(): string;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Fires when the caller wants it to end. */
  signal: AbortSignal;
  /** Where this runs: settings and files are found by it. */
  machine: { env: Readonly<Record<string, string | undefined>>; cwd: string } & Self;
  /** How much of personal data may stand in sentences. */
  mask: MaskLevel;
  /** True where values that were given just now are masked too: no user who typed them looks. */
  masksGiven?: boolean;
  /** The time zone of days that are named: `Europe/Lisbon`. */
  zone: string;
  /** The most that this may write at the service; undefined where a program asks, which says it with each call. */
  may?: Effect;
  /** True where what was kept for a while must be asked for again. */
  fresh: boolean;
  connection(): Promise<Connection>;
  /** This client reads; the signal ends its calls. */
  client(): Promise<Client>;
  /** This client moves money; its calls are never ended half way, so that the outcome gets known. */
  writingClient(): Promise<Client>;
  /** The same account under another base URL: the controls of a sandbox. */
  clientAt(baseUrl: string): Promise<Client>;
  transport(): Promise<Transport>;
  store(): Promise<JournalFile>;
  hear(heard: Heard): void;
  /** Runs work that may take over a second; `work` says how far it is. */
  working<T>(words: string, work: (progress: Progress) => Promise<T>): Promise<T>;
  /** Applied, and not over before the caller was told. */
  willTell(intentId: string, made: { id?: unknown; external_id?: unknown }): void;
  /** Ids learnt from an answer; a store that cannot be opened loses only this. */
  remember(seen: SeenRecord[]): Promise<void>;
  /** Closed with the desk, the latest first. */
  closing(close: () => unknown): void;
}

/** A desk for one call of a front end that answers many, with what follows it. */
export interface Opened {
  desk: Desk;
  /** Notes in the journal that the user was told what was applied. */
  told(): Promise<void>;
  close(): Promise<void>;
}

export const tell = (desk: Pick<Desk, 'hear'>, says: Hint): void => desk.hear({ says, as: 'statement' });
export const note = (desk: Pick<Desk, 'hear'>, says: Hint, about?: LoggedEvent): void =>
  desk.hear({ says, as: 'note', about });

/** Slices above payments, as payments ask them. Each is absent in a program without it, and loaded when it is first asked (`program/ports.ts`). */
export interface Ports {
  runs?: () => Promise<RunsPort>;
  books?: () => Promise<BooksPort>;
  inbox?: () => Promise<InboxPort>;
  agents?: () => Promise<AgentsPort>;
  sandbox?: () => Promise<SandboxPort>;
}

/** Pay runs that are kept on this machine. */
export interface RunsPort {
  /** Returns why rows of runs may only be looked for, by the id of the intent. */
  onlyLookedFor(desk: Desk, intents: readonly Intent[]): Promise<ReadonlyMap<string, Hint>>;
  /** @throws Problem (usage) where it is a row of a run for two persons: the other of the two says what became of it */
  refuseRowOfTwo(desk: Desk, intent: Intent): Promise<void>;
  /** Returns rows of runs that may be paid, and that the journal of this machine need not know: those handed on, and those of unknown outcome. */
  unsureRows(desk: Desk, since: number): Promise<UnsureRow[]>;
  /** Keeps whom a row pays since a recipient was edited. @throws StoreError, Problem where the runs cannot be opened */
  keepEdit(desk: Desk, edit: KeptEdit): Promise<void>;
  /** Returns runs that wait for a person's approval. */
  waitingRuns(desk: Desk, most: number): Promise<WaitingRun[]>;
}

export interface UnsureRow {
  run: string;
  key: string;
  /** The external id of its payment, here or in the file that it was handed on to. */
  as: string;
  body: TransactionWrite;
  state: string;
  /** When it became so. */
  at: number;
}

/** An edit that was applied. */
export interface KeptEdit {
  intentId: string;
  /** The recipient as it reads since. */
  recipient: Recipient;
  externalId: string | undefined;
  /** The details as they were sent. */
  changes: Readonly<Record<string, string>>;
}

/** A run that waits, in words. */
export interface WaitingRun {
  id: string;
  at: string;
  summary: string;
  note: string | null;
  who: string;
  next: Next;
  run: string;
}

export interface RawDelivery {
  event: string;
  body: Uint8Array;
  /** A time of our clock. */
  receivedAt: number;
}

/** Webhooks that this machine received. */
export interface InboxPort {
  /** Returns those about a transaction, the newest first, repeats left out; none without an inbox. @throws StoreError */
  deliveriesAbout(desk: Desk, transactionId: string): Promise<RawDelivery[]>;
}

/** The copy of the account's transactions on this machine, as much of it as payments and pay runs use. */
export interface KnownBooks {
  /** Returns a transaction as the service answered it, as JSON, by its id in lower case. */
  get(id: string): Promise<string | undefined>;
  /** Returns what happened to these transactions, in milliseconds by the service's clock. */
  marks(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly { kind: string; of: string; at: number }[]>>;
  /** Returns transactions whose texts hold every one of these parts, in one of its spellings, the newest first. */
  find(
    parts: readonly (readonly string[])[],
    within: { limit: number; from?: number; to?: number },
  ): Promise<readonly { id: string; body: string }[]>;
}

export interface OpenBooks {
  books: KnownBooks;
  /** Absent where names and accounts stand in them as they are. @throws Problem (config): the key of the hashes is not on this machine */
  hider: (() => { hash(text: string): string }) | undefined;
}

/** The books add to the records of a list what the service does not say. */
export interface LocalColumns {
  /** False without books. */
  isThere: boolean;
  /** Where these columns come from, or why they are empty. */
  says: Hint;
  transactions(rows: readonly Transaction[]): Promise<WithBooks<Transaction>[]>;
  recipients(rows: readonly Recipient[]): Promise<WithBooks<Recipient>[]>;
  /** When the payouts of these transactions were paid, by the ids as they are given; none if not known. */
  paidAt(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface LiveFeed<Heard> {
  add(heard: Heard): void;
  /** Waits until everything that was heard so far is kept, or was reported as not kept. Never fails. */
  end(): Promise<void>;
}

/** A transaction of an answer. */
export interface HeardAnswer {
  transaction: Transaction;
  /** A time of our clock: when it was asked for. */
  heardAt: number;
}

/** Deliveries that were received since a moment by our clock, of the events that concern the caller: the newest page first. */
export type DeliveredSince = (
  since: number,
  concerns: (event: string) => boolean,
) => AsyncIterable<readonly RawDelivery[]>;

export interface BooksPort {
  /** Looking makes none. @throws StoreError, Problem */
  booksIfAny(desk: Desk): Promise<OpenBooks | undefined>;
  /** @param names the columns that are filled */
  booksBeside(desk: Desk, names: readonly string[]): Promise<LocalColumns>;
  /** Keeps what payments are answered; undefined where there are no books. */
  answerFeed(desk: Desk): Promise<LiveFeed<HeardAnswer> | undefined>;
  /** Keeps what a listener receives. @throws Problem (not found) where there are no books */
  listeningBooks(
    desk: Desk,
    onTrouble: (message: string) => void,
  ): Promise<LiveFeed<RawDelivery> & { catchUp(from: DeliveredSince): Promise<void> }>;
}

/** Plans that agents prepared. */
export interface AgentsPort {
  /** Returns those not carried out yet, as far as the service tells. @param most how many are looked at */
  waitingPlans(
    desk: Desk,
    most: number,
  ): Promise<{ handle: string; created_at: string; summary: string; by: string }[]>;
}

export interface SandboxPort {
  /**
   * Returns the JSON of an object as a delivery of this event tells of it, with ids that the service could have issued. Undefined where
   * its layout is not known.
   * @param now milliseconds since 1970: its times are moved there
   */
  sampleOf(event: string, now: number): Promise<string | undefined>;
  /** Returns the time of the sandbox that this desk works with, in milliseconds since 1970. @throws CallError */
  clockOf(desk: Desk): Promise<number>;
}

/** Returns the books of the account where there are some. @throws StoreError, Problem */
export const booksOf = async (desk: Desk): Promise<OpenBooks | undefined> =>
  (await desk.ports.books?.())?.booksIfAny(desk);
