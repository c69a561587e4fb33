/** The words for every outcome of a write but a success. What is unknown says so, names its intent, and ends with 9. */

import { transactionDifferences } from '../client/compare.ts';
import { isForeign } from '../client/errors.ts';
import { isFunded } from '../client/funded.ts';
import type { Conflict, MayArrive, Outcome } from '../client/outcome.ts';
import type { Intent } from '../client/store/port.ts';
import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { isoTime } from '../core/clock.ts';
import { type Hint, hint, type Next } from '../core/next.ts';
import { Problem, refuse } from '../core/problem.ts';
import { type Desk, tell } from './desk.ts';
import { problemOf } from './problem-of.ts';
import { maskedSummary } from './words/payment-lines.ts';

const settling = (id: string): Next => ({ do: 'settle', id });

export function unsettledProblem(id: string, summary: string): Problem {
  return refuse(
    'unknown',
    'unsettled_intent',
    `the same was sent before, and it is not known yet whether it was applied: ${summary}`,
    {
      hint: hint`${settling(id)} finds out; ${{ give: 'new_payment' }} sends a second one on purpose`,
      note: 'nothing was sent this time; the earlier one is unknown',
    },
  );
}

/**
 * The problem where it is unknown whether the intent stands. Nothing was sent; who settles it, where it
 * stands, sends it.
 */
export const unsureProblem = ({ intent: { id }, error }: { intent: Intent; error: Error }): Problem =>
  refuse(
    'unknown',
    'intent_unsure',
    `it was not sent, and it is not known whether its intent stands: ${error.message}`,
    {
      hint: hint`once the store answers, ${settling(id)}: that pays it where the intent stands; where there is no such intent, run this again`,
      cause: error,
      note: 'do not send it again by hand',
      outcome: 'unknown',
    },
  );

/**
 * The problem of a write that another process sends just now: to say how it ended, or to send it again, would
 * be to guess.
 */
export const underWay = ({ id, pid }: Intent): Problem =>
  refuse('unknown', 'under_way', `it is under way: the process that sends it still runs (${pid})`, {
    hint: hint`wait until it has ended; then ${settling(id)}`,
    note: 'nothing was done to it',
    outcome: 'unknown',
  });

/** @param intentId empty where no intent was kept */
export function outcomeProblem<T>(
  outcome: Exclude<Outcome<T>, { kind: 'applied' }>,
  intentId: string,
): Problem {
  if (outcome.kind === 'conflict') return conflictProblem(outcome);
  if (outcome.kind === 'unknown') return unknownProblem(outcome, intentId);
  if (outcome.why !== undefined) {
    return refuse('conflict', 'too_late', outcome.why, { outcome: 'not applied' });
  }
  const failure = problemOf(outcome.error);
  return new Problem({ ...failure.facts, outcome: 'not applied' }, { cause: outcome.error });
}

