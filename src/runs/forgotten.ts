/** A run that was forgotten has no names and accounts: nothing is done with it any more. */
import { isoTime } from '../core/clock.ts';
import { type Hint, hint } from '../core/next.ts';
import { refuse } from '../core/problem.ts';
import type { PayRun } from './store/port.ts';

/** Here alone, whatever was to be done with it. @throws Problem (conflict) */
export function refuseForgottenRun({ forgotten, name }: PayRun): void {
  if (forgotten === undefined) return;
  throw refuse(
    'conflict',
    'run_forgotten',
    `the run "${name}" was forgotten on ${dayOf(forgotten.at)}: it has no names and accounts any more, and its name stays taken`,
    {
      hint: hint`what became of its rows: ${{ do: 'show_rows', name }}. Whoever is still to be paid is planned under another name: ${{ do: 'plan_run' }}`,
      note: 'nothing was changed, and nothing was sent',
    },
  );
}

/** For users who look at the rest of it. */
export function forgottenNotes({ forgotten, name }: PayRun): Hint[] {
  if (forgotten === undefined) return [];
  return [
    forgotten.isOwed
      ? hint`It was to be forgotten on ${dayOf(forgotten.at)}, and some of its names and accounts may still be in the store: ${{ do: 'forget_run', name }}`
      : `It was forgotten on ${dayOf(forgotten.at)}: names, accounts and reasons are gone; states, amounts and ids are left.`,
  ];
}

const dayOf = (at: number): string => isoTime(at).slice(0, 10);
