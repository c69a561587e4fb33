/** The inbox of the account at hand; on a terminal a password that is nowhere else is asked for. */

import { passwordAsker } from '../../payments/cli/ask/password.ts';
import type { Context } from '../../payments/cli/context.ts';
import type { StoreChoice } from '../../payments/shared-store.ts';
import { type OpenedInbox, openInbox as open } from '../open-inbox.ts';

/** @throws StoreError, Problem (usage) */
export function openInboxFor(context: Context, choice: StoreChoice): Promise<OpenedInbox> {
  return open(context, choice, passwordAsker(context));
}
