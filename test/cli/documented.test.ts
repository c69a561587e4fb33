/** Every command has a row of its own in docs/commands.md, and every example can be typed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodeMeanings } from '../../src/cli/exit-codes.ts';
import { globalFlags } from '../../src/cli/flags/globals.ts';
import { parseCommand } from '../../src/cli/program.ts';
import { leaves } from '../../src/cli/tree.ts';
import { findWords } from '../../src/cli/words.ts';
import { parseLine } from '../support/shell.ts';

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
const longName = (flags: string): string => /--[a-z-]+/.exec(flags)?.[0] ?? flags;

describe.each(leaves.map((leaf) => [leaf.words, leaf] as const))('%s', (words, leaf) => {
  it('has a row of its own in docs/commands.md, with its flags and no others', async () => {
    const { flags = [] } = await leaf.load();
    const rows = page
      .split('\n')
      .filter((line) => new RegExp(`^\\| \`remit ${words}(?: [[A-Z][^\`]*)?\` \\|`).test(line));
    expect(rows).toHaveLength(1);
    const named = [...(rows[0] ?? '').matchAll(/`(?:-\w, )?(--[a-z-]+)/g)].map(([, name]) => name);
    expect(named).toEqual(flags.map(({ flags: text }) => longName(text)));
  });

  it('has examples that parse', async () => {
    const command = await leaf.load();
    expect(command.examples?.length).toBeGreaterThan(0);
    for (const example of command.examples ?? []) {
      const argv = [...(parseLine(example)[0]?.argv ?? [])];
      expect(argv.shift()).toBe('remit');
      const found = findWords(argv);
      expect(`${example} => ${found.leaf?.words ?? found.path.join(' ')}`).toBe(
        `${example} => ${leaf.words === 'help' ? (found.leaf?.words ?? found.path.join(' ')) : leaf.words}`,
      );
      if (found.leaf !== leaf) continue;
      const input = await parseCommand(leaf, command, found.rest);
      if (input !== 'help') command.read(input);
    }
  });
});

it('docs/commands.md has every global flag and every exit code', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `-'));
  expect(rows.map((row) => /--[a-z-]+/.exec(row)?.[0])).toEqual(
    globalFlags.map(({ flags }) => longName(flags)),
  );
  for (const [code, meaning] of exitCodeMeanings) expect(page).toContain(`| ${code} | ${meaning} |`);
});
