/** Where pay runs are kept: in the journal's file on this machine, or in a PostgreSQL that several machines share. */

import { said } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import { isPostgres } from '../../profiles/paths.ts';
import type { Desk } from '../desk.ts';
import { type AskPassword, passwordFor, type StoreChoice, shownStore } from '../webhooks/open-inbox.ts';
import type { PayStore } from './terms.ts';

/** @throws StoreError, Problem (usage) */
export async function openPayStore(
  desk: Desk,
  choice: StoreChoice,
  ask?: AskPassword,
): Promise<PayStore & { where: string }> {
  const { env } = desk.machine;
  const where =
    choice.store ?? (env.REMIT_STORE && isPostgres(env.REMIT_STORE) ? env.REMIT_STORE : undefined);
  if (where === undefined) {
    const { intents, payruns } = await desk.store();
    return { intents, payruns: await payruns(), where: 'this machine' };
  }
  if (!isPostgres(where))
    throw usage(
      'pay runs are shared through a PostgreSQL, and this is none',
      said`such as ${{ give: 'store', value: 'postgres://user@db.example.com/remit' }}; left out, runs are kept on this machine`,
    );
  const password = await passwordFor(desk, where, choice, ask);
  const { openPostgresStore } = await import('../../store/postgres-payruns.ts');
  const { clock, random } = desk;
  const store = await openPostgresStore(
    { url: where, ...(password === undefined ? {} : { password }) },
    { clock, random },
  );
  desk.closing(() => store.close());
  return { intents: store.intents, payruns: store.payruns, where: shownStore(where) };
}
