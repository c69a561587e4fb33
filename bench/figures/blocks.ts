/** What is asked about everything, with much in store: the longest time for which it stops the event loop, and all other requests. */
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place } from '../support/figure.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const TRANSACTIONS = 100_000;

export async function blocks({ programs, quick }: Place): Promise<Figure[]> {
  const transactions = quick ? TRANSACTIONS / 10 : TRANSACTIONS;
  const figures: Figure[] = [];
  for (const kept of [false, true]) {
    const child = startChild<object, Sample>(programs, 'blocks-server', { transactions, kept }, 'measured');
    const ask = (control: string) => () => child.ask({ control });
    const sides = {
      state: ask('sandbox.state'),
      snapshot: ask('sandbox.snapshot'),
      restore: ask('sandbox.restore'),
    };
    await takeTurns(sides, 1);
    const turns = await takeTurns(sides, 3);
    await child.stop();
    for (const name of ['state', 'snapshot', 'restore'] as const) {
      const facts = `ms, the median of the longest; ${(turns.median(name) / 1000).toFixed(0)} ms of the processor in all`;
      const title = `${name} of ${transactions} transactions${kept ? ' with --data' : ''}, longest block`;
      figures.push(judged(title, turns, [turns.median(name, 'ms')], { most: 100 }, facts));
    }
  }
  return figures;
}
