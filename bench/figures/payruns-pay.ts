/**
 * A run is paid from a store in a file, 64 rows at once: beside a bare Pool, against a server that takes 50 ms, and beside our client
 * without a store, against one that answers at once.
 */
import { startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import type { LoopQuestion } from '../support/loop.ts';
import { IN_FLIGHT } from '../support/payrun.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 10_000;
const ROUNDS = 5;
const DELAY_MS = 50;
const LEAST = 0.9;
const MOST = 2.5;

export async function payrunsPay(place: Place): Promise<Figure[]> {
  const slow = await compared(place, DELAY_MS, 'pool');
  const fast = await compared(place, 0, 'client');
  const facts = `${IN_FLIGHT} at once, ${slow.rows} rows a run`;
  return [
    judged(
      `rows/s of a run / bare Pool, the server answers after ${DELAY_MS} ms`,
      slow.turns,
      [slow.turns.ratio('ours', 'bare', 'rate')],
      { least: LEAST },
      `${sidesOf(slow.turns, 'ours', 'bare')}, ${facts}`,
    ),
    judged(
      'a row of a run / client alone, the server answers at once',
      fast.turns,
      [fast.turns.ratio('ours', 'bare')],
      { most: MOST },
      `${sidesOf(fast.turns, 'ours', 'bare')}, ${facts}`,
    ),
    forComparison(
      'the same of the slow server / bare Pool',
      slow.turns.ratio('ours', 'bare').toFixed(2),
      'processor time',
    ),
  ];
}

async function compared({ programs, quick }: Place, delayMs: number, by: 'pool' | 'client') {
  const server = startChild<object, { url: string }>(programs, 'payruns-server', { delayMs }, 'load');
  const { url } = await server.ask({});
  const runners = {
    ours: startChild<LoopQuestion, Sample>(programs, 'payruns-ours', { url }, 'measured'),
    bare: startChild<LoopQuestion, Sample>(programs, 'payruns-bare', { url, by }, 'measured'),
  };
  const rows = quick ? ROWS / 2 : ROWS;
  const question = { count: rows, concurrency: IN_FLIGHT };
  for (const runner of Object.values(runners)) await runner.ask(question);
  const turns = await takeTurns(
    { ours: () => runners.ours.ask(question), bare: () => runners.bare.ask(question) },
    quick ? 3 : ROUNDS,
  );
  for (const child of [...Object.values(runners), server]) await child.stop();
  return { turns, rows };
}
