/**
 * `remit batch check` and `batch plan` of a CSV file of payments, beside csv-parse reading the same file into objects; and how much
 * memory they take. Each plan is kept in a store of its own.
 */
import { join } from 'node:path';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { writeRows } from '../support/payrun.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { median, type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 100_000;
const MANY_ROWS = 1_000_000;
const MOST = 6;
const MOST_MB = 200;
const MOST_MB_OF_MANY = 250;

type Command = 'check' | 'plan';

export async function payrunsCheck({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 5 : ROWS;
  const many = quick ? ROWS : MANY_ROWS;
  const [file, large] = [fileOf(rows), fileOf(many)];
  const server = startChild<object, { url: string }>(programs, 'payruns-server', { delayMs: 0 });
  const env = environmentFor((await server.ask({})).url);
  const folder = temporaryFolder();
  let stores = 0;
  const peaks: Record<Command, number[]> = { check: [], plan: [] };
  const argv = (command: Command, path: string): string[] => {
    const own = command === 'check' ? ['--offline'] : ['--name', 'wages', '--max-input', 'EUR=900000000'];
    return [remitOf(root), 'batch', command, path, ...own, '--quiet', '-o', 'json'];
  };
  const run = async (command: Command, path: string) => {
    const store = join(folder, `runs-${stores++}.db`);
    const {
      peakMb,
      micros = 0,
      ms = 0,
      lines,
    } = await runToEnd(argv(command, path), { ...env, REMIT_STORE: store });
    if (lines !== 1) throw new Error(`batch ${command} printed ${lines} lines`);
    return { peakMb, micros: micros / rows, rate: (rows / ms) * 1000, ms };
  };
  const ours = (command: Command) => async (): Promise<Sample> => {
    const { peakMb, ...sample } = await run(command, file);
    peaks[command].push(peakMb);
    return sample;
  };
  const bare = async (): Promise<Sample> => {
    const { micros = 0, ms = 0 } = await runToEnd([join(programs, 'csv-bare.mjs'), file], env);
    return { micros: micros / rows, rate: (rows / ms) * 1000, ms };
  };
  const turns = await takeTurns({ check: ours('check'), plan: ours('plan'), bare }, quick ? 3 : 7);
  const figures: Figure[] = [];
  for (const command of ['check', 'plan'] as const) {
    const { peakMb: ofMany } = await run(command, large);
    const peak = Math.max(...peaks[command]);
    figures.push(
      judged(
        `batch ${command} / csv-parse into objects, ${rows} rows, processor`,
        turns,
        [turns.ratio(command, 'bare')],
        { most: MOST },
        `${sidesOf(turns, command, 'bare')} a row; wall ${turns.ratio(command, 'bare', 'ms').toFixed(2)}`,
      ),
      judged(
        `peak memory of ${command} / ${MOST_MB} MB`,
        turns,
        [peak / MOST_MB],
        { most: 1 },
        `${Math.round(median(peaks[command]))} MB, at most ${Math.round(peak)}`,
      ),
      judged(
        `the same of ${many} rows / ${MOST_MB_OF_MANY} MB`,
        turns,
        [ofMany / MOST_MB_OF_MANY],
        { most: 1 },
        `${Math.round(ofMany)} MB`,
      ),
    );
  }
  await server.stop();
  return figures;
}

/** Every row is another account, and nothing is wrong. */
function fileOf(rows: number): string {
  const path = join(temporaryFolder(), 'wages.csv');
  writeRows(path, rows);
  return path;
}
