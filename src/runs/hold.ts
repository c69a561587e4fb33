/**
 * A hold stops a run for a while, with a reason that everybody sees, and leaves its state and its approvals as they are: nothing more of it
 * is opened, by whatever worker. What is on its way gets its answer.
 *
 * If the process dies
 *   before the hold is kept        the run is as it was.
 *   after it                       the run is on hold; the same command says so.
 *   before it is taken away        the run is on hold.
 *   after it                       workers go on with an approved run.
 */

import { counted } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { hint } from '../core/next.ts';
import { type Problem, refuse } from '../core/problem.ts';
import { byName } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer } from '../payments/gate.ts';
import { refuseCancelled } from './approve.ts';
import { whoHolds, whoSays } from './persons.ts';
import { countIn } from './rows-in.ts';
import { onHold } from './rule.ts';
import type { PayRun, PayRuns } from './store/port.ts';

/** @throws Problem (usage) for a run that is cancelled, (conflict) for one that is on hold already */
export async function holdRun(desk: Desk, payruns: PayRuns, run: PayRun, because: string): Promise<PayRun> {
  refuseCancelled(run);
  if (run.hold !== undefined) throw onHold(run, 'is on hold already');
  const hold = { ...(await whoSays(desk)), because };
  if (await payruns.hold(run.id, hold)) return { ...run, hold };
  throw changed(run, 'was changed meanwhile, and is as it stands now');
}

/** Workers may go on with it at once: so it is asked as a payment is. @throws Problem (conflict) where it is not held */
export async function releaseRun(
  desk: Desk,
  payruns: PayRuns,
  { run, confirmer }: { run: PayRun; confirmer: Confirmer },
): Promise<PayRun> {
  if (run.hold === undefined) throw changed(run, 'is not on hold');
  const rows = await countIn(payruns, run, ['planned']);
  const step = {
    effect: 'money' as const,
    what: [
      `let run ${run.name} go on: ${counted(rows, 'row')} not sent yet`,
      `on hold by ${whoHolds(run.hold)}, since ${isoTime(run.hold.at)}: ${run.hold.because}`,
    ],
    confirm: byName(run.name),
  };
  await authorizeWrite(desk, step, confirmer);
  if (await payruns.hold(run.id, undefined)) return { ...run, hold: undefined };
  throw changed(run, 'is not on hold any more');
}

const changed = ({ name }: PayRun, how: string): Problem =>
  refuse('conflict', 'run_changed', `the run "${name}" ${how}`, {
    hint: hint`${{ do: 'show_run', name }}`,
    note: 'nothing was changed',
  });
