/** `remit tx list --all -o ndjson` over many rows, beside a bare loop over the same pages; and how much memory it takes. */
import { join } from 'node:path';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { median, type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 200_000;
const MOST_MB = 150;

export async function longList({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 10 : ROWS;
  const server = startChild<object, { url: string; bytes: number }>(
    programs,
    'pages-server',
    { rows },
    'load',
  );
  const { url, bytes } = await server.ask({});
  const env = environmentFor(url);
  const profile = process.env.BENCH_PROFILE === 'long-list' ? ['--cpu-prof', '--cpu-prof-dir', root] : [];
  const peaks: number[] = [];
  const side = (args: string[], printed: number) => async (): Promise<Sample> => {
    const { lines, peakMb, micros = 0, ms = 0 } = await runToEnd(args, env);
    if (lines !== printed) throw new Error(`${args.join(' ')} printed ${lines} lines, not ${printed}`);
    if (printed === rows) peaks.push(peakMb);
    return { micros: micros / rows, rate: (rows / ms) * 1000 };
  };
  const turns = await takeTurns(
    {
      ours: side([...profile, remitOf(root), 'tx', 'list', '--all', '-o', 'ndjson'], rows),
      bare: side([join(programs, 'list-bare.mjs'), url], 1),
    },
    quick ? 3 : 5,
  );
  await server.stop();
  const facts = `${sidesOf(turns, 'ours', 'bare')} a row, ${Math.round(bytes / 1000)} kB a page`;
  const peak = Math.max(...peaks);
  const memory = `${Math.round(median(peaks))} MB, at most ${Math.round(peak)}`;
  return [
    judged(
      `bare loop / tx list --all, ${rows} rows`,
      turns,
      [turns.ratio('bare', 'ours')],
      { least: 0.4 },
      facts,
    ),
    judged(`its peak memory / ${MOST_MB} MB`, turns, [peak / MOST_MB], { most: 1 }, memory),
  ];
}
