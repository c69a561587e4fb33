/** The money of a cancelled recipient goes back: to the balance at once; money of a payin is returned by people. */

import { isWithProvider, isWithService } from '../../contract/states/recipient.ts';
import { AUTO_REFUND_AFTER_MS } from '../../contract/timing.ts';
import { invariant } from '../../core/invariants.ts';
import { move } from '../ledger/ledger.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { SandboxState } from '../world.ts';
import { canPayin } from './collection.ts';
import { AUTO_REFUNDED, followTransaction } from './follow.ts';
import { movePayin, moveRecipient, transactionOf } from './moves.ts';

/** Due at once, after the answer to the cancel: a cancel is asynchronous. @assumes refund-at-once */
export function scheduleRefund(world: SandboxState, recipient: RecipientRecord): void {
  world.schedule.add(world.clock.now(), { kind: 'refund', recipientId: recipient.id });
}

export function refund(world: SandboxState, recipient: RecipientRecord): void {
  const transaction = transactionOf(world, recipient);
  if (recipient.state !== 'canceled' || transaction.fundedBy !== 'balance') return;
  const { id, inputCurrency, inputAmount } = recipient;
  refundable(recipient, transaction);
  if (!world.broken.has('refund_posts_nothing')) {
    world.ledger.post(`refund:${id}`, world.clock.now(), move('held', 'wallet', inputCurrency, inputAmount));
  }
  moveRecipient(world, recipient, 'refund');
  followTransaction(world, transaction);
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
export function refundByHand(world: SandboxState, transaction: TransactionRecord): boolean {
  const waiting = recipientsOf(world.store, transaction).filter(
    ({ state, dropped }) => state === 'canceled' && !dropped,
  );
  if (transaction.fundedBy !== 'payin' || waiting.length === 0) return false;
  for (const recipient of waiting) {
    const { id, inputCurrency, inputAmount } = recipient;
    refundable(recipient, transaction);
    const back = move('held', 'collected', inputCurrency, inputAmount);
    world.ledger.post(`refund:${id}`, world.clock.now(), back);
    moveRecipient(world, recipient, 'refund', {}, 'by hand');
  }
  for (const payin of transaction.payins) {
    if (canPayin(payin, 'refund')) movePayin(world, transaction, payin, 'refund');
  }
  followTransaction(world, transaction);
  return true;
}

/**
 * 24 hours after funding what is still unpaid is cancelled; a payout whose end is unknown waits for the
 * provider's word. Put on the schedule at the first payout that does not succeed: most transactions never need
 * it. @assumes auto-refund-waits
 */
export function watchForAutoRefund(world: SandboxState, transaction: TransactionRecord): void {
  if (transaction.autoRefundDue || !transaction.traits.auto_refund || transaction.fundedAt === null) return;
  world.store.transactions.update(transaction, { autoRefundDue: true });
  world.schedule.add(transaction.fundedAt + AUTO_REFUND_AFTER_MS, {
    kind: 'auto_refund',
    transactionId: transaction.id,
  });
}

export function autoRefund(world: SandboxState, transaction: TransactionRecord): void {
  for (const recipient of recipientsOf(world.store, transaction)) {
    if (isWithProvider(recipient.state)) {
      world.store.recipients.update(recipient, { cancelWaiting: recipient.cancelWaiting ?? 'auto_refund' });
    } else if (isWithService(recipient.state)) {
      moveRecipient(world, recipient, 'auto_refund', { turn: recipient.turn + 1, reasonText: AUTO_REFUNDED });
      world.store.transactions.update(transaction, { stateReason: AUTO_REFUNDED });
      scheduleRefund(world, recipient);
    }
  }
  followTransaction(world, transaction, 'auto_refund');
}
