/** Triage on the page looks at one time, as a search does. */
import { afterEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { payArgv, useBench } from '../support/cli.ts';
import { Asker, useConsole } from '../support/console.ts';
import { some } from '../support/long.ts';
import { heading, isSound, WINDOWS } from '../support/sound.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
afterEach(() => browser.closeAll());
const start = useConsole(bench);
const pay = async (id: string): Promise<void> => {
  expect((await bench.run(payArgv('0123456719', '--external-id', id))).code).toBe(0);
};
const advance = (by: string) => bench.run(['sandbox', 'clock', 'advance', by]);

describe('payouts that need somebody, of one time', () => {
  it('are those that the terminal lists', async () => {
    await pay('old-1');
    await advance('26h');
    await pay('new-1');
    const asker = await Asker.from(await start());
    const found = async (since: string, until = '') => {
      const { rows } = (await asker.ask('triage', { since, until })).data;
      return rows.map(({ reference }: { reference: string }) => reference).sort();
    };
    const listed = async (...argv: string[]) =>
      (await bench.run(['recipient', 'triage', ...argv, '-o', 'json']))
        .data<{ transaction_external_id: string }[]>()
        .map((row) => row.transaction_external_id)
        .sort();
    for (const [since, until] of [
      ['30m', ''],
      ['2026-01-05', '2026-01-05'],
      ['2026-01-04', '2026-01-04'],
      ['2026-01-05T08:00', '2026-01-07T00:00'],
    ] as const) {
      const argv = ['--since', since, ...(until === '' ? [] : ['--until', until])];
      expect(await found(since, until), `${since} ${until}`).toEqual(await listed(...argv));
    }
    expect(await found('30m')).toEqual(['new-1']);
    expect(await found('')).toEqual(await listed());
    const wrong = await asker.ask('triage', { since: 'someday' });
    expect([wrong.status, wrong.data.problem.message]).toEqual([400, expect.stringContaining('someday')]);
  });

  it.skipIf(noBrowser).each(some(WINDOWS, 1))('on the page: $size and $look', async (given) => {
    const { size, look, ...window } = given;
    await pay('wages-1');
    const tab = await browser.open((await start()).url, window);
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.keyboard.press('t');
    await page.getByText('in the time zone UTC').waitFor();
    await page.getByRole('link', { name: 'Ada Obi' }).waitFor();
    await page.getByLabel('Created').selectOption('a day');
    await page.locator('[name=since]').fill('2026-01-04');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('No payout of this time needs anybody.').waitFor();
    expect(new URL(page.url()).hash).toBe('#/triage?since=2026-01-04&until=2026-01-04');
    await page.getByLabel('Created').selectOption('the last 30 minutes');
    await page.getByRole('link', { name: 'Ada Obi' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/triage?since=30m');
    await isSound(tab, `triage-time-${size}-${look}`);
  });
});
