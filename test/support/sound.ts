/** What every view of the console must be, in each window and each look. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Tab } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pictures for the documents and for whoever looks: `REMIT_SCREENSHOTS=folder npx vitest run test/console`. */
const FOLDER = process.env.REMIT_SCREENSHOTS;

/** Looks in each frame. The page allows no code from texts, by which Playwright waits. */
export const until = (page: Page, condition: string, doing = '') =>
  page.evaluate(`new Promise((resolve) => {
    const turn = () => {
      ${doing};
      if (${condition}) resolve();
      else requestAnimationFrame(turn);
    };
    turn();
  })`);

/** The fields, and texts of somebody else, that the browser would keep, spell or translate. */
const KEPT = `[...document.querySelectorAll('input, select, bdi')]
  .filter((one) => one.spellcheck || one.translate || one.form?.autocomplete === 'on')
  .map(({ outerHTML }) => outerHTML)`;

/** Nothing that a reader of screens or a tester of contrasts finds, nothing cut off at the side, and a page that complains of nothing. No service of the browser's gets what stands in it. */
export async function isSound(
  { page, complaints, foreign }: Tab,
  name: string,
  fullPage = true,
): Promise<void> {
  await until(page, 'document.querySelector("[aria-busy=true]") === null');
  await page.evaluate(AXE);
  const violations = await page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))',
  );
  const room = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
  const kept = await page.evaluate<string[]>(KEPT);
  expect({ name, violations, complaints, foreign, kept, isCut: (room[0] ?? 0) > (room[1] ?? 0) }).toEqual({
    name,
    violations: [],
    complaints: [],
    foreign: [],
    kept: [],
    isCut: false,
  });
  if (FOLDER !== undefined) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage });
}

/** The short form has the first and the third: wide and light, narrow and dark. */
export const WINDOWS = [
  { size: 'wide', width: 1_400, height: 900, dark: false, look: 'light' },
  { size: 'wide', width: 1_400, height: 900, dark: true, look: 'dark' },
  { size: 'narrow', width: 360, height: 740, dark: true, look: 'dark' },
  { size: 'narrow', width: 360, height: 740, dark: false, look: 'light' },
] as const;

export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
