/**
 * An edit of a recipient: its details are used by the next try, which is due at once where the last one failed.
 * @assumes edit-tried-at-once
 */
import { isFailedPayout } from '../../contract/states/money.ts';
import type { Plain, RecipientRecord } from '../store/records.ts';
import type { SandboxState } from '../world.ts';
import { followTransaction } from './follow.ts';
import { scheduleTry } from './funding.ts';
import { moveRecipient, transactionOf } from './moves.ts';

export interface Edit {
  type: RecipientRecord['type'];
  details: Plain;
  payoutMetadata: Plain;
  metadata: Plain;
  /** True where the payout itself changes, not the metadata alone. */
  redirects: boolean;
}

export function editRecipient(world: SandboxState, recipient: RecipientRecord, edit: Edit): void {
  if (world.broken.has('edit_ignored')) return;
  const { redirects, ...changes } = edit;
  if (!redirects) {
    world.store.recipients.update(recipient, changes);
    return;
  }
  const failed = isFailedPayout(recipient.state);
  moveRecipient(world, recipient, 'edit', { ...changes, ...(failed ? { tries: 0, enquiries: 0 } : {}) });
  if (failed) scheduleTry(world, recipient, world.clock.now());
  followTransaction(world, transactionOf(world, recipient));
}
