import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { result } from '../../../payments/cli/result.ts';
import { checkReason } from '../../../payments/manual-outcome.ts';
import { findRun } from '../../find-run.ts';
import { holdRun } from '../../hold.ts';
import { shownRun } from '../../shown.ts';
import { runSummaryOf } from '../../standing.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description:
    'Stops a run for a while, with a reason that everybody sees. Nothing more of it is sent, by whoever pays it: who has rows on their way takes their answers, and begins no other. Approvals, signatures and the state of the run stay as they are. It holds in this store alone.',
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: { because: { value: 'text', summary: 'the reason; it is needed' }, ...sharedStoreFlags },
  shows: [runView],
  effect: 'read',
  local: 'write',
  examples: ['remit batch hold wages-2026-11 --because "the bank asks about E-1007"'],
  read: (input) => ({
    run: input.args[0] ?? '',
    because: checkReason(input.flags.because, { of: 'a hold', such: '"the bank asks about E-1007"' }),
    store: readStore(input),
  }),
  async run(context, { run: given, because, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'write');
    const held = await holdRun(context, payruns, run, because);
    return result(runView, shownRun(held, await runSummaryOf(payruns, held)));
  },
});
