/** The moment before which no row of a run is sent. It is in the plan and its digest, and the service's own clock says when it has come. */
import { hint } from '../core/next.ts';
import { type Problem, unsent } from '../core/problem.ts';
import { minuteIn } from '../core/zone.ts';
import { type Desk, note } from '../payments/desk.ts';
import { problemOf } from '../payments/problem-of.ts';
import { serviceDate } from '../payments/service-time.ts';
import { type NotBefore, planOf } from './plan-text.ts';
import type { PayRun } from './store/port.ts';

/** The service is asked again after so long: clocks drift, and that of a sandbox is moved. */
export const ASK_AGAIN_MS = 60_000;

/** `2026-11-28 08:00 Europe/Berlin (UTC+1)`. */
export const notBeforeWords = ({ at, zone }: NotBefore): string => minuteIn(at, zone);

/**
 * Returns the milliseconds until then, 0 where it has come.
 * @throws CallError, or Problem (server) where the service does not say what time it is: no other clock decides about money
 */
export async function msUntil(desk: Desk, { at }: NotBefore): Promise<number> {
  const now = await serviceDate(desk);
  if (now === undefined)
    throw unsent(
      'server',
      'no_date',
      'the service does not say what time it is, so nobody knows whether the run may be paid yet',
      'its answers need the header Date',
    );
  return Math.max(0, at - now);
}

/** Resolves when the moment has come, or when the user asked for the wait to end. A service that is away for a while is waited for. */
export async function untilThen(desk: Desk, run: PayRun): Promise<void> {
  const { notBefore } = planOf(run);
  if (notBefore === undefined) return;
  let left = await msUntil(desk, notBefore);
  if (left > 0) note(desk, waitWords(run, notBefore));
  let isSaid = false;
  while (left > 0 && !desk.signal.aborted) {
    await desk.sleep(Math.min(left, ASK_AGAIN_MS), desk.signal);
    try {
      left = await msUntil(desk, notBefore);
    } catch (error) {
      const { category, message } = problemOf(error).facts;
      if (desk.signal.aborted || (category !== 'network' && category !== 'server')) throw error;
      left = ASK_AGAIN_MS;
      if (!isSaid) note(desk, `${message}: asked again each minute`);
      isSaid = true;
    }
  }
}

export const waitWords = ({ name }: PayRun, notBefore: NotBefore) =>
  hint`run ${name} waits until ${notBeforeWords(notBefore)}, by the clock of the service; nothing of it is sent before`;

export const tooEarly = ({ name }: PayRun, notBefore: NotBefore): Problem =>
  unsent('pending', 'run_not_yet', `the run "${name}" is not to be paid before ${notBeforeWords(notBefore)}`);
