import { hint } from '../../../core/next.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { result } from '../../../payments/cli/result.ts';
import { findRun } from '../../find-run.ts';
import { releaseRun } from '../../hold.ts';
import { shownRun } from '../../shown.ts';
import { runSummaryOf } from '../../standing.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description:
    'Lets a run on hold go on as it was: workers begin again at once where it is approved, and so it is asked as a payment is.',
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: sharedStoreFlags,
  shows: [runView],
  effect: 'read',
  local: 'write',
  examples: ['remit batch release wages-2026-11'],
  read: (input) => ({ run: input.args[0] ?? '', store: readStore(input) }),
  async run(context, { run: given, store }) {
    const { payruns } = await openStore(context, store);
    const found = await findRun(context, payruns, given, 'write');
    const run = await releaseRun(context, payruns, { run: found, confirmer: context.confirmer });
    const notes = run.state === 'cancelled' ? [] : [hint`To pay it: ${{ do: 'pay_run', name: run.name }}`];
    return result(runView, shownRun(run, await runSummaryOf(payruns, run)), { notes });
  },
});
