/** Files that the page saves: proofs of payment as the service gave them, and rows as a workbook. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unguard } from '../../src/tables/csv-guard.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { bankDetails, paymentFlags, useBench } from '../support/cli.ts';
import { Asker, type OpenConsole, useConsole } from '../support/console.ts';
import { heading, isSound } from '../support/sound.ts';
import { hasReader, readWorkbook } from '../support/workbook.ts';

const bench = useBench({ sender: true });
const browser = useBrowser();
const open = useConsole(bench);
let console: OpenConsole;
beforeEach(async () => {
  console = await open();
});
afterEach(() => browser.closeAll());

async function pay(externalId = 'paid-1', ending = '00', details?: readonly string[]): Promise<string> {
  const plain = bankDetails(`01234567${ending}`);
  const given = (details ?? [])
    .concat(`bank_account=01234567${ending}`)
    .flatMap((pair) => ['--detail', pair]);
  const all = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', externalId];
  const flags = details === undefined ? all : [...all.filter((one) => !plain.includes(one)), ...given];
  const made = await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20', '-o', 'json']);
  expect(made.code, made.stderr).toBe(0);
  return made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
}

const sheetsIn = (base64: string) => readWorkbook(Buffer.from(base64, 'base64').toString('latin1'));

const dataUrl = (bytes: string, type = 'text/html') =>
  `data:${type};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`;
const PDF = '%PDF-1.7\n…';

/** The list that the service gives, with these files. Returns what was asked of it. */
function listing(...proofs: { file_name: string; url: string }[]): string[] {
  const asked: string[] = [];
  bench.intercept(async (request, next) => {
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
    bench.intercept(async (request, next) => {
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

describe.skipIf(!hasReader)('rows as a workbook', () => {
  it('hold each text as it was shown, none of them a formula, and times as such', async () => {
    const asker = await Asker.from(console);
    const texts = [
      '=1+1',
      '+44',
      '-2+3',
      '@two',
      '\t=1',
      '007',
      '1e5',
      '<b>&amp;',

      'a\nb',
      ' Zoë  ',
    ];
    const rows = texts.map((one) => [one, '2026-01-05T09:30:00Z', '']);
    const columns = [
      { name: '=to', time: false },
      { name: 'created_at', time: true },
      { name: 'reason', time: false },
    ];
    const { status, data, isProved } = await asker.ask('workbook', { columns, rows });
    expect([status, isProved]).toEqual([200, true]);
    const [sheet] = sheetsIn(data.base64);
    const [head, ...lines] = sheet?.rows ?? [];
    expect(head?.map(({ type, value }) => [type, value])).toEqual([
      ['s', '=to'],
      ['s', 'created_at'],
      ['s', 'reason'],
    ]);
    expect(lines.map(([cell]) => cell?.value)).toEqual(texts);
    expect(new Set(lines.map(([cell]) => cell?.type))).toEqual(new Set(['s']));
    // For whoever edits the cell.
    expect(lines.slice(0, 7).map(([cell]) => cell?.isQuoted)).toEqual(Array(7).fill(true));
    expect(lines[0]?.[1]).toMatchObject({ type: 'd', value: '2026-01-05T09:30:00' });
  });

  it('may be many, up to 4 MB, and for nobody without a session', async () => {
    const columns = [{ name: 'to', time: false }];
    const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => [`${at} ${'x'.repeat(90)}`]);
    const stranger = new Asker(console.origin);
    stranger.token = 'x'.repeat(43);
    expect((await stranger.ask('workbook', { columns, rows: rowsOf(10) })).status).toBe(401);
    // A refusal before the whole was read may end the connection first.
    const refused = await stranger.ask('workbook', { columns, rows: rowsOf(1_000) }).catch(() => undefined);
    expect([413, undefined]).toContain(refused?.status);
    const asker = await Asker.from(console);
    const { data } = await asker.ask('workbook', { columns, rows: rowsOf(30_000) });
    const [sheet] = sheetsIn(data.base64);
    expect(sheet?.rows).toHaveLength(30_001);
    expect(sheet?.rows.at(-1)?.[0]?.value).toMatch(/^29999 x/);
    const more = await asker.ask('workbook', { columns, rows: rowsOf(60_000) }).catch(() => undefined);
    expect([413, undefined]).toContain(more?.status);
    const long = await asker.ask('payout', { id: 'x'.repeat(70_000) });
    // With its proof: an open page would take another answer for that of a stranger, and sign out.
    expect([long.status, long.isProved]).toEqual([413, true]);
  });
});

describe.skipIf(noBrowser)('in a browser', () => {
  it.skipIf(!hasReader)('both files of a list have what is shown', async () => {
    const details = ['first_name==HYPERLINK("http://evil.example")', 'last_name=+1', 'bank_code=044'];
    await pay('wages-1', '19', details);
    await pay('wages-2', '71');
    const tab = await browser.open(console.url, { width: 360 });
    const { page } = tab;
    await heading(page, 'Find a payout');
    await page.goto(`${console.origin}/#/triage`);
    const [book] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 2 rows as XLSX' }).click(),
    ]);
    expect(book.suggestedFilename()).toBe('remit-triage-2026-01-05.xlsx');
    const [sheet] = sheetsIn(readFileSync(await book.path(), 'base64'));
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 2 rows as CSV' }).click(),
    ]);
    expect(csv.suggestedFilename()).toBe('remit-triage-2026-01-05.csv');
    const lines: string[][] = parse(readFileSync(await csv.path()), { bom: true });
    const shown = (sheet?.rows ?? []).map((row) =>
      row.map(({ type, value }) => (type === 'd' ? 'time' : String(value ?? ''))),
    );
    const at = lines[0]?.indexOf('created_at') ?? -1;
    expect(shown.map((row) => row.toSpliced(at, 1))).toEqual(
      lines.map((row) => row.map(unguard).toSpliced(at, 1)),
    );
    expect(shown[1]?.[1]).toBe('=HYPERLINK("http://evil.example") +1');
    expect(shown[1]).toContain('044 ••••6719');
    expect(sheet?.rows.flat().filter(({ type }) => type === 'f')).toEqual([]);
    expect(JSON.stringify(sheet)).not.toContain('0123456719');
    await isSound(tab, 'files');
  });

  it.skipIf(!hasReader)('one that fails says why, and the next press may do', async () => {
    await pay('wages-1', '19');
    const { page } = await browser.open(console.url);
    await heading(page, 'Find a payout');
    await page.route('**/api/workbook', (route) => route.abort());
    await page.goto(`${console.origin}/#/triage`);
    await page.getByRole('button', { name: 'Download 1 row as XLSX' }).click();
    await page.getByText('The console does not answer').waitFor();
    await page.unroute('**/api/workbook');
    await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 1 row as XLSX' }).click(),
    ]);
    // More than the server would read is not sent at all: the page stays signed in.
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.evaluate('Object.defineProperty(Blob.prototype, "size", { get: () => 4_000_001 })');
    await page.getByRole('button', { name: 'Download 1 row as XLSX' }).click();
    await page.getByText('These are more rows than one file takes from here: the CSV has all.').waitFor();
    expect(sent).toEqual([]);
  });

  it('a proof is saved when its button is pressed, and not fetched before', async () => {
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
