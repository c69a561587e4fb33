/**
 * Finds the trigger that follows for a transaction from the states of its recipients. Pure: one trigger at a time,
 * none when nothing follows.
 */
import type { RecipientState } from '../../contract/states/recipient.ts';
import type { TransactionState, TransactionTrigger } from '../../contract/states/transaction.ts';

export interface FundingFacts {
  state: TransactionState;
  funded: boolean;
  /** Money that came from a payin is returned by people. */
  refundByHand: boolean;
  recipients: readonly RecipientState[];
}

/** States of a transaction for which no money came in. */
const AWAITING: readonly TransactionState[] = ['initial', 'approved'];
/** States in which no money can be paid out: money that waits to clear cannot. */
const UNFUNDED: readonly TransactionState[] = [...AWAITING, 'pending'];
const RUNNING: readonly TransactionState[] = ['received', 'mispaid', 'processing', 'manual', 'exception'];

export function awaitsFunds(state: TransactionState): boolean {
  return AWAITING.includes(state);
}

export function isUnfunded(state: TransactionState): boolean {
  return UNFUNDED.includes(state);
}

function isRunning(state: TransactionState): boolean {
  return RUNNING.includes(state);
}

const isPaid = (state: RecipientState) => state === 'success' || state === 'overpaid';
const isGone = (state: RecipientState) => state === 'canceled' || state === 'refunded';
const needsPeople = (state: RecipientState) => state === 'manual' || state === 'exception';

/** `cancelledBy` is the trigger to use when every recipient turned out to be cancelled. */
export function follows(
  standing: FundingFacts,
  cancelledBy: 'cancel' | 'auto_refund' | 'expire',
): TransactionTrigger | null {
  const { state, funded, recipients } = standing;
  if (state === 'canceled') return afterCancel(standing);
  if (recipients.every(isGone)) return followsCancel(standing, cancelledBy);
  if (!funded || !isRunning(state)) return null;
  if (recipients.every(isPaid)) return state === 'processing' ? null : 'all_paid';
  if (recipients.every((each) => isPaid(each) || each === 'refunded')) return 'partly_refunded';
  const troubled = recipients.some(needsPeople);
  if (troubled && (state === 'received' || state === 'mispaid')) return 'too_many_tries';
  return !troubled && state === 'manual' ? 'retry' : null;
}

function followsCancel(
  { state, funded, refundByHand, recipients }: FundingFacts,
  cancelledBy: 'cancel' | 'auto_refund' | 'expire',
): TransactionTrigger | null {
  if (isUnfunded(state)) return cancelledBy === 'auto_refund' ? null : cancelledBy;
  if (!funded || !isRunning(state)) return null;
  if (state === 'manual' && refundByHand)
    return recipients.every((each) => each === 'refunded') ? 'refund' : null;
  return cancelledBy === 'expire' ? 'cancel' : cancelledBy;
}

function afterCancel({ funded, refundByHand, recipients }: FundingFacts): TransactionTrigger | null {
  if (!funded) return null;
  if (refundByHand) return 'refund_by_hand';
  return recipients.every((state) => state === 'refunded') ? 'refund' : null;
}
