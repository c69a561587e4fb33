/**
 * The outcome of a write is one of applied, not applied, unknown (docs/rules.md 1, decision 0006). A plan says how to send one
 * write and how to look whether it was applied; this file alone decides what a refusal proves and what may be claimed.
 *
 * The question asked of every answer: could a copy of the same request have been applied before the one that was answered?
 * A relay may send a request twice and give back the second answer. So a success counts only with the record that was asked
 * for, and a refusal is looked into before anything is claimed.
 */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { invariant } from '../core/invariants.ts';
import { TransportError } from '../core/transport.ts';
import { ApiError, type CallError, isCallError, NetworkError, NotReadyError } from './errors.ts';

/** The proof that one attempt gives on its own. */
export type AttemptProof =
  /** The request never left the socket. */
  | 'not_sent'
  /** The service said no to what was answered; an earlier copy may stand all the same. */
  | 'refused'
  /** A record with our id stands: it may be the work of our own earlier try. */
  | 'duplicate'
  | 'unknown';

/**
 * Decides what an error that ended an attempt proves. Where no whole answer came, only a connection that never stood
 * proves anything. Of the answers only one in the service's own form does, since anything else may come from
 * something in front of it.
 */
export function verdictOf(error: unknown): AttemptProof {
  if (error instanceof NotReadyError) return 'not_sent';
  if (error instanceof NetworkError || error instanceof TransportError)
    return error.reach === 'not_sent' ? 'not_sent' : 'unknown';
  if (!(error instanceof ApiError) || !error.details.isOwn) return 'unknown';
  return error.status === 422 && error.details.existing.transaction !== undefined ? 'duplicate' : 'refused';
}

/** True where a refusal may be believed as it stands, without another look. */
export const isDefiniteRefusal = (error: ApiError): boolean => verdictOf(error) !== 'unknown';

/**
 * The record that stands is not the one that we asked for. `why` where it may have been ours, and was changed since.
 */
export interface Conflict {
  kind: 'conflict';
  value: unknown;
  differences: string[];
  why?: string;
  /** The intent of an older edit that arrived after this one, and set its members back. */
  undoneBy?: string;
  /** It is an edit that arrived after this newer one, and set its members back. */
  undid?: string;
  /** It is an edit that this newer one took the place of: nothing of it is on its way any more. */
  overtakenBy?: string;
  /** Our own request made it, with other money or another payee: what was asked. It is there, and nothing more is paid for it. */
  madeFor?: TransactionWrite;
}

/** Older edits that may still arrive after the one that was answered. */
export interface MayArrive {
  /** Until when, by the service's time; undefined where it does not say its time. */
  until: number | undefined;
  /** False where the recipient could not be read after the answer. */
  isLooked: boolean;
}

export type Sent<T> =
  | { kind: 'applied'; value: T }
  /** A duplicate of our own request: the record that stands is ours. */
  | { kind: 'existing'; value: T }
  | (Conflict & { error: CallError })
  | { kind: 'not_sent'; error: CallError }
  | { kind: 'refused'; error: ApiError }
  | { kind: 'unknown'; error: CallError };

export type Looked<T> =
  | { kind: 'applied'; value: T }
  | Conflict
  /** It can never be applied any more: paid meanwhile, expired, refused for good. */
  | { kind: 'never'; value: T; why: string }
  /**
   * Not there, or not yet: an empty look proves nothing. `part` is what stands of it: a payment that is not funded. `begun` where only we can
   * have made that part.
   */
  | { kind: 'absent'; begun?: boolean; part?: T };

export interface WritePlan<T> {
  /** The body that `send` puts on the wire: the second try sends the very bytes of the first. */
  body?: unknown;
  /** `again` when an earlier try of the same write may still be at work. */
  send(again: boolean): Promise<Sent<T>>;
  look(): Promise<Looked<T>>;
  /**
   * The id in a success whose record reads otherwise than asked; undefined where there was none. It may be ours, written in another way: so it is
   * not sent again, and nothing proves that it was not applied.
   */
  answeredId?(): string | undefined;
}

