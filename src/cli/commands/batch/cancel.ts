import { type Said, said } from '../../../core/next.ts';
import type { PayRow, PayRun, PayRuns } from '../../../core/ports/payruns.ts';
import { Problem } from '../../../core/problem.ts';
import { byName } from '../../../desk/payments/confirmation.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { findRun } from '../../../desk/payruns/find-run.ts';
import { namesOf } from '../../../desk/payruns/hand-on.ts';
import { recordsOf } from '../../../desk/payruns/remaining.ts';
import { rowsIn } from '../../../desk/payruns/rows-in.ts';
import { stillNeeded } from '../../../desk/payruns/watchful.ts';
import { problemOf } from '../../../desk/problem-of.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { counted, money, thousands } from '../../../desk/words/amount.ts';
import { showStanding } from '../../batch/ending.ts';
import { openStore } from '../../batch/store.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { readRows, rowsFlag } from '../../flags/rows.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';
import { standingView } from '../../views/payrun-standing.ts';

interface CancelOptions {
  run: string;
  keys: string[] | undefined;
  store: StoreChoice;
}

export { cancel as command };

const cancel = command({
  description: `Cancels rows that were not sent yet: all of them, and with them the run, or those that --rows names. Nothing that was sent is touched: a payout that exists is cancelled with remit recipient cancel. Then the service is asked whether it has a payment of one of them all the same, by another machine or an earlier store: such rows are named, and it ends with 10.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    ...rowsFlag('the keys of rows, with commas between; left out, all that were not sent'),
    ...sharedStoreFlags,
  },
  shows: [standingView],
  effect: 'read',
  local: 'destructive',
  exits: [exitCodes.check],
  examples: ['remit batch cancel wages-2026-11', 'remit batch cancel wages-2026-11 --rows E-1001,E-1007'],
  read(input): CancelOptions {
    return { run: input.args[0] ?? '', keys: readRows(input), store: readStore(input) };
  },
  async run(context, { run: given, keys, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'write');
    const sums = await payruns.sums(run.id);
    const open = sums.filter(({ state }) => state === 'planned').reduce((all, { rows }) => all + rows, 0);
    if (open === 0)
      throw new Problem({
        category: 'conflict',
        code: 'nothing_to_cancel',
        message: `every row of run "${run.name}" was sent already, or is cancelled`,
        hint: said`what exists is cancelled one by one: ${{ do: 'show_rows', name: run.name }}`,
        outcome: 'not applied',
        outcomeNote: 'nothing was changed',
      });
    const needed = Object.entries(stillNeeded(sums)).map(([currency, amount]) => money(amount, currency));
    const what =
      keys === undefined
        ? `cancel run ${run.name}: ${counted(open, 'row')} not sent yet, about ${needed.join(' and ') || 'nothing'}`
        : `cancel ${counted(keys.length, 'row')} of run ${run.name}: ${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}`;
    await admit(
      context,
      { effect: 'destructive', what: [what], confirm: byName(run.name) },
      context.approver,
    );
    // First the run, so that nobody begins a row meanwhile.
    if (keys === undefined) await payruns.move(run.id, ['planned', 'approved', 'paused'], 'cancelled');
    const cancelled = await payruns.cancelRows(run.id, keys);
    const shown = await showStanding(payruns, run);
    const left = keys === undefined ? 0 : keys.length - cancelled;
    const looked = await lookAfter(context, payruns, { run, keys });
    const notes = [
      said`${cancelled === 1 ? '1 row is' : `${thousands(cancelled)} rows are`} cancelled. ${looked.says}`,
      ...(left > 0
        ? [
            said`${left} of the rows are not there, or were sent already: ${{ do: 'show_rows', name: run.name }}`,
          ]
        : []),
    ];
    const exit = looked.isPaid ? exitCodes.check : left > 0 ? exitCodes.failed : exitCodes.ok;
    return 'view' in shown ? { ...shown, exit, notes } : shown;
  },
});

/** This store may be an old copy, or one of two: only the service can say that nothing was paid. */
async function lookAfter(
  context: Context,
  payruns: PayRuns,
  { run, keys }: { run: PayRun; keys: readonly string[] | undefined },
): Promise<{ says: Said; isPaid: boolean }> {
  const cancelled: PayRow[] = [];
  for await (const page of rowsIn(payruns, run, ['cancelled']))
    cancelled.push(
      ...page.filter(
        ({ key, transactionId }) => transactionId === undefined && (keys?.includes(key) ?? true),
      ),
    );
  try {
    const known = await recordsOf(context, cancelled);
    return known.length === 0
      ? { says: `The service has no payment of ${cancelled.length === 1 ? 'it' : 'them'}.`, isPaid: false }
      : {
          says: said`But the service has a payment of ${namesOf(known)}: another machine or an earlier store sent it. Look at it: ${{ do: 'list_transactions' }}`,
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
