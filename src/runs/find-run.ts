/** The run that a person names: by its name, its id, or the beginning of one; on the account at hand. */
import { accountRelation, type KeyJoin } from '../core/account.ts';
import { hint } from '../core/next.ts';
import { configProblem, notFound, usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { accountOf } from '../profiles/connection.ts';
import { refuseAlteredPlan } from './altered.ts';
import { refuseForgottenRun } from './forgotten.ts';
import { plannerOf } from './rule.ts';
import type { PayRun, PayRuns } from './store/port.ts';

/**
 * A write takes the whole name or the whole id, of a run that was not forgotten; to forget one is a write that may be done again.
 * @throws Problem (not found, usage, conflict)
 */
export async function findRun(
  desk: Desk,
  payruns: PayRuns,
  given: string,
  use: 'read' | 'write' | 'forget',
): Promise<PayRun> {
  const { baseUrl } = await desk.connection();
  const found = await payruns.find(baseUrl, given);
  const [one, ...others] = found;
  if (one === undefined)
    throw notFound(`there is no run "${given}" on this account`, hint`${{ do: 'list_runs' }}`);
  if (others.length > 0)
    throw usage(`"${given}" stands for ${found.length} runs`, found.map(({ name }) => name).join(', '));
  if (use !== 'read' && one.name !== given && one.id !== given.toLowerCase())
    throw usage(
      `"${given}" is the beginning of an id; what changes a run takes its name`,
      `it is the run ${one.name}`,
    );
  if (use === 'write') refuseForgottenRun(one);
  return one;
}

/**
 * Money leaves by the key that planned the run, by the one that approved it, or by one that took the place of either.
 *
 * @throws Problem (config), or (check) where the plan, which says who that is, was changed in the store
 */
export async function refuseOtherAccount(
  desk: Desk,
  { run, payruns, joins }: { run: PayRun; payruns: PayRuns; joins: readonly KeyJoin[] },
): Promise<void> {
  const here = accountOf(await desk.connection());
  const approver = run.approval && { ...run.approval, baseUrl: run.account.baseUrl };
  if (
    [plannerOf(run), ...(approver ? [approver] : [])].some(
      (key) => accountRelation(here, key, joins) !== 'other',
    )
  )
    return;
  await refuseAlteredPlan(payruns, run);
  throw configProblem(
    'other_account',
    `the run "${run.name}" belongs to ${run.account.profile} (${run.account.baseUrl}, key …${run.account.keyLast4}), and this is another account`,
    hint`choose its profile: ${{ give: 'profile', value: run.account.profile }}`,
  );
}
