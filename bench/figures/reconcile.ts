/** A ledger of 200,000 rows matched with as many records of the service: its time, its memory, and how both grow. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, judged, type Place } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, runToEnd } from '../support/remit.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 200_000;
const MOST_SECONDS = 12;
const MOST_MB = 1_024;
/** Ten times as many rows take at most so many times as long, for each row. */
const MOST_GROWTH = 1.3;
const HEADER = 'external_id,reference,date,amount,currency,memo\n';

export async function reconciling({ programs, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 5 : ROWS;
  const env = environmentFor('http://127.0.0.1:9/v1');
  const peaks: number[] = [];
  const side = (count: number) => {
    const file = ledgerOf(count);
    return async (): Promise<Sample> => {
      const run = await runToEnd([join(programs, 'reconcile-ours.mjs'), file, String(count)], env);
      peaks.push(run.peakMb);
      return { micros: (run.micros ?? 0) / count, ms: run.ms ?? 0, rate: (count / (run.ms ?? 1)) * 1000 };
    };
  };
  const turns = await takeTurns({ many: side(rows), few: side(rows / 10) }, quick ? 1 : 3);
  const seconds = turns.median('many', 'ms') / 1000;
  const peak = Math.max(...peaks);
  return [
    judged(
      `reconcile ${rows} rows with as many / ${MOST_SECONDS} s`,
      turns,
      [seconds / MOST_SECONDS],
      { most: 1 },
      `${seconds.toFixed(1)} s, ${turns.median('many').toFixed(1)} us a row`,
    ),
    judged(
      `a row of them / a row of a tenth of them, processor`,
      turns,
      [turns.ratio('many', 'few')],
      { most: MOST_GROWTH },
      `${turns.median('many').toFixed(1)} us against ${turns.median('few').toFixed(1)} us`,
    ),
    judged(`its peak memory / ${MOST_MB} MB`, turns, [peak / MOST_MB], { most: 1 }, `${Math.round(peak)} MB`),
  ];
}

/** Half of the rows have an id, half a reference alone; one in a hundred has another amount. */
function ledgerOf(rows: number): string {
  const path = join(temporaryFolder(), 'ledger.csv');
  const file = openSync(path, 'w');
  writeSync(file, HEADER);
  for (let from = 0; from < rows; from += 1_000)
    writeSync(file, Array.from({ length: 1_000 }, (_, i) => rowOf(from + i)).join(''));
  closeSync(file);
  return path;
}

function rowOf(i: number): string {
  const day = String(1 + (i % 30)).padStart(2, '0');
  const amount = 20 + (i % 5_000) + (i % 100 === 3 ? 1 : 0);
  return `${i % 2 === 0 ? `wages-${i}` : ''},SALARY ${i},2026-10-${day},${amount}.50,EUR,October\n`;
}
