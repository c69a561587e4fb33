/** Every view in a real browser: wide and narrow, light and dark, by keyboard alone, with names that people and attackers have. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { answering, bankDetails, lost, only, paymentFlags, useBench, words } from '../support/cli.ts';
import { type OpenConsole, useConsole } from '../support/console.ts';
import { some } from '../support/long.ts';
import { heading, isSound, WINDOWS } from '../support/sound.ts';

const bench = useBench({ sender: true, sandbox: { balances: { EUR: '900000000000000.00' } } });
const browser = useBrowser();
afterEach(() => browser.closeAll());
const open = useConsole(bench);
const start = (flags: readonly string[] = ['--write'], env = {}): Promise<OpenConsole> => open(flags, env);

async function pay(
  ending: string,
  id: string,
  details?: readonly string[],
  amount = '25000',
): Promise<string> {
  const flags = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', id];
  flags[flags.indexOf('25000')] = amount;
  const named = (details ?? []).flatMap((pair) => ['--detail', pair]);
  const plain = bankDetails(`01234567${ending}`);
  const argv = details === undefined ? flags : [...flags.filter((one) => !plain.includes(one)), ...named];
  const made = await bench.run([
    'tx',
    'create',
    ...argv,
    '--fund',
    '--max-input',
    '900000000000',
    '-o',
    'json',
  ]);
  expect(made.code, made.stderr).toBe(0);
  return made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
}

describe.skipIf(noBrowser)('every view', () => {
  let failing: string;
  beforeEach(async () => {
    failing = await pay('19', 'INV-2044');
    await pay('71', 'INV-2045');
    await pay('19', 'INV-2046');
    await pay('00', 'INV-2047');
    const asked = await pay('01', 'INV-2048');
    await bench.run(['recipient', 'cancel', asked, '--request']);
    const file = join(bench.dir, 'wages.csv');
    writeFileSync(
      file,
      'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account\nE-1,NGN::Bank,1000,EUR,customer-1,Ada,Obi,044,0123456700\n',
    );
    const planned = await bench.run(words(`batch plan ${file} --name wages-2026 --max-input EUR=100`));
    expect(planned.code, planned.stderr).toBe(0);
  });

  it.each(some(WINDOWS, 2))('$size and $look', async ({ size, look, ...window }) => {
    const { url, origin } = await start();
    const tab = await browser.open(url, window);
    const { page } = tab;
    const shown = (name: string) => isSound(tab, `${name}-${size}-${look}`);
    await heading(page, 'Find a payout');
    await shown('begin');
    await page.getByRole('searchbox').fill('6719');
    await page.keyboard.press('Enter');
    await heading(page, /found/);
    await shown('search');
    await page.goto(`${origin}/#/p/${failing}`);
    await heading(page, /25,000 NGN to Ada Obi/);
    await page.getByText('answered 201').first().waitFor();
    await shown('payout');
    await page.getByRole('button', { name: /Correct the details/ }).click();
    await shown('correct');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Cancel the payout/ }).click();
    await page.getByText('Cancel 25,000 NGN to Ada Obi, on the sandbox?').waitFor();
    await shown('cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByText('INV-2045').waitFor();
    await shown('triage');
    await page.getByRole('link', { name: 'My requests' }).click();
    await page.getByText('not answered yet').first().waitFor();
    await shown('requests');
    await page.getByRole('link', { name: 'Pay runs' }).click();
    await page.getByText('wages-2026').waitFor();
    await shown('runs');
    await page.getByRole('link', { name: 'wages-2026' }).click();
    await page.getByText('approve it').waitFor();
    await shown('run');
  });

  it('says what failed, and never that there is nothing', async () => {
    const { url } = await start();
    const tab = await browser.open(url);
    const { page } = tab;
    await heading(page, 'Find a payout');
    bench.intercept(answering(503, '{"error":"down"}'));
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByText('It is not known just now which payouts need somebody.').waitFor();
    expect(await page.textContent('main')).not.toContain('No payout needs anybody');
    tab.complaints.length = 0;
    await isSound(tab, 'failed-wide-light');
  });

  it.each([
    ['refuses the key', answering(401, '{"error":"unauthorized"}'), /key/],
    ['is away', lost, /answer|reach|connection|cut/],
  ] as const)('says so where the service %s, on every view that asks it', async (_, intercept, words) => {
    const { url, origin } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    bench.intercept(intercept);
    for (const hash of [`#/p/${failing}`, '#/triage']) {
      await page.goto(`${origin}/${hash}`);
      const alert = page.getByRole('alert').first();
      await alert.waitFor();
      expect(await alert.textContent(), hash).toMatch(words);
      expect(await page.textContent('main'), hash).not.toContain('No payout needs anybody');
    }
  });

  it('says that it asks while the service is slow, and shows what comes then', async () => {
    const { url, origin } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    let answerAll = (): void => {};
    const slow = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    bench.intercept(async (request, next) => {
      await slow;
      return next(request);
    });
    await page.goto(`${origin}/#/p/${failing}`);
    await page.getByText('Asking the service how it stands…').waitFor();
    expect(await page.getByRole('button', { name: /Cancel the payout/ }).count()).toBe(0);
    answerAll();
    await heading(page, /25,000 NGN to Ada Obi/);
  });

  it('shows an amount of fifteen digits whole, on a phone too', async () => {
    const { url, origin } = await start();
    const tab = await browser.open(url, { width: 360, height: 740 });
    const { page } = tab;
    await heading(page, 'Find a payout');
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      const body = answer.body.replaceAll(
        /"output_amount":"?25000(?:\.0+)?"?/g,
        '"output_amount":123456789012345',
      );
      return { ...answer, body };
    });
    await page.goto(`${origin}/#/p/${failing}`);
    await heading(page, /123,456,789,012,345 NGN to Ada Obi/);
    await page.getByText('answered 201').first().waitFor();
    await isSound(tab, 'fifteen-digits');
  });

  it('does nothing with a press that began before it was loaded again', async () => {
    const { url, origin } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    const sent: string[] = [];
    bench.intercept((request, next) => {
      if (request.method !== 'GET') sent.push(request.method);
      return next(request);
    });
    await page.goto(`${origin}/#/p/${failing}`);
    await page.getByRole('button', { name: /Cancel the payout/ }).click();
    const yes = page.getByRole('button', { name: 'Cancel 25,000 NGN in environment' });
    await yes.hover();
    await page.mouse.down();
    await page.reload();
    await heading(page, /25,000 NGN to Ada Obi/);
    await page.mouse.up();
    await page.getByRole('button', { name: /Cancel the payout/ }).waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    expect(sent).toEqual([]);
  });

  it('hands its session to no other tab, keeps it through a reload, and its address opens in a search box', async () => {
    const { url, origin } = await start();
    const { page, context } = await browser.open(url);
    await heading(page, 'Find a payout');
    const second = await context.newPage();
    await second.goto(`${origin}/#/p/${failing}`);
    const isStranger = (tab: typeof page) => tab.getByText('This page is not signed in.').waitFor();
    await isStranger(second);
    await page.getByRole('link', { name: 'Triage' }).click();
    const link = page.getByRole('link', { name: 'Ada Obi' }).first();
    for (const open of [
      () => link.click({ modifiers: ['Control'] }),
      () => link.click({ button: 'middle' }),
      () => page.evaluate(`void window.open('${origin}/#/p/${failing}')`),
    ]) {
      const [third] = await Promise.all([context.waitForEvent('page'), open()]);
      await isStranger(third);
      expect(await third.evaluate('sessionStorage.length')).toBe(0);
    }
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.getByRole('searchbox').fill(second.url());
    await page.keyboard.press('Enter');
    await heading(page, /25,000 NGN to Ada Obi/);
    await page.reload();
    await heading(page, /25,000 NGN to Ada Obi/);
    // Back from another page, as it was left or loaded anew.
    await page.goto('about:blank');
    await page.goBack();
    await heading(page, /25,000 NGN to Ada Obi/);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    const stranger = await browser.open(`${origin}/#/p/${failing}`);
    await isStranger(stranger.page);
  });

  it('has no name, no account and no code in its address', async () => {
    const { url } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    expect(page.url()).not.toMatch(/start/);
    for (const [words, hash] of [
      ['ada obi', '#/search'],
      ['0123456719', '#/search'],
      ['6719', '#/search'],
      ['25,000 NGN', '#/search?q=25%2C000%20NGN'],
      ['2026-01-05', '#/search?q=2026-01-05'],
    ] as const) {
      await page.getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
      await heading(page, /found/);
      expect(new URL(page.url()).hash, words).toBe(hash);
    }
    await page.goBack();
    expect(await page.getByRole('searchbox').inputValue()).toBe('25,000 NGN');
  });
});

describe.skipIf(noBrowser)('by keyboard alone', () => {
  it('a payout is found, corrected and cancelled, and no single key writes', async () => {
    const id = await pay('19', 'wages-1');
    const { url } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    const sent: string[] = [];
    bench.intercept((request, next) => {
      if (request.method !== 'GET') sent.push(request.method);
      return next(request);
    });
    await page.keyboard.press('/');
    await page.keyboard.type('wages-1');
    await page.keyboard.press('Enter');
    await heading(page, /1 found/);
    // In the box a letter is a letter.
    await page.keyboard.type('jt');
    await heading(page, /1 found/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, /25,000 NGN/);
    await page.keyboard.press('c');
    await page.getByText('Cancel 25,000 NGN to Ada Obi, on the sandbox?').waitFor();
    for (const key of ['c', 'e', 'Enter']) await page.keyboard.press(key);
    await page.waitForFunction('document.querySelector("dialog") === null');
    expect(sent).toEqual([]);
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Cancel 25,000 NGN in environment' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(': refunded').waitFor();
    expect(sent).toEqual(['DELETE']);
    await page.keyboard.press('Escape');
    await page.getByText('refunded').first().waitFor();
    expect((await bench.run(['recipient', 'show', id, '-o', 'json'])).data()).toMatchObject({
      state: 'refunded',
    });
  });

  it('j and k go through all lists of a view', async () => {
    await pay('19', 'wages-1');
    await pay('71', 'wages-2');
    const { url } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    await page.keyboard.press('t');
    await page.getByText('wages-2').waitFor();
    const at = async (): Promise<string | null> =>
      page.evaluate('document.activeElement.closest("tr")?.textContent ?? null');
    await page.keyboard.press('j');
    expect(await at()).toContain('wages-1');
    await page.keyboard.press('j');
    expect(await at()).toContain('wages-2');
    await page.keyboard.press('j');
    expect(await at()).toContain('wages-2');
    await page.keyboard.press('k');
    expect(await at()).toContain('wages-1');
  });

  it('a key that is held down, or that writes a letter of another script, is none of them', async () => {
    const { url } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    const press = (more: string) =>
      page.evaluate(
        `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true, ${more} }))`,
      );
    for (const more of [
      'repeat: true',
      'isComposing: true',
      'ctrlKey: true',
      'metaKey: true',
      'altKey: true',
    ])
      await press(more);
    await heading(page, 'Find a payout');
    await press('');
    await heading(page, 'Payouts that need somebody');
  });

  it('keys can be turned off', async () => {
    const { url } = await start();
    const { page } = await browser.open(url);
    await heading(page, 'Find a payout');
    await page.getByRole('checkbox').uncheck();
    await page.getByRole('checkbox').blur();
    await page.keyboard.press('t');
    await page.keyboard.press('/');
    await heading(page, 'Find a payout');
    await page.getByRole('checkbox').check();
    await page.getByRole('checkbox').blur();
    await page.keyboard.press('t');
    await heading(page, 'Payouts that need somebody');
  });
});

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);
const NAMES = [
  ['markup', '<img src=x onerror="document.title=1">', '</script><script>document.title=1</script>'],
  ['cjk', '小林', '美咲'],
  ['bidi', 'Ada\u202eibO', 'x\u200by\u0007'],
  ['arabic', 'محمد', 'الأحمد'],
  ['long', LONG, 'X'],
  ['link', 'javascript:alert(1)', '&lt;b&gt;'],
  ['emoji', 'Zoë 🦊', "O'Hara-Łoś"],
] as const;

describe.skipIf(noBrowser)('names of people and of attackers', () => {
  it.each(some(NAMES, 3))('%s are shown as text', async (name, first, last) => {
    const details = [`first_name=${first}`, `last_name=${last}`, 'bank_code=044', 'bank_account=0123456719'];
    const id = await pay('19', 'wages-1', details, '123456789012345');
    const { url, origin } = await start();
    const tab = await browser.open(url, { width: 360, height: 740 });
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.goto(`${origin}/#/p/${id}`);
    await heading(page, /123,456,789,012,345 NGN to/);
    const text = (await page.textContent('h1')) ?? '';
    if (name === 'bidi') expect(text).toContain('Ada\\u202eibO');
    else expect(text).toContain(first);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u0007]/u);
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(await page.title()).toBe('Payout · remit');
    await isSound(tab, `name-${name}`);
  });
});

describe.skipIf(noBrowser)('a download', () => {
  it('has what is shown, masked as it is shown, and no formula in it', async () => {
    const details = ['first_name==HYPERLINK("http://evil.example")', 'last_name=+1', 'bank_code=044'];
    await pay('19', 'wages-1', [...details, 'bank_account=0123456719']);
    await pay('71', 'wages-2');
    const { url } = await start([]);
    const { page, complaints } = await browser.open(url);
    await heading(page, 'Find a payout');
    await page.getByRole('link', { name: 'Triage' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 2 rows as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('remit-triage-2026-01-05.csv');
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffreference,to,account,amount,state,who_must_act,reason,created_at,recipient_id,transaction_id',
    );
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(
      `wages-1,"'=HYPERLINK(""http://evil.example"") +1",'044 ••••6719,"25,000 NGN",failing`,
    );
    expect(lines.join()).not.toContain('0123456719');
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(noBrowser)('production', () => {
  it('looks different at a glance, and wants the typed word', async () => {
    await pay('19', 'wages-1');
    const { url } = await start(['--write', '--live=key:7f3c'], {
      REMIT_BASE_URL: 'https://api.example.com/v1',
    });
    const tab = await browser.open(url);
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByRole('link', { name: 'Ada Obi' }).click();
    await heading(page, /25,000 NGN/);
    expect(await page.title()).toBe('LIVE · Payout · remit');
    await page.getByRole('button', { name: /Cancel the payout/ }).click();
    const button = page.getByRole('button', { name: 'Cancel 25,000 NGN in environment' });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.type('6719');
    await isSound(tab, 'production-cancel');
    await button.click();
    await page.getByText(': refunded').waitFor();
  });
});

describe.skipIf(noBrowser)('a board on the wall', () => {
  it('moves no row by itself: what changed waits until it is asked for', async () => {
    await pay('19', 'wages-1');
    const { url } = await start();
    const { page } = await browser.open(url);
    await page.clock.install();
    await heading(page, 'Find a payout');
    await page.getByRole('link', { name: 'Triage' }).click();
    await page.getByText('wages-1').waitFor();
    await pay('71', 'wages-2');
    await page.clock.runFor(61_000);
    await page.getByRole('button', { name: '1 change, show' }).waitFor();
    expect(await page.getByText('wages-2').count()).toBe(0);
    await page.getByRole('button', { name: '1 change, show' }).click();
    await page.getByText('wages-2').waitFor();
    bench.intercept(only(({ url: at }) => at.includes('/recipients'), answering(500)));
    await page.clock.runFor(61_000);
    await page.getByText('It could not be read again').waitFor();
    expect(await page.getByText('wages-2').count()).toBe(1);
  });
});

describe.skipIf(noBrowser)('an account in which nothing happened yet', () => {
  it('says so on every view, and complains of nothing', async () => {
    const { url, origin } = await start();
    const tab = await browser.open(url);
    const { page } = tab;
    await heading(page, 'Find a payout');
    for (const [hash, words] of [
      ['#/triage', 'No payout needs anybody.'],
      ['#/requests', 'Everything that was asked for from here is answered.'],
      ['#/runs', 'No pay run was planned with this account.'],
      ['#/month', 'This machine has no books, so no month can be shown.'],
      ['#/webhooks', 'No listener ran on this machine yet'],
      ['#/search?q=25%2C000', 'No payout fits every word.'],
    ] as const) {
      await page.goto(`${origin}/${hash}`);
      await page.getByText(words).waitFor();
      await isSound(tab, `empty-${hash.slice(2, 6)}`);
    }
  });
});
