/** The run that a person names: by its name, its id, or the beginning of one; on the account at hand. */
import { said } from '../../core/next.ts';
import type { PayRun, PayRuns } from '../../core/ports/payruns.ts';
import { configProblem, notFound, usage } from '../../core/problem.ts';
import { keyLast4 } from '../../profiles/connection.ts';
import type { Desk } from '../desk.ts';
import { refuseForgotten } from './forgotten.ts';

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
    throw notFound(`there is no run "${given}" on this account`, said`${{ do: 'list_runs' }}`);
  if (others.length > 0)
    throw usage(`"${given}" stands for ${found.length} runs`, found.map(({ name }) => name).join(', '));
  if (use !== 'read' && one.name !== given && one.id !== given.toLowerCase())
    throw usage(
      `"${given}" is the beginning of an id; what changes a run takes its name`,
      `it is the run ${one.name}`,
    );
  if (use === 'write') refuseForgotten(one);
  return one;
}

/** Money leaves by the key that planned the run, or by the one that approved it. @throws Problem (config) */
export async function refuseOtherAccount(desk: Desk, run: PayRun): Promise<void> {
  const { isSameAccount } = await import('../../client/identity.ts');
  const { baseUrl, credentials } = await desk.connection();
  const here = { baseUrl, keyLast4: keyLast4(credentials.key) };
  const keys = [run.account.keyLast4, ...(run.approval ? [run.approval.keyLast4] : [])];
  if (keys.some((last4) => isSameAccount(here, { baseUrl: run.account.baseUrl, keyLast4: last4 }))) return;
  throw configProblem(
    'other_account',
    `the run "${run.name}" belongs to ${run.account.profile} (${run.account.baseUrl}, key …${run.account.keyLast4}), and this is another account`,
    said`choose its profile: ${{ give: 'profile', value: run.account.profile }}`,
  );
}
