/** Lists and look-ups over 100,000 recipients, in milliseconds: a filter looks at all of them (decision 0031). */
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const FEW = 1_000;
/** One in a hundred is in error. */
const STATES = ['error', ...Array(99).fill('success')];
const EACH = 50;
const MOST_MS = 20;
const MOST_MS_BY_AMOUNT = 100;

interface Store {
  where: string;
  program: string;
  many: number;
  questions: string[];
}

const STORES: readonly Store[] = [
  {
    where: 'with --data',
    program: 'filled-server',
    many: 100_000,
    questions: ['/recipients?state[]=error', '/transactions?external_id=fill-400'],
  },
  {
    where: 'in memory',
    program: 'memory-server',
    many: 100_000,
    questions: [
      '/recipients?state[]=error',
      '/recipients?currency[]=EUR&state[]=error',
      '/recipients?currency[]=EUR&amount_from=5&amount_to=500',
      '/recipients?state[]=error&created_at_from=2026-01-05T09:00:00Z',
      '/transactions?external_id=fill-400',
    ],
  },
];

export async function lists(place: Place): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const store of STORES) figures.push(...(await listsOf(store, place)));
  return figures;
}

async function listsOf(
  { where, program, many, questions }: Store,
  { programs, quick }: Place,
): Promise<Figure[]> {
  const count = quick ? many / 20 : many;
  const start = (recipients: number) =>
    startChild<object, Sample>(programs, program, { recipients, states: STATES }, 'measured');
  const children = { few: start(FEW), many: start(count) };
  const figures: Figure[] = [];
  for (const path of questions) {
    const ask = (size: 'few' | 'many') => () => children[size].ask({ path, count: EACH });
    const sides = { few: ask('few'), many: ask('many') };
    await takeTurns(sides, 2);
    const turns = await takeTurns(sides, 10);
    const name = `GET ${path} ${where}, ms with ${count} recipients`;
    const most = path.includes('amount') ? MOST_MS_BY_AMOUNT : MOST_MS;
    figures.push(
      judged(name, turns, [turns.median('many') / 1_000], { most }, sidesOf(turns, 'many', 'few')),
    );
  }
  for (const child of Object.values(children)) await child.stop();
  return figures;
}
