/** The money of a cancelled recipient goes back: to the balance at once; money of a payin is returned by people. */

import { isWithProvider, isWithService } from '../../contract/states/recipient.ts';
import { AUTO_REFUND_AFTER_MS } from '../../contract/timing.ts';
import { invariant } from '../../core/invariants.ts';
import { move } from '../ledger/ledger.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import { canPayin } from './collection.ts';
import { AUTO_REFUNDED, followTransaction } from './follow.ts';
import { movePayin, moveRecipient, transactionOf } from './moves.ts';

/** Due at once, after the answer to the cancel: a cancel is asynchronous. @assumes refund-at-once */
export function scheduleRefund(sandbox: SandboxState, recipient: RecipientRecord): void {
  sandbox.schedule.add(sandbox.clock.now(), { kind: 'refund', recipientId: recipient.id });
}

export function refund(sandbox: SandboxState, recipient: RecipientRecord): void {
  const transaction = transactionOf(sandbox, recipient);
  if (recipient.state !== 'canceled' || transaction.fundedBy !== 'balance') return;
  const { id, inputCurrency, inputAmount } = recipient;
  refundable(recipient, transaction);
  if (!sandbox.broken.has('refund_posts_nothing')) {
    sandbox.ledger.post(
      `refund:${id}`,
      sandbox.clock.now(),
      move('held', 'wallet', inputCurrency, inputAmount),
    );
  }
  moveRecipient(sandbox, recipient, 'refund');
  followTransaction(sandbox, transaction);
}

/** Checks that the money was paid in, belongs to a payee who was not paid, and goes back once. */
function refundable({ id, state, dropped }: RecipientRecord, { fundedAt }: TransactionRecord): void {
  invariant(fundedAt !== null && !dropped, `the money of recipient ${id} was paid in`);
  invariant(state === 'canceled', `recipient ${id} is cancelled, and neither paid nor refunded`);
}

/**
 * The operator returns what came from a payin, of every recipient that was cancelled. False when nothing waits for it.
 * @assumes refund-by-hand
 */
export function refundByHand(sandbox: SandboxState, transaction: TransactionRecord): boolean {
  const waiting = recipientsOf(sandbox.store, transaction).filter(
    ({ state, dropped }) => state === 'canceled' && !dropped,
  );
  if (transaction.fundedBy !== 'payin' || waiting.length === 0) return false;
  for (const recipient of waiting) {
    const { id, inputCurrency, inputAmount } = recipient;
    refundable(recipient, transaction);
    const back = move('held', 'collected', inputCurrency, inputAmount);
    sandbox.ledger.post(`refund:${id}`, sandbox.clock.now(), back);
    moveRecipient(sandbox, recipient, 'refund', {}, 'by hand');
  }
  for (const payin of transaction.payins) {
    if (canPayin(payin, 'refund')) movePayin(sandbox, transaction, payin, 'refund');
  }
  followTransaction(sandbox, transaction);
  return true;
}

/**
 * 24 hours after funding what is still unpaid is cancelled; a payout whose end is unknown waits for the
 * provider's word. Put on the schedule at the first payout that does not succeed: most transactions never need
 * it. @assumes auto-refund-waits
 */
export function watchForAutoRefund(sandbox: SandboxState, transaction: TransactionRecord): void {
  if (transaction.autoRefundDue || !transaction.traits.auto_refund || transaction.fundedAt === null) return;
  sandbox.store.transactions.update(transaction, { autoRefundDue: true });
  sandbox.schedule.add(transaction.fundedAt + AUTO_REFUND_AFTER_MS, {
    kind: 'auto_refund',
    transactionId: transaction.id,
  });
}

export function autoRefund(sandbox: SandboxState, transaction: TransactionRecord): void {
  for (const recipient of recipientsOf(sandbox.store, transaction)) {
    if (isWithProvider(recipient.state)) {
      sandbox.store.recipients.update(recipient, { cancelWaiting: recipient.cancelWaiting ?? 'auto_refund' });
    } else if (isWithService(recipient.state)) {
      moveRecipient(sandbox, recipient, 'auto_refund', {
        turn: recipient.turn + 1,
        reasonText: AUTO_REFUNDED,
      });
      sandbox.store.transactions.update(transaction, { stateReason: AUTO_REFUNDED });
      scheduleRefund(sandbox, recipient);
    }
  }
  followTransaction(sandbox, transaction, 'auto_refund');
}
