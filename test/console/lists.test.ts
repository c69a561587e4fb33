/** All payments as one list: it is read in pieces, few of its rows are in the document, and none moves by itself. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QuestionOf } from '../../src/console/wire.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { payArgv, useBench } from '../support/cli.ts';
import { type Answer, Asker, type OpenConsole, useConsole } from '../support/console.ts';
import { some } from '../support/long.ts';
import { isSound, until, WINDOWS } from '../support/sound.ts';

const bench = useBench({ sender: true, sandbox: { balances: { EUR: '1000000.00' } } });
const browser = useBrowser();
const open = useConsole(bench);
let console: OpenConsole;

/** More than two pieces. */
async function fill(): Promise<void> {
  for (const rounds of ['100', '30'])
    expect((await bench.run(['sandbox', 'seed', '--rounds', rounds])).code).toBe(0);
  const synced = await bench.run(['books', 'sync']);
  expect(synced.code, synced.stderr).toBe(0);
}

beforeEach(async () => {
  console = await open();
});
afterEach(() => browser.closeAll());

const rowsIn = (page: Page) => page.evaluate<number>('document.querySelectorAll("tr[data-index]").length');
const FIRST = 'Number(document.querySelector("tr[data-index]").ariaRowIndex)';
const keysAtOnce = (key: string, times: number): string =>
  `for (let n = 0; n < ${times}; n++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`;
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.closest("tr")?.ariaRowIndex ?? "none"');

it('without books there is no list, and the service is asked for nothing', async () => {
  const asker = await Asker.from(console);
  const { data } = await asker.ask('list', { behind: null });
  expect(data).toMatchObject({ rows: [], behind: null, hasBooks: false });
});

it('the pieces hold every recipient once, the newest first, also where many were created at once', async () => {
  await fill();
  const asker = await Asker.from(console);
  const rows: { id: string; at: string; account: string }[] = [];
  let behind: QuestionOf<'list'>['behind'] = null;
  let pieces = 0;
  do {
    const { data }: Answer = await asker.ask('list', { behind });
    rows.push(...data.rows);
    behind = data.behind;
    pieces += 1;
  } while (behind !== null);
  expect(pieces).toBeGreaterThan(2);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const times = rows.map(({ at }) => at);
  expect([...times].sort().reverse()).toEqual(times);
  const counts = (await bench.run(['books', 'status', '-o', 'json'])).data<{ recipients: number }>();
  expect(rows.length).toBeGreaterThanOrEqual(counts.recipients);
  expect(rows[0]?.account).not.toMatch(/\d{5}/);
});

it('a list and a search keep to a time, in the words of the desk and in the zone of the reader', async () => {
  const create = async (id: string): Promise<void> => {
    expect((await bench.run(payArgv('0123456719', '--external-id', id))).code).toBe(0);
  };
  await create('wages-old');
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await create('wages-new');
  const asker = await Asker.from(console);
  const found = async (since: string, until: string, words?: string): Promise<string[]> => {
    const times = { since, until };
    const { data } =
      words === undefined
        ? await asker.ask('list', { behind: null, ...times })
        : await asker.ask('search', { words, ...times });
    return data.rows.map(({ reference }: { reference: string }) => reference).sort();
  };
  // Without books, by what the service lists; and with them.
  expect(await found('30m', '', 'obi')).toEqual(['wages-new']);
  expect((await bench.run(['books', 'sync'])).code).toBe(0);
  const both = ['wages-new', 'wages-old'];
  const cases: [string, string, string[]][] = [
    ['', '', both],
    ['30m', '', ['wages-new']],
    ['24h', '', both],
    ['2026-01-05', '2026-01-05', both],
    ['2026-01-04', '2026-01-04', []],
    ['2026-01-05T09:30', '2026-01-05T11:30', ['wages-new']],
    ['', '2026-01-05T10:00', ['wages-old']],
  ];
  for (const [since, until, expected] of cases) {
    expect(await found(since, until), `${since} ${until}`).toEqual(expected);
    expect(await found(since, until, 'obi'), `${since} ${until}`).toEqual(expected);
  }
  const refused = await asker.ask('list', { behind: null, since: 'soon' });
  expect(refused.data.problem.message).toContain('"soon" is not a day');
});

