import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { readTimeout } from '../../../payments/cli/flags/wait.ts';
import { runConclusion } from '../../conclusion.ts';
import { findRun } from '../../find-run.ts';
import { followRun } from '../../follow.ts';
import { standingView } from '../views/standing.ts';
import { showConclusion } from './shared/ending.ts';
import { followProgress } from './shared/progress.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Follows every row to its end: paid out, in error, refunded or cancelled. It reads the webhooks that a listener on this machine kept (remit webhooks listen), and the list of recipients page by page; never one call a row. Ctrl-C ends the watching and changes nothing.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    timeout: { value: 'duration', summary: 'watch this long at most, such as 30m' },
    ...sharedStoreFlags,
  },
  shows: [standingView],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.pending, exitCodes.check, exitCodes.unknown, exitCodes.failed],
  examples: ['remit batch watch wages-2026-11', 'remit batch watch wages-2026-11 --timeout 30m -o json'],
  read: (input) => ({
    run: input.args[0] ?? '',
    timeoutMs: readTimeout(input),
    store: readStore(input),
  }),
  async run(context, { run: given, timeoutMs, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    const progress = followProgress(context, run.name);
    try {
      await followRun(context, payruns, { run, timeoutMs, onLook: progress.onLook });
    } finally {
      progress.stop();
    }
    return showConclusion(await runConclusion(payruns, run, { until: 'paid' }));
  },
});
