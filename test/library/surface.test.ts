/**
 * What is public (docs/policy.md) is kept in `test/library/surface`. A line more is written there by `npm run docs`. A line less is a break:
 * it wants a section in CHANGELOG.md, and somebody who writes it down with `REMIT_BREAK=1 npm run docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/source-tree.ts';
import { commandLines, exportLines, resultLines } from '../support/surface.ts';

const LIBRARIES = ['client', 'edge', 'sandbox', 'webhooks'];

it.each([
  ['exports', 1_000, () => LIBRARIES.flatMap(exportLines)],
  ['commands', 1_000, commandLines],
  ['results', 1_000, resultLines],
])('%s: nothing that was public is gone, and what is new is written down', async (name, most, lines) => {
  const file = join(ROOT, 'test', 'library', 'surface', `${name}.txt`);
  const now = [...new Set(await lines())].sort();
  const kept = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const gone = kept.filter((line) => !now.includes(line));
  if (process.env.REMIT_WRITE_DOCS && (gone.length === 0 || process.env.REMIT_BREAK))
    writeFileSync(file, `${now.join('\n')}\n`);
  expect(now.length).toBeGreaterThan(most);
  expect(gone, 'a break: give it a section in CHANGELOG.md, then REMIT_BREAK=1 npm run docs').toEqual([]);
  expect(readFileSync(file, 'utf8'), 'new and not written down: npm run docs').toBe(`${now.join('\n')}\n`);
});
