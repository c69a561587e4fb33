import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import type { Input, SwitchFlag, TextFlag } from '../../../frame/flags/flag.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { checkReason } from '../../../payments/manual-outcome.ts';
import { findRun } from '../../find-run.ts';
import type { NotPaidWord } from '../../settle.ts';
import { readRowKeys, rowsFlag } from '../flags/batch.ts';
import { standingView } from '../views/standing.ts';
import { showConclusion } from './shared/ending.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Finds out what became of rows whose outcome is not known: each is looked for, and the same payment with the same external id is sent again where it is not found, which cannot pay twice. Rows that were never sent are left alone. A run that was rejected or cancelled, is on hold or lacks signatures is only looked for: nothing is sent.

--rows with --not-paid says of these rows, by your word, that they were not paid. Each is looked for first, and nothing is sent; what is not found is planned again, under the external id that it has.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    ...rowsFlag('the keys of the rows that --not-paid is about, with commas between'),
    notPaid: { summary: 'say that these rows were not paid, after you asked the operator' },
    because: { value: 'text', summary: 'why you say so, for the journal' },
    ...sharedStoreFlags,
  },
  shows: [standingView],
  effect: 'money',
  local: 'write',
  exits: [exitCodes.pending, exitCodes.check, exitCodes.unknown],
  examples: [
    'remit batch settle wages-2026-11',
    'remit batch settle wages-2026-11 --rows E-1001 --not-paid --because "ticket 4711"',
  ],
  read: (input) => ({
    run: input.args[0] ?? '',
    said: readWord(input),
    store: readStore(input),
  }),
  async run(context, { run: given, said, store: choice }) {
    const store = await openStore(context, choice);
    const run = await findRun(context, store.payruns, given, 'write');
    const { settleRows } = await import('../../settle.ts');
    return showConclusion(await settleRows(context, store, { run, said, confirmer: context.confirmer }));
  },
});

/** @throws Problem (usage) where one of the three is missing, or the reason is no sentence */
function readWord(
  input: Input<{ rows: TextFlag; because: TextFlag; notPaid: SwitchFlag }>,
): NotPaidWord | undefined {
  const keys = readRowKeys(input);
  const because = input.flags.because;
  if (!input.flags.notPaid) {
    if (keys !== undefined || because !== undefined) throw usage('--rows and --because go with --not-paid');
    return undefined;
  }
  if (keys === undefined) throw usage('--not-paid needs --rows', 'the keys of the rows, with commas between');
  return { keys, because: checkReason(because) };
}
