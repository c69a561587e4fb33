/** Pay runs: a file of payments that was checked and kept, and what became of each row. One row is one transaction. */

import type { Intent, IntentClosing, NewIntent } from '../../client/store/port.ts';
import type { AccountKey, KnownKey } from '../../core/account.ts';
import type {
  FoundSum,
  NewRow,
  Payees,
  PayRow,
  Repeated,
  RepeatedIn,
  RowFilter,
  RowNews,
  RowState,
  RowSum,
} from './rows-port.ts';

/**
 * The rows are divided into windows. Who pays takes a window for a while (a lease), and gets a number with it
 * (a fence) that is greater than any before it. An intent is written in the transaction that looks whether
 * the fence is still the window's: who slept past the end of its lease, and was replaced meanwhile, sends
 * nothing new. A window that is taken: no other has it before `until`, unless this one gives it back.
 */
export interface Lease {
  runId: string;
  window: number;
  fence: number;
  /** A time of the caller's own clock, counted from before the store was asked: nothing new is sent past it. */
  until: number;
}

export interface PayRunWindows {
  /**
   * The next window after `after` (-1 for the first) that is free, or whose lease is over by the store's own clock, and in
   * which a row is planned, sending or unknown. `worker` names who takes it; one that is known to be dead loses it at once: by `isDead`,
   * or because its session at the store is gone.
   */
  take(
    id: string,
    worker: string,
    options: { after: number; leaseMs: number; isDead?: (worker: string) => boolean },
  ): Promise<Lease | undefined>;
  /** Some window of the run is in another's hands. */
  isTaken(id: string, worker: string): Promise<boolean>;
  /** A later `until`; undefined where another process has it. */
  renew(lease: Lease, leaseMs: number): Promise<Lease | undefined>;
  giveBack(lease: Lease): Promise<void>;
}

export * from './rows-port.ts';

export type RunState =
  /** Kept, and not to be paid before it is approved. */
  | 'planned'
  | 'approved'
  /** Approved, and stopped by itself or by a user: `why` says it. */
  | 'paused'
  | 'cancelled';

/** Tells whose run it is. Names are told apart within an account. */
export interface RunAccount extends Pick<AccountKey, 'baseUrl' | 'keyLast4'> {
  environment: string;
  profile: string;
}

export interface NewRun {
  name: string;
  account: RunAccount;
  /** Tells who planned it: the user of the machine. */
  maker: string | undefined;
  /** Rows that one worker takes at a time. */
  windowSize: number;
}

/** Tells who approved it, and when. */
export interface Approval extends KnownKey {
  by: string | undefined;
  profile: string;
  at: number;
}

/**
 * An approver's signed verdict on a run (desk/payruns/statement.ts). It has no secrets: a user who can write here
 * can write anything.
 */
export interface SignedVerdict {
  approver: string;
  /** The approver's public key, in base64. */
  key: string;
  verdict: 'approve' | 'reject';
  /** The reason for a rejection. */
  because?: string;
  /** The time from which an approval counts for nothing. Times are ISO texts, as they are signed. */
  until?: string;
  at: string;
  /** Prints of the same approver's statements that this one takes the place of. */
  replaces: readonly string[];
  /** Base64; empty in a run that was forgotten. */
  signature: string;
}

/** A user rejected the run: it is not paid before it is approved again. */
export interface Rejection extends Approval {
  because: string;
  /** The approver who signed it. */
  approver?: string;
}

/** A user wants nothing of the run to be sent for a while. */
export interface RunHold extends Approval {
  because: string;
}

export interface PayRun extends NewRun {
  id: string;
  /** SHA-256 over the plan: what an approver names. */
  digest: string;
  /** The plan as one JSON text (desk/payruns/plan.ts): totals, rates, ceilings. */
  plan: string;
  rows: number;
  state: RunState;
  why: string | undefined;
  approval: Approval | undefined;
  /** Follows the order in which they were kept. */
  statements: readonly SignedVerdict[];
  rejection: Rejection | undefined;
  /** Kept beside its state, which a release leaves as it was. */
  hold: RunHold | undefined;
  /** Rates that were read last, as one JSON text, shared by all payers; and when, by the clock of the store. */
  rates: string | undefined;
  ratesAt: number | undefined;
  /** When its rows were last read whole and found to be as planned. */
  checkedAt: number | undefined;
  /** The number of rows paid before the run that a user accepted after it was planned. */
  acceptedBefore: number | undefined;
  /** Set where the run was forgotten. */
  forgotten: ForgottenRun | undefined;
  createdAt: number;
  updatedAt: number;
}

