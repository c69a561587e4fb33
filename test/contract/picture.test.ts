/** The picture in ARCHITECTURE.md is what the imports say: npm run docs draws it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawHouse, surveyHouse } from '../support/house.ts';
import { ROOT } from '../support/source-tree.ts';

const page = join(ROOT, 'ARCHITECTURE.md');
const BLOCK = /(<!-- picture: npm run docs -->\n```text\n)(.*?)(\n```)/s;

/** Counts of lines stand apart from the rest: they may be off by a little before the picture counts as stale. */
const countsOf = (picture: string): number[] =>
  (picture.match(/^\d +\w+ +[\d,]+/gm) ?? []).map((row) =>
    Number((/[\d,]+$/.exec(row)?.[0] ?? '').replaceAll(',', '')),
  );
const withoutCounts = (picture: string): string =>
  picture.replace(/^(\d +\w+) +[\d,]+ */gm, '$1 ').replace(/ +/g, ' ');

test('ARCHITECTURE.md shows the rooms, their sizes and the arrows between them', () => {
  const drawn = drawHouse(surveyHouse());
  const text = readFileSync(page, 'utf8');
  if (process.env.REMIT_WRITE_DOCS)
    writeFileSync(
      page,
      text.replace(BLOCK, (_, open, __, close) => `${open}${drawn}${close}`),
    );
  const shown = BLOCK.exec(readFileSync(page, 'utf8'))?.[2] ?? '';
  expect(withoutCounts(shown)).toBe(withoutCounts(drawn));
  const [now, then] = [countsOf(drawn), countsOf(shown)];
  expect(now.length).toBeGreaterThan(5);
  expect(now.length).toBe(then.length);
  for (const [index, count] of now.entries())
    expect(Math.abs(count - (then[index] ?? 0)), `a room of ${count} lines`).toBeLessThanOrEqual(
      Math.max(300, count / 10),
    );
});