describe.skipIf(noBrowser)('in a browser', () => {
  it.each(some(WINDOWS, 1))('$size and $look', async ({ size, look, ...window }) => {
    await fill();
    const tab = await browser.open(console.url, window);
    const { page } = tab;
    await page.waitForSelector('tr[data-index]');
    await isSound(tab, `list-${size}-${look}`, false);
    await page.evaluate('scrollTo(0, 9_000)');
    await until(page, `${FIRST} > 20`);
    await isSound(tab, `list-middle-${size}-${look}`, false);
    expect(await rowsIn(page)).toBeLessThan(80);
    // To its end, where it says that it is whole.
    await until(
      page,
      'document.querySelector("tbody").lastElementChild.ariaRowIndex === document.querySelector("table").ariaRowCount',
      'scrollTo(0, document.documentElement.scrollHeight)',
    );
    await page.getByText('These are all.').waitFor();
    expect(await rowsIn(page)).toBeLessThan(80);
  });

  it('goes on behind a million pixels, where a browser tells lengths in six digits', async () => {
    await fill();
    const { page } = await browser.open(console.url);
    await page.waitForSelector('tr[data-index]');
    // Rows as high as a house stand for tens of thousands of rows.
    await page.addInitScript(`
      const tall = new CSSStyleSheet();
      tall.replaceSync('tr[data-index] { height: 7013.37px }');
      document.adoptedStyleSheets = [tall];`);
    await page.reload();
    await page.waitForSelector('tr[data-index]');
    await until(
      page,
      'document.querySelector("tbody").lastElementChild.ariaRowIndex === document.querySelector("table").ariaRowCount',
      'scrollTo(0, document.documentElement.scrollHeight)',
    );
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(1_000_000);
    // Around the beginnings of rows, where a pixel decides which row is the first that is drawn.
    await page.evaluate(`(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let at = 1_000_003; at < 1_250_000; at += 60_011) {
        scrollTo(0, at);
        await frame();
        await frame();
        const row = [...document.querySelectorAll('tr[data-index]')].find((one) => one.getBoundingClientRect().top > 0);
        const top = row.getBoundingClientRect().top + scrollY;
        for (let by = -9; by <= 9; by += 1) {
          scrollTo(0, top + by);
          await frame();
        }
      }
    })()`);
    expect(await rowsIn(page)).toBeLessThan(80);
  });

  it('j and k go beyond the rows in sight, and somebody who comes back finds the list as it was', async () => {
    await fill();
    const { page } = await browser.open(console.url);
    await page.waitForSelector('tr[data-index]');
    // Typed ahead: the page draws nothing in between.
    await page.evaluate(keysAtOnce('j', 60));
    await until(page, 'document.activeElement.closest("tr")?.ariaRowIndex === "61"');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('60');
    const seen = await page.evaluate<number[]>(
      '(({ top, bottom }) => [top, innerHeight - bottom])(document.activeElement.getBoundingClientRect())',
    );
    expect(Math.min(...seen)).toBeGreaterThan(0);
    // Where the focus is far out of sight, from the rows in sight on.
    await page.evaluate('scrollTo(0, 12_000)');
    await until(page, `${FIRST} > 200`);
    await page.keyboard.press('j');
    await until(page, 'document.activeElement.closest("tr")?.ariaRowIndex > 200');
    const [row, y] = [await focused(page), await page.evaluate<number>('scrollY')];
    // A payment that comes meanwhile moves nothing.
    expect((await bench.run(payArgv('0123456719', '--external-id', 'wages-new'))).code).toBe(0);
    expect((await bench.run(['books', 'sync'])).code).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What can be done' }).waitFor();
    await page.goBack();
    await page.waitForSelector(`tr[aria-rowindex="${row}"]`);
    expect(Math.abs((await page.evaluate<number>('scrollY')) - y)).toBeLessThan(40);
    expect(await page.getByText('wages-new').count()).toBe(0);
    await page.keyboard.press('r');
    await page.getByText('wages-new').waitFor();
  });

  it('hears a key that is pressed in the moment in which the rows are seen', async () => {
    await fill();
    const { page } = await browser.open(console.url);
    await page.waitForSelector('tr[data-index]');
    await page.evaluate(`new MutationObserver((_, watch) => {
      if (document.querySelector('tr[data-index]') !== null || document.querySelector('main a.name') === null) return;
      watch.disconnect();
      ${keysAtOnce('j', 1)};
    }).observe(document, { childList: true, subtree: true })`);
    await page.evaluate('location.hash = "#/search?q=obi"');
    await until(page, 'document.activeElement.matches("main a.name")');
  });

  it.each(some(WINDOWS, 1))('a time, $size and $look', async ({ size, look, ...window }) => {
    expect((await bench.run(payArgv('0123456719', '--external-id', 'wages-1'))).code).toBe(0);
    expect((await bench.run(['books', 'sync'])).code).toBe(0);
    const tab = await browser.open(console.url, window);
    const { page } = tab;
    await page.getByText('wages-1').waitFor();
    await page.getByText('in the time zone UTC').waitFor();
    const hash = () => new URL(page.url()).hash;
    await page.getByLabel('Created').selectOption('the last 30 minutes');
    await page.getByText('wages-1').waitFor();
    expect(hash()).toBe('#/search?since=30m');
    await page.getByLabel('Created').selectOption('a day');
    await page.locator('[name=since]').fill('2026-01-04');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('There is no payment in this time.').waitFor();
    expect(hash()).toBe('#/search?since=2026-01-04&until=2026-01-04');
    await page.getByLabel('Created').selectOption('from … to …');
    await page.locator('[name=since]').fill('2026-01-05T08:00');
    await page.locator('[name=until]').fill('2026-01-05T10:00');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('wages-1').waitFor();
    await isSound(tab, `period-${size}-${look}`);
    // A name is not in the address; the time is, and both stay on the page.
    await page.getByRole('searchbox').fill('obi');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 found' }).waitFor();
    expect(hash()).toBe('#/search?since=2026-01-05T08%3A00&until=2026-01-05T10%3A00');
    await isSound(tab, `period-search-${size}-${look}`);
    // A colleague pastes it.
    const address = page.url();
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByRole('searchbox').fill(address);
    await page.keyboard.press('Enter');
    await page.locator('[name=since]').waitFor();
    expect(await page.locator('[name=since]').inputValue()).toBe('2026-01-05T08:00');
  });
});
