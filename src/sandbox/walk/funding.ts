/** Money comes in: from a balance or from a collection. Payouts are due at once. */

import { invariant } from '../../core/invariants.ts';
import { move } from '../ledger/ledger.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { SandboxState } from '../world.ts';
import { followTransaction } from './follow.ts';
import { senderBarrier } from './may-transact.ts';
import { moveTransaction } from './moves.ts';

const REVIEW_MS = 24 * 3_600_000;

/** The caller has made sure that the transaction can be funded and that the balance is large enough. */
export function fundFromBalance(world: SandboxState, transaction: TransactionRecord, cause: string): void {
  const { inputCurrency, inputAmount, fundedAt } = transaction;
  invariant(fundedAt === null, `transaction ${transaction.id} is funded once`);
  invariant(senderBarrier(world, transaction) === null, `the sender of ${transaction.id} may transact`);
  const now = world.clock.now();
  world.ledger.post(cause, now, move('wallet', 'held', inputCurrency, inputAmount));
  moveTransaction(world, transaction, 'fund', {
    fundedAt: now,
    fundedBy: 'balance',
    paidAmount: inputAmount,
  });
  reviewOrStart(world, transaction);
}

export function fundFromPayin(
  world: SandboxState,
  transaction: TransactionRecord,
  cause: string,
  on: 'payin_paid' | 'payin_mispaid',
): void {
  invariant(senderBarrier(world, transaction) === null, `the sender of ${transaction.id} may transact`);
  keepFromPayin(world, transaction, cause);
  moveTransaction(world, transaction, on);
  reviewOrStart(world, transaction);
}

/** Holds the collected money for the transaction, once. */
export function keepFromPayin(world: SandboxState, transaction: TransactionRecord, cause: string): void {
  const { inputCurrency, inputAmount, fundedAt } = transaction;
  invariant(fundedAt === null, `transaction ${transaction.id} is funded once`);
  const now = world.clock.now();
  world.ledger.post(cause, now, move('collected', 'held', inputCurrency, inputAmount));
  const funded = { fundedAt: now, fundedBy: 'payin', paidAmount: inputAmount } as const;
  world.store.transactions.update(transaction, funded);
}

/** Compliance looks at it first only where the account is set so. @assumes review */
function reviewOrStart(world: SandboxState, transaction: TransactionRecord): void {
  if (!world.settings.review) {
    startPayouts(world, transaction);
    return;
  }
  startReview(world, transaction);
}

/** Starts a review, which ends by itself. */
export function startReview(world: SandboxState, transaction: TransactionRecord, note?: string): void {
  moveTransaction(world, transaction, 'review_start', {}, note);
  world.schedule.add(world.clock.now() + REVIEW_MS, { kind: 'review_end', transactionId: transaction.id });
}

/** The review lets it go: by time, or by control. */
export function endReview(world: SandboxState, transaction: TransactionRecord, note?: string): void {
  if (transaction.state !== 'processing') return;
  moveTransaction(world, transaction, 'review_end', {}, note);
  startPayouts(world, transaction);
  followTransaction(world, transaction);
}

export function startPayouts(world: SandboxState, transaction: TransactionRecord): void {
  for (const recipient of recipientsOf(world.store, transaction)) {
    if (recipient.state === 'initial') scheduleTry(world, recipient, world.clock.now());
  }
}

/** Overtakes whatever was scheduled for this recipient before. */
export function scheduleTry(world: SandboxState, recipient: RecipientRecord, due: number): void {
  const turn = recipient.turn + 1;
  world.store.recipients.update(recipient, { turn });
  world.schedule.add(due, { kind: 'payout_try', recipientId: recipient.id, turn });
}
