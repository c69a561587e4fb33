/** The inbox of the account at hand; on a terminal a password that is nowhere else is asked for. */
import type { StoreChoice } from '../../desk/places/shared-store.ts';
import { type OpenedInbox, openInbox as open } from '../../desk/webhooks/open-inbox.ts';
import type { Context } from '../context.ts';
import { passwordAsker } from './password.ts';

/** @throws StoreError, Problem (usage) */
export function openInbox(context: Context, choice: StoreChoice): Promise<OpenedInbox> {
  return open(context, choice, passwordAsker(context));
}
