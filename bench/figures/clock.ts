/** Moving the clock over ten times as many due tasks takes ten times as much, and not much more. */
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const FEW = 10_000;
const MANY = 100_000;

export async function clockMoves({ programs, quick }: Place): Promise<Figure[]> {
  const [few, many] = quick ? [FEW / 10, MANY / 10] : [FEW, MANY];
  const child = startChild<object, Sample>(programs, 'clock-server', {}, 'measured');
  // In one process: what a long move leaves behind slows the short one after it too.
  const sides = { few: () => child.ask({ tasks: few }), many: () => child.ask({ tasks: many }) };
  await takeTurns(sides, 1);
  const turns = await takeTurns(sides, 4);
  await child.stop();
  const name = `the clock over ${many} tasks / ${few}`;
  return [judged(name, turns, [turns.ratio('many', 'few')], { most: 12 }, sidesOf(turns, 'many', 'few'))];
}
