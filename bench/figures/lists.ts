/** Lists and look-ups over a data file: with a thousand times as many recipients they take hardly longer. */
import { type Child, startChild } from '../support/children.ts';
import { atMost, type Figure, type Place } from '../support/figure.ts';
import { median } from '../support/statistics.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const QUESTIONS = ['/recipients?state[]=error', '/transactions?external_id=fill-400'];

export async function lists({ programs, quick }: Place): Promise<Figure[]> {
  const many = quick ? MANY / 20 : MANY;
  const start = (recipients: number): Child<object, { ms: number }> =>
    startChild(programs, 'lists-server', { recipients });
  const children = { few: start(FEW), many: start(many) };
  const figures: Figure[] = [];
  for (const path of QUESTIONS) {
    const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
    for (let round = -10; round < 10; round++) {
      for (const name of ['few', 'many'] as const) {
        const { ms } = await children[name].ask({ path, count: 30 });
        if (round >= 0) times[name].push(ms);
      }
    }
    const [long, short] = [median(times.many), median(times.few)];
    const facts = `median ${long.toFixed(2)} ms against ${short.toFixed(2)} ms`;
    figures.push(atMost(`GET ${path}, ${many} recipients / ${FEW}`, long / short, 3, facts));
  }
  await Promise.all([children.few.stop(), children.many.stop()]);
  return figures;
}