function unknownProblem<T>(outcome: Extract<Outcome<T>, { kind: 'unknown' }>, intentId: string): Problem {
  if (outcome.why !== undefined) {
    const id = (outcome.value as { id?: string } | undefined)?.id;
    const look = id === undefined ? 'look what the service shows now' : `look at ${id}`;
    return refuse('unknown', 'changed_since', `it is not known whether it was applied: ${outcome.why}`, {
      hint: hint`${look}, then ${{ do: 'settle', id: intentId, as: 'applied' }}, or ${{ give: 'as', value: 'not-applied' }}`,
      note: 'do not send it again by hand',
      outcome: 'unknown',
    });
  }
  if (outcome.overtakenBy !== undefined) return mayArrive(outcome.overtakenBy, outcome.overAt, intentId);
  if (outcome.answeredId !== undefined) return readsOtherwise(outcome.answeredId, intentId);
  if (outcome.isUnpaid) return madeUnpaid(outcome.part as Transaction);
  const { id: partId, state } = (outcome.part ?? {}) as { id?: string; state?: string };
  if (partId !== undefined && state === 'approved')
    return refuse(
      'unknown',
      'created_unfunded',
      `it is not known yet whether it will be paid: it was created (${partId}), and it is not funded`,
      {
        hint: hint`${settling(intentId)}, or ${{ do: 'fund', id: partId }} pays it: the service funds it once, whichever comes first`,
        note: 'do not create it again',
        outcome: 'unknown',
      },
    );
  if (outcome.overAt !== undefined) return refusedAgain(outcome, outcome.overAt, intentId);
  const cause = outcome.error === undefined ? undefined : problemOf(outcome.error).facts;
  return refuse(
    'unknown',
    'outcome_unknown',
    `it is not known yet whether it was applied: ${cause?.message ?? 'it was not found by looking'}`,
    {
      hint: isForeign(outcome.error)
        ? hint`when the service itself answers again, ${settling(intentId)}`
        : hint`${settling(intentId)}`,
      status: cause?.status,
      requestId: cause?.requestId,
      note: 'do not send it again by hand',
      outcome: 'unknown',
    },
  );
}

/** The service said yes to something: that may be this payment, written otherwise. */
const readsOtherwise = (id: string, intentId: string): Problem =>
  refuse(
    'unknown',
    'reads_otherwise',
    `it is not known whether it was applied: the service answered with transaction ${id}, and it reads otherwise than asked`,
    {
      hint: hint`${{ do: 'show_transaction', id }} shows it; ${settling(intentId)} looks for it again`,
      note: 'do not send it again by hand',
      outcome: 'unknown',
    },
  );

/** The debit that would pay it was not sent: paying it is a new decision about what stands. */
export const madeUnpaid = ({ id, state, expires_at: until }: Transaction): Problem =>
  refuse(
    'unknown',
    'made_unpaid',
    `made, not paid: transaction ${id} was created and is not funded (state: ${state})`,
    {
      hint: hint`${{ do: 'show_transaction', id: id ?? '' }} shows it; ${{ do: 'fund', id: id ?? '' }} pays it${until ? ` until ${until}` : ''}; unpaid, the service cancels it after its hour`,
      note: 'do not create it again',
      outcome: 'unknown',
    },
  );

/** The service says no, and an earlier try of ours was lost. */
function refusedAgain<T>(
  { error }: Outcome<T> & { kind: 'unknown' },
  overAt: number,
  intentId: string,
): Problem {
  const { message, status, requestId } = problemOf(error).facts;
  return refuse(
    'unknown',
    'outcome_unknown',
    `it is not known yet whether it was applied: the first try had no answer, and the service refuses it now (${message})`,
    {
      hint: hint`${settling(intentId)} after ${isoTime(overAt)} by the service's clock: where it is still refused and not found, it was not applied`,
      status,
      requestId,
      note: 'do not send it again by hand',
      outcome: 'unknown',
    },
  );
}

function conflictProblem(outcome: Conflict): Problem {
  if (outcome.undoneBy !== undefined) return undone(outcome);
  if (outcome.undid !== undefined) return undid(outcome.undid);
  if (outcome.madeFor !== undefined) return madeOtherwise(outcome.madeFor, outcome.value as Transaction);
  const id = (outcome.value as { id?: string })?.id;
  const isUnfunded = outcome.differences.every((name) => name.startsWith('state:'));
  if (isUnfunded && outcome.why === undefined) return existsUnfunded(id);
  const others = outcome.differences.join(', ');
  // Perhaps ours and edited since: all the same nothing new was made by this request.
  const perhaps = outcome.why !== undefined;
  return refuse(
    'conflict',
    perhaps ? 'changed_since' : 'external_id_taken',
    perhaps
      ? `it exists already with this external id${id ? ` (${id})` : ''}, and may be this payment: what differs can be an edit or another way to write it: ${others}`
      : `another transaction has this external id${id ? ` (${id})` : ''}; it differs in ${others}`,
    {
      hint: id ? hint`${{ do: 'show_transaction', id }}` : hint`choose another ${{ give: 'external_id' }}`,
      note: 'nothing new was made',
    },
  );
}

