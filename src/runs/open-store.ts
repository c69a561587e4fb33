/** Where pay runs are kept: in the journal's file on this machine, or in a PostgreSQL that several machines share. */

import type { FileParts } from '../client/store/journal-file.ts';
import type { Intents } from '../client/store/port.ts';
import type { KeyJoin } from '../core/account.ts';
import type { Desk } from '../payments/desk.ts';
import { type AskPassword, type StoreChoice, sharedStore } from '../payments/shared-store.ts';
import type { PayRuns } from './store/port.ts';
import type { StoreWatching } from './store/watching.ts';
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

/** Returns the pay runs that are kept in the journal's file. */
export async function runsOfFile({ database, ...dependencies }: FileParts): Promise<PayRuns> {
  const { createPayRuns } = await import('./store/sqlite.ts');
  const { renewInFile } = await import('./store/renewing.ts');
  await renewInFile(database, dependencies.write);
  return createPayRuns(database, dependencies);
}

/** @throws StoreError, Problem (usage) */
export async function openPayStore(
  desk: Desk,
  choice: StoreChoice,
  ask?: AskPassword,
): Promise<OpenedPayStore> {
  const shared = await sharedStore(desk, choice, ask);
  if (shared === undefined) {
    const store = await desk.store();
    return { intents: store.intents, payruns: await store.part(runsOfFile), where: 'this machine' };
  }
  const { openPostgresStore } = await import('./store/postgres.ts');
  const { clock, random } = desk;
  const store = await openPostgresStore(shared.options, { clock, random });
  desk.closing(() => store.close());
  await shareJoins(desk, store.intents);
  const { intents, payruns, watching } = store;
  return { intents, payruns, watching, where: shared.where };
}
