/** Every command and flag is in the README, and every example can be typed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodeMeanings } from '../../src/cli/exit-codes.ts';
import { globalFlags } from '../../src/cli/flags/globals.ts';
import { findCommand } from '../../src/cli/program.ts';
import { leaves } from '../../src/cli/tree.ts';
import { parseLine } from '../support/shell.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const silent = {
  version: '',
  streams: { out: () => {}, columns: 80, colour: { stdout: false, stderr: false } },
};
const longName = (flags: string): string => /--(?:no-)?([a-z-]+)/.exec(flags)?.[1] ?? flags;
const mentions = (name: string): boolean => new RegExp(`--(?:no-|\\[no-\\])?${name}\\b`).test(readme);

describe.each(leaves.map((leaf) => [leaf.words, leaf] as const))('%s', (words, leaf) => {
  it('is in the README with every flag', async () => {
    const { flags = [] } = await leaf.load();
    const [first = '', second] = words.split(' ');
    expect(readme).toMatch(
      second === undefined
        ? new RegExp(`\`(?:remit )?${first}\\b|· \`?${first}`)
        : new RegExp(`${first} .*${second}|\`${first} ${second}`),
    );
    expect(flags.map(({ flags: text }) => longName(text)).filter((name) => !mentions(name))).toEqual([]);
  });

  it('has examples that parse', async () => {
    const command = await leaf.load();
    expect(command.examples?.length).toBeGreaterThan(0);
    for (const example of command.examples ?? []) {
      const argv = [...(parseLine(example)[0]?.argv ?? [])];
      expect(argv.shift()).toBe('remit');
      const found = await findCommand(argv, silent);
      // The examples of help may ask for the help of another.
      if (leaf.words !== 'help' || found !== undefined)
        expect(`${example} => ${found?.leaf.words}`).toBe(`${example} => ${leaf.words}`);
      if (found !== undefined) found.command.read(found.input);
    }
  });
});

it('the README has every global flag and every exit code', () => {
  expect(globalFlags.map(({ flags }) => longName(flags)).filter((name) => !mentions(name))).toEqual([]);
  for (const [code, meaning] of exitCodeMeanings)
    expect(readme).toContain(
      `| ${code} | ${meaning.replace('--yes', '`--yes`').replace('--wait', '`--wait`').replace('balance --min', '`balance --min`')} |`.replace(
        '(balance',
        '(`balance',
      ),
    );
});
