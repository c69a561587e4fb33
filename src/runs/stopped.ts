/** Tells why rows of a run may not be sent, so that those of unknown outcome are only looked for. */
import { isCallError } from '../client/errors.ts';
import type { KeyJoin } from '../core/account.ts';
import { Problem } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { problemOf } from '../payments/problem-of.ts';
import { refuseCancelled } from './approve.ts';
import { refuseUnruly } from './rule.ts';
import { refuseUnsignedNow } from './signed.ts';
import type { PayRun, PayRuns } from './store/port.ts';

/**
 * Reads the run again: a person may have said no since it was read. Undefined where it may be sent. A signature that
 * cannot be checked now counts as none.
 */
export async function stopOf(
  desk: Desk,
  payruns: Pick<PayRuns, 'find'>,
  { run, joins }: { run: PayRun; joins: readonly KeyJoin[] },
): Promise<Problem | undefined> {
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  try {
    refuseCancelled(now);
    await refuseUnruly(desk, now, joins);
    await refuseUnsignedNow(desk, now);
    return undefined;
  } catch (error) {
    if (error instanceof Problem || isCallError(error)) return problemOf(error);
    throw error;
  }
}
