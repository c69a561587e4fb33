/** In CSV an amount and its currency are cells of their own, with `--fields` too: every command that prints a list, by all of its columns. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command } from '../../src/payments/cli/command.ts';
import { leaves } from '../../src/program/tree.ts';
import { some } from '../support/long.ts';
import { type Stage, setStage } from '../support/stage.ts';
import { tour } from '../support/tour.ts';

/**
 * They end only when they are told to, start programs, or read standard input. What a run costs is a text of several currencies, in one record.
 */
const APART =
  /^(?:sandbox (?:start|exec|reset|restore)|demo|webhooks (?:listen|verify)|batch (?:work|plan|run|watch|status|settle)|login|logs tail|tx watch)$/;

const columnsOf = ({ shows = [] }: Command): string[] => [
  ...new Set(shows.flatMap(({ columns }) => columns.map(({ name }) => name))),
];
const listing = (
  await Promise.all(leaves.map(async ({ words, load }) => ({ words, columns: columnsOf(await load()) })))
).filter(({ words, columns }) => columns.length > 0 && !APART.test(words));

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.bench.close());

const JOINED = /^-?[\d,]+(?:\.\d+)? [A-Z]{3,4}$/;

it.each(some(listing, 24))('$words', async ({ words, columns }) => {
  const stop = tour[words];
  if (stop === undefined) throw new Error(`${words} has no stop`);
  const env = { HOME: stage.bench.dir, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
  const argv = [...words.split(' '), ...stop.good(stage.ids), '--yes'];
  // One column at a time, since a column of another view of the command is an error here.
  const forms = [[], ...columns.map((name) => ['--fields', name])];
  for (const fields of stop.local || words.endsWith('list') || words.endsWith('show') ? forms : [[]]) {
    const { stdout } = await stage.bench.run([...argv, '-o', 'csv', ...fields], { env });
    const joined = (parse(stdout, { relax_column_count: true, bom: true, relax_quotes: true }) as string[][])
      .flat()
      .filter((cell) => JOINED.test(cell));
    expect({ argv, fields, joined }).toEqual({ argv, fields, joined: [] });
  }
});

it.each([
  ['tx list --fields id,input', 'id,input_amount,input_currency'],
  ['tx list --fields input_currency,input', 'input_currency,input_amount'],
  ['history --fields amount', 'amount,currency'],
  ['history --fields currency,amount', 'currency,amount'],
  ['recipient list --fields output', 'output_amount,output_currency'],
])('%s', async (line, head) => {
  const { stdout, stderr } = await stage.bench.run(`${line} -o csv`);
  expect(stdout.split('\n')[0], stderr).toBe(head);
});