export type Outcome<T> =
  /** `mayArrive`: older edits of the same recipient may still undo it. */
  | { kind: 'applied'; how: 'answered' | 'existing' | 'found'; value: T; mayArrive?: MayArrive }
  | { kind: 'not_applied'; error: CallError | undefined; value?: T; why?: string }
  | Conflict
  /** `part` is what stands of it as far as one can see. What was lost, and refused when it was sent again, may be over at a time (`closing.ts`). */
  | {
      kind: 'unknown';
      error: CallError | undefined;
      why?: string;
      value?: unknown;
      part?: unknown;
      refusedAgain?: true;
      /** A newer edit was answered: this one may still arrive, until `overAt`. */
      overtakenBy?: string;
      overAt?: number;
      /** See `WritePlan.answeredId`. */
      answeredId?: string;
      /** `part` was made, and the debit that pays it was not sent. */
      isUnpaid?: true;
    };

/** First time: send once, look into a refusal, and settle what stays unknown. */
export async function carryOut<T>(given: WritePlan<T>): Promise<Outcome<T>> {
  const plan = watched(given, 'new');
  const first = await plan.send(false);
  if (first.kind === 'refused') {
    const outcome = await lookInto(plan, first.error);
    return outcome ?? sendAgain(plan);
  }
  return first.kind === 'unknown' ? lookThenSend(plan, first.error) : concluded(first);
}

/**
 * Carries out what must not be sent twice, since a second one would stand beside the first: it is sent once, then only looked
 * for.
 */
export async function carryOutOnce<T>(given: WritePlan<T>): Promise<Outcome<T>> {
  const plan = watched(given, 'new');
  const first = await plan.send(false);
  if (first.kind === 'refused')
    return (await lookInto(plan, first.error)) ?? { kind: 'unknown', error: first.error };
  return first.kind === 'unknown' ? onlyLook(plan, first.error) : concluded(first);
}

/** Look, send the same once more, look again. Only a success, a duplicate or a find proves anything about the first try. */
export const settle = <T>(plan: WritePlan<T>): Promise<Outcome<T>> =>
  lookThenSend(watched(plan, 'sent before'), undefined);

async function lookThenSend<T>(plan: WritePlan<T>, cause: CallError | undefined): Promise<Outcome<T>> {
  if (plan.answeredId?.() !== undefined) return onlyLook(plan, cause);
  const before = await tryLook(plan, cause);
  return before.kind === 'absent' ? sendAgain(plan) : before.outcome;
}

async function sendAgain<T>(plan: WritePlan<T>): Promise<Outcome<T>> {
  const again = await plan.send(true);
  if (again.kind === 'applied' || again.kind === 'existing') return concluded(again);
  if (again.kind === 'conflict') return unsure(concluded(again));
  if (plan.answeredId?.() !== undefined) return onlyLook(plan, again.error);
  // A refusal of the second try says nothing about the first: it may be the first one's doing (its money is taken).
  const after = await tryLook(plan, again.error);
  if (after.kind !== 'absent') return after.outcome;
  const outcome = stillUnknown<T>(after, again.error);
  const isRefused = again.kind === 'refused' && after.part === undefined && after.begun !== true;
  return isRefused ? { ...outcome, refusedAgain: true } : outcome;
}

const stillUnknown = <T>(
  { part }: Absent<T>,
  error: CallError | undefined,
): Outcome<T> & { kind: 'unknown' } => ({
  kind: 'unknown',
  error,
  ...(part !== undefined && { part }),
});

/** Settles a plan that must not be sent again: it is only looked for. */
export const settleByLooking = <T>(plan: WritePlan<T>): Promise<Outcome<T>> => onlyLook(plan, undefined);

async function onlyLook<T>(plan: WritePlan<T>, cause: CallError | undefined): Promise<Outcome<T>> {
  const found = await tryLook(plan, cause);
  const outcome = found.kind === 'absent' ? stillUnknown<T>(found, cause) : found.outcome;
  const answeredId = plan.answeredId?.();
  return outcome.kind === 'unknown' && answeredId !== undefined ? { ...outcome, answeredId } : outcome;
}

/**
 * The plan, held to the rule of every write: two tries at most, and between them a look that was answered.
 */