/** Its rows have no names, accounts, prints or reasons any more. */
export interface ForgottenRun {
  at: number;
  /** Some rows, or bytes of them, may still be there: the run is forgotten again. */
  isOwed: boolean;
}

/** Says what became of the bytes: `of_server` where a database server clears them in its own time. */
export type BytesLeft = 'gone' | 'in_use' | 'no_room' | 'of_server';

/** A row of which it is not known what became of it, and what was sent for it. */
export interface Begun {
  row: PayRow;
  /** Undefined where its intent keeps none: it is closed. */
  request: string | undefined;
}

/** A plan being written: no other process sees it. */
export interface RunDraft {
  /** Kept in the order of the file, in transactions of its own. */
  append(rows: readonly NewRow[]): Promise<void>;
  /** All that was appended is kept: its rows can be read, and heard of, under the id that this answers. */
  keep(): Promise<string>;
  /**
   * Rows to the same account with the same amount as one of another run that was made since `since` on this base URL, and that was
   * paid, or may be, also from a file that it was handed on to: what was refused, cancelled, refunded or another payment is left out, and so is
   * a row of the same external id, which the service pays once.
   */
  repeated(since: number): Promise<Repeated & { runs: readonly RepeatedIn[] }>;
  /** Compared with rows of other runs on this base URL that were paid, or are on their way. */
  payees(): Promise<Payees>;
  /**
   * A run of the account that has this name already is answered as it stands, and the draft is gone: `differs` names the keys of
   * rows that are in one of the two alone, or with another content (the first 100).
   */
  finish(plan: {
    digest: string;
    plan: string;
  }): Promise<{ kind: 'made'; run: PayRun } | { kind: 'stands'; run: PayRun; differs: readonly string[] }>;
  /** Removes the draft, all of it. */
  discard(): Promise<void>;
}

export interface PayRuns extends PayRunWindows {
  /** Processes of other machines may work here too. */
  readonly isShared: boolean;
  /** Begins a draft, and removes one that an earlier process left half written under the same name. */
  draft(run: NewRun): Promise<RunDraft>;
  /** Finds a run by its id, the beginning of one (six characters or more), or its name. The account is the base URL. */
  find(baseUrl: string, idOrName: string): Promise<PayRun[]>;
  /** Newest first. */
  list(filter?: { baseUrl?: string; states?: readonly RunState[]; limit?: number }): Promise<PayRun[]>;
  /**
   * Makes one step with the look at digest and state. A run that was rejected is approved again by it.
   * @param over when the rejection was made that the approver knows of: beside another nothing is changed
   */
  approve(
    id: string,
    digest: string,
    approval: Approval,
    over?: number,
  ): Promise<'approved' | 'changed' | 'not_planned'>;
  /**
   * Keeps a signed approval. In the same step a run that is planned or rejected is approved, as `approve` does it; any other run stays
   * as it is. `not_open` where it is cancelled, forgotten or gone.
   */
  sign(
    id: string,
    digest: string,
    given: { statement: SignedVerdict; approval: Approval; over?: number | undefined },
  ): Promise<'signed' | 'changed' | 'not_open'>;
  /** Keeps a rejection, with its signature where it has one. In the same step a run that is approved is paused. */
  reject(
    id: string,
    digest: string,
    given: { statement: SignedVerdict | undefined; rejection: Rejection; why: string },
  ): Promise<'rejected' | 'changed' | 'not_open'>;
  /** False where the run is in none of the states `from`, or was rejected and is to be approved. */
  move(id: string, from: readonly RunState[], to: RunState, why?: string): Promise<boolean>;
  /**
   * Keeps a hold, or takes it away where none is given. Nothing of a run on hold is opened. False where the run is on hold already, or is
   * not, or where it is cancelled, forgotten or gone.
   */
  hold(id: string, hold: RunHold | undefined): Promise<boolean>;
  /**
   * A row for which surely nothing was paid says something else from now on, under its external id, and is planned. In the same step the
   * run gets its new plan and digest and waits for an approval, signatures of the old digest are gone, and the window of the row has
   * no holder: who held it opens nothing more. `not_open` where the row, or the run, is past that; rejected runs are.
   */
  fix(
    id: string,
    digest: string,
    fixed: { row: NewRow; digest: string; plan: string },
  ): Promise<'fixed' | 'changed' | 'not_open'>;
  sums(id: string): Promise<RowSum[]>;
  found(id: string): Promise<FoundSum[]>;
  /** Accepts so many rows that were paid before the run. */
  acceptBefore(id: string, rows: number): Promise<void>;
  rows(id: string, filter?: RowFilter): Promise<PayRow[]>;
  /** Compares whom rows of a run pay with what other runs of its account paid by now: those from `from` to `to`, by their place in the file. */
  payees(run: Pick<PayRun, 'id' | 'account'>, from: number, to: number): Promise<Payees>;
  /** Finds a row by its key or external id. */
  row(id: string, key: string): Promise<PayRow | undefined>;
  /** Planned rows, by key or all of them, become cancelled; those that are anything else are left. How many became so. */
  cancelRows(id: string, keys?: readonly string[]): Promise<number>;

