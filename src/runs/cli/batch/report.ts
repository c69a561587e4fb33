import { documentOut } from '../../../frame/output/stream-out.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { localRows } from '../../../payments/cli/output/local-list.ts';
import { printKept } from '../../../payments/cli/output/show-list.ts';
import { endingNotes } from '../../conclusion.ts';
import { findRun } from '../../find-run.ts';
import { forgottenNotes } from '../../forgotten.ts';
import { groupStatus, pain002 } from '../../pain002.ts';
import { showPayeesOf } from '../../payees.ts';
import { shownRowsIn } from '../../rows-in.ts';
import { runSummaryOf } from '../../run-summary.ts';
import { rowView } from '../views/row.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: `Every row with what became of it: a table, CSV or JSON, or ISO 20022 pain.002.001.10 with --pain002. It is from the store alone; remit batch status --update asks the service first.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: { pain002: { summary: 'print it as ISO 20022 pain.002.001.10, in XML' }, ...sharedStoreFlags },
  shows: [rowView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit batch report wages-2026-11 -o csv',
    'remit batch report wages-2026-11 -o xlsx > wages.xlsx',
    'remit batch report wages-2026-11 --pain002 > status.xml',
  ],
  read: (input) => ({
    run: input.args[0] ?? '',
    pain002: input.flags.pain002,
    store: readStore(input),
  }),
  async run(context, { run: given, pain002: asXml, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    const summary = await runSummaryOf(payruns, run);
    await showPayeesOf(context, payruns, run);
    const { says, ...beside } = await localRows(context);
    if (!asXml)
      return printKept(
        context,
        { limit: Number.POSITIVE_INFINITY },
        {
          view: rowView,
          what: 'rows',
          pages: shownRowsIn(beside, payruns, run),
          total: run.rows,
          notes: [...summary.breaks, ...endingNotes(summary), ...forgottenNotes(run), ...says],
        },
      );
    const out = documentOut(context);
    const group = groupStatus(summary.counts, run.rows);
    for await (const text of pain002(run, shownRowsIn(beside, payruns, run), {
      at: context.clock.now(),
      group,
    }))
      if (!(await out(text))) break;
    return { done: true };
  },
});
