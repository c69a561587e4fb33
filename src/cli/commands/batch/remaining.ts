import type { Cells } from '../../../desk/payruns/files/formats.ts';
import { findRun } from '../../../desk/payruns/find-run.ts';
import { remainingRows } from '../../../desk/payruns/remaining.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { fileKindOf } from '../../batch/file-kind.ts';
import { openStore } from '../../batch/store.ts';
import { command } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { flagOn } from '../../flags/flag.ts';
import { readStore, sharedStoreFlags } from '../../flags/store.ts';

interface RemainingOptions {
  run: string;
  refunded: boolean;
  store: StoreChoice;
}

export { remaining as command };

const remaining = command<RemainingOptions>({
  description: `The rows for which surely nothing was paid (not sent, refused, cancelled before they were sent), as a file that remit batch plan takes under a new name. As long as the outcome of a row is not known nothing is printed: settle it first. Account numbers are whole in it. CSV, or what -o says.`,
  args: [{ name: 'RUN', summary: 'the run’s name or id' }],
  flags: [{ flags: '--refunded', summary: 'rows too whose payment was refunded' }, ...sharedStoreFlags],
  effect: 'read',
  exits: [exitCodes.unknown],
  examples: [
    'remit batch remaining wages-2026-11 > next.csv',
    'remit batch remaining wages-2026-11 -o ndjson',
  ],
  read: (input) => ({
    run: input.args[0] ?? '',
    refunded: flagOn(input, 'refunded'),
    store: readStore(input),
  }),
  async run(context, { run: given, refunded, store }) {
    const { payruns } = await openStore(context, store);
    const run = await findRun(context, payruns, given, 'read');
    const kind = fileKindOf(context.globals.output);
    const { cellsOf, writeRows } = await import('../../../desk/payruns/files/write.ts');
    const rows: Cells[] = [];
    for await (const page of remainingRows(payruns, run, { refunded }))
      rows.push(
        ...page.map(({ key, externalId, body }) => cellsOf({ key, externalId, body: JSON.parse(body) })),
      );
    const { spreadsheet } = context.globals;
    for await (const text of writeRows(kind, rows, { spreadsheet })) context.streams.out(text);
    context.note(`${rows.length} of ${run.rows} rows; account numbers are whole in this file`);
    return { done: true };
  },
});
