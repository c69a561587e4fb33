import { usage } from '../../../core/problem.ts';
import { exitCodes, exitOfEnding } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { readWhen } from '../../../payments/cli/flags/when.ts';
import { wholeList } from '../../../payments/cli/result.ts';
import { forgetRuns, wouldForget } from '../../forget-runs.ts';
import { forgettingView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Removes the names and accounts of a run that is over, the reasons of its rows, and what payments are compared by: no byte of them stays in the file of the store. States, amounts, counts and ids stay, so remit batch list, status, rows and report still work. With --before every run of the account that is over and was changed last before that day, in UTC.

A run is over when no row is planned, sending, unknown or in error; a row in conflict needs somebody, and --conflicts says that somebody looked. A run that was forgotten cannot be run, approved, cancelled or handed on, and its name stays taken. The service keeps what it has, and so do files that rows were handed on to, the books and the inbox (docs/pay-runs.md).`,
  args: [{ name: 'RUN', summary: 'the run’s name or id', optional: true }],
  flags: {
    before: {
      value: 'date',
      summary: 'runs that were changed last before then: 2026-11-21, 2026-10, or an age such as 90d; in UTC',
    },
    conflicts: { summary: 'runs too with rows whose external id another payment has' },
    dryRun: { summary: 'say what would be forgotten, and change nothing' },
    ...sharedStoreFlags,
  },
  shows: [forgettingView],
  effect: 'read',
  local: 'destructive',
  exits: [exitCodes.pending],
  examples: [
    'remit batch forget wages-2026-11',
    'remit batch forget --before 2026-01-01 --dry-run',
    'remit batch forget --before 90d --yes',
  ],
  read(input) {
    const before = input.flags.before;
    const run = input.args[0];
    const which =
      run === undefined
        ? before !== undefined && { before: readWhen(before, 'before') }
        : before === undefined && { run };
    if (!which)
      throw usage('say what is to be forgotten', 'one of RUN, and --before DATE such as --before 2026-01-01');
    return {
      which,
      conflicts: input.flags.conflicts,
      dryRun: input.flags.dryRun,
      store: readStore(input),
    };
  },
  async run(context, { store, dryRun, ...wish }) {
    const { payruns } = await openStore(context, store);
    const { confirmer } = context;
    const { runs, ending, notes } = await (dryRun
      ? wouldForget(context, payruns, wish)
      : forgetRuns(context, payruns, { ...wish, confirmer }));
    return wholeList(forgettingView, runs, { exit: exitOfEnding(ending), notes });
  },
});
