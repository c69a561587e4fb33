/** Where pay runs are kept: in the journal's file on this machine, or in a PostgreSQL that several machines share. */

import type { Intents } from '../client/store/port.ts';
import type { KeyJoin } from '../core/account.ts';
import type { StoreWatching } from '../disk/store-watching.ts';
import type { Desk } from '../payments/desk.ts';
import { type AskPassword, type StoreChoice, sharedStore } from '../payments/shared-store.ts';
import type { PayStore } from './terms.ts';

/** Workers elsewhere know by it which keys are one account. Nothing of the shared store comes to this machine's journal. */
async function shareJoins(desk: Desk, shared: Intents): Promise<void> {
  const { intents } = await desk.store();
  const [ours, theirs] = await Promise.all([intents.joins(), shared.joins()]);
  const isThere = (join: KeyJoin): boolean =>
    theirs.some(
      ({ key, before, isProven }) =>
        key.keyPrint === join.key.keyPrint &&
        before.keyPrint === join.before.keyPrint &&
        isProven === join.isProven,
    );
  for (const join of ours) if (!isThere(join)) await shared.join(join);
}

export interface OpenedPayStore extends PayStore {
  /** Where it is, without a password: it is printed. */
  where: string;
  /** Undefined where the store is this machine's own. */
  watching?: StoreWatching;
}

/** @throws StoreError, Problem (usage) */
export async function openPayStore(
  desk: Desk,
  choice: StoreChoice,
  ask?: AskPassword,
): Promise<OpenedPayStore> {
  const shared = await sharedStore(desk, choice, ask);
  if (shared === undefined) {
    const { intents, payruns } = await desk.store();
    return { intents, payruns: await payruns(), where: 'this machine' };
  }
  const { openPostgresStore } = await import('./store/postgres.ts');
  const { clock, random } = desk;
  const store = await openPostgresStore(shared.options, { clock, random });
  desk.closing(() => store.close());
  await shareJoins(desk, store.intents);
  const { intents, payruns, watching } = store;
  return { intents, payruns, watching, where: shared.where };
}