function watched<T>(plan: WritePlan<T>, begun: 'new' | 'sent before'): WritePlan<T> {
  let tries = begun === 'new' ? 0 : 1;
  let isLookedFor = begun === 'new';
  const bytes = JSON.stringify(plan.body);
  return {
    ...plan,
    send(again) {
      invariant(!again || JSON.stringify(plan.body) === bytes, 'every try of a write sends the same bytes');
      invariant(isLookedFor, 'a write is looked for before it is sent again');
      invariant(
        tries < 2 && again === (tries === 1),
        'a write is sent twice at most, and knows which time it is',
      );
      tries += 1;
      isLookedFor = false;
      return plan.send(again);
    },
    async look() {
      const looked = await plan.look();
      isLookedFor = true;
      return looked;
    },
  };
}

/**
 * Looks into a refusal in the service's own form; undefined where only sending the same again can tell. A refusal is
 * believed where a later read is answered: something that answers in the service's place does so to reads as well.
 */
export async function lookInto<T>(plan: WritePlan<T>, refusal: ApiError): Promise<Outcome<T> | undefined> {
  invariant(refusal.details.isOwn, 'only what the service itself refuses may have been refused');
  const notApplied: Outcome<T> = { kind: 'not_applied', error: refusal };
  const looked = await lookedAfter(plan);
  if (looked === undefined) return { kind: 'unknown', error: refusal };
  if (looked.kind === 'applied') return { kind: 'applied', how: 'found', value: looked.value };
  if (looked.kind === 'conflict') return looked;
  // A refused request leaves nothing behind: where a part stands, an earlier copy of it made that, and may still be at work.
  return looked.kind === 'absent' && looked.begun ? undefined : notApplied;
}

/** Undefined where no read was answered: then the refusal itself may not be the service's. */
async function lookedAfter<T>(plan: WritePlan<T>): Promise<Looked<T> | undefined> {
  try {
    return await plan.look();
  } catch (error) {
    if (!isCallError(error)) throw error;
    // A 404 to the look proves no more than one to the write: what a write names was read before it left.
    return undefined;
  }
}

type Absent<T> = Extract<Looked<T>, { kind: 'absent' }>;
type Found<T> = Absent<T> | { kind: 'settled'; outcome: Outcome<T> };

async function tryLook<T>(plan: WritePlan<T>, cause: CallError | undefined): Promise<Found<T>> {
  let looked: Looked<T>;
  try {
    looked = await plan.look();
  } catch (error) {
    if (!isCallError(error)) throw error;
    return { kind: 'settled', outcome: { kind: 'unknown', error: cause ?? error } };
  }
  if (looked.kind === 'absent') return looked;
  if (looked.kind === 'applied') return settled({ kind: 'applied', how: 'found', value: looked.value });
  if (looked.kind === 'never')
    return settled({ kind: 'not_applied', error: cause, value: looked.value, why: looked.why });
  return settled(unsure(looked));
}

const settled = <T>(outcome: Outcome<T>): Found<T> => ({ kind: 'settled', outcome });

/** After something was sent and its answer lost, a record that may be ours and was changed since leaves it unknown. */
function unsure<T>(outcome: Outcome<T>): Outcome<T> {
  if (outcome.kind !== 'conflict' || outcome.why === undefined) return outcome;
  return { kind: 'unknown', error: undefined, why: outcome.why, value: outcome.value };
}

function concluded<T>(sent: Exclude<Sent<T>, { kind: 'unknown' | 'refused' }>): Outcome<T> {
  if (sent.kind === 'applied') return { kind: 'applied', how: 'answered', value: sent.value };
  if (sent.kind === 'existing') return { kind: 'applied', how: 'existing', value: sent.value };
  if (sent.kind === 'conflict') {
    const { error: _, ...conflict } = sent;
    return conflict;
  }
  return { kind: 'not_applied', error: sent.error };
}

/** Runs one attempt and sorts its failure; what is not a failure of the call (a defect of ours) is thrown on. */
export async function attempt<T>(
  send: () => Promise<T>,
  onDuplicate?: (error: ApiError) => Sent<T>,
): Promise<Sent<T>> {
  try {
    return { kind: 'applied', value: await send() };
  } catch (error) {
    if (!isCallError(error)) throw error;
    const verdict = verdictOf(error);
    invariant(verdict !== 'not_sent' || !(error instanceof ApiError), 'what was answered was sent');
    if (!(error instanceof ApiError)) return { kind: verdict === 'not_sent' ? 'not_sent' : 'unknown', error };
    if (verdict === 'duplicate' && onDuplicate) return onDuplicate(error);
    return verdict === 'unknown' ? { kind: 'unknown', error } : { kind: 'refused', error };
  }
}
