/** Where pay runs are kept: in the journal's file on this machine, or in a PostgreSQL that several machines share. */

import type { Desk } from '../desk.ts';
import { type AskPassword, type StoreChoice, sharedStore } from '../webhooks/open-inbox.ts';
import type { PayStore } from './terms.ts';

/** @throws StoreError, Problem (usage) */
export async function openPayStore(
  desk: Desk,
  choice: StoreChoice,
  ask?: AskPassword,
): Promise<PayStore & { where: string }> {
  const shared = await sharedStore(desk, choice, {
    refusal: 'pay runs are shared through a PostgreSQL, and this is none',
    left: 'runs',
    ask,
  });
  if (shared === undefined) {
    const { intents, payruns } = await desk.store();
    return { intents, payruns: await payruns(), where: 'this machine' };
  }
  const { openPostgresStore } = await import('../../store/postgres-payruns.ts');
  const { clock, random } = desk;
  const store = await openPostgresStore(shared.options, { clock, random });
  desk.closing(() => store.close());
  return { intents: store.intents, payruns: store.payruns, where: shared.where };
}
