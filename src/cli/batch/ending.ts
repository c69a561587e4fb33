/** What a command about a run ends with: where the run stands, one line that says which ending it is, and its exit code. */
import { type Said, said } from '../../core/next.ts';
import type { PayRun, PayRuns } from '../../core/ports/payruns.ts';
import { type RunStanding, standingOfRun } from '../../desk/payruns/standing.ts';
import type { PayEnd } from '../../desk/payruns/terms.ts';
import { thousands } from '../../desk/words/amount.ts';
import { type Result, result } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { shownStanding, standingView } from '../views/payrun.ts';

const EXITS: Readonly<Record<RunStanding['ending'], ExitCode>> = {
  done: exitCodes.ok,
  under_way: exitCodes.pending,
  unknown: exitCodes.unknown,
  some: exitCodes.check,
  none: exitCodes.failed,
};

export async function showStanding(
  payruns: PayRuns,
  run: PayRun,
  { until = 'funded', end }: { until?: 'funded' | 'paid'; end?: PayEnd } = {},
): Promise<Result> {
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  const standing = standingOfRun(now, await payruns.sums(run.id), until);
  const notes = [...(end === undefined ? [] : endNotes(now, end)), ...endingNotes(standing)];
  const exit =
    standing.breaks.length > 0 && standing.ending !== 'unknown' ? exitCodes.check : EXITS[standing.ending];
  return result(standingView, shownStanding(standing), { exit, notes });
}

function endNotes({ name }: PayRun, end: PayEnd): Said[] {
  switch (end.kind) {
    case 'paused':
      return [
        said`Paused: ${end.pause.why}. Nothing more is sent. When it is put right: ${{ do: 'pay_run', name }}`,
      ];
    case 'stopped':
      return [said`Stopped; what was on its way has its answer. Go on with ${{ do: 'pay_run', name }}`];
    case 'ended_elsewhere':
      return [`Somebody else set it to ${end.run.state}${end.run.why ? `: ${end.run.why}` : ''}.`];
    case 'through':
      return [];
  }
}

/** One line says which ending it is, and what to do next. */
export function endingNotes({ run, counts, ending }: RunStanding): Said[] {
  const { name } = run;
  const exists = counts.created + counts.paid;
  const of = `${thousands(exists)} of ${thousands(run.rows)}`;
  switch (ending) {
    case 'done':
      return counts.created > 0
        ? [
            said`All ${thousands(run.rows)} rows are paid for. To follow them to the recipients: ${{ do: 'watch_run', name }}`,
          ]
        : [`All ${thousands(run.rows)} rows are paid out.`];
    case 'under_way':
      return [
        counts.planned > 0
          ? `${of} rows are paid for; ${thousands(counts.planned)} are not sent yet.`
          : `${thousands(counts.paid)} of ${thousands(run.rows)} rows are paid out; ${thousands(counts.created)} are on their way.`,
      ];
    case 'unknown':
      return [
        said`Of ${thousands(counts.unknown + counts.sending)} rows it is not known whether they were paid. Do not pay them by hand. To find out: ${{ do: 'settle_run', name }}`,
      ];
    case 'some':
      return [
        said`${of} rows are paid for. See the others with ${{ do: 'show_rows', name, state: counts.refused > 0 ? 'refused' : 'in_error' }}`,
      ];
    case 'none':
      return [said`No row is paid for. See why with ${{ do: 'show_rows', name }}`];
  }
}
