/**
 * 24 hours after funding what is still unpaid is cancelled; a payout whose end nobody knows waits for the provider's word.
 * @assumes auto-refund-waits
 */
import { isWithProvider, isWithService } from '../../contract/states/recipient.ts';
import type { TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { SandboxWorld } from '../world.ts';
import { AUTO_REFUNDED, followTransaction } from './follow.ts';
import { moveRecipient } from './moves.ts';
import { scheduleRefund } from './refund.ts';

const AUTO_REFUND_AFTER_MS = 24 * 3_600_000;

/** Put on the schedule at the first payout that does not succeed: most transactions never need it. */
export function watchForAutoRefund(world: SandboxWorld, transaction: TransactionRecord): void {
  if (transaction.autoRefundDue || !transaction.traits.auto_refund || transaction.fundedAt === null) return;
  world.store.transactions.update(transaction, { autoRefundDue: true });
  world.schedule.add(transaction.fundedAt + AUTO_REFUND_AFTER_MS, {
    kind: 'auto_refund',
    transactionId: transaction.id,
  });
}

export function autoRefund(world: SandboxWorld, transaction: TransactionRecord): void {
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
