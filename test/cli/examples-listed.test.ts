/** `remit examples`: the examples of the help of every command, found by a word. */
import { expect, it } from 'vitest';
import { describeCommands } from '../../src/cli/help/describe.ts';
import { noAccount, useBench } from '../support/cli.ts';

const bench = useBench({ once: true });
const commands = await describeCommands();

interface Example {
  command: string;
  summary: string;
  example: string;
}

const found = async (...words: string[]): Promise<Example[]> => {
  const run = await bench.run(['examples', '-o', 'json', ...words], { env: noAccount });
  expect([run.code, run.stderr, run.requests.length]).toEqual([0, '', 0]);
  return run.data<Example[]>();
};

it('lists those of the help of all commands, in their order', async () => {
  const all = commands.flatMap(({ words, examples }) => examples.map((example) => [words, example]));
  expect((await found()).map(({ command, example }) => [command, example])).toEqual(all);
});

it('finds a word in the command, in what it does and in the example, and of several words all', async () => {
  expect(new Set((await found('TRIAGE')).map(({ command }) => command))).toContain('recipient triage');
  expect((await found('rate between')).map(({ command }) => command)).toContain('rates');
  expect((await found('--', '--min')).some(({ example }) => example.includes('--min'))).toBe(true);
  const both = await found('--', 'batch', '--max-input');
  expect(both.length).toBeGreaterThan(0);
  for (const { command, example } of both) {
    expect(`${command} ${example}`).toContain('batch');
    expect(example).toContain('--max-input');
  }
});

it('where nothing is found it ends as other searches do, and says so', async () => {
  expect(await found('no-such-word')).toEqual([]);
  const shown = await bench.run(['examples', 'no-such-word', '-o', 'table'], { env: noAccount });
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('No example has these words')]);
});

it.each([80, 40])(
  'on a terminal of %s columns each command has its own below it, and a shell takes them as they stand',
  async (columns) => {
    const run = await bench.run(['examples', 'tx'], { env: noAccount, tty: true, columns });
    const lines = run.stdout.split('\n').map((line) => line.trim());
    const joined = run.stdout
      .replaceAll(/ \\\n */g, ' ')
      .split('\n')
      .map((line) => line.trim());
    for (const { example } of await found('tx'))
      expect(
        joined.some((line) => line.endsWith(example)),
        example,
      ).toBe(true);
    expect(lines.filter((line) => /^tx create(?: |$)/.test(line))).toHaveLength(1);
    expect(run.stdout).not.toContain('\u00a0');
  },
);

it('in a pipe each is a line', async () => {
  const run = await bench.run(['examples', 'rates'], { env: noAccount });
  expect(run.stdout.split('\n')[0]).toBe('remit rates EUR NGN\trates\tShow the rate between two currencies');
});
