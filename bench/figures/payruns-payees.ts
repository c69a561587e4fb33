/**
 * `remit batch plan` beside three runs that paid the same people, with what is known of their accounts and without: there the earlier rows have
 * no prints, as those of an older remit, and nobody is compared. Each plan is kept in a copy of that store.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { writeRows } from '../support/payrun.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 20_000;
const MOST = 1.3;
const MONTHS = ['july', 'august', 'september'];
const MONTH_MS = 31 * 86_400_000;

export async function payrunsPayees({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 4 : ROWS;
  const folder = temporaryFolder();
  const file = join(folder, 'wages.csv');
  writeRows(file, rows);
  const server = startChild<object, { url: string }>(programs, 'payruns-server', { delayMs: 0 });
  const env = environmentFor((await server.ask({})).url);
  const plan = (name: string, store: string) =>
    runToEnd(
      [
        ...[remitOf(root), 'batch', 'plan', file, '--name', name],
        ...['--max-input', 'EUR=900000000', '--quiet', '-o', 'json'],
      ],
      { ...env, REMIT_STORE: store },
    );
  const known = join(folder, 'known.db');
  for (const month of MONTHS) {
    await plan(month, known);
    paidLongAgo(known);
  }
  const unknown = join(folder, 'unknown.db');
  copyFileSync(known, unknown);
  change(unknown, 'UPDATE payrun_rows SET payee = NULL, person = NULL');
  let stores = 0;
  const side = (store: string) => async (): Promise<Sample> => {
    const own = join(folder, `own-${stores++}.db`);
    copyFileSync(store, own);
    const { micros = 0, ms = 0, lines } = await plan('october', own);
    if (lines !== 1) throw new Error(`batch plan printed ${lines} lines`);
    return { micros: micros / rows, rate: (rows / ms) * 1000, ms };
  };
  const turns = await takeTurns({ with: side(known), without: side(unknown) }, quick ? 3 : 7);
  await server.stop();
  return [
    judged(
      `batch plan of ${rows} rows beside three runs, with payees / without, processor`,
      turns,
      [turns.ratio('with', 'without')],
      { most: MOST },
      `${sidesOf(turns, 'with', 'without')} a row`,
    ),
  ];
}

/** All rows are paid, and each run is a month older. */
const paidLongAgo = (store: string): void =>
  change(
    store,
    `UPDATE payrun_rows SET state = 'paid', cost = estimate, arrives = amount;
     UPDATE payruns SET plan = json_set(plan, '$.at', json_extract(plan, '$.at') - ${MONTH_MS})`,
  );

/** The whole store is in its file when it returns. */
function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
