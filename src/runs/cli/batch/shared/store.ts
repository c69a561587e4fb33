/** The store of pay runs; on a terminal a password that is nowhere else is asked for. */

import { passwordAsker } from '../../../../payments/cli/ask/password.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import type { StoreChoice } from '../../../../payments/shared-store.ts';
import { type OpenedPayStore, openPayStore } from '../../../open-store.ts';

/** @throws StoreError, Problem (usage) */
export function openStore(context: Context, choice: StoreChoice): Promise<OpenedPayStore> {
  return openPayStore(context, choice, passwordAsker(context));
}