/** The service made something of our request that is not what was asked: what stands is said beside that, and whether money was taken for it. */
export function madeOtherwise(asked: TransactionWrite, found: Transaction): Problem {
  const { id, state } = found;
  const isPaid = isFunded(found);
  const others = transactionDifferences(asked, found).join(', ') || 'what its answer said';
  const asks = `${maskedSummary(asked)} from ${asked.input_currency}`;
  return refuse(
    'check',
    isPaid ? 'paid_otherwise' : 'made_otherwise',
    `${isPaid ? 'paid' : 'made'} otherwise than asked: transaction ${id} differs in ${others}; asked: ${asks}; it stands as: ${maskedSummary(found)} from ${found.input_currency} (state: ${state}); ${isPaid ? 'its money was taken' : 'nothing was debited for it'}`,
    {
      hint: hint`${{ do: 'show_transaction', id: id ?? '' }} shows it; ${{ do: 'cancel_transaction', id: id ?? '' }} asks for an end of it${isPaid ? '' : hint`, ${{ do: 'fund', id: id ?? '' }} pays it as it stands`}; do not make it again`,
      // Neither applied, as a whole wish is, nor not, nor unknown.
      outcome: undefined,
    },
  );
}

/** Money would go where an older edit says: the same command again corrects it. */
const undone = ({ differences, undoneBy }: Conflict): Problem =>
  refuse(
    'conflict',
    'undone',
    `an older edit (${undoneBy}) arrived after this one: the recipient has its values again, in ${differences.join(', ')}`,
    {
      hint: 'run the same command again now: the older edit is known, and cannot arrive any more',
      // It stood for a moment, and a lost try of its own may arrive yet.
      outcome: undefined,
    },
  );

const undid = (newer: string): Problem =>
  refuse(
    'conflict',
    'undid',
    `this edit arrived after a newer one (${newer}): the recipient has the older values again`,
    {
      hint: hint`${{ do: 'show_intent', id: newer }} shows the newer one: run its command again now`,
      outcome: undefined,
    },
  );

/** Nobody can stop it on its way, so there is nothing to do but wait. */
const mayArrive = (newer: string, until: number | undefined, id: string): Problem =>
  refuse(
    'pending',
    'may_arrive',
    `it has not arrived, and may until ${untilWords(until)}; a newer edit (${newer}) was answered, and the recipient shows that one`,
    {
      hint: hint`${settling(id)} after that; until then each look at the recipient compares`,
      outcome: undefined,
    },
  );

/** @param until by the service's clock */
const untilWords = (until: number | undefined): string =>
  until === undefined ? 'an hour is over' : `${isoTime(until)} by the service's clock`;

/** Told beside an edit that was answered. */
export const olderMayArrive = ({ until, isLooked }: MayArrive): Hint =>
  isLooked
    ? hint`an older edit of this recipient has no answer, and may still arrive until ${untilWords(until)}: look at it again then, or ${{ do: 'look_at_history' }}`
    : hint`an older edit of this recipient has no answer, and may have arrived since: it could not be looked at, so look again; and once more after ${untilWords(until)}`;

export const existsUnfunded = (id: string | null | undefined): Problem =>
  refuse(
    'conflict',
    'exists_unfunded',
    `this transaction exists already, the same in every amount and detail, and is not funded (${id})`,
    { hint: hint`${{ do: 'fund', id: id ?? '' }}`, note: 'nothing was sent this time' },
  );

/** The write was answered, and the journal could not take it. */
export function sayUnrecorded(desk: Desk, intentId: string, error: unknown): void {
  tell(
    desk,
    hint`remit: the outcome could not be written down (${(error as Error).message}): once there is room, ${{ do: 'settle', id: intentId }}`,
  );
}
