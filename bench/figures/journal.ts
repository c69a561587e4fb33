/** Payments through client and journal, 64 at once, beside the client alone: the same, after many payments and after few. */
import { join } from 'node:path';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { LoopQuestion } from '../support/loop.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const WARM_UP = 10_000;
const COUNT = 10_000;
const CONCURRENCY = 64;

export async function journalRate({ programs, quick }: Place): Promise<Figure[]> {
  const server = startChild<object, { url: string }>(programs, 'payments-server', {}, 'load');
  const { url } = await server.ask({});
  const journal = join(temporaryFolder(), 'payments.db');
  const start = (argument: object) =>
    startChild<LoopQuestion, Sample>(programs, 'payments-ours', { url, ...argument }, 'measured');
  const runners = { alone: start({}), journalled: start({ journal }) };
  const [count, warmUp] = quick ? [COUNT / 4, WARM_UP / 4] : [COUNT, WARM_UP];
  for (const runner of Object.values(runners)) await runner.ask({ count: warmUp, concurrency: CONCURRENCY });
  const turn = (name: keyof typeof runners) => () => runners[name].ask({ count, concurrency: CONCURRENCY });
  const turns = await takeTurns({ alone: turn('alone'), journalled: turn('journalled') }, quick ? 5 : 15);
  for (const child of [...Object.values(runners), server]) await child.stop();
  const rates = turns.of('journalled', 'rate');
  const third = Math.max(1, Math.floor(rates.length / 3));
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const facts = `${sidesOf(turns, 'journalled', 'alone')}, ${CONCURRENCY} at once, warmed by ${warmUp}`;
  return [
    judged(
      'payments/s through client and journal / client alone',
      turns,
      [turns.ratio('journalled', 'alone', 'rate')],
      { least: 0.85 },
      facts,
    ),
    judged(
      'the same after many payments / after few',
      turns,
      [mean(rates.slice(-third)) / mean(rates.slice(0, third))],
      { least: 0.7 },
      `${warmUp + count * rates.length} payments in the end`,
    ),
  ];
}
