/**
 * Outcome is one of applied, not applied, unknown (PRODUCT rule 1). A plan says how to send one write and how to look
 * whether it was applied; `carryOut` is the only thing that decides what may be claimed.
 */
import { ApiError, type CallError, isCallError, NetworkError } from './errors.ts';

/** What one attempt proves on its own. */
export type Verdict = 'not_applied' | 'duplicate' | 'unknown';

export function verdictOf(error: CallError): Verdict {
  if (error instanceof NetworkError) return error.reach === 'not_sent' ? 'not_applied' : 'unknown';
  if (!(error instanceof ApiError)) return 'unknown';
  return verdictOfStatus(error.status, hasExisting(error));
}

/** What a refusal's status proves: a 422 that names an existing record may be the answer to our own earlier try. */
export function verdictOfStatus(status: number, namesExisting: boolean): Verdict {
  if (status === 422 && namesExisting) return 'duplicate';
  return [400, 401, 404, 422].includes(status) ? 'not_applied' : 'unknown';
}

const hasExisting = (error: ApiError): boolean => error.details.existing.transaction !== undefined;

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
  | { kind: 'not_applied'; error: CallError }
  | { kind: 'unknown'; error: CallError };

export type Looked<T> =
  | { kind: 'applied'; value: T }
  | Conflict
  /** It can never be applied any more: paid meanwhile, expired, refused for good. */
  | { kind: 'never'; value: T; why: string }
  /** Not there, or not yet: an empty look proves nothing. */
  | { kind: 'absent' };

export interface Plan<T> {
  /** `again` when an earlier try of the same write may still be at work. */
  send(again: boolean): Promise<Sent<T>>;
  look(): Promise<Looked<T>>;
}

export type Outcome<T> =
  | { kind: 'applied'; how: 'answered' | 'existing' | 'found'; value: T }
  | { kind: 'not_applied'; error: CallError | undefined; value?: T; why?: string }
  | Conflict
  | { kind: 'unknown'; error: CallError | undefined };

/** First time: send once, and settle only what stays unknown. */
export async function carryOut<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const first = await plan.send(false);
  if (first.kind !== 'unknown') return concluded(first);
  return settle(plan, first.error);
}

/** For what must not be sent twice, since a second one would stand beside the first: sent once, then only looked for. */
export async function carryOutOnce<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const first = await plan.send(false);
  if (first.kind !== 'unknown') return concluded(first);
  const found = await tryLook(plan, first.error);
  return found.kind === 'absent' ? { kind: 'unknown', error: first.error } : found.outcome;
}

/** Look, send the same once more, look again. Only a success, a duplicate or a find proves anything about the first try. */
export async function settle<T>(plan: Plan<T>, cause: CallError | undefined): Promise<Outcome<T>> {
  const before = await tryLook(plan, cause);
  if (before.kind !== 'absent') return before.outcome;
  const again = await plan.send(true);
  if (again.kind === 'applied' || again.kind === 'existing' || again.kind === 'conflict')
    return concluded(again);
  // A refusal of the second try says nothing about the first: it may be the first one's doing (its money is taken).
  const after = await tryLook(plan, again.error);
  return after.kind === 'absent' ? { kind: 'unknown', error: again.error } : after.outcome;
}

/** For a plan that must not send again: only looks. */
export async function settleByLooking<T>(plan: Plan<T>): Promise<Outcome<T>> {
  const looked = await tryLook(plan, undefined);
  return looked.kind === 'absent' ? { kind: 'unknown', error: undefined } : looked.outcome;
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
  return settled(looked);
}

const settled = <T>(outcome: Outcome<T>): Found<T> => ({ kind: 'settled', outcome });

function concluded<T>(sent: Exclude<Sent<T>, { kind: 'unknown' }>): Outcome<T> {
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
    if (verdict === 'duplicate' && onDuplicate && error instanceof ApiError) return onDuplicate(error);
    return { kind: verdict === 'unknown' ? 'unknown' : 'not_applied', error };
  }
}
