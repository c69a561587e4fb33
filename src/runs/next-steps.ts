/** The decisions about a run that its own state lets come next, and the steps that lead on from where it stands. */
import type { Next } from '../core/next.ts';
import { shownDigest } from '../profiles/digest.ts';
import { awaitsApproval } from './approve.ts';
import type { ShownRunSummary } from './shown.ts';
import type { PayRun } from './store/port.ts';

export type RunDecision = 'approve' | 'reject' | 'hold' | 'release' | 'settle_run';

/** @param isSigned an approval or a rejection is a signature, and given where its key is */
export function decisionsOn(run: PayRun, { states }: ShownRunSummary, isSigned: boolean): RunDecision[] {
  if (run.state === 'cancelled') return [];
  const { planned = 0, unknown = 0, sending = 0 } = states;
  const decides = planned > 0 && !isSigned;
  return [
    ...(decides && awaitsApproval(run) ? (['approve'] as const) : []),
    ...(decides ? (['reject'] as const) : []),
    ...(run.hold !== undefined ? (['release'] as const) : planned > 0 ? (['hold'] as const) : []),
    ...(unknown + sending > 0 ? (['settle_run'] as const) : []),
  ];
}

export function stepsFrom(run: PayRun, { states }: ShownRunSummary): { label: string; next: Next }[] {
  const { name } = run;
  const steps: { label: string; next: Next }[] = [
    { label: 'where it stands', next: { do: 'show_run', name } },
  ];
  if ((states.planned ?? 0) > 0) {
    const approve: Next = { do: 'approve_run', name, digest: shownDigest(run.digest) };
    steps.push(
      awaitsApproval(run)
        ? { label: 'approve it', next: approve }
        : { label: 'pay it, or go on', next: { do: 'pay_run', name } },
    );
    if (run.hold === undefined) steps.push({ label: 'hold it', next: { do: 'hold_run', name } });
  }
  if (run.hold !== undefined) steps.push({ label: 'release it', next: { do: 'release_run', name } });
  steps.push({ label: 'every row with what became of it', next: { do: 'report_run', name } });
  return steps;
}
