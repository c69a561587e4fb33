/** One hour after creation an unfunded transaction is cancelled, and accepts no funds afterwards. */

import { payinMethodMoves } from '../../contract/states/payin-method.ts';
import { findMove } from '../../contract/states/state.ts';
import { isUnfunded } from '../machines/transaction.ts';
import type { TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { World } from '../world.ts';
import { movePayin, moveRecipient } from './moves.ts';
import { settleTransaction } from './settle.ts';

export const LIFETIME_MS = 3_600_000;

export function expire(world: World, transaction: TransactionRecord): void {
  if (!isUnfunded(transaction.state) || world.broken.has('expiry_never')) return;
  for (const recipient of recipientsOf(world.store, transaction)) {
    if (recipient.state === 'initial') moveRecipient(world, recipient, 'expire');
  }
  for (const payin of transaction.payins) {
    if (findMove(payinMethodMoves, payin.state, 'expire')) {
      movePayin(world, transaction, payin, 'expire', { reasonCode: null });
    }
  }
  settleTransaction(world, transaction, 'expire', 'not funded within one hour of creation');
}
