/** The view Month in a real browser: narrow and dark, wide and light. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { useBench } from '../support/cli.ts';
import { useConsole } from '../support/console.ts';
import { monthOn } from '../support/lived-month.ts';
import { isSound } from '../support/sound.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
afterEach(() => browser.closeAll());
const start = useConsole(bench);
describe.skipIf(noBrowser)('on the page', () => {
  beforeEach(monthOn(bench).live);
  it.each([
    { size: 'narrow-dark', width: 360, height: 740, dark: true },
    { size: 'wide-light', width: 1_400, height: 900, dark: false },
  ])('$size', async ({ size, ...window }) => {
    const tab = await browser.open((await start()).url, window);
    const { page } = tab;
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'Month 2026-01' }).waitFor();
    await page.getByRole('heading', { name: 'In flight at the end of 2026-01-11' }).waitFor();
    await page.getByRole('figure', { name: 'Payouts by corridor' }).waitFor();
    await page.getByRole('table', { name: 'Balances' }).getByRole('link', { name: 'EUR' }).click();
    await page.getByRole('heading', { name: 'Statement of EUR' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/month?month=2026-01&currency=EUR');
    // The plot has drawn something, and the bars are as long as their figures.
    const ink = await page.evaluate<boolean[]>(
      '[...document.querySelectorAll("canvas")].map((one) => one.getContext("2d").getImageData(0, 0, one.width, one.height).data.some((part) => part > 0))',
    );
    expect(ink).toEqual([true]);
    const bars = await page.evaluate<string[]>(
      '[...document.querySelectorAll("figure dd")].map((one) => [one.firstChild.value, one.textContent].join(":"))',
    );
    expect(bars.length).toBeGreaterThan(0);
    for (const bar of bars) expect(bar).toMatch(/^(\d+): *\1\b/);
    await page.getByRole('img', { name: /^Balance in EUR/ }).hover();
    await page.getByText(/^2026-01-\d\d(, so far)?: ([\d,.]+ EUR|not seen)$/).waitFor();
    await page.getByText(/^\d+ lines$/).click();
    await page.getByText('The same figures as a table').click();
    await page.getByRole('link', { name: 'Ada Obi' }).first().waitFor();
    await isSound(tab, `month-${size}`);
    await page.getByRole('link', { name: '← 2025-12' }).click();
    await page.getByRole('heading', { name: 'Month 2025-12' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/month?month=2025-12&currency=EUR');
  });
});
