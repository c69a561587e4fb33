/**
 * All pages of a list without a filter, one after the other: ten times as many records cost about ten times as much, however deep the
 * last lies. With a filter each page looks at all records (decision 0031).
 */
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const FEW = 10_000;
const MANY = 100_000;
/** One in a hundred is in error. */
const STATES = ['error', ...Array(99).fill('success')];
const PLACES = [
  { where: 'with --data', program: 'filled-server', lists: ['/recipients'] },
  { where: 'in memory', program: 'memory-server', lists: ['/recipients', '/transactions'] },
];

export async function pages({ programs, quick }: Place): Promise<Figure[]> {
  const [few, many] = quick ? [FEW / 10, MANY / 10] : [FEW, MANY];
  const figures: Figure[] = [];
  for (const { where, program, lists } of PLACES) {
    const start = (recipients: number) =>
      startChild<object, Sample>(programs, program, { recipients, states: STATES }, 'measured');
    const children = { few: start(few), many: start(many) };
    for (const path of lists) {
      const ask = (size: 'few' | 'many') => () => children[size].ask({ path, all: true });
      const sides = { few: ask('few'), many: ask('many') };
      await takeTurns(sides, 1);
      const turns = await takeTurns(sides, quick ? 3 : 5);
      const name = `all pages of ${path} ${where}, ${many} / ${few}`;
      figures.push(
        judged(name, turns, [turns.ratio('many', 'few')], { most: 12 }, sidesOf(turns, 'many', 'few')),
      );
    }
    for (const child of Object.values(children)) await child.stop();
  }
  return figures;
}
