/**
 * Finds the trigger that follows for a transaction from the states of its recipients. Pure: one trigger at a time,
 * none when nothing follows.
 */
import { isBack, isCalledOff, isPaidOut } from '../../contract/states/money.ts';
import { type RecipientState, recipientStates } from '../../contract/states/recipient.ts';
import { findMove } from '../../contract/states/state.ts';
import { type TransactionState, transactionStates } from '../../contract/states/transaction.ts';
import { type TransactionTrigger, transactionMoves } from '../../contract/states/transaction-moves.ts';

export interface FundingFacts {
  state: TransactionState;
  funded: boolean;
  /** Money that came from a payin is returned by people. */
  refundByHand: boolean;
  recipients: readonly RecipientState[];
}

/** The transaction waits for money, and none came in. */
export const awaitsFunds = (state: TransactionState) => transactionStates[state].stage === 'awaits funds';
/** Money came in and waits to clear. */
export const isClearing = (state: TransactionState) => transactionStates[state].stage === 'clearing';
/** Pays nothing out: money that waits to clear cannot be paid out either. */
export const isUnfunded = (state: TransactionState) => awaitsFunds(state) || isClearing(state);
const isRunning = (state: TransactionState) => transactionStates[state].stage === 'running';
const needsPeople = (state: RecipientState) => recipientStates[state].stopsTransaction;

/** `cancelledBy` is the trigger to use when every recipient turned out to be cancelled. */
export function follows(
  standing: FundingFacts,
  cancelledBy: 'cancel' | 'auto_refund' | 'expire',
): TransactionTrigger | null {
  const { state, funded, recipients } = standing;
  if (transactionStates[state].stage === 'called off') return afterCancel(standing);
  if (recipients.every(isCalledOff)) return followsCancel(standing, cancelledBy);
  if (!funded || !isRunning(state)) return null;
  if (recipients.every(isPaidOut)) return state === 'processing' ? null : 'all_paid';
  if (recipients.every((each) => isPaidOut(each) || isBack(each))) return 'partly_refunded';
  const troubled = recipients.some(needsPeople);
  if (troubled) return findMove(transactionMoves, state, 'too_many_tries') ? 'too_many_tries' : null;
  return state === 'manual' ? 'retry' : null;
}

function followsCancel(
  { state, funded, refundByHand, recipients }: FundingFacts,
  cancelledBy: 'cancel' | 'auto_refund' | 'expire',
): TransactionTrigger | null {
  if (isUnfunded(state)) return cancelledBy === 'auto_refund' ? null : cancelledBy;
  if (!funded || !isRunning(state)) return null;
  if (state === 'manual' && refundByHand) return recipients.every(isBack) ? 'refund' : null;
  return cancelledBy === 'expire' ? 'cancel' : cancelledBy;
}

function afterCancel({ funded, refundByHand, recipients }: FundingFacts): TransactionTrigger | null {
  if (!funded) return null;
  if (refundByHand) return 'refund_by_hand';
  return recipients.every(isBack) ? 'refund' : null;
}
