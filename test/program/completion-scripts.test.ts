/** The scripts in completions/ are short and know no command; what they ask for, the build has written down. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { type Shell, scriptNames, shells } from '../../src/frame/completion/scripts.ts';
import { buildCompletionIndex } from '../../src/program/completion/build-index.ts';

const root = resolve(import.meta.dirname, '../..');
const scriptOf = (shell: Shell): string =>
  readFileSync(join(root, 'completions', scriptNames[shell]), 'utf8');

it('there is one for each shell, and together they are short', () => {
  expect(readdirSync(join(root, 'completions')).sort()).toEqual(Object.values(scriptNames).sort());
  const lines = shells.flatMap((shell) => scriptOf(shell).trimEnd().split('\n'));
  expect(lines.length).toBeLessThan(200);
  expect(lines.filter((line) => line.length > 160)).toEqual([]);
});

it.each(shells)('%s: it asks remit', (shell) => {
  expect(scriptOf(shell)).toContain('remit __complete ');
});

it('the index beside the program is of these commands', async () => {
  const built = JSON.parse(readFileSync(join(root, 'dist', 'completion.json'), 'utf8'));
  expect(built).toEqual(await buildCompletionIndex());
});
