/** A pay run on a page: where it stands, from the store alone, and the rows that need somebody. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { answering, lostAfter, only, type Run, useBench } from '../support/cli.ts';
import { Asker, useConsole } from '../support/console.ts';
import { some } from '../support/long.ts';
import { heading, isSound, WINDOWS } from '../support/sound.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
afterEach(() => browser.closeAll());
const start = useConsole(bench);
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);

async function plan(accounts: readonly string[], name = 'wages'): Promise<string> {
  const path = join(bench.dir, `${name}.csv`);
  const rows = accounts.map(
    (account, n) => `E-${n + 1},NGN::Bank,1000,EUR,customer-1,Ada,Obi,044,${account}`,
  );
  const header = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
  const planned = await batch('plan', path, '--name', name, '--max-input', 'EUR=1000', '-o', 'json');
  expect(planned.code, planned.stderr).toBe(0);
  return (await batch('status', name, '-o', 'json')).data<{ digest: string }>().digest;
}
const REFUSED =
  '{"object":{"errors":{"recipients.0.payout_method.bank_account":[{"error":"invalid"}]}},"meta":{}}';
const isOf = (key: string) => (request: { url: string; body?: string | undefined }) =>
  request.url.endsWith('/create_and_fund') && request.body?.includes(`"wages:${key}"`) === true;

describe('a run', () => {
  it('stands as the terminal says it, at each of its steps, and the service is asked for nothing', async () => {
    const digest = await plan(['0123456700', '0123456701', '0123456719']);
    const asker = await Asker.from(await start());
    const shown = async () => (await asker.ask('run', { id: 'wages' })).data;
    const labels = (data: { commands: { text: string }[] }): string[] =>
      data.commands.map(({ text }) => text);
    expect(labels(await shown())).toContain(`remit batch approve wages --digest ${digest}`);
    const listed = async () => (await asker.ask('runs', {})).data.rows[0];
    const link = { text: 'wages', to: 'run', of: 'wages' };
    expect(await listed()).toEqual([link, '3', 'planned', expect.any(String), 'nobody yet', '']);
    await batch('approve', 'wages', '--digest', digest, '--yes');
    expect(labels(await shown())).toContain('remit batch run wages');
    await batch('hold', 'wages', '--because', 'a rate that looks wrong');
    expect(labels(await shown())).toContain('remit batch release wages');
    expect((await listed())[5]).toContain('a rate that looks wrong');
    await batch('release', 'wages');
    bench.intercept(only(isOf('E-3'), answering(422, REFUSED)));
    await batch('run', 'wages');
    bench.restore();
    let asked = 0;
    bench.intercept((request, next) => {
      asked += 1;
      return next(request);
    });
    const data = await shown();
    expect(asked).toBe(0);
    const said = (await batch('status', 'wages', '-o', 'json')).data<{ status: string; states: object }>();
    expect(data).toMatchObject({ name: 'wages', status: said.status, done: 3, of: 3, look: 'bad' });
    const [third, ...others] = data.needing.rows;
    expect(others).toEqual([]);
    expect(third.slice(0, 6)).toEqual(['3', 'E-3', 'Ada Obi', '044 ••••6719', '1,000 NGN', 'refused']);
    const terminal = (await bench.run(['batch', 'status', 'wages'], { tty: true, columns: 400 })).stdout;
    for (const { label, text } of data.lines as { label: string; text: string }[])
      if (!/\d{4}-\d\d-\d\dT/.test(text)) expect(terminal, label).toContain(text);
  });

  it('is approved, held, released and rejected on the page as by the commands, and only as it was shown', async () => {
    await plan(['0123456700', '0123456701']);
    const asker = await Asker.from(await start(['--write']));
    const shown = async () => (await asker.ask('run', { id: 'wages' })).data;
    const { digest, can } = await shown();
    expect(can).toEqual(['approve', 'reject', 'hold']);
    const of = [{ id: 'wages', digest }];
    // A plan that waits for a person stands among the requests that are not over.
    expect((await asker.ask('requests', {})).data.rows).toMatchObject([
      { run: 'wages', state: { word: 'waits for approval' }, summary: 'pay run wages, 2 rows' },
    ]);
    const other = await asker.act({
      act: 'approve',
      of: [{ id: 'wages', digest: digest.replace(/^./, (c: string) => (c === '0' ? '1' : '0')) }],
    });
    expect([other.status, other.data.problem.code]).toEqual([409, 'digest_differs']);
    const first = await asker.ask('act', { id: 'a'.repeat(32), act: 'approve', of, answers: [] });
    expect(first.data).toMatchObject({ kind: 'asks', button: 'Approve wages in environment' });
    expect(JSON.stringify(first.data.heard)).toContain('2 × NGN::Bank');
    expect((await shown()).can).toContain('approve');
    const approved = await asker.act({ act: 'approve', of });
    expect((await asker.ask('requests', {})).data.rows).toEqual([]);
    expect(approved.data.endings).toMatchObject([{ text: 'wages: approved', look: 'good' }]);
    expect(approved.data.command).toBe(`remit batch approve wages --digest ${digest}`);
    const stands = async () => (await batch('list', '-o', 'json')).data<Record<string, unknown>[]>()[0];
    expect(await stands()).toMatchObject({ approved_by: expect.stringMatching(/./) });
    const silent = await asker.act({ act: 'hold', of });
    expect([silent.status, silent.data.problem.message]).toEqual([
      400,
      expect.stringContaining('needs its reason'),
    ]);
    await asker.act({ act: 'hold', of, details: { because: 'a rate that looks wrong' } });
    expect(await stands()).toMatchObject({ held_by: expect.stringContaining('a rate that looks wrong') });
    expect((await shown()).can).toEqual(['reject', 'release']);
    expect((await asker.act({ act: 'release', of })).status).toBe(200);
    expect(await stands()).toMatchObject({ held_by: null });
    await asker.act({ act: 'reject', of, details: { because: 'Ada Obi left in May' } });
    expect(JSON.stringify(await stands())).toContain('Ada Obi left in May');
    // Whoever looks again may approve it anew.
    expect((await shown()).can).toContain('approve');
    expect((await batch('run', 'wages', '--yes')).code).not.toBe(0);
    expect((await batch('status', 'wages', '-o', 'json')).data<{ states: object }>().states).toEqual({
      planned: 2,
    });
    expect((await asker.ask('requests', {})).data.rows).toMatchObject([{ run: 'wages' }]);
    await batch('cancel', 'wages', '--yes');
    // It still has its rejection, and no approval would bring it back.
    expect((await asker.ask('requests', {})).data.rows).toEqual([]);
  });

  it('has its rows of unknown outcome settled on the page: each is found, and paid once', async () => {
    const digest = await plan(['0123456700', '0123456800']);
    await batch('approve', 'wages', '--digest', digest, '--yes');
    bench.intercept((request, next) => {
      if (isOf('E-2')(request)) return lostAfter(request, next);
      return request.url.includes('/transactions?') ? answering(503)(request, next) : next(request);
    });
    await batch('run', 'wages');
    bench.restore();
    const asker = await Asker.from(await start(['--write']));
    const run = (await asker.ask('run', { id: 'wages' })).data;
    expect(run.can).toContain('settle_run');
    const settled = await asker.act({ act: 'settle_run', of: [{ id: 'wages', digest: run.digest }] });
    expect([settled.status, settled.data.kind]).toEqual([200, 'done']);
    expect((await asker.ask('run', { id: 'wages' })).data.can).not.toContain('settle_run');
    const made = (await bench.run(['tx', 'list', '-o', 'json'])).data<object[]>();
    expect(made).toHaveLength(2);
  });

  it('is not approved on the page where a signature is wanted, and a page that only reads decides nothing', async () => {
    await plan(['0123456700']);
    const reading = await Asker.from(await start([]));
    const { digest } = (await reading.ask('run', { id: 'wages' })).data;
    const of = [{ id: 'wages', digest }];
    for (const act of ['approve', 'reject', 'hold'] as const)
      expect((await reading.act({ act, of, details: { because: 'no reason' } })).data.problem.code).toBe(
        'read_only',
      );
    const phrase = join(bench.dir, 'phrase');
    writeFileSync(phrase, 'made up words for a test key\n', { mode: 0o600 });
    const made = await bench.run(['approver', 'create', 'grace'], {
      env: { REMIT_APPROVER_PASSPHRASE_FILE: phrase },
    });
    expect(made.code, made.stderr).toBe(0);
    const writing = await Asker.from(await start(['--write']));
    const shown = (await writing.ask('run', { id: 'wages' })).data;
    expect(shown.can).toEqual(['hold']);
    expect(shown.whyNotHere).toContain('a signature is given in the terminal');
    for (const act of ['approve', 'reject'] as const)
      expect(
        (await writing.act({ act, of, details: { because: 'no reason' } })).data.problem.message,
      ).toContain('a signature is given in the terminal');
    expect((await batch('list', '-o', 'json')).data<object[]>()[0]).toMatchObject({ status: 'planned' });
  });

  it('is planned from a file as batch plan plans it: the same digest, and nothing is sent', async () => {
    const path = join(bench.dir, 'wages.csv');
    await plan(['0123456700', '0123456800']);
    const content = readFileSync(path).toString('base64');
    const { digest } = (await batch('status', 'wages', '-o', 'json')).data<{ digest: string }>();
    const asker = await Asker.from(await start(['--write']));
    const file = { name: 'wages', file: { name: 'wages.csv', content }, maxInput: {} };
    // Without a limit it says what the run should cost, and keeps nothing.
    const limit = await asker.ask('planRun', { ...file, name: 'again', repeats: 'wages' });
    expect(limit.data).toMatchObject({
      kind: 'limit',
      costs: [{ label: 'EUR', text: expect.stringMatching(/EUR$/) }],
    });
    expect((await asker.ask('runs', {})).data.rows).toHaveLength(1);
    const stood = await asker.ask('planRun', { ...file, maxInput: { EUR: '1000' } });
    expect(stood.data).toMatchObject({ kind: 'planned', name: 'wages' });
    expect((await asker.ask('run', { id: 'wages' })).data.digest).toBe(digest);
    const twice = await asker.ask('planRun', { ...file, name: 'again', maxInput: { EUR: '1000' } });
    expect([twice.status, twice.data.problem.message]).toEqual([
      expect.any(Number),
      expect.stringContaining('may be the same file'),
    ]);
    const meant = await asker.ask('planRun', {
      ...file,
      name: 'again',
      maxInput: { EUR: '1000' },
      repeats: 'wages',
    });
    expect(meant.data).toMatchObject({ kind: 'planned', name: 'again' });
    expect((await bench.run(['tx', 'list', '-o', 'json'])).data()).toEqual([]);
  });

  it('is not planned from a file with faults: each is beside its row', async () => {
    const asker = await Asker.from(await start(['--write']));
    const text =
      'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account\nE-1,NGN::Bank,ten,EUR,nobody-1,Ada,Obi,044,01234\n';
    const content = Buffer.from(text).toString('base64');
    const { data } = await asker.ask('planRun', {
      name: 'wages',
      file: { name: 'w.csv', content },
      maxInput: { EUR: '1' },
    });
    expect(data.kind).toBe('faults');
    const labels = data.faults.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(expect.arrayContaining([expect.stringMatching(/line 2.*amount/)]));
    expect((await asker.ask('runs', {})).data.rows).toEqual([]);
    const reading = await Asker.from(await start([]));
    const file = { name: 'w.csv', content };
    const refused = await reading.ask('planRun', { name: 'wages', file, maxInput: {} });
    expect(refused.data.problem.code).toBe('read_only');
  });

  it('has the report of the terminal as a file, masked', async () => {
    await plan(['0123456700', '0123456719']);
    const asker = await Asker.from(await start());
    const { columns, rows } = (await asker.ask('report', { id: 'wages' })).data;
    const printed = await batch('report', 'wages', '-o', 'csv');
    const [heads = [], ...lines]: string[][] = parse(printed.stdout);
    expect(columns.map(({ name }: { name: string }) => name)).toEqual(heads);
    expect(rows).toEqual(lines);
    expect(JSON.stringify(rows)).toContain('044 ••••6719');
    expect(JSON.stringify(rows)).not.toContain('0123456719');
  });

  it('with changed payees is planned once each of them was asked, and as the terminal plans it', async () => {
    const digest = await plan(['0123456700', '0123456800'], 'october');
    await batch('approve', 'october', '--digest', digest, '--yes');
    await batch('run', 'october');
    const lines = readFileSync(join(bench.dir, 'october.csv'), 'utf8').replace('0123456700', '0123456901');
    const path = join(bench.dir, 'november.csv');
    writeFileSync(path, lines);
    const asker = await Asker.from(await start(['--write']));
    const file = {
      name: 'november',
      file: { name: 'november.csv', content: Buffer.from(lines).toString('base64') },
      maxInput: { EUR: '1000' },
      repeats: 'october',
    };
    const first = (await asker.ask('planRun', file)).data;
    expect(first).toMatchObject({
      kind: 'changed',
      payees: {
        heads: ['Asked', 'Row', 'Is paid now', 'Before'],
        rows: [
          [
            expect.any(String),
            '1 (E-1)',
            'Ada Obi, 044 ••••6901',
            'last paid: Ada Obi, 044 ••••6700 (E-1 of october)',
          ],
        ],
      },
    });
    const ids: string[] = first.payees.rows.map(([id]: string[]) => id);
    for (const asked of [[], ['E-1'], [...ids, 'E-2']])
      expect((await asker.ask('planRun', { ...file, asked })).data.kind).toBe('changed');
    expect((await asker.ask('runs', {})).data.rows).toHaveLength(1);
    expect((await asker.ask('planRun', { ...file, asked: ids })).data.kind).toBe('planned');
    // The terminal takes the same file under the same name for the same run.
    const more = ['--max-input', 'EUR=1000', '--repeat', 'october', '--accept-changed', '1'];
    const same = await batch('plan', path, '--name', 'november', ...more, '-o', 'json');
    expect([same.code, same.stderr]).toEqual([0, expect.stringContaining('LOOK AT 1 CHANGED PAYEE')]);
    expect((await asker.ask('runs', {})).data.rows).toHaveLength(2);
  });

  it('that nobody knows is said to be none; a page of no run says so', async () => {
    const asker = await Asker.from(await start());
    expect((await asker.ask('runs', {})).data.rows).toEqual([]);
    const none = await asker.ask('run', { id: 'wages' });
    expect([none.status, none.data.problem.code]).toEqual([404, 'not_found']);
  });
});

describe.skipIf(noBrowser)('on the page', () => {
  it('a run is opened by keyboard, and its payout from there', async () => {
    const digest = await plan(['0123456700', '0123456719']);
    await batch('approve', 'wages', '--digest', digest, '--yes');
    await batch('run', 'wages');
    await batch('watch', 'wages', '--timeout', '5s');
    const { url } = await start();
    const { page, complaints } = await browser.open(url, { width: 360, height: 740 });
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('link', { name: 'wages' }).press('Enter');
    await page.getByRole('heading', { name: 'Pay run wages' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/runs/wages');
    await page.getByRole('heading', { name: 'Rows that need somebody' }).waitFor();
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the report as CSV' }).click(),
    ]);
    expect(report.suggestedFilename()).toBe('remit-run-wages.csv');
    const lines: string[][] = parse(readFileSync(await report.path()), { bom: true });
    expect(lines.map(([, key]) => key)).toEqual(['key', 'E-1', 'E-2']);
    expect(JSON.stringify(lines)).toContain('044 ••••6719');
    const room = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    expect(room[0]).toBeLessThanOrEqual(room[1] ?? 0);
    await page.getByRole('link', { name: 'Ada Obi' }).click();
    await page.getByRole('heading', { name: '1,000 NGN to Ada Obi' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(some(WINDOWS, 1))(
    'changed payees are ticked one by one: $size and $look',
    async ({ size, look, ...window }) => {
      const digest = await plan(['0123456700', '0123456800'], 'october');
      await batch('approve', 'october', '--digest', digest, '--yes');
      await batch('run', 'october');
      const { url } = await start(['--write']);
      const tab = await browser.open(url, window);
      const { page } = tab;
      await heading(page, 'Find a payout');
      await page.keyboard.press('p');
      const lines = readFileSync(join(bench.dir, 'october.csv'), 'utf8');
      const buffer = Buffer.from(
        lines.replace('0123456700', '0123456901').replace('0123456800', '0123456902'),
      );
      const file = { name: 'november.csv', mimeType: 'text/csv', buffer };
      const large = { ...file, name: 'all.csv', buffer: Buffer.alloc(3_000_001, '#') };
      await page.getByLabel(/A file of payments/).setInputFiles(large);
      await page.getByText('all.csv is too large for the page: the terminal takes it.').waitFor();
      expect(await page.getByRole('button', { name: 'Plan it in environment' }).count()).toBe(0);
      await page.getByLabel(/A file of payments/).setInputFiles(file);
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('run that is meant to be paid again').fill('october');
      const go = page.getByRole('button', { name: 'Plan it in environment' });
      await go.click();
      await page.getByLabel(/the most it may cost, in EUR/).fill('100');
      await go.click();
      await page.getByText('Changed payees: 2').waitFor();
      await page.getByText('last paid: Ada Obi, 044 ••••6700 (E-1 of october)').waitFor();
      await isSound(tab, `changed-${size}-${look}`);
      await page.getByLabel(/^Asked: .*Ada Obi, 044 ••••6901/).check();
      // The browser asks for the other tick, and sends nothing.
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await go.click();
      const other = page.getByLabel(/^Asked: .*Ada Obi, 044 ••••6902/);
      await expect.poll(() => other.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
      expect(sent).toEqual([]);
      expect((await batch('list', '-o', 'json')).data<object[]>()).toHaveLength(1);
      await other.check();
      await go.click();
      await page.getByText('Planned:').waitFor();
      expect((await batch('list', '-o', 'json')).data<object[]>()).toHaveLength(2);
    },
  );

  it.each(some(WINDOWS, 1))('a run is planned and approved: $size and $look', async (window) => {
    const { size, look } = window;
    await plan(['0123456700'], 'older');
    const { url } = await start(['--write']);
    const tab = await browser.open(url, window);
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.keyboard.press('p');
    await heading(page, 'Pay runs');
    const lines = readFileSync(join(bench.dir, 'older.csv'), 'utf8').replace('01234567', '01234568');
    await page.getByLabel(/A file of payments/).setInputFiles({
      name: 'wages 2026.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines),
    });
    const go = page.getByRole('button', { name: 'Plan it in environment' });
    await go.click();
    await page.getByLabel(/the most it may cost, in EUR/).fill('100');
    await isSound(tab, `plan-${size}-${look}`);
    await go.click();
    await page.getByText('Planned:').waitFor();
    await page.getByLabel('Plan a run').getByRole('link', { name: 'wages-2026' }).click();
    await heading(page, 'Pay run wages-2026');
    await page.getByRole('button', { name: 'Hold…' }).click();
    await page.getByLabel('Why it is held').fill('a rate that looks wrong');
    await page.getByRole('button', { name: 'Hold in environment' }).click();
    await page.getByText('wages-2026: on hold').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('button', { name: 'Approve wages-2026 in environment' }).click();
    await page.getByText('wages-2026: approved').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page
      .getByText(/a rate that looks wrong/)
      .first()
      .waitFor();
    await isSound(tab, `run-acts-${size}-${look}`);
    expect((await bench.run(['tx', 'list', '-o', 'json'])).data()).toEqual([]);
  });
});
