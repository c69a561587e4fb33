import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { policyDowngradeNotes } from '../../../payments/policy-downgrade.ts';
import { runConclusion } from '../../conclusion.ts';
import { findRun } from '../../find-run.ts';
import { whoSigned } from '../../who-signed.ts';
import { standingView } from '../views/standing.ts';
import { showConclusion } from './shared/ending.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `From the store alone, without asking the service, unless --update is given. Sums of the rows are compared with the amounts that the service answered; where they differ it ends with 10 and says by how much.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: { update: { summary: 'ask the service first what became of the rows' }, ...sharedStoreFlags },
  shows: [standingView],
  effect: 'read',
  exits: [exitCodes.pending, exitCodes.check, exitCodes.unknown, exitCodes.failed],
  examples: ['remit batch status wages-2026-11', 'remit batch status wages-2026-11 --update -o json'],
  read: (input) => ({
    run: input.args[0] ?? '',
    update: input.flags.update,
    store: readStore(input),
  }),
  async run(context, { run: given, update, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    if (update) {
      const { observeByList } = await import('../../observe.ts');
      await context.working('reading what became of the rows', () => observeByList(context, payruns, run));
    }
    const signed = await whoSigned(context, run);
    const concluded = await runConclusion(payruns, run, { signed });
    const loosened = await policyDowngradeNotes(context, run.account.profile, run.createdAt);
    return showConclusion({ ...concluded, notes: [...concluded.notes, ...loosened] });
  },
});
