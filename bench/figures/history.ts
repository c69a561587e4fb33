/** `remit history` over a journal of 200,000 intents, beside 2,000: a whole process each, filtered and by the beginning of an id. */
import { join } from 'node:path';
import { type Figure, judged, judgedStart, type Place } from '../support/figure.ts';
import { fillJournal, intentId, openedAt } from '../support/fill-journal.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { takeTurns } from '../support/turns.ts';

const COUNTS = { few: 2_000, many: 200_000 };
type Size = keyof typeof COUNTS;
/** Neither among the first that a scan would meet, nor among the last. */
const OLD = 1_234;
const MOST_MS = 200;

export async function history({ root, quick }: Place): Promise<Figure[]> {
  const dir = temporaryFolder();
  const path = (size: Size) => join(dir, `${size}.db`);
  for (const size of Object.keys(COUNTS) as Size[]) await fillJournal(path(size), COUNTS[size]);
  const env = environmentFor('http://127.0.0.1:9/v1');
  const figures: Figure[] = [];
  const since = (size: Size) => new Date(openedAt(COUNTS[size] / 2)).toISOString();
  const questions: [string, (size: Size) => string[], number][] = [
    ['--command tx --since', (size) => ['history', '--command', 'tx', '--since', since(size)], 1.5],
    ['show PREFIX of an old one', () => ['history', 'show', intentId(OLD).slice(0, 8)], 2],
    // Every intent is looked at.
    ['--command api, which none is', () => ['history', '--command', 'api'], 4],
  ];
  for (const [name, args, most] of questions)
    figures.push(...(await compared(root, quick ? 5 : 15, { name, args, most, env, path })));
  return figures;
}

interface Question {
  name: string;
  args(size: Size): string[];
  most: number;
  env: Record<string, string>;
  path(size: Size): string;
}

async function compared(
  root: string,
  rounds: number,
  { name, args, most, env, path }: Question,
): Promise<Figure[]> {
  const peaks: Record<Size, number[]> = { few: [], many: [] };
  const side = (size: Size) => async () => {
    const run = await runToEnd([remitOf(root), ...args(size), '-o', 'json'], {
      ...env,
      REMIT_STORE: path(size),
    });
    if (run.lines !== 1) throw new Error(`${args(size).join(' ')} printed ${run.lines} lines`);
    peaks[size].push(run.peakMb);
    return run;
  };
  const turns = await takeTurns({ few: side('few'), many: side('many') }, rounds);
  const [few, many] = [Math.max(...peaks.few), Math.max(...peaks.many)];
  const least = turns.least('many', 'ms');
  const memory = `${Math.round(many)} MB against ${Math.round(few)}`;
  return [
    judgedStart(`history ${name}, ${COUNTS.many} / ${COUNTS.few}`, turns, ['many', 'few'], most),
    judged(`its least / ${MOST_MS} ms`, turns, [least / MOST_MS], { most: 1 }, `${Math.round(least)} ms`),
    judged('its peak memory, the same', turns, [many / few], { most: 1.2 }, memory),
  ];
}
