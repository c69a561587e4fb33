/** The store of pay runs; on a terminal a password that is nowhere else is asked for. */
import { openPayStore } from '../../desk/payruns/open-store.ts';
import type { PayStore } from '../../desk/payruns/terms.ts';
import type { StoreChoice } from '../../desk/webhooks/open-inbox.ts';
import type { Context } from '../context.ts';
import type { Flag, Input } from '../flags/flag.ts';
import { storeFlags as flags, readStore as read } from '../flags/store.ts';

export const batchStoreFlags: readonly Flag[] = flags.map((flag) =>
  flag.flags.startsWith('--store ')
    ? {
        ...flag,
        summary: 'a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)',
      }
    : flag,
);

export const readBatchStore = (input: Input): StoreChoice => read(input);

/** @throws StoreError, Problem (usage) */
export function openStore(context: Context, choice: StoreChoice): Promise<PayStore & { where: string }> {
  if (!context.interactive) return openPayStore(context, choice);
  return openPayStore(context, choice, async (where) => {
    const { askSecret } = await import('../terminal/prompt.ts');
    return askSecret(context, `Password for ${where} (Enter for none)`);
  });
}