  /** Rows that nothing was paid for become handed on, or stay as they are where they were begun meanwhile. How many became so. */
  handOn(id: string, rows: readonly { n: number; as: string }[], file: string): Promise<number>;
  /** Rows that were handed on become what they were before. How many became so. */
  takeBack(id: string, rows: readonly number[]): Promise<number>;

  /**
   * Runs in one transaction: the window has this fence and its lease is not over, the run is approved and not on hold, the row is planned;
   * then the intent is written and the row is sending. Durable when it resolves. `lost` where one of these is not so: nothing was written.
   */
  open(lease: Lease, n: number, intent: NewIntent): Promise<{ opened: Intent } | 'lost'>;
  /**
   * A row that is sending or unknown, and the request that its intent keeps, both as they stand at one moment. Undefined where the
   * row is anything else by now.
   */
  begun(id: string, n: number): Promise<Begun | undefined>;
  /** A row that was left sending or unknown is this worker's to settle. False where the window is not its own any more. */
  resume(lease: Lease, n: number): Promise<boolean>;
  /**
   * Runs in one transaction: the intent is closed, and the row becomes what that means. Any process may record that it was applied;
   * anything else is written only while the fence is the window's. What was applied counts as told: the row tells it from then on.
   * The state of the row afterwards.
   */
  close(lease: Lease, n: number, intentId: string, closing: IntentClosing, news: RowNews): Promise<RowState>;
  /**
   * Takes in the service's news of transactions, by their external ids, and answers how many rows changed. A row that reached an end does not go
   * back: `runs/states.ts` judges. Ids of no row are passed over. Of a payee who is another one nothing is kept until it says who did that.
   */
  observe(
    id: string,
    seen: readonly { externalId: string; news: RowNews }[],
    mayBecome: (from: RowState, to: RowState) => boolean,
    onUnexplained?: (externalId: string) => void,
  ): Promise<number>;
  /** Kept for other payers of this run. */
  keepRates(id: string, rates: string): Promise<void>;
  /** Its rows were read whole, now. */
  keepChecked(id: string): Promise<void>;
  /** When the run, or a row of it, was changed last. */
  lastChange(id: string): Promise<number>;
  /**
   * Makes one step with the look at the states of its rows the run is marked as forgotten: from then on nothing hands on or takes back a
   * row of it. Then its rows and their intents are emptied, a few at a time. False where a row is in one of the states `unless`:
   * nothing was changed. `plan` and `statements` take the place of its own.
   */
  forget(
    id: string,
    terms: { unless: readonly RowState[]; plan: string; statements?: readonly SignedVerdict[] },
  ): Promise<boolean>;
  /** Bytes of what was emptied leave the file. Runs are owed something until this was done. */
  clearForgotten(): Promise<BytesLeft>;
  /** The store's own clock, in milliseconds since 1970. */
  now(): Promise<number>;
}
