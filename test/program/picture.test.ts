/** The picture in ARCHITECTURE.md is what the imports say: npm run docs draws it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawHouse, surveyHouse } from '../support/house.ts';
import { ROOT, sources } from '../support/source-tree.ts';

const page = join(ROOT, 'ARCHITECTURE.md');
const BLOCK = /(<!-- picture: npm run docs -->\n```text\n)(.*?)(\n```)/s;

test('ARCHITECTURE.md shows the rooms and the arrows between them', () => {
  const drawn = drawHouse(surveyHouse());
  const text = readFileSync(page, 'utf8');
  if (process.env.REMIT_WRITE_DOCS)
    writeFileSync(
      page,
      text.replace(BLOCK, (_, open, __, close) => `${open}${drawn}${close}`),
    );
  const shown = BLOCK.exec(readFileSync(page, 'utf8'))?.[2] ?? '';
  expect(shown).toBe(drawn);
});

test('every file that ARCHITECTURE.md names is there', () => {
  const text = readFileSync(page, 'utf8');
  const named = [...text.matchAll(/`([\w/.*-]+\.(?:ts|js|md))`/g)].map(([, name = '']) => name);
  const files = sources('', (path) => /\.(?:ts|js|md)$/.test(path)).map(({ path }) => `/${path}`);
  const isThere = (name: string): boolean => {
    const end = new RegExp(`/${name.replaceAll('.', '\\.').replaceAll('*', '[\\w-]*')}$`);
    return files.some((path) => end.test(path));
  };
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
