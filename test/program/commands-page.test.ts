/** docs/commands.md is made from the commands: npm run docs writes it. What any document types can be typed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeCommands } from '../../src/program/help/describe.ts';
import { commandsPage } from '../support/commands-page.ts';
import { commandsIn, wrongIn } from '../support/documented.ts';
import { ROOT, sources } from '../support/source-tree.ts';

const page = join(ROOT, 'docs', 'commands.md');

it('docs/commands.md is made from the commands: npm run docs', async () => {
  const made = await commandsPage();
  if (process.env.REMIT_WRITE_DOCS) writeFileSync(page, made);
  expect(readFileSync(page, 'utf8')).toBe(made);
});

const commands = await describeCommands();
const documents = [
  ...sources('', (path) => path === 'README.md'),
  ...sources('docs', (path) => path.endsWith('.md')),
].filter(({ text }) => commandsIn(text).length > 0);

describe.each(documents.map(({ path, text }) => [path, text] as const))('%s', (_, text) => {
  it('names commands and flags that there are, in their own command', () => {
    expect(commandsIn(text).flatMap((line) => wrongIn(line, commands))).toEqual([]);
  });
});

it('a command or a flag that is not there is found', () => {
  const wrong = (line: string): string[] => wrongIn(line, commands);
  expect(wrong('remit tx fund wages-1 --wait')).toEqual([]);
  expect(wrong('remit tx fund wages-1 --amount 5')).toEqual(['remit tx fund wages-1 --amount 5: --amount']);
  expect(wrong('remit tx pay wages-1')).toEqual(['remit tx pay wages-1: no such command']);
  expect(commandsIn('```sh\nremit tx fund a \\\n  --no # why\n```\nand `remit balance`, `npm ci`')).toEqual([
    'remit balance',
    'remit tx fund a --no',
  ]);
});
