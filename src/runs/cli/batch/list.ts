import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { wholeList } from '../../../payments/cli/result.ts';
import { shownRun } from '../../shown.ts';
import { runSummaryOf } from '../../standing.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: 'Pay runs of this account, newest first.',
  flags: sharedStoreFlags,
  shows: [runView],
  isTabular: true,
  effect: 'read',
  examples: ['remit batch list', 'remit batch list -o csv'],
  read: (input) => ({ store: readStore(input) }),
  async run(context, { store }) {
    const { payruns } = await openStore(context, store);
    const { baseUrl } = await context.connection();
    const runs = await payruns.list({ baseUrl, limit: Number.MAX_SAFE_INTEGER });
    const shown = runs.map(async (run) => shownRun(run, await runSummaryOf(payruns, run)));
    return wholeList(runView, await Promise.all(shown));
  },
});
