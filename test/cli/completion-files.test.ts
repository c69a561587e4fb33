/** The scripts in completions/ are those that the program prints: npm run docs writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionScript, scriptNames } from '../../src/cli/completion/scripts.ts';
import { shells } from '../../src/cli/completion/shells.ts';

const folder = resolve(import.meta.dirname, '../../completions');

describe.each(shells)('%s', (shell) => {
  it('is as the program prints it: npm run docs', async () => {
    const file = join(folder, scriptNames[shell]);
    const text = await completionScript(shell);
    if (process.env.REMIT_WRITE_DOCS) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
