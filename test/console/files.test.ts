/** Files that the page saves: proofs of payment as the service gave them, and rows as a workbook. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { paymentFlags, useBench } from '../support/cli.ts';
import { Asker, type OpenConsole, openConsole } from '../support/console.ts';
import { heading, isSound } from '../support/sound.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
let console: OpenConsole;
beforeEach(async () => {
  console = await openConsole(bench);
});
afterEach(async () => {
  await browser.closeAll();
  await console.end();
});

async function pay(externalId = 'paid-1', ending = '00'): Promise<string> {
  const flags = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', externalId];
  const made = await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20', '-o', 'json']);
  expect(made.code, made.stderr).toBe(0);
  return made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
}

const dataUrl = (bytes: string, type = 'text/html') =>
  `data:${type};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`;
const PDF = '%PDF-1.7\n…';

/** The list that the service gives, with these files. Returns what was asked of it. */
function listing(...proofs: { file_name: string; url: string }[]): string[] {
  const asked: string[] = [];
  bench.bend(async (request, next) => {
    if (!/\/proof/.test(request.url)) return next(request);
    asked.push(request.url);
    return {
      status: 200,
      headers: {},
      body: JSON.stringify({
        object: proofs.map((one, index) => ({ id: `id-${index}`, thumbnail: '', ...one })),
      }),
    };
  });
  return asked;
}

describe('proofs of payment', () => {
  let asker: Asker;
  beforeEach(async () => {
    asker = await Asker.from(console);
  });

  it('come byte for byte, from a sandbox too', async () => {
    const id = await pay();
    const fetched: string[] = [];
    bench.bend(async (request, next) => {
      const answer = await next(request);
      if (/\/files\//.test(request.url)) fetched.push(answer.body);
      return answer;
    });
    expect((await asker.ask('payout', { id })).data.proofs).toBe(`remit recipient proofs ${id}`);
    expect(fetched).toEqual([]);
    const { status, data, isProved } = await asker.ask('proofs', { id });
    expect([status, isProved, data.note, data.files.length]).toEqual([200, true, null, 1]);
    const [file] = data.files;
    // The sandbox's are pictures that may hold a script: none of those is handed on as one.
    expect(file).toMatchObject({ type: 'application/octet-stream', why: null });
    expect(file.name).toMatch(/^proof-of-payment-[0-9a-f]{8}\.svg\.bin$/);
    expect(Buffer.from(file.base64, 'base64').toString('latin1')).toBe(fetched[0]);
  });

  it.each([
    ['receipt.pdf', PDF, 'application/pdf', 'receipt.pdf'],
    ['receipt.html', PDF, 'application/pdf', 'receipt.html.pdf'],
    ['a.png', '\x89PNG\r\n\x1a\n…', 'image/png', 'a.png'],
    ['a.JPEG', '\xff\xd8\xff\xe0', 'image/jpeg', 'a.JPEG'],
    ['a.html', '<script>alert(1)</script>', 'application/octet-stream', 'a.html.bin'],
    ['a.pdf', '<svg onload="alert(1)"/>', 'application/octet-stream', 'a.pdf.bin'],
    ['../../.bashrc', ' %PDF-', 'application/octet-stream', 'bashrc.bin'],
    ['a\u202efdp.exe', '', 'application/octet-stream', 'a_fdp.exe.bin'],
  ])('%s that begins with %j is %s, as %s', async (given, bytes, type, name) => {
    const id = await pay();
    listing({ file_name: given, url: dataUrl(bytes) });
    const { data } = await asker.ask('proofs', { id });
    const base64 = Buffer.from(bytes, 'latin1').toString('base64');
    expect(data.files).toEqual([{ name, type, base64, why: null }]);
  });

  it('one that is not fetched keeps no other from it', async () => {
    const id = await pay();
    listing(
      { file_name: 'bad.pdf', url: 'file:///etc/passwd' },
      { file_name: 'good.pdf', url: dataUrl(PDF) },
    );
    const { data } = await asker.ask('proofs', { id });
    expect(data.files).toMatchObject([
      { name: 'bad.pdf', base64: null, why: expect.stringContaining('neither a web address') },
      { name: 'good.pdf', why: null },
    ]);
  });

  it('are bounded in number, and together in size', async () => {
    const id = await pay();
    const large = dataUrl('x'.repeat(9_000_000));
    listing(...Array.from({ length: 3 }, (_, at) => ({ file_name: `${at}`, url: large })));
    const { data } = await asker.ask('proofs', { id });
    expect(data.files.map(({ why }: { why: string | null }) => why)).toEqual([
      null,
      null,
      'the file has more than 2000000 bytes',
    ]);
    listing(...Array.from({ length: 34 }, (_, at) => ({ file_name: `${at}`, url: dataUrl(PDF) })));
    const many = await asker.ask('proofs', { id });
    expect(many.data.files).toHaveLength(20);
    expect(many.data.note).toBe('These are the first 20 of 34: the command lists all.');
  });

  it('where there is none, the words of the command say so', async () => {
    const id = await pay();
    listing();
    const { data } = await asker.ask('proofs', { id });
    expect(data.files).toEqual([]);
    expect(data.note).toContain('no proof of payment: there are files only once the payout is made');
    expect((await bench.run(['recipient', 'proofs', id])).stdout + data.note).toContain(data.note);
  });
});

describe.skipIf(noBrowser)('in a browser', () => {
  it('a proof is saved when its button is pressed, and not fetched before', { timeout: 60_000 }, async () => {
    const id = await pay();
    const asked = listing({ file_name: 'receipt.pdf', url: dataUrl(PDF) });
    const tab = await browser.open(console.url, { width: 360 });
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.goto(`${console.origin}/#/p/${id}`);
    await heading(page, /25,000 NGN/);
    expect(asked).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the proof of payment' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('receipt.pdf');
    expect(readFileSync(await download.path(), 'latin1')).toBe(Buffer.from(PDF, 'latin1').toString('latin1'));
    listing(
      { file_name: `${'x'.repeat(90)}.pdf`, url: dataUrl(PDF) },
      { file_name: '<img src=x onerror=alert(1)>.png', url: 'https://127.0.0.1/' },
    );
    await page.getByRole('button', { name: 'Download the proof of payment' }).click();
    await page.getByText('was not fetched').waitFor();
    await isSound(tab, 'proofs');
    listing();
    await page.getByRole('button', { name: 'Download the proof of payment' }).click();
    await page.getByText('No proof of payment: there are files only once the payout is made').waitFor();
  });
});
