/** Plans as they are shown to a person. */

import { accountRelation } from '../../core/account.ts';
import { isoTime } from '../../core/clock.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { Desk } from '../../payments/desk.ts';
import { accountOf } from '../../profiles/connection.ts';
import type { preparedShape } from '../shapes.ts';
import { PLAN_LIVES_MS, type Prepared } from '../store/port.ts';
import { createPrepared } from '../store/prepared.ts';
import type { PlanStatus } from './plan-state.ts';

export type ShownPrepared = DataOf<typeof preparedShape>;

export const shownPrepared = (plan: Prepared, status?: PlanStatus): ShownPrepared => ({
  handle: plan.handle,
  kind: plan.kind,
  state: status?.state ?? null,
  summary: plan.summary,
  by: plan.by,
  created_at: isoTime(plan.createdAt),
  until: isoTime(plan.createdAt + PLAN_LIVES_MS),
  not_the_same_as: plan.notTheSameAs,
  now: status?.now ?? null,
  transaction_id: status?.transactionId ?? null,
  lines: status?.lines ?? [],
});

/** Plans of this account whose time is not over, newest first. Nothing is asked of the service. */
export async function listPrepared(desk: Desk): Promise<ShownPrepared[]> {
  const [store, account] = await Promise.all([desk.store(), desk.connection()]);
  const { intents } = store;
  const prepared = store.part(createPrepared);
  const joins = await intents.joins();
  const own = accountOf(account);
  const plans = await prepared.list(account.baseUrl);
  return plans
    .filter((one) => accountRelation(own, one.account, joins) === 'same')
    .map((one) => shownPrepared(one));
}
