/** Permissions of a recipient, and the state that follows a failed try. Pure. */
import { codeInfo } from '../../contract/codes.ts';
import { isFailedPayout } from '../../contract/states/money.ts';
import {
  isEditable,
  isTriedAgain,
  isWithProvider,
  isWithService,
  type RecipientState,
} from '../../contract/states/recipient.ts';

interface Situation {
  state: RecipientState;
  reasonCode: string | null;
  cash: boolean;
}

export interface Permissions {
  editable: boolean;
  retriable: boolean;
  mayCancel: boolean;
}

/**
 * An edit while pending is kept for the next try; details do not help where the sender is the problem.
 * @assumes editable
 */
export function permissions({ state, reasonCode, cash }: Situation): Permissions {
  const category = codeInfo(reasonCode ?? '')?.category;
  const failed = isFailedPayout(state);
  return {
    editable: isEditable(state) && (cash || !failed || category !== 'sender_error'),
    retriable: isTriedAgain(state) && category === 'temporary_error',
    mayCancel: isWithService(state) || (cash && isWithProvider(state)),
  };
}

const MINUTE = 60_000;
/**
 * How long after each failed try the next one is due: at once, then later and later, then hourly.
 * @assumes retry-schedule
 */
const RETRY_DELAYS_MS = [0, 1, 5, 15, 60].map((minutes) => minutes * MINUTE);
const HOURLY_MS = 60 * MINUTE;
const MAX_TRIES = 10;

/** How long the provider keeps a payout pending before it says how it ended. @assumes answer-times */
export const ANSWER_AFTER_MS = 120 * MINUTE;

/** After this long without any answer it is unknown whether a payout was made. */
export const UNANSWERED_AFTER_MS = 24 * 60 * MINUTE;

export type AfterFailure = { on: 'cancel_confirmed' | 'too_many_tries' } | { on: null; retryAt: number };

interface Failed {
  /** The failed ones, this one included. */
  tries: number;
  cancelWaiting: boolean;
  /** True where tries end at all: not without `auto_refund`, and not for name enquiries. */
  givesUp: boolean;
}

/** @assumes every-error-retried */
export function afterFailure({ tries, cancelWaiting, givesUp }: Failed, now: number): AfterFailure {
  if (cancelWaiting) return { on: 'cancel_confirmed' };
  if (givesUp && tries >= MAX_TRIES) return { on: 'too_many_tries' };
  return { on: null, retryAt: now + payoutRetryDelay(tries) };
}

/** How long after this many failed tries the next one is due; collections keep to it too. */
export function payoutRetryDelay(tries: number): number {
  return RETRY_DELAYS_MS[tries - 1] ?? HOURLY_MS;
}

/** The meaning of a provider's code for a try. */
export function answerKind(code: string): 'paid' | 'pending' | 'failed' {
  const category = codeInfo(code)?.category;
  if (category === 'paid') return 'paid';
  if (category === 'temporary_error' || category === 'recipient_error' || category === 'sender_error') {
    return 'failed';
  }
  return 'pending';
}
