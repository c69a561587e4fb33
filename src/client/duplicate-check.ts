/**
 * Decides what an earlier intent means for the same request made again (docs/rules.md 2, decision 0007). An outcome
 * is not over until the user was told of it: until then the same body is the same wish, and is answered with what
 * stands. Pure: the journal asks it in the step that would write the new intent.
 */
import { type AccountKey, accountRelation, type KeyJoin } from '../core/account.ts';
import { isLoopback } from '../core/hosts.ts';
import { invariant } from '../core/invariants.ts';
import { givenIdOf, type Intent, REPEAT_WINDOW_MS } from './store/port.ts';

export type Earlier =
  /** Sent by a process that still runs: its outcome is about to be known. */
  | { kind: 'under_way'; intent: Intent }
  /** Its outcome is unknown. */
  | { kind: 'unsettled'; intent: Intent }
  /** It was applied, and the caller was not told, or asked at the same moment. */
  | { kind: 'untold'; intent: Intent }
  /** The same request, without an id of its own, was applied and told within a day. */
  | { kind: 'repeated'; intent: Intent }
  /** One names its sender by an id and the other by an external id: only the service can say whether it is one. */
  | { kind: 'perhaps'; intent: Intent }
  /**
   * It was sent with another key to the same base URL. Where joins were not read yet, they say whether it is one account; else
   * what became of it is unknown, and its key may be this account's, under another name.
   */
  | { kind: 'other_key'; intent: Intent };

export interface NewWrite {
  /** Tells who sends it. */
  account: AccountKey;
  /** Keys that took the place of others; undefined until they were read. */
  joins: readonly KeyJoin[] | undefined;
  /** The digest of the request. An intent of another digest is about the same subject, and stands in the way only while it is under way. */
  digest: string;
  /** An id that the caller gave: two payments with different ones are two. */
  givenId: string | undefined;
  /** Every name of the sender that is known to mean this one; empty where the request has none. */
  payers: readonly string[];
  /** Sending it a second time makes a second payment, or is refused because the first was made. */
  paysAgain: boolean;
  /** A second one is asked about for a day where nothing but the caller tells two of them apart. */
  isAskedAbout: boolean;
  /**
   * The greatest `toldSeq` when the process that asks began (`Intents.lastTold`): outcomes with a greater one were
   * not told to its user.
   */
  lastTold: number;
  /** When that process began, where a machine and its uptime can be told apart from others: two that are started at once may open the journal one after the other. */
  began?: { boot: string; uptime: number } | undefined;
  now(): number;
  /** True while the process that opened the intent still runs, and may still be at it. */
  isRunning(intent: Intent): boolean;
  /** True of an intent that is no hindrance: a person saw it and wants another payment, or it pays no more. */
  isPassed(intent: Intent): boolean;
}

/** Finds the first of the intents with the same digest, newest first, that stands in the way of the wish. */
export function earlierOf(alike: readonly Intent[], wish: NewWrite): Earlier | undefined {
  for (const intent of alike) {
    const kind = meaningOf(intent, wish);
    if (kind === undefined || (intent.digest !== wish.digest && kind !== 'under_way')) continue;
    const payer = samePayer(intent, wish);
    if (payer === 'other') continue;
    const kin = accountRelation(wish.account, intent, wish.joins ?? []);
    if (kin === 'other') {
      if (wish.joins === undefined || isInTheWay(kind, intent, wish)) return { kind: 'other_key', intent };
      continue;
    }
    return { kind: payer === 'perhaps' ? 'perhaps' : kind, intent };
  }
  return undefined;
}

/** Finds an intent of the same request that another key left unknown at this base URL. `joins` were read. */
export const leftByOtherKey = (alike: readonly Intent[], wish: NewWrite): Intent | undefined =>
  alike.find(
    (intent) =>
      wish.paysAgain &&
      intent.digest === wish.digest &&
      meaningOf(intent, wish) === 'unsettled' &&
      samePayer(intent, wish) !== 'other' &&
      accountRelation(wish.account, intent, wish.joins ?? []) === 'other',
  );

/** A sandbox on this machine has a new key each time, and no money: what stands there unknown is no hindrance. */
const isInTheWay = (
  kind: Earlier['kind'],
  intent: Intent,
  { account, paysAgain, isPassed }: NewWrite,
): boolean =>
  kind === 'unsettled' && paysAgain && !isPassed(intent) && !isLoopback(new URL(account.baseUrl).hostname);

function meaningOf(intent: Intent, wish: NewWrite): Earlier['kind'] | undefined {
  const theirs = givenIdOf(intent);
  if (wish.givenId !== undefined && theirs !== undefined && wish.givenId !== theirs) return undefined;
  if (intent.state === 'unknown') return 'unsettled';
  if (intent.state === 'open') return wish.isRunning(intent) ? 'under_way' : 'unsettled';
  if (!wish.paysAgain || wish.isPassed(intent)) return undefined;
  // An id that was given makes the service refuse a second one, and names another payment where it is another id.
  const isAskedAbout = wish.isAskedAbout && wish.givenId === undefined;
  if (intent.toldAt === undefined || isToldSince(intent, wish)) {
    // Last month's wages are no answer to this month's: an outcome untold for so long is asked about.
    const isLongAgo = wish.now() - intent.createdAt > REPEAT_WINDOW_MS;
    return isLongAgo && isAskedAbout ? 'repeated' : 'untold';
  }
  return isAskedAbout ? 'repeated' : undefined;
}

/** Compares the journal's own sequence, or the machine's uptime; never a clock that a user can set. */
export function isToldSince(
  { toldSeq, toldUptime, process }: Pick<Intent, 'toldSeq' | 'toldUptime' | 'process'>,
  { lastTold, began }: Pick<NewWrite, 'lastTold' | 'began'>,
): boolean {
  if (toldSeq === undefined) return false;
  if (toldSeq > lastTold) return true;
  const isOfThisBoot = began !== undefined && process?.startsWith(`${began.boot} `) === true;
  return isOfThisBoot && toldUptime !== undefined && toldUptime >= began.uptime;
}

/**
 * True where a later intent may be the same payment as an earlier one of the same digest. Two ids of the caller's
 * name two payments; an id and an external id may name one sender.
 */
export function mayBeSamePayment(earlier: Intent, later: Intent): boolean {
  const [one, other] = [givenIdOf(earlier), givenIdOf(later)];
  if (one !== undefined && other !== undefined && one !== other) return false;
  return samePayer(later, { payers: earlier.payer === undefined ? [] : [earlier.payer] }) !== 'other';
}

function samePayer({ payer }: Intent, { payers }: Pick<NewWrite, 'payers'>): 'same' | 'other' | 'perhaps' {
  if (payer === undefined || payers.length === 0 || payers.includes(payer)) return 'same';
  const kinds = new Set(payers.map(kindOf));
  if (kinds.has(kindOf(payer)) || kindOf(payer) === 'new' || kinds.has('new')) return 'other';
  return 'perhaps';
}

function kindOf(payer: string): string {
  const [kind = ''] = payer.split(':', 1);
  invariant(
    ['id', 'ext', 'new'].includes(kind),
    'a payer is named by an id, an external id, or what a new one is made of',
  );
  return kind;
}
