/** Plans as the console asks them (`payments/desk.ts`). */
import type { Desk } from '../payments/desk.ts';
import { findPlan } from './prepared/carry-out.ts';
import { listPrepared, type ShownPrepared } from './prepared/plan-output.ts';
import { planStatusOf } from './prepared/plan-status.ts';

/** Plans not carried out yet, each with its state at the service. One that cannot be read is among them: a person looks before anything is sent. */
export async function waitingPlans(desk: Desk, most: number): Promise<ShownPrepared[]> {
  const listed = (await listPrepared(desk)).slice(0, most);
  const waiting = listed.map(async (one): Promise<ShownPrepared[]> => {
    const { plan, wish } = await findPlan(desk, one.handle);
    const status = await planStatusOf(desk, plan, wish).catch(() => undefined);
    return status === undefined || status.state === 'planned' ? [one] : [];
  });
  return (await Promise.all(waiting)).flat();
}
