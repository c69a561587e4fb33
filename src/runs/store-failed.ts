/**
 * A store that fails while rows are paid keeps no outcome any more: of rows that were on their way it is not known what became of
 * them. What that means for the money is said from the rows, as far as they can still be read.
 */

import { counted, thousands } from '../core/amount-words.ts';
import { hint } from '../core/next.ts';
import { Problem } from '../core/problem.ts';
import { problemOf } from '../payments/problem-of.ts';
import { type PayRun, type PayRuns, type RowStateInfo, rowStates } from './store/port.ts';

/** The error to throw in place of this one; any other is handed back as it is. */
export async function storeFailed(payruns: PayRuns, run: PayRun, error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== 'StoreError') return error;
  const { facts } = problemOf(error);
  const sums = await payruns.sums(run.id).catch(() => undefined);
  const count = (fits: (info: RowStateInfo) => boolean): number =>
    (sums ?? []).reduce((all, { state, rows }) => all + (fits(rowStates[state]) ? rows : 0), 0);
  const open = count(({ unsure }) => unsure);
  const paid = count(({ takesMoney }) => takesMoney);
  const isKnown = sums !== undefined && open === 0;
  const after = hint`once the store can be written again: ${{ do: 'pay_run', name: run.name }}`;
  return new Problem(
    {
      ...facts,
      hint: isKnown
        ? after
        : hint`${after}; it finds out first what became of ${open === 1 ? 'that row. Do not pay it' : 'those rows. Do not pay them'} by hand`,
      outcome: isKnown ? 'not applied' : 'unknown',
      outcomeNote: isKnown
        ? `nothing is on its way; ${thousands(paid)} of ${counted(run.rows, 'row')} ${paid === 1 ? 'is' : 'are'} paid for`
        : sums === undefined
          ? 'rows may have been sent, and their outcome could not be kept'
          : `of ${counted(open, 'row')} it is not known whether ${open === 1 ? 'it was' : 'they were'} paid; nothing more is sent`,
    },
    { cause: error },
  );
}
