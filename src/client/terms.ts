/** The terms of one call: when it ends, and what it carries beside the signature. */
import { type CallFacts, RequestError } from './errors.ts';

/** How one call is made, where that is not how every call of the client is. */
export interface CallTerms {
  /** Ends it. A write that is on its way then has an unknown outcome. */
  signal?: AbortSignal | undefined;
  /** For each attempt, connecting included. */
  timeoutMs?: number | undefined;
  /** The number of times that a read is repeated after the first try. */
  retries?: number | undefined;
  /** A fresh one per attempt. */
  nonce?: (() => string) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

interface TimeLimit {
  signal: AbortSignal | undefined;
  isOver(): boolean;
  end(): void;
}

/** Fires the signal when the time is over, or with the other one. */
export function timeLimit(ms: number | undefined, signal: AbortSignal | undefined): TimeLimit {
  if (ms === undefined) return { signal, isOver: () => false, end: () => {} };
  const both = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    both.abort();
  }, ms);
  const pass = (): void => both.abort();
  signal?.addEventListener('abort', pass, { once: true });
  if (signal?.aborted) pass();
  return {
    signal: both.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', pass);
    },
  };
}

const OWN_HEADERS = /^(?:authorization|accept$|connection$|content-|host$|transfer-encoding$)/i;

/** @throws RequestError for a header that is the client's own; nothing was sent */
export function allowed(
  { operation }: CallFacts,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const problems = Object.keys(headers)
    .filter((name) => OWN_HEADERS.test(name))
    .map((name) => ({ path: name, message: 'is a header that the client sets itself' }));
  if (problems.length > 0) throw new RequestError(operation, problems);
  return headers;
}

/**
 * Lets the caller make a value for this attempt.
 * @throws RequestError where the caller's function throws; this attempt was not sent
 */
export function made<T>(operation: string, what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const message = `could not be made: ${(error as Error)?.message ?? error}`;
    throw new RequestError(operation, [{ path: what, message }]);
  }
}
