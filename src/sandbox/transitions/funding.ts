/** Money comes in: from a balance or from a collection. Payouts are due at once. */

import { invariant } from '../../core/invariants.ts';
import { move } from '../ledger/ledger.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import { followTransaction } from './follow.ts';
import { senderBarrier } from './may-transact.ts';
import { moveTransaction } from './moves.ts';

const REVIEW_MS = 24 * 3_600_000;

/** The caller has made sure that the transaction can be funded and that the balance is large enough. */
export function fundFromBalance(sandbox: SandboxState, transaction: TransactionRecord, cause: string): void {
  const { inputCurrency, inputAmount, fundedAt } = transaction;
  invariant(fundedAt === null, `transaction ${transaction.id} is funded once`);
  invariant(senderBarrier(sandbox, transaction) === null, `the sender of ${transaction.id} may transact`);
  const now = sandbox.clock.now();
  sandbox.ledger.post(cause, now, move('wallet', 'held', inputCurrency, inputAmount));
  moveTransaction(sandbox, transaction, 'fund', {
    fundedAt: now,
    fundedBy: 'balance',
    paidAmount: inputAmount,
  });
  reviewOrStart(sandbox, transaction);
}

export function fundFromPayin(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  cause: string,
  on: 'payin_paid' | 'payin_mispaid',
): void {
  invariant(senderBarrier(sandbox, transaction) === null, `the sender of ${transaction.id} may transact`);
  keepFromPayin(sandbox, transaction, cause);
  moveTransaction(sandbox, transaction, on);
  reviewOrStart(sandbox, transaction);
}

/** Holds the collected money for the transaction, once. */
export function keepFromPayin(sandbox: SandboxState, transaction: TransactionRecord, cause: string): void {
  const { inputCurrency, inputAmount, fundedAt } = transaction;
  invariant(fundedAt === null, `transaction ${transaction.id} is funded once`);
  const now = sandbox.clock.now();
  sandbox.ledger.post(cause, now, move('collected', 'held', inputCurrency, inputAmount));
  const funded = { fundedAt: now, fundedBy: 'payin', paidAmount: inputAmount } as const;
  sandbox.store.transactions.update(transaction, funded);
}

/** Compliance looks at it first only where the account is set so. @assumes review */
function reviewOrStart(sandbox: SandboxState, transaction: TransactionRecord): void {
  if (!sandbox.settings.review) {
    startPayouts(sandbox, transaction);
    return;
  }
  startReview(sandbox, transaction);
}

/** Starts a review, which ends by itself. */
export function startReview(sandbox: SandboxState, transaction: TransactionRecord, note?: string): void {
  moveTransaction(sandbox, transaction, 'review_start', {}, note);
  sandbox.schedule.add(sandbox.clock.now() + REVIEW_MS, {
    kind: 'review_end',
    transactionId: transaction.id,
  });
}

/** The review lets it go: by time, or by control. */
export function endReview(sandbox: SandboxState, transaction: TransactionRecord, note?: string): void {
  if (transaction.state !== 'processing') return;
  moveTransaction(sandbox, transaction, 'review_end', {}, note);
  startPayouts(sandbox, transaction);
  followTransaction(sandbox, transaction);
}

export function startPayouts(sandbox: SandboxState, transaction: TransactionRecord): void {
  for (const recipient of recipientsOf(sandbox.store, transaction)) {
    if (recipient.state === 'initial') scheduleTry(sandbox, recipient, sandbox.clock.now());
  }
}

/** Overtakes whatever was scheduled for this recipient before. */
export function scheduleTry(sandbox: SandboxState, recipient: RecipientRecord, due: number): void {
  const turn = recipient.turn + 1;
  sandbox.store.recipients.update(recipient, { turn });
  sandbox.schedule.add(due, { kind: 'payout_try', recipientId: recipient.id, turn });
}
