/** An answer that comes after the next question was asked is not shown under that one. */
import { afterEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { payArgv, useBench } from '../support/cli.ts';
import { useConsole } from '../support/console.ts';
import { gate } from '../support/servers.ts';
import { heading } from '../support/sound.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
const open = useConsole(bench);
afterEach(() => browser.closeAll());

describe.skipIf(noBrowser)('an answer that comes late', () => {
  it('leaves what was asked after it as it stands', async () => {
    for (const id of ['wages-1', 'wages-2']) {
      const paid = await bench.run([...payArgv('0123456700'), '--external-id', id]);
      expect(paid.code, paid.stderr).toBe(0);
    }
    const { page } = await browser.open((await open()).url);
    const held = gate();
    await page.route('**/api/search', async (route) => {
      if (route.request().postDataJSON().words === 'wages-1') await held.passed;
      await route.continue();
    });
    const look = async (words: string): Promise<void> => {
      await page.getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
    };
    await heading(page, 'Find a payout');
    const late = page.waitForResponse((one) => one.request().postData()?.includes('wages-1') === true);
    await look('wages-1');
    await heading(page, 'Looking…');
    await look('wages-2');
    await page.getByRole('cell', { name: 'wages-2' }).waitFor();
    held.open();
    await (await late).finished();
    // What the answer changes is drawn with the next frame.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await page.getByRole('cell', { name: 'wages-2' }).count()).toBe(1);
    expect(await page.getByRole('cell', { name: 'wages-1' }).count()).toBe(0);
  });
});
