/** The bill: the amount that is to be paid for a transaction that is not funded yet. */
import { invariant } from '../../core/invariants.ts';
import { sub } from '../../core/money.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';

/**
 * The others are still to be paid for, this one no longer. The last one leaves the bill as it was.
 * @assumes cancel-takes-off
 */
export function takeOffBill(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  recipient: RecipientRecord,
): void {
  invariant(transaction.fundedAt === null, `what ${transaction.id} costs is fixed once it is funded`);
  const rest = sub(transaction.inputAmount, recipient.inputAmount);
  invariant(!rest.startsWith('-'), `what is left to pay for ${transaction.id} is not below zero`);
  const others = transaction.recipientIds.some(
    (id) => id !== recipient.id && sandbox.store.recipients.get(id)?.state === 'initial',
  );
  if (others) sandbox.store.transactions.update(transaction, { inputAmount: rest });
}
