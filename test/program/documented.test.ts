/** Every command has a row of its own in docs/commands.md, and every example can be typed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodeMeanings } from '../../src/frame/exit-codes.ts';
import { longName } from '../../src/frame/flags/flag.ts';
import { globalFlags } from '../../src/frame/flags/globals.ts';
import { findCommand } from '../../src/program/program.ts';
import { leaves } from '../../src/program/tree.ts';
import { parseLine } from '../support/shell.ts';

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
const silent = {
  version: '',
  streams: { out: () => {}, columns: 80, colour: { stdout: false, stderr: false } },
};

describe.each(leaves.map((leaf) => [leaf.words, leaf] as const))('%s', (words, leaf) => {
  it('has a row of its own in docs/commands.md, with its flags and no others', async () => {
    const { flags = {} } = await leaf.load();
    const rows = page
      .split('\n')
      .filter((line) => new RegExp(`^\\| \`remit ${words}(?: [[A-Z][^\`]*)?\` \\|`).test(line));
    expect(rows).toHaveLength(1);
    const named = [...(rows[0] ?? '').matchAll(/`(?:-\w, )?(--[a-z0-9-]+)/g)].map(([, name]) => name);
    expect(named).toEqual(Object.keys(flags).map(longName));
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

it('docs/commands.md has every global flag and every exit code', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `-'));
  expect(rows.map((row) => /--[a-z-]+/.exec(row)?.[0])).toEqual(Object.keys(globalFlags).map(longName));
  for (const [code, meaning] of exitCodeMeanings) expect(page).toContain(`| ${code} | ${meaning} |`);
});
