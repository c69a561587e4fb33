/**
 * The journal of intents: what we were about to do with money, on disk before the first byte leaves (docs/rules.md 2).
 * An intent that was opened and never closed is unknown: the process may have died at any point after it.
 */

import type { AccountKey, KeyJoin } from '../../core/account.ts';

/**
 * Keys that took the place of others, kept where the journal is, and where pay runs are: all that work there
 * know them.
 */
export interface KeyJoins {
  /** Durable when it resolves. One that stands already is kept; it becomes proven where this one is. */
  join(join: KeyJoin): Promise<void>;
  joins(): Promise<KeyJoin[]>;
}

export type IntentState = 'open' | 'applied' | 'not_applied' | 'unknown' | 'conflict';

export interface NewIntent extends AccountKey {
  /** Tells which command, for people: `tx create --fund`. */
  command: string;
  operation: string;
  /** Tells who was signed in on this machine, as far as it says. */
  user?: string | undefined;
  profile: string;
  environment: string;
  /** SHA-256 of base URL, kind of operation and canonical body, without the key, the external id and the sender: see `client/identity`. */
  digest: string;
  externalId?: string | undefined;
  /** The external id was made by us for this request alone: the user gave none. */
  madeId?: boolean | undefined;
  /** It creates a payment that a debit of its own pays: applied, it is half of what was wished. */
  awaitsDebit?: boolean | undefined;
  /** Tells who pays, as far as the request names it: `id:…`, `ext:…`, or `new:…` for one that is made with it. */
  payer?: string | undefined;
  /** The process that sends it: one that runs no more left it behind. */
  pid?: number | undefined;
  /** The same, told from every other process that had this pid. */
  process?: string | undefined;
  /** The machine of that process; absent where it is this one alone that writes here. */
  host?: string | undefined;
  /** Ids in the path: the transaction a debit funds, the recipient an edit or a cancel concerns. */
  subject?: string | undefined;
  transactionId?: string | undefined;
  /** One line of amounts with personal data masked, for `remit history`. */
  summary: string;
  /** The amount that it is about in one currency, a decimal; absent where it is about several. */
  amount?: string | undefined;
  currency?: string | undefined;
  /** The request as it will be sent, kept only until the outcome is known: settling needs the same bytes. */
  request: string;
}

export interface Intent extends Omit<NewIntent, 'request'> {
  id: string;
  state: IntentState;
  createdAt: number;
  updatedAt: number;
  /** When its result was written out to the caller. Until then it is not over. */
  toldAt?: number | undefined;
  /** The order of telling results: a later one is greater. Undefined where it was told with the row of its run, or by an earlier version. */
  toldSeq?: number | undefined;
  /** `Clock.uptime` of the machine where it was told, which is that of `process`. */
  toldUptime?: number | undefined;
  /** Since when looks find nothing while the service refuses it, by the service's time. */
  emptySince?: number | undefined;
  request?: string | undefined;
  /** The id that the answer gave. Of an unknown one: a success named it and read otherwise, so it is only looked for. */
  resultId?: string | undefined;
  note?: string | undefined;
}

/** The id by which the caller names this payment and no other; undefined where there is none, or we made it. */
export const givenIdOf = ({
  madeId,
  externalId,
}: Pick<NewIntent, 'madeId' | 'externalId'>): string | undefined =>
  madeId === true ? undefined : externalId;

export interface IntentClosing {
  state: Exclude<IntentState, 'open'>;
  resultId?: string | undefined;
  note?: string | undefined;
  /** Takes the place of what stood there. */
  emptySince?: number | undefined;
}

/** The members of a closed intent that say how it stands. */
export type IntentStanding = Pick<
  Intent,
  'state' | 'updatedAt' | 'resultId' | 'note' | 'request' | 'emptySince'
>;

/**
 * The result of opening an intent. `unsure` where it is unknown whether it stands: nothing is sent under it, and the
 * outcome of the write is unknown.
 */
export type Opening<Refusal> = { opened: Intent } | { refused: Refusal } | { unsure: Intent; error: Error };

export interface Intents extends KeyJoins {
  /**
   * Durable when it resolves. In one atomic step asks `judge` about the intents of the same digest, newest first: those that are
   * open or unknown, and those that were applied and not told, or were applied within a day; those that have another id of
   * the caller's are other payments, and left out. Those about the same subject that are open are among them too. What it returns refuses the new one. Those of other keys at the
   * same base URL are among them.
   */
  open<Refusal>(
    intent: NewIntent,
    judge?: (alike: readonly Intent[]) => Refusal | undefined,
  ): Promise<Opening<Refusal>>;
  /**
   * How it stands afterwards: an outcome that was known already is never changed. What a person called not applied is not known: it becomes
   * applied where that is found later.
   */
  close(id: string, closing: IntentClosing): Promise<IntentStanding>;
  /** Its result reached the caller. Only then is the same body a new wish. */
  told(id: string): Promise<void>;
  /** The greatest `toldSeq` so far: what is told from now on has a greater one. 0 where nothing was told. */
  lastTold(): Promise<number>;
  /**
   * Gives an intent another digest. The rules that tell two requests apart may change from one version to the next:
   * an intent that is not settled is known by the new ones.
   */
  rekey(id: string, digest: string): Promise<void>;
  get(id: string): Promise<Intent | undefined>;
  /**
   * True for a row of a pay run that was rejected or cancelled, or is on hold: it is only looked for, never sent. Absent where no runs are kept.
   */
  isStopped?(id: string): Promise<boolean>;
  /** Newest first, 100 of them by default. */
  list(filter?: IntentFilter & { limit?: number }): Promise<Intent[]>;
  /** The number of intents. */
  count(filter?: IntentFilter): Promise<number>;
}

/** The outcome is not known yet. */
export const UNSETTLED: readonly IntentState[] = ['open', 'unknown'];
export const isUnsettled = ({ state }: Intent): boolean => UNSETTLED.includes(state);

/** How the note of an outcome begins that a person said. */
export const BY_WORD = 'said by ';
/** True where a person called it not applied. */
export const isByWord = ({ state, note }: Pick<Intent, 'state' | 'note'>): boolean =>
  state === 'not_applied' && note?.startsWith(BY_WORD) === true;

/** An intent is listed where everything that is given here fits it. */
export interface IntentFilter {
  states?: readonly IntentState[] | undefined;
  digest?: string | undefined;
  profile?: string | undefined;
  /** The id in the path: a recipient that was edited or cancelled, a transaction that was funded. */
  subject?: string | undefined;
  /** This command, or a group of commands: `tx` stands for `tx fund` too. */
  command?: string | undefined;
  /** When it was opened, in milliseconds: both ends count. */
  from?: number | undefined;
  to?: number | undefined;
  /** The beginning of an intent's id. */
  prefix?: string | undefined;
  /** Written after the intent of this id, by the journal's own sequence: no clock says what came first. */
  after?: string | undefined;
}

/** An applied intent that was told stays in sight this long: the same again may be a slip of the hand. */
export const REPEAT_WINDOW_MS = 24 * 3_600_000;
