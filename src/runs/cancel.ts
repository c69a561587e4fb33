/**
 * Cancels rows of a run that were not sent yet, and then looks whether the service has a payment of one of them all the same.
 *
 * If the process dies
 *   after the run is cancelled   no process begins a row of it; the same command again cancels the rows.
 *   after the rows are           they are cancelled, without a look at the service: the same command again says that no row is left.
 */

import { counted, money, thousands } from '../core/amount-words.ts';
import { type Hint, hint } from '../core/next.ts';
import { refuse } from '../core/problem.ts';
import { byName } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer } from '../payments/gate.ts';
import { problemOf } from '../payments/problem-of.ts';
import { type RunConclusion, runConclusion } from './conclusion.ts';
import { keyList } from './hand-on.ts';
import { keysPaid } from './remaining.ts';
import { rowsIn } from './rows-in.ts';
import type { PayRow, PayRun, PayRuns } from './store/port.ts';
import { stillNeeded } from './watchful.ts';

/**
 * @param keys of rows; undefined for all that were not sent, and the run with them
 * @throws Problem where every row was sent or is cancelled, or the user said no
 */
export async function cancelRows(
  desk: Desk,
  payruns: PayRuns,
  { run, keys, confirmer }: { run: PayRun; keys: readonly string[] | undefined; confirmer: Confirmer },
): Promise<RunConclusion> {
  const sums = await payruns.sums(run.id);
  const open = sums.filter(({ state }) => state === 'planned').reduce((all, { rows }) => all + rows, 0);
  if (open === 0)
    throw refuse(
      'conflict',
      'nothing_to_cancel',
      `every row of run "${run.name}" was sent already, or is cancelled`,
      {
        hint: hint`what exists is cancelled one by one: ${{ do: 'show_rows', name: run.name }}`,
        note: 'nothing was changed',
      },
    );
  const needed = Object.entries(stillNeeded(sums)).map(([currency, amount]) => money(amount, currency));
  const what =
    keys === undefined
      ? `cancel run ${run.name}: ${counted(open, 'row')} not sent yet, about ${needed.join(' and ') || 'nothing'}`
      : `cancel ${counted(keys.length, 'row')} of run ${run.name}: ${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}`;
  await authorizeWrite(desk, { effect: 'destructive', what: [what], confirm: byName(run.name) }, confirmer);
  // First the run, so that no row is begun meanwhile.
  if (keys === undefined) await payruns.move(run.id, ['planned', 'approved', 'paused'], 'cancelled');
  const cancelled = await payruns.cancelRows(run.id, keys);
  const { shown } = await runConclusion(payruns, run);
  const left = keys === undefined ? 0 : keys.length - cancelled;
  const looked = await lookAfter(desk, payruns, { run, keys });
  const notes = [
    hint`${cancelled === 1 ? '1 row is' : `${thousands(cancelled)} rows are`} cancelled. ${looked.says}`,
    ...(left > 0
      ? [
          hint`${left} of the rows are not there, or were sent already: ${{ do: 'show_rows', name: run.name }}`,
        ]
      : []),
  ];
  return { shown, ending: looked.isPaid ? 'check' : left > 0 ? 'conflict' : 'done', notes };
}

/** This store may be an old copy, or one of two: only the service can say that nothing was paid. */
async function lookAfter(
  desk: Desk,
  payruns: PayRuns,
  { run, keys }: { run: PayRun; keys: readonly string[] | undefined },
): Promise<{ says: Hint; isPaid: boolean }> {
  const cancelled: PayRow[] = [];
  for await (const page of rowsIn(payruns, run, ['cancelled']))
    cancelled.push(
      ...page.filter(
        ({ key, transactionId }) => transactionId === undefined && (keys?.includes(key) ?? true),
      ),
    );
  try {
    const known = await keysPaid(desk, cancelled);
    return known.length === 0
      ? { says: `The service has no payment of ${cancelled.length === 1 ? 'it' : 'them'}.`, isPaid: false }
      : {
          says: hint`But the service has a payment of ${keyList(known)}: another machine or an earlier store sent it. Look at it: ${{ do: 'list_transactions' }}`,
          isPaid: true,
        };
  } catch (error) {
    const { category, message } = problemOf(error).facts;
    if (category !== 'network' && category !== 'server') throw error;
    return {
      says: `The service could not be asked whether it has a payment of them (${message}).`,
      isPaid: false,
    };
  }
}
