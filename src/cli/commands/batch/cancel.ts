import { said } from '../../../core/next.ts';
import { Problem, usage } from '../../../core/problem.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { findRun } from '../../../desk/payruns/find-run.ts';
import { stillNeeded } from '../../../desk/payruns/watchful.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { counted, money, thousands } from '../../../desk/words/amount.ts';
import { showStanding } from '../../batch/ending.ts';
import { openStore } from '../../batch/store.ts';
import { command } from '../../command.ts';
import { flagText } from '../../flags/flag.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';
import { standingView } from '../../views/payrun.ts';

interface CancelOptions {
  run: string;
  keys: string[] | undefined;
  store: StoreChoice;
}

export { cancel as command };

const cancel = command<CancelOptions>({
  description: `Cancels rows that were not sent yet: all of them, and with them the run, or those that --rows names. Nothing is asked of the service, and nothing that was sent is touched: a payout that exists is cancelled with remit recipient cancel.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: [
    {
      flags: '--rows <keys>',
      summary: 'the keys of rows, with commas between; left out, all that were not sent',
    },
    ...sharedStoreFlags,
  ],
  shows: [standingView],
  effect: 'read',
  examples: ['remit batch cancel wages-2026-11', 'remit batch cancel wages-2026-11 --rows E-1001,E-1007'],
  read(input) {
    const rows = flagText(input, 'rows');
    const keys = rows
      ?.split(',')
      .map((key) => key.trim())
      .filter((key) => key !== '');
    if (keys?.length === 0) throw usage('--rows names no row');
    return { run: input.args[0] ?? '', keys, store: readStore(input) };
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
    await admit(context, { effect: 'destructive', what: [what] }, context.approver);
    // First the run, so that nobody begins a row meanwhile.
    if (keys === undefined) await payruns.move(run.id, ['planned', 'approved', 'paused'], 'cancelled');
    const cancelled = await payruns.cancelRows(run.id, keys);
    const shown = await showStanding(payruns, run);
    const left = keys === undefined ? 0 : keys.length - cancelled;
    const notes = [
      `${cancelled === 1 ? '1 row is' : `${thousands(cancelled)} rows are`} cancelled; nothing was paid for ${cancelled === 1 ? 'it' : 'them'}.`,
      ...(left > 0
        ? [
            said`${left} of the rows are not there, or were sent already: ${{ do: 'show_rows', name: run.name }}`,
          ]
        : []),
    ];
    return 'view' in shown ? { ...shown, exit: left > 0 ? 1 : 0, notes } : shown;
  },
});
