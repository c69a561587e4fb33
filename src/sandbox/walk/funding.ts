/** Money comes in: from a balance or from a collection. Payouts are due at once. */

import { move } from '../ledger/ledger.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { World } from '../world.ts';
import { moveTransaction } from './moves.ts';

/** The caller has made sure that the transaction can be funded and that the balance is large enough. */
export function fundFromBalance(world: World, transaction: TransactionRecord, cause: string): void {
  const { inputCurrency, inputAmount } = transaction;
  const now = world.clock.now();
  world.ledger.post(cause, now, move('wallet', 'held', inputCurrency, inputAmount));
  moveTransaction(world, transaction, 'fund', {
    fundedAt: now,
    fundedBy: 'balance',
    paidAmount: inputAmount,
  });
  startPayouts(world, transaction);
}

export function fundFromPayin(world: World, transaction: TransactionRecord, cause: string): void {
  const { inputCurrency, inputAmount } = transaction;
  const now = world.clock.now();
  world.ledger.post(cause, now, move('collected', 'held', inputCurrency, inputAmount));
  moveTransaction(world, transaction, 'payin_paid', {
    fundedAt: now,
    fundedBy: 'payin',
    paidAmount: inputAmount,
  });
  startPayouts(world, transaction);
}

function startPayouts(world: World, transaction: TransactionRecord): void {
  for (const recipient of recipientsOf(world.store, transaction)) {
    if (recipient.state === 'initial') scheduleTry(world, recipient, world.clock.now());
  }
}

/** Overtakes whatever was scheduled for this recipient before. */
export function scheduleTry(world: World, recipient: RecipientRecord, due: number): void {
  const turn = recipient.turn + 1;
  world.store.recipients.update(recipient, { turn });
  world.schedule.add(due, { kind: 'payout_try', recipientId: recipient.id, turn });
}
