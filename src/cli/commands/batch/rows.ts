import { findRun } from '../../../desk/payruns/find-run.ts';
import { forgottenNotes } from '../../../desk/payruns/forgotten.ts';
import { countIn, ROW_STATES, rowStateOf, shownRowsIn } from '../../../desk/payruns/rows-in.ts';
import { defineCommand } from '../../command.ts';
import { listFlags, readLimits } from '../../flags/listing.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';
import { besideRows } from '../../output/beside-list.ts';
import { limitsOf } from '../../output/limits.ts';
import { printKept } from '../../output/show-list.ts';
import { rowView } from '../../views/payrun-row.ts';
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
    const { says, ...beside } = await besideRows(context);
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
