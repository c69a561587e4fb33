import { defineCommand } from '../../../payments/cli/command.ts';
import { listFlags, readLimits } from '../../../payments/cli/flags/listing.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { limitsOf } from '../../../payments/cli/output/limits.ts';
import { localRows } from '../../../payments/cli/output/local-list.ts';
import { printKept } from '../../../payments/cli/output/show-list.ts';
import { findRun } from '../../find-run.ts';
import { forgottenNotes } from '../../forgotten.ts';
import { countIn, ROW_STATES, rowStateOf, shownRowsIn } from '../../rows-in.ts';
import { rowView } from '../views/row.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: 'Rows in the order of the file, with what became of each.',
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: {
    state: {
      value: 'state',
      summary: 'rows in this state; may be given several times',
      choices: ROW_STATES,
      many: true,
    },
    ...listFlags,
    ...sharedStoreFlags,
  },
  shows: [rowView],
  isTabular: true,
  effect: 'read',
  examples: ['remit batch rows wages-2026-11 --state refused', 'remit batch rows wages-2026-11 -o csv'],
  read: (input) => ({
    run: input.args[0] ?? '',
    states: input.flags.state.map(rowStateOf),
    limits: readLimits(input),
    store: readStore(input),
  }),
  async run(context, { run: given, states, limits: asked, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    const { says, ...beside } = await localRows(context);
    const limits = limitsOf(context, asked);
    return printKept(context, limits, {
      view: rowView,
      what: 'rows',
      pages: shownRowsIn(beside, payruns, run, states, limits.limit),
      total: await countIn(payruns, run, states),
      notes: [...forgottenNotes(run), ...says],
    });
  },
});
