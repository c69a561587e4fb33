/** A page that is looked at: by axe-core, at its sides, and by its console. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Tab } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pictures for the documents and for whoever looks: `REMIT_SCREENSHOTS=folder npx vitest run test/console`. */
const FOLDER = process.env.REMIT_SCREENSHOTS;

/** Nothing that a reader of screens or a tester of contrasts finds, nothing cut off at the side, and a page that complains of nothing. */
export async function isSound({ page, complaints, foreign }: Tab, name: string): Promise<void> {
  await page.waitForFunction('document.querySelector("[aria-busy=true]") === null');
  await page.evaluate(AXE);
  const violations = await page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))',
  );
  const room = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
  expect({ name, violations, complaints, foreign, isCut: (room[0] ?? 0) > (room[1] ?? 0) }).toEqual({
    name,
    violations: [],
    complaints: [],
    foreign: [],
    isCut: false,
  });
  if (FOLDER !== undefined) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
}
