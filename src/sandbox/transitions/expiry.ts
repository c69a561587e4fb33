/**
 * One hour after creation a transaction without funds is cancelled, and accepts none afterwards. Money that was collected and
 * waits to clear is funds: a `pending` transaction does not expire.
 */

import { payinMethodMoves } from '../../contract/states/payin-method.ts';
import { findMove } from '../../contract/states/state.ts';
import { invariant } from '../../core/invariants.ts';
import { awaitsFunds } from '../machines/transaction.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import { followTransaction } from './follow.ts';
import { movePayin, moveRecipient } from './moves.ts';

export function expire(sandbox: SandboxState, transaction: TransactionRecord): void {
  if (!awaitsFunds(transaction.state) || sandbox.broken.has('expiry_never')) return;
  invariant(transaction.fundedAt === null, `what expires was not funded: ${transaction.id}`);
  for (const recipient of recipientsOf(sandbox.store, transaction)) {
    if (recipient.state === 'initial') moveRecipient(sandbox, recipient, 'expire');
  }
  for (const payin of transaction.payins) {
    if (findMove(payinMethodMoves, payin.state, 'expire')) {
      movePayin(sandbox, transaction, payin, 'expire', { reasonCode: null });
    }
  }
  followTransaction(sandbox, transaction, 'expire', 'not funded within one hour of creation');
}
