/** `remit tx list --all` in other formats, beside CSV over the same rows; and the memory of a --query, of each record and of all. */
import { startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { median, type Sample, takeTurns } from '../support/turns.ts';

const ROWS = 50_000;
/** As many as a query of the whole list may hold. */
const MOST_AT_ONCE = 25_000;
const MOST_MB = 150;
const MOST_MB_AT_ONCE = 280;

export async function formats({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 5 : ROWS;
  const server = startChild<object, { url: string }>(programs, 'pages-server', { rows }, 'load');
  const env = environmentFor((await server.ask({})).url);
  const peaks: Record<string, number[]> = {};
  const side =
    (name: string, ...args: string[]) =>
    async (): Promise<Sample> => {
      const run = await runToEnd([remitOf(root), 'tx', 'list', ...args], env);
      if (run.lines === 0) throw new Error(`${args.join(' ')} printed nothing`);
      peaks[name] = [...(peaks[name] ?? []), run.peakMb];
      return { micros: (run.micros ?? 0) / rows };
    };
  const all = (format: string) => side(format, '--all', '--quiet', '-o', format);
  const most = String(Math.min(rows, MOST_AT_ONCE));
  const turns = await takeTurns(
    {
      csv: all('csv'),
      table: all('table'),
      yaml: all('yaml'),
      each: side(
        'each',
        '--all',
        '-o',
        'json',
        '--query',
        "[?state=='paid'].{id: id, to: recipients[].type}",
      ),
      whole: side('whole', '--limit', most, '-o', 'json', '--query', 'length(@)'),
    },
    quick ? 3 : 7,
  );
  await server.stop();
  const compared = (format: 'table' | 'yaml', bound: number): Figure => {
    const facts = `${sidesOf(turns, format, 'csv')} a row`;
    const name = `tx list --all -o ${format} / -o csv, ${rows} rows`;
    return judged(name, turns, [turns.ratio(format, 'csv')], { most: bound }, facts);
  };
  const memory = (side: string, what: string, mb: number): Figure => {
    const seen = peaks[side] ?? [];
    const facts = `${Math.round(median(seen))} MB, at most ${Math.round(Math.max(...seen))}`;
    return judged(`peak memory of ${what} / ${mb} MB`, turns, [Math.max(...seen) / mb], { most: 1 }, facts);
  };
  const each = forComparison('--query of each record / -o csv', turns.ratio('each', 'csv').toFixed(2), '');
  const held = [
    memory('each', 'a --query of each record', MOST_MB),
    memory('whole', `one of ${most} at once`, MOST_MB_AT_ONCE),
  ];
  return [compared('table', 2), compared('yaml', 4), each, memory('yaml', '-o yaml', MOST_MB), ...held];
}
