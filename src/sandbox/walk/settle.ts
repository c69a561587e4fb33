/** After a recipient changed: what follows for its transaction, as far as it follows. */
import type { RecipientState } from '../../contract/states/recipient.ts';
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
        recipients: statesThatCount(world, transaction),
      },
      cancelledBy,
    );
    if (trigger === null) return;
    moveTransaction(world, transaction, trigger, { stateReason });
  }
}

/** Once funded, a recipient that was cancelled before is no part of it. */
function statesThatCount(world: World, transaction: TransactionRecord): RecipientState[] {
  const funded = transaction.fundedAt !== null;
  const counting = recipientsOf(world.store, transaction).filter(({ dropped }) => !funded || !dropped);
  return counting.map(({ state }) => state);
}
