/**
 * Outcome is one of applied, not applied, unknown (PRODUCT rule 1). A plan says how to send one write and how to look
 * whether it was applied; this file is the only thing that decides what an answer proves and what may be claimed.
 *
 * The question asked of every answer: could a copy of the same request have been applied before the one that was answered?
 * A relay may send a request twice and give back the second answer. So a success counts only with the record that was asked
 * for, and a refusal is looked into before anything is claimed.
 */
import { ApiError, type CallError, isCallError, NetworkError } from './errors.ts';

/** What one attempt proves on its own. */
export type Verdict =
  /** Nothing left the socket. */
  | 'not_sent'
  /** The service said no to what was answered; an earlier copy may stand all the same. */
  | 'refused'
  /** A record with our id stands: it may be the work of our own earlier try. */
  | 'duplicate'
  | 'unknown';

function verdictOf(error: CallError): Verdict {
  if (error instanceof NetworkError) return error.reach === 'not_sent' ? 'not_sent' : 'unknown';
  if (!(error instanceof ApiError)) return 'unknown';
  return verdictOfStatus(error.status, error.details.existing.transaction !== undefined);
}

/** Where a refusal and a look that finds nothing prove that it was not applied. */
const REFUSED_FOR_ITSELF = [400, 404, 422];
/** A nonce that was used before is refused like a wrong key: then the first copy was taken. */
const REFUSED_FOR_ITS_SENDER = [401, 403];

export function verdictOfStatus(status: number, namesExisting: boolean): Verdict {
  if (status === 422 && namesExisting) return 'duplicate';
  return REFUSED_FOR_ITSELF.includes(status) || REFUSED_FOR_ITS_SENDER.includes(status)
    ? 'refused'
    : 'unknown';
}

/** What stands is not what we asked for. `why` where it may have been ours, and was changed since. */
export interface Conflict {
  kind: 'conflict';
  value: unknown;
  differences: string[];
  why?: string;
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
  /** Not there, or not yet: an empty look proves nothing. `begun` where a part of it stands, which only we can have made. */
  | { kind: 'absent'; begun?: boolean };

export interface Plan<T> {
  /** `again` when an earlier try of the same write may still be at work. */
  send(again: boolean): Promise<Sent<T>>;
  look(): Promise<Looked<T>>;
  /** Whether the service took this key for anything yet: then a refused signature is not a wrong key. */
  accepted?(): boolean;
}

export type Outcome<T> =
  | { kind: 'applied'; how: 'answered' | 'existing' | 'found'; value: T }
  | { kind: 'not_applied'; error: CallError | undefined; value?: T; why?: string }
  | Conflict
  | { kind: 'unknown'; error: CallError | undefined; why?: string; value?: unknown };

/** First time: send once, look into a refusal, and settle what stays unknown. */
export async function carryOut<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const first = await plan.send(false);
  if (first.kind === 'refused') {
    const outcome = await lookInto(plan, first.error);
    return outcome ?? sendAgain(plan);
  }
  return first.kind === 'unknown' ? settle(plan, first.error) : concluded(first);
}

/** For what must not be sent twice, since a second one would stand beside the first: sent once, then only looked for. */
export async function carryOutOnce<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const first = await plan.send(false);
  if (first.kind === 'refused')
    return (await lookInto(plan, first.error)) ?? { kind: 'unknown', error: first.error };
  if (first.kind !== 'unknown') return concluded(first);
  const found = await tryLook(plan, first.error);
  return found.kind === 'absent' ? { kind: 'unknown', error: first.error } : found.outcome;
}

/** Look, send the same once more, look again. Only a success, a duplicate or a find proves anything about the first try. */
export async function settle<T>(plan: Plan<T>, cause: CallError | undefined): Promise<Outcome<T>> {
  const before = await tryLook(plan, cause);
  return before.kind === 'absent' ? sendAgain(plan) : before.outcome;
}

async function sendAgain<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const again = await plan.send(true);
  if (again.kind === 'applied' || again.kind === 'existing') return concluded(again);
  if (again.kind === 'conflict') return unsure(concluded(again));
  // A refusal of the second try says nothing about the first: it may be the first one's doing (its money is taken).
  const after = await tryLook(plan, again.error);
  return after.kind === 'absent' ? { kind: 'unknown', error: again.error } : after.outcome;
}

/** For a plan that must not send again: only looks. */
export async function settleByLooking<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const looked = await tryLook(plan, undefined);
  return looked.kind === 'absent' ? { kind: 'unknown', error: undefined } : looked.outcome;
}

/** What a refusal comes to; undefined where only sending the same again can tell. */
export async function lookInto<T>(plan: Plan<T>, refusal: ApiError): Promise<Outcome<T> | undefined> {
  const notApplied: Outcome<T> = { kind: 'not_applied', error: refusal };
  const looked = await lookedWith(plan, refusal);
  if (looked.kind === 'applied') return { kind: 'applied', how: 'found', value: looked.value };
  if (looked.kind === 'conflict') return looked;
  // It can never be applied any more: what the service said of it says it best.
  if (looked.kind === 'never' || looked.kind === 'refused alike') return notApplied;
  if (looked.kind === 'failed') return { kind: 'unknown', error: refusal };
  // A refused request leaves nothing behind: an earlier copy of it made this, and may still be at work.
  if (looked.begun) return undefined;
  return REFUSED_FOR_ITSELF.includes(refusal.status) ? notApplied : undefined;
}

type LookedWith<T> = Looked<T> | { kind: 'refused alike' } | { kind: 'failed' };

/**
 * A look that is refused in the same way proves that the service takes nothing from this key; one that is not found proves that
 * there is nothing. A refusal is believed when a second look, with a fresh nonce, gets the same one, and that of the key only
 * where it was never taken: else it may be the looks that are sent twice on the way.
 */
async function lookedWith<T>(plan: Plan<T>, refusal: ApiError): Promise<LookedWith<T>> {
  const first = await looked(plan);
  if (typeof first !== 'number') return first;
  const second = await looked(plan);
  if (second !== first) return typeof second === 'number' ? { kind: 'failed' } : second;
  if (second === 404) return { kind: 'absent' };
  return { kind: second === refusal.status && !plan.accepted?.() ? 'refused alike' : 'failed' };
}

/** What a look found, or the status that refused it. */
async function looked<T>(plan: Plan<T>): Promise<Looked<T> | { kind: 'failed' } | number> {
  try {
    return await plan.look();
  } catch (error) {
    if (!isCallError(error)) throw error;
    return error instanceof ApiError ? error.status : { kind: 'failed' };
  }
}

type Found<T> = { kind: 'absent' } | { kind: 'settled'; outcome: Outcome<T> };

async function tryLook<T>(plan: Plan<T>, cause: CallError | undefined): Promise<Found<T>> {
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
    if (!(error instanceof ApiError)) return { kind: verdict === 'not_sent' ? 'not_sent' : 'unknown', error };
    if (verdict === 'duplicate' && onDuplicate) return onDuplicate(error);
    return verdict === 'unknown' ? { kind: 'unknown', error } : { kind: 'refused', error };
  }
}
