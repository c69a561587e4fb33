/** Lists and look-ups over a data file: with a thousand times as many recipients they take hardly more. */
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const QUESTIONS = ['/recipients?state[]=error', '/transactions?external_id=fill-400'];
/** One in a hundred is in error. */
const STATES = ['error', ...Array(99).fill('success')];
const EACH = 1_000;

export async function lists({ programs, quick }: Place): Promise<Figure[]> {
  const count = quick ? MANY / 20 : MANY;
  const start = (recipients: number) =>
    startChild<object, Sample>(programs, 'filled-server', { recipients, states: STATES }, 'measured');
  const children = { few: start(FEW), many: start(count) };
  const figures: Figure[] = [];
  for (const path of QUESTIONS) {
    const ask = (size: 'few' | 'many') => () => children[size].ask({ path, count: EACH });
    const sides = { few: ask('few'), many: ask('many') };
    await takeTurns(sides, 2);
    const turns = await takeTurns(sides, 10);
    const name = `GET ${path}, ${count} recipients / ${FEW}`;
    figures.push(
      judged(name, turns, [turns.ratio('many', 'few')], { most: 3 }, sidesOf(turns, 'many', 'few')),
    );
  }
  for (const child of Object.values(children)) await child.stop();
  return figures;
}
