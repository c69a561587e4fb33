/** The inbox of the account at hand; on a terminal a password that is nowhere else is asked for. */
import { type OpenedInbox, openInbox as open, type StoreChoice } from '../../desk/webhooks/open-inbox.ts';
import type { Context } from '../context.ts';

/** @throws StoreError, Problem (usage) */
export function openInbox(context: Context, choice: StoreChoice): Promise<OpenedInbox> {
  if (!context.interactive) return open(context, choice);
  return open(context, choice, async (where) => {
    const { askSecret } = await import('../terminal/prompt.ts');
    return askSecret(context, `Password for ${where} (Enter for none)`);
  });
}
