/** After a recipient changed: what follows for its transaction, as far as it follows. */
import { follows } from '../machines/transaction.ts';
import type { TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { World } from '../world.ts';
import { moveTransaction } from './moves.ts';

export function settleTransaction(
  world: World,
  transaction: TransactionRecord,
  cancelledBy: 'cancel' | 'auto_refund' | 'expire' = 'cancel',
  stateReason: string | null = transaction.stateReason,
): void {
  for (;;) {
    const trigger = follows(
      {
        state: transaction.state,
        funded: transaction.fundedAt !== null,
        refundByHand: transaction.fundedBy === 'payin',
        recipients: recipientsOf(world.store, transaction).map(({ state }) => state),
      },
      cancelledBy,
    );
    if (trigger === null) return;
    moveTransaction(world, transaction, trigger, { stateReason });
  }
}
