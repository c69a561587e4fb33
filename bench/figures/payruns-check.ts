/** `remit batch check` of a CSV file of payments, beside csv-parse reading the same file into objects; and how much memory it takes. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { median, type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 100_000;
const MANY_ROWS = 1_000_000;
const MOST = 6;
const MOST_MB = 200;
const MOST_MB_OF_MANY = 250;
const HEADER =
  'key,type,recipient_type,amount,currency,input_currency,sender,first_name,last_name,bank_code,bank_account,metadata.team\n';

export async function payrunsCheck({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 5 : ROWS;
  const many = quick ? ROWS : MANY_ROWS;
  const [file, large] = [fileOf(rows), fileOf(many)];
  const env = environmentFor('http://127.0.0.1:9/v1');
  const peaks: number[] = [];
  const check = (path: string): string[] => [
    remitOf(root),
    'batch',
    'check',
    path,
    '--offline',
    '--quiet',
    '-o',
    'json',
  ];
  const side = (args: string[]) => async (): Promise<Sample> => {
    const { peakMb, micros = 0, ms = 0, lines } = await runToEnd(args, env);
    if (lines !== 1) throw new Error(`${args.join(' ')} printed ${lines} lines`);
    if (args.includes('check')) peaks.push(peakMb);
    return { micros: micros / rows, rate: (rows / ms) * 1000, ms };
  };
  const turns = await takeTurns(
    { ours: side(check(file)), bare: side([join(programs, 'csv-bare.mjs'), file]) },
    quick ? 3 : 7,
  );
  const { peakMb } = await runToEnd(check(large), env);
  const peak = Math.max(...peaks);
  return [
    judged(
      `batch check / csv-parse into objects, ${rows} rows, processor and wall`,
      turns,
      [turns.ratio('ours', 'bare'), turns.ratio('ours', 'bare', 'ms')],
      { most: MOST },
      `${sidesOf(turns, 'ours', 'bare')} a row`,
    ),
    judged(
      `its peak memory / ${MOST_MB} MB`,
      turns,
      [peak / MOST_MB],
      { most: 1 },
      `${Math.round(median(peaks))} MB, at most ${Math.round(peak)}`,
    ),
    judged(
      `the same of ${many} rows / ${MOST_MB_OF_MANY} MB`,
      turns,
      [peakMb / MOST_MB_OF_MANY],
      { most: 1 },
      `${Math.round(peakMb)} MB`,
    ),
  ];
}

/** Every row is another account, and nothing is wrong. */
function fileOf(rows: number): string {
  const path = join(temporaryFolder(), 'wages.csv');
  const file = openSync(path, 'w');
  writeSync(file, HEADER);
  for (let from = 0; from < rows; from += 1_000)
    writeSync(file, Array.from({ length: 1_000 }, (_, i) => rowOf(from + i)).join(''));
  closeSync(file);
  return path;
}

const rowOf = (i: number): string =>
  `emp-${i},NGN::Bank,person,${20_000 + (i % 5_000)}.00,NGN,EUR,customer-1,Adaeze,Okonkwo ${String.fromCharCode(65 + (i % 26))},044,${1_000_000_000 + i},team-${i % 20}\n`;
