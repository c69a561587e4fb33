/** After a recipient changed: what follows for its transaction, as far as it follows. */
import type { RecipientState } from '../../contract/states/recipient.ts';
import type { TransactionTrigger } from '../../contract/states/transaction-moves.ts';
import { follows } from '../machines/transaction.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import { moveTransaction } from './moves.ts';

/** The reason of an automatic refund: of the recipient and of its transaction. */
export const AUTO_REFUNDED = 'not paid out within 24 hours of funding: cancelled and refunded automatically';
const TROUBLED = 'some payouts need people: look at the state and reason of each recipient';

export function followTransaction(
  sandbox: SandboxState,
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
        recipients: statesThatCount(sandbox, transaction),
      },
      cancelledBy,
    );
    if (trigger === null) return;
    moveTransaction(sandbox, transaction, trigger, { stateReason: reasonFor(trigger, stateReason) });
  }
}

function reasonFor(trigger: TransactionTrigger, given: string | null): string | null {
  if (trigger === 'too_many_tries') return TROUBLED;
  return trigger === 'all_paid' || (trigger === 'retry' && given === TROUBLED) ? null : given;
}

/** Once funded, a recipient that was cancelled before is no part of it. */
function statesThatCount(sandbox: SandboxState, transaction: TransactionRecord): RecipientState[] {
  const funded = transaction.fundedAt !== null;
  const counting = recipientsOf(sandbox.store, transaction).filter(({ dropped }) => !funded || !dropped);
  return counting.map(({ state }) => state);
}
