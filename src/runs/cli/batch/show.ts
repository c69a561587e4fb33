import { hint } from '../../../core/next.ts';
import { notFound } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, sharedStoreFlags } from '../../../payments/cli/flags/store.ts';
import { besideRows } from '../../../payments/cli/output/beside-list.ts';
import { result } from '../../../payments/cli/result.ts';
import { findRun } from '../../find-run.ts';
import { forgottenNotes } from '../../forgotten.ts';
import { rowsAbout, shownRow } from '../../shown.ts';
import { rowView } from '../views/row.ts';
import { openStore } from './shared/store.ts';

export const command = defineCommand({
  description: 'One row: what was sent for it, and what became of it.',
  args: [
    { name: 'RUN', summary: 'the run’s name or id' },
    { name: 'ROW', summary: 'the row’s key or external id' },
  ],
  flags: sharedStoreFlags,
  shows: [rowView],
  effect: 'read',
  examples: ['remit batch show wages-2026-11 E-1001'],
  read: (input) => ({
    run: input.args[0] ?? '',
    row: input.args[1] ?? '',
    store: readStore(input),
  }),
  async run(context, { run: given, row: key, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    const row = await payruns.row(run.id, key);
    if (row === undefined)
      throw notFound(`run "${run.name}" has no row "${key}"`, hint`${{ do: 'show_rows', name: run.name }}`);
    const next =
      row.recipientId !== undefined
        ? [hint`What can be done: ${{ do: 'show_recipient', id: row.recipientId }}`]
        : row.intentId !== undefined
          ? [hint`What was sent: ${{ do: 'show_intent', id: row.intentId }}`]
          : [];
    const { beside, mask, says } = await besideRows(context);
    const paid = await beside?.paidAt(row.transactionId === undefined ? [] : [row.transactionId]);
    const shown = shownRow(row, rowsAbout(run, mask), paid?.get(row.transactionId ?? ''));
    return result(rowView, shown, { notes: [...next, ...forgottenNotes(run), ...says] });
  },
});
