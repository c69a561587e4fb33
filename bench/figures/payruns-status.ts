/** `remit batch status`, a whole process: of a run of a million rows, beside one of a thousand in the same file. */
import { join } from 'node:path';
import { type Figure, judged, judgedStart, type Place } from '../support/figure.ts';
import { fillRun } from '../support/fill-runs.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { takeTurns } from '../support/turns.ts';

const ROWS = { few: 1_000, many: 1_000_000 };
const MOST = 3;
const URL = 'http://127.0.0.1:9/v1';
/** Some rows were refused. */
const EXIT = 10;

export async function payrunsStatus({ root, quick }: Place): Promise<Figure[]> {
  const path = join(temporaryFolder(), 'runs.db');
  const rows = quick ? { ...ROWS, many: ROWS.many / 10 } : ROWS;
  for (const [name, count] of Object.entries(rows)) await fillRun(path, name, count, URL);
  const env = { ...environmentFor(URL), REMIT_STORE: path };
  const side = (name: string) => async () => {
    const run = await runToEnd([remitOf(root), 'batch', 'status', name, '-o', 'json'], env, EXIT);
    if (run.lines !== 1) throw new Error(`the status of ${name} has ${run.lines} lines`);
    return run;
  };
  const turns = await takeTurns({ few: side('few'), many: side('many') }, quick ? 5 : 15);
  const processor = turns.ratio('many', 'few');
  return [
    judgedStart(`batch status, ${rows.many} rows / ${rows.few}`, turns, ['many', 'few'], MOST),
    judged(
      'its processor time, the same',
      turns,
      [processor],
      { most: MOST },
      `${(turns.median('many') / 1000).toFixed(0)} ms against ${(turns.median('few') / 1000).toFixed(0)}`,
    ),
  ];
}
