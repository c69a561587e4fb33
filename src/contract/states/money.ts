/**
 * Tells from a state where the money is, once for everybody (decision 0012): whether it came in, whether it went out,
 * whether it comes back by itself. Every state has its row, or it does not compile; facts that the tables of moves
 * have already are read from them.
 */

import { payinMethodMoves, payinMethodStateInfo } from './payin-method.ts';
import { recipientStateInfo, type Whereabouts } from './recipient.ts';
import { transactionStateInfo } from './transaction.ts';
import { transactionMoves } from './transaction-moves.ts';

type State = string | null | undefined;

/** Tells from the state alone whether a transaction is funded; `no` for a state that we do not know. */
export const fundsOf = (state: State): 'yes' | 'no' | 'perhaps' => transactionStateInfo(state)?.funds ?? 'no';

const payoutOf = (state: State): Whereabouts | undefined => recipientStateInfo(state)?.money;

/** The money went out to the recipient. */
export const isPaidOut = (state: State): boolean => payoutOf(state) === 'paid';
/** Still to be paid out, or under way. */
export const isUnpaid = (state: State): boolean => payoutOf(state) === 'unpaid';
/** Cancelled, its money back or on its way back: of a recipient, a payin or a transaction, which share these words. */
export const isCalledOff = (state: State): boolean =>
  payoutOf(state) === 'called off' || payoutOf(state) === 'back';
/** The money is back. */
export const isBack = (state: State): boolean => payoutOf(state) === 'back';
/** True where nothing is left to do, ever: paid as asked, or back. If more was paid, a person must look. */
export const isEndedPayout = (state: State): boolean => recipientStateInfo(state)?.turn === 'nobody';
/** A try failed, and nothing was paid out so far. */
export const isFailedPayout = (state: State): boolean =>
  isUnpaid(state) && recipientStateInfo(state)?.look === 'bad';

const AUTO_REFUNDED: ReadonlySet<string> = new Set(
  transactionMoves.filter(({ on }) => on === 'auto_refund').map(({ from }) => from),
);

/** True where an unpaid payout of a transaction in this state goes back by itself a day after it was funded. */
export const isRefundedByItself = (transactionState: string): boolean => AUTO_REFUNDED.has(transactionState);

/** True where people, not the service, return the money of a cancelled transaction. */
export const isRefundedByHand = (transactionState: State): boolean =>
  transactionMoves.some(({ on, to }) => on === 'refund_by_hand' && to === transactionState);

/**
 * True where the transaction changes no more by itself: it is over, or people must look. A cancelled one may wait for
 * its refund.
 */
export const isAtRest = (transactionState: State): boolean => {
  const info = transactionStateInfo(transactionState);
  return info !== undefined && (info.terminal || info.can.includes('contact_operator'));
};

const PAYIN_EDITED: ReadonlySet<string> = new Set(
  payinMethodMoves.filter(({ on }) => on === 'edit').map(({ from }) => from),
);

/** Where changed details of a collection still count; one that is over keeps the old ones. */
export const isPayinEditable = (state: State): boolean => PAYIN_EDITED.has(state ?? '');

/** True where a payin in this state had brought the money of its transaction, if that is funded. */
export const broughtMoney = (payinState: State): boolean =>
  payinMethodStateInfo(payinState)?.brought === true;
