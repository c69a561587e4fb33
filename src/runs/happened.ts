/** Events of pay runs that a program can be told of (`payments/event-hooks.ts`). */
import type { Facts } from '../payments/event-hooks.ts';
import { runConclusion } from './conclusion.ts';
import { runSummaryOf } from './standing.ts';
import type { PayRun, PayRuns } from './store/port.ts';

/** Events that can happen to a run. */
export const EVENTS_OF_RUN = ['paused', 'ended', 'needs_you', 'unknown_outcome'] as const;

/** Events of a run as the store has it now: whichever worker pays, they are the same. */
export async function eventsOfRun(payruns: PayRuns, run: PayRun): Promise<Facts[]> {
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  const { counts } = await runSummaryOf(payruns, now);
  const of = { of: 'run', id: run.id, name: run.name } as const;
  const isPaused = now.state === 'paused' || (now.hold !== undefined && counts.planned > 0);
  const needed = counts.in_error + counts.conflict;
  const unknown = counts.unknown + counts.sending;
  return [
    ...(isPaused ? [{ event: 'paused', ...of, why: now.hold?.because ?? now.why ?? null } as const] : []),
    ...(!isPaused && counts.planned === 0
      ? [{ event: 'ended', ...of, ending: (await runConclusion(payruns, now)).ending } as const]
      : []),
    ...(needed > 0 ? [{ event: 'needs_you', ...of, count: needed } as const] : []),
    ...(unknown > 0 ? [{ event: 'unknown_outcome', ...of, count: unknown } as const] : []),
  ];
}
