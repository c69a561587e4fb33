/** A statement of 100,000 lines as a journal and as a spreadsheet, beside the same as our CSV; and the memory that each takes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES } from '../../src/books/journal/entries.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { fillBooks, MONTH } from '../support/fill-books.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 100_000;
const MOST = 2;
const MOST_MB = 200;
/** Nobody answers there: the books are asked for nothing else. */
const NOWHERE = 'http://127.0.0.1:9/v1';
/** Nobody saw the opening balance of these books. */
const NOT_PROVED = 10;

export async function statements({ root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 10 : ROWS;
  const env = environmentFor(NOWHERE);
  await fillBooks(env, NOWHERE, { rows, aMonth: rows });
  const accounts = join(temporaryFolder(), 'accounts.yaml');
  writeFileSync(accounts, ROLES.map((role) => `${role}: Assets:${role}:{currency}\n`).join(''));
  const peaks = { csv: 0, journal: 0, xlsx: 0 };
  const side =
    (name: keyof typeof peaks, ...argv: string[]) =>
    async (): Promise<Sample> => {
      const words = [remitOf(root), 'statement', '--month', MONTH, ...argv];
      const { micros = 0, ms = 0, peakMb } = await runToEnd(words, env, NOT_PROVED);
      peaks[name] = Math.max(peaks[name], peakMb);
      return { micros: micros / rows, ms, rate: (rows / ms) * 1000 };
    };
  const turns = await takeTurns(
    {
      csv: side('csv', '-o', 'csv'),
      journal: side('journal', '--journal', 'hledger', '--accounts', accounts, '--unproved'),
      xlsx: side('xlsx', '-o', 'xlsx'),
    },
    quick ? 3 : 5,
  );
  return (['journal', 'xlsx'] as const).flatMap((name) => [
    judged(
      `statement of ${rows} lines as ${name} / as CSV, processor`,
      turns,
      [turns.ratio(name, 'csv')],
      { most: MOST },
      `${sidesOf(turns, name, 'csv')} a line`,
    ),
    judged(
      `its peak memory / ${MOST_MB} MB`,
      turns,
      [peaks[name] / MOST_MB],
      { most: 1 },
      `${Math.round(peaks[name])} MB`,
    ),
  ]);
}
