import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { cancelRows } from '../../cancel.ts';
import { findRun } from '../../find-run.ts';
import { readRowKeys, rowsFlag } from '../flags/batch.ts';
import { standingView } from '../views/standing.ts';
import { showConclusion } from './shared/ending.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
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
  read(input) {
    return { run: input.args[0] ?? '', keys: readRowKeys(input), store: readStore(input) };
  },
  async run(context, { run: given, keys, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'write');
    return showConclusion(await cancelRows(context, payruns, { run, keys, confirmer: context.confirmer }));
  },
});
