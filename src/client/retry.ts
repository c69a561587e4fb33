/** When a read is repeated, and after how long. Writes are never repeated here: settling them is another matter. */
import type { Random } from '../core/random.ts';
import { ApiError, isTemporary } from './errors.ts';

const LONGEST_WAIT_MS = 30_000;

export interface RetryPolicy {
  /** Tries in all, the first included. */
  tries: number;
  firstDelayMs: number;
}

export const readRetries: RetryPolicy = { tries: 4, firstDelayMs: 250 };

/**
 * Milliseconds before try `attempt + 1`, or null when there is none: exponential with full jitter, never shorter than what
 * Retry-After asks. A longer Retry-After than we are willing to wait ends the tries.
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  policy: RetryPolicy,
  random: Random,
): number | null {
  if (attempt >= policy.tries || !isTemporary(error)) return null;
  const asked = error instanceof ApiError ? (error.details.retryAfterMs ?? 0) : 0;
  if (asked > LONGEST_WAIT_MS) return null;
  const ceiling = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return Math.max(asked, Math.ceil(ceiling / 2 + random.next() * (ceiling / 2)));
}
