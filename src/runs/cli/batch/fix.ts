import { hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import {
  accountAsWrittenFlag,
  readAccountAsWritten,
  readPairs,
} from '../../../payments/cli/flags/details.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { result } from '../../../payments/cli/result.ts';
import { shownDigest } from '../../../profiles/digest.ts';
import { findRun } from '../../find-run.ts';
import { fixRow } from '../../fix.ts';
import { isTwoPerson } from '../../rule.ts';
import { shownRun } from '../../shown.ts';
import { runSummaryOf } from '../../standing.ts';
import { acceptChangedFlag, readAcceptChanged, repeatFlag } from '../flags/batch.ts';
import { runView } from '../views/payrun.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description:
    'Corrects the payee of a row for which nothing was paid: a row that was refused, or was not sent yet. The row keeps its external id, so it cannot be paid twice. The run gets a new digest and must be approved again; signatures of the old digest do not count. Workers stop, and none of them pays the old account. In a run for two persons, the person who planned it makes the correction. If the payee is not as before, remit says so and asks for the number, as in a plan. If the provider could not pay out, use remit recipient edit. Correct your own file too.',
  args: [
    { name: 'RUN', summary: 'the run’s name or id' },
    { name: 'ROW', summary: 'the row’s key or external id' },
  ],
  flags: {
    set: {
      value: 'name=value',
      summary:
        'a payout detail as it is to be, such as bank_account=0123456700; nothing after = takes it out; repeat it',
      many: true,
    },
    checkAccounts: { summary: 'ask the bank about the account, where it can be asked' },
    ...accountAsWrittenFlag,
    ...acceptChangedFlag,
    ...repeatFlag,
    ...sharedStoreFlags,
  },
  shows: [runView],
  effect: 'read',
  local: 'write',
  examples: ['remit batch fix wages-2026-11 E-1007 --set bank_account=0123456700'],
  read(input) {
    const set = readPairs(input.flags.set, '--set');
    if (Object.keys(set).length === 0)
      throw usage('nothing is to be corrected', 'such as --set bank_account=0123456700');
    return {
      run: input.args[0] ?? '',
      row: input.args[1] ?? '',
      set,
      acceptChanged: readAcceptChanged(input),
      isAsWritten: readAccountAsWritten(input),
      isAsked: input.flags.checkAccounts,
      repeats: input.flags.repeat,
      store: readStore(input),
    };
  },
  async run(context, { run: given, row: key, store, ...wish }) {
    const opened = await openStore(context, store);
    const found = await findRun(context, opened.payruns, given, 'write');
    const { run, row, changed } = await fixRow(context, opened, {
      ...wish,
      run: found,
      key,
      confirmer: context.confirmer,
    });
    const { name, digest } = run;
    const next = isTwoPerson(run)
      ? ({ do: 'approve_run', name, digest: shownDigest(digest) } as const)
      : ({ do: 'pay_run', name } as const);
    const notes =
      changed.length === 0
        ? [`row ${row.n} (${row.key}) reads like that already: nothing was changed`]
        : [
            `row ${row.n} (${row.key}) is corrected: ${changed.join(', ')}`,
            hint`The run has another digest, and waits for its approval: ${next}`,
          ];
    return result(runView, shownRun(run, await runSummaryOf(opened.payruns, run)), { notes });
  },
});
