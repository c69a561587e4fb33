import { counted } from '../../../core/amount-words.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { runConclusion } from '../../conclusion.ts';
import { findRun } from '../../find-run.ts';
import { keyList, takeBack } from '../../hand-on.ts';
import { repeatFlag } from '../flags/batch.ts';
import { standingView } from '../views/standing.ts';
import { showConclusion } from './shared/ending.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Opens rows again that were handed on to a file, so that this run can pay them. The service is asked about each: rows that it has a record of stay handed on, are named, and make this end with 10. Do not pay the file any more: where both are paid, the service refuses the second payment of each row, since both have one external id. Rows that another run pays too, under another external id, need --repeat with its name.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: { ...repeatFlag, ...sharedStoreFlags },
  shows: [standingView],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.check],
  examples: ['remit batch take-back wages-2026-11'],
  read: (input) => ({
    run: input.args[0] ?? '',
    repeats: input.flags.repeat,
    store: readStore(input),
  }),
  async run(context, { run: given, repeats, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'write');
    const { rows, standing } = await takeBack(context, payruns, run, {
      confirmer: context.confirmer,
      repeats,
    });
    const concluded = await runConclusion(payruns, run);
    const notes = [
      `${counted(rows, 'row')} of this run ${rows === 1 ? 'is' : 'are'} open again.`,
      ...(standing.length > 0
        ? [`Still handed on, since the service has a record: ${keyList(standing)}.`]
        : []),
    ];
    return showConclusion({ ...concluded, ending: standing.length > 0 ? 'check' : 'done', notes });
  },
});
