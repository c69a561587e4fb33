/**
 * An edit of a recipient: its details are used by the next try, which is due at once where the last one failed.
 * @assumes edit-tried-at-once
 */
import { isFailedPayout } from '../../contract/states/money.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, RecipientRecord } from '../store/records.ts';
import { followTransaction } from './follow.ts';
import { scheduleTry } from './funding.ts';
import { moveRecipient, transactionOf } from './moves.ts';

export interface StoredEdit {
  type: RecipientRecord['type'];
  details: Plain;
  payoutMetadata: Plain;
  metadata: Plain;
  /** True where the payout itself changes, not the metadata alone. */
  redirects: boolean;
}

export function applyRecipientEdit(
  sandbox: SandboxState,
  recipient: RecipientRecord,
  edit: StoredEdit,
): void {
  if (sandbox.broken.has('edit_ignored')) return;
  const { redirects, ...changes } = edit;
  if (!redirects) {
    sandbox.store.recipients.update(recipient, changes);
    return;
  }
  const failed = isFailedPayout(recipient.state);
  moveRecipient(sandbox, recipient, 'edit', { ...changes, ...(failed ? { tries: 0, enquiries: 0 } : {}) });
  if (failed) scheduleTry(sandbox, recipient, sandbox.clock.now());
  followTransaction(sandbox, transactionOf(sandbox, recipient));
}
