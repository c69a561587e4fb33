/** `remit books sync` beside a bare loop over the same pages; `search` and `statement` over a million records beside ten thousand. */
import { join } from 'node:path';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { fillBooks, MONTH } from '../support/fill-books.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 200_000;
const MOST_MB = 200;
const FEW = 10_000;
const MANY = 1_000_000;
/** Nobody answers there: the books are asked for nothing else. */
const NOWHERE = 'http://127.0.0.1:9/v1';

export async function booksFigures(place: Place): Promise<Figure[]> {
  return [...(await syncing(place)), ...(await syncingSandbox(place)), ...(await looking(place))];
}

async function syncing({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 10 : ROWS;
  const server = startChild<object, { url: string }>(
    programs,
    'pages-server',
    { rows, distinct: true },
    'load',
  );
  const { url } = await server.ask({});
  const profile = process.env.BENCH_PROFILE === 'books' ? ['--cpu-prof', '--cpu-prof-dir', root] : [];
  const peaks: number[] = [];
  const side = (args: string[]) => async (): Promise<Sample> => {
    const { micros = 0, ms = 0, peakMb } = await runToEnd(args, environmentFor(url));
    if (args.includes('sync')) peaks.push(peakMb);
    return { micros: micros / rows, ms, rate: (rows / ms) * 1000 };
  };
  const turns = await takeTurns(
    {
      ours: side([...profile, remitOf(root), 'books', 'sync', '-o', 'json']),
      bare: side([join(programs, 'list-bare.mjs'), url]),
    },
    quick ? 1 : 5,
  );
  await server.stop();
  const facts = `${sidesOf(turns, 'ours', 'bare')} a record`;
  const peak = Math.max(...peaks);
  return [
    judged(
      `bare loop / books sync, ${rows} records, processor`,
      turns,
      [turns.ratio('bare', 'ours')],
      { least: 0.35 },
      facts,
    ),
    judged(`the same, time`, turns, [turns.ratio('bare', 'ours', 'ms')], { least: 0.35 }, facts),
    judged(`its peak memory / ${MOST_MB} MB`, turns, [peak / MOST_MB], { most: 1 }, `${Math.round(peak)} MB`),
  ];
}

/** The same from a sandbox over a data file, which reads and writes each record as a service does: four recipients each. */
async function syncingSandbox({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? 5_000 : 25_000;
  const setting = { recipients: rows * 4, states: ['success'] };
  const server = startChild<object, { url: string }>(programs, 'filled-server', setting, 'load');
  const { url } = await server.ask({ path: '/transactions', count: 1 });
  const side = (args: string[]) => async (): Promise<Sample> => {
    const { micros = 0, ms = 0 } = await runToEnd(args, environmentFor(url));
    return { micros: micros / rows, ms, rate: (rows / ms) * 1000 };
  };
  const turns = await takeTurns(
    {
      ours: side([remitOf(root), 'books', 'sync', '-o', 'json']),
      bare: side([join(programs, 'list-bare.mjs'), url]),
    },
    quick ? 1 : 5,
  );
  await server.stop();
  const facts = `${sidesOf(turns, 'ours', 'bare')} a record`;
  return [
    judged(
      `bare loop / books sync, ${rows} records of a sandbox, time`,
      turns,
      [turns.ratio('bare', 'ours', 'ms')],
      { least: 0.35 },
      facts,
    ),
  ];
}

const QUESTIONS: readonly string[][] = [
  ['search', '4471'],
  ['search', 'zoe', 'okonkwo55'],
  ['statement', '--month', MONTH, '--totals'],
  ['statement', '--month', MONTH, '-o', 'csv'],
];

/** Each has as many transactions a month: the many are of a hundred months. */
async function looking({ root, quick }: Place): Promise<Figure[]> {
  const many = quick ? MANY / 10 : MANY;
  const environments = { few: environmentFor(NOWHERE), many: environmentFor(NOWHERE) };
  await fillBooks(environments.few, NOWHERE, { rows: FEW, aMonth: FEW });
  await fillBooks(environments.many, NOWHERE, { rows: many, aMonth: FEW });
  const figures: Figure[] = [];
  for (const question of QUESTIONS) {
    const side = (size: 'few' | 'many') => async (): Promise<Sample> => {
      const { micros = 0, ms = 0 } = await runToEnd([remitOf(root), ...question], environments[size]);
      return { micros, ms };
    };
    const turns = await takeTurns({ few: side('few'), many: side('many') }, quick ? 3 : 7);
    figures.push(
      judged(
        `remit ${question.join(' ')} over ${many} / over ${FEW}`,
        turns,
        [turns.ratio('many', 'few', 'ms'), turns.ratio('many', 'few')],
        { most: 3 },
        `${turns.median('many', 'ms').toFixed(0)} ms against ${turns.median('few', 'ms').toFixed(0)}, processor ${Math.round(turns.median('many') / 1000)} ms against ${Math.round(turns.median('few') / 1000)}`,
      ),
    );
  }
  return figures;
}
