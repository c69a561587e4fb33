/**
 * Only an approved sender can transact (docs/wire.md 7). It is asked whenever money would come in, not
 * only when the transaction is made: the sender may have been banned, rejected or disabled since.
 * @assumes sender-asked-at-funding
 */
import { invariant } from '../../core/invariants.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { TransactionRecord } from '../store/records.ts';

/** Why its sender stands in the way of funding it, as a sentence; null when it does not. */
export function senderBarrier({ store }: SandboxState, { senderId }: TransactionRecord): string | null {
  const sender = store.senders.get(senderId);
  invariant(sender, `sender ${senderId} is kept`);
  return sender.state === 'approved' ? null : `the sender is ${sender.state} and cannot transact`;
}
