/** The store of pay runs; on a terminal a password that is nowhere else is asked for. */
import { type OpenedPayStore, openPayStore } from '../../../../desk/payruns/open-store.ts';
import type { StoreChoice } from '../../../../desk/places/shared-store.ts';
import { passwordAsker } from '../../../ask/password.ts';
import type { Context } from '../../../context.ts';

/** @throws StoreError, Problem (usage) */
export function openStore(context: Context, choice: StoreChoice): Promise<OpenedPayStore> {
  return openPayStore(context, choice, passwordAsker(context));
}
