/** Failures of a call as types (docs/wire.md 3). Nothing matches on a message. */
import type { Effect } from '../core/effect.ts';
import type { FieldProblem } from '../core/problem.ts';
import { ANSWER_GIVEN_UP, type Reach } from '../core/transport.ts';

export interface CallFacts {
  operation: string;
  /** The nonce that we sent: the service's log of requests knows it. */
  nonce: string;
  /**
   * The effect that the call may have: a read that failed claims nothing, a write that failed may have been applied.
   */
  effect: Effect;
}

export type ApiErrorKind =
  | 'bad_request'
  | 'auth'
  | 'not_found'
  | 'validation'
  | 'rate_limit'
  | 'server'
  | 'other';

/** The service answered, and the answer was no. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  constructor(
    readonly status: number,
    readonly call: CallFacts,
    readonly details: {
      fields: FieldProblem[];
      meta: Record<string, unknown>;
      existing: { transaction?: unknown; sender?: unknown };
      /** The resource as the service repeats it. */
      resource: unknown;
      /** The service itself refuses this call so. Any other answer may come from something in front of it. */
      isOwn: boolean;
      retryAfterMs?: number | undefined;
    },
  ) {
    super(`${call.operation} answered ${status}`);
    this.kind = kindOf(status);
  }

  /** The members of the request that are wrong, each with what is wrong with it. */
  get fields(): FieldProblem[] {
    return this.details.fields;
  }

  /** The record that has the external id already. */
  get existing(): ApiError['details']['existing'] {
    return this.details.existing;
  }

  /** The nonce that we sent: the service's log of requests knows it. */
  get requestId(): string {
    return this.call.nonce;
  }

  get isRetryable(): boolean {
    return isRetryable(this);
  }
}

export function kindOf(status: number): ApiErrorKind {
  if (status === 400) return 'bad_request';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not_found';
  if (status === 422) return 'validation';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server' : 'other';
}

/** The key has no right to read it, or nothing there is to be read: another look would say the same. */
export const isWithoutRight = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

/** No whole answer: `reach` says whether anything may have arrived. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind = 'network';
  constructor(
    readonly reach: Reach,
    readonly code: string,
    readonly call: CallFacts,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get requestId(): string {
    return this.call.nonce;
  }

  get isRetryable(): boolean {
    return isRetryable(this);
  }
}

const TEMPORARY: readonly number[] = [429, 502, 503, 504];

/** An answer that is too large, or does not end, is so the next time too. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return !ANSWER_GIVEN_UP.some((code) => code === error.code);
  return error instanceof ApiError && TEMPORARY.includes(error.status);
}

/** True where the same call may be made again as it is: a read that failed for now, or a call that never left. */
function isRetryable(error: ApiError | NetworkError): boolean {
  if (error instanceof NetworkError && error.reach === 'not_sent') return true;
  return error.call.effect === 'read' && isTemporary(error);
}

/** A success whose body we cannot read: something was done, we do not know what came back. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly kind = 'unreadable';
  constructor(
    readonly status: number,
    readonly call: CallFacts,
    message: string,
  ) {
    super(message);
  }

  get requestId(): string {
    return this.call.nonce;
  }

  get isRetryable(): false {
    return false;
  }
}

/** Two answers of the service say different things: something was done, what is unknown. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
  readonly kind = 'contradiction';
}

/** Our own body does not fit the contract: nothing was sent. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind = 'request';
  constructor(
    readonly operation: string,
    readonly problems: { path: string; message: string }[],
  ) {
    super(
      `the request does not fit ${operation}: ${problems.map((p) => `${p.path || 'body'} ${p.message}`).join('; ')}`,
    );
  }
}

/** No write was sent: the service did not first answer a read with this key. `cause` says what came of the read. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
  readonly kind = 'not_ready';
  override readonly cause: AnswerError;
  constructor(cause: AnswerError) {
    super(cause.message, { cause });
    this.cause = cause;
  }
}

type AnswerError = ApiError | NetworkError | UnreadableAnswerError | Contradiction;
export type CallError = AnswerError | NotReadyError;
export const isCallError = (error: unknown): error is CallError =>
  error instanceof NotReadyError || isAnswerError(error);

/** True for an error that ended a call which was made. */
export function isAnswerError(error: unknown): error is AnswerError {
  return (
    error instanceof ApiError ||
    error instanceof NetworkError ||
    error instanceof UnreadableAnswerError ||
    error instanceof Contradiction
  );
}

/**
 * True for an answer to a write that the service would not give: then something in front of it may have answered, and
 * the write may have been applied. Status 429 and 5xx are not foreign: the service itself is too busy, or fails, now
 * and then.
 */
export function isForeign(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof UnreadableAnswerError;
  return !error.details.isOwn && error.status !== 429 && error.status < 500;
}
