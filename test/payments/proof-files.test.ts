/** Proofs of payment as files: safe names, nothing written over, nothing of ours sent along. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proofNames } from '../../src/payments/cases/proof-files.ts';
import { paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const pay = () =>
  bench.run([
    ...['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'paid-1'],
    ...['--fund', '--max-input', '20'],
  ]);
interface Row {
  path: string;
  outcome: string;
  bytes: number | null;
  why: string | null;
}
const folder = () => join(bench.dir, 'proofs');
const download = () => bench.run(['recipient', 'proofs', 'paid-1', '--download', folder(), '-o', 'json']);

/** The list that the service gives, with these addresses. */
function listing(...proofs: { file_name: string; url: string }[]): void {
  bench.intercept(async (request, next) =>
    /\/proof/.test(request.url) && !/\/files\//.test(request.url)
      ? {
          status: 200,
          headers: {},
          body: JSON.stringify({
            object: proofs.map((one, index) => ({ id: `id-${index}`, thumbnail: '', ...one })),
          }),
        }
      : next(request),
  );
}

it('writes each file for this user alone, and says what is there already', async () => {
  await pay();
  const run = await download();
  expect(run.code).toBe(0);
  const [row] = run.data<Row[]>();
  expect(row).toMatchObject({ outcome: 'written', why: null });
  expect(statSync(row?.path ?? '').mode & 0o777).toBe(0o600);
  const before = readFileSync(row?.path ?? '');
  expect(before.length).toBe(row?.bytes);
  const again = await download();
  expect([again.code, again.data<Row[]>()[0]?.outcome]).toEqual([1, 'there already']);
  expect(readFileSync(row?.path ?? '')).toEqual(before);
  expect(readdirSync(folder())).toHaveLength(1);
});

it('sends neither key nor signature to the address of a file', async () => {
  await pay();
  const sent: Record<string, string>[] = [];
  bench.intercept(async (request, next) => {
    if (/\/files\//.test(request.url)) sent.push(request.headers);
    return next(request);
  });
  await download();
  expect(sent).toEqual([{ accept: '*/*' }]);
});

it('decodes a data URL, byte for byte', async () => {
  await pay();
  const bytes = Buffer.from([0, 255, 10, 13, 128]);
  listing({ file_name: 'a.png', url: `data:image/png;base64,${bytes.toString('base64')}` });
  expect((await download()).code).toBe(0);
  expect(readFileSync(join(folder(), 'a.png'))).toEqual(bytes);
});

it.each([
  ['http://files.example.com/a.png', 'plain HTTP'],
  ['https://me:secret@files.example.com/a.png', 'has a password in it'],
  ['file:///etc/passwd', 'neither a web address'],
  ['', 'neither a web address'],
  ['data:nothing', 'cannot be read'],
])('%s is not fetched, and the others are', async (url, words) => {
  await pay();
  listing({ file_name: 'bad.png', url }, { file_name: 'good.txt', url: 'data:text/plain,good' });
  const run = await download();
  expect(run.code).toBe(1);
  expect(run.data<Row[]>().map(({ outcome }) => outcome)).toEqual(['failed', 'written']);
  expect(run.data<Row[]>()[0]?.why).toContain(words);
});

it('follows no redirect', async () => {
  await pay();
  bench.intercept(async (request, next) =>
    /\/files\//.test(request.url)
      ? { status: 302, headers: { location: 'https://elsewhere.example.com/' }, body: '' }
      : next(request),
  );
  expect((await download()).data<Row[]>()[0]).toMatchObject({
    outcome: 'failed',
    why: 'the address leads to another one, and redirects are not followed',
  });
});

describe('names', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\win.ini', 'win.ini'],
    ['.bashrc', 'bashrc'],
    ['a\u202Egnp.exe', 'a_gnp.exe'],
    ['Quittung Zoë (1).pdf', 'Quittung Zoë _1_.pdf'],
    ['con.txt', '_con.txt'],
    ['..', 'p-1.bin'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(96)}.pdf`],
  ])('%j is %j', (given, name) => {
    expect(proofNames([{ id: 'p-1', file_name: given, url: '', thumbnail: '' }])).toEqual([name]);
  });

  it('two of one name are told apart', () => {
    const of = (id: string) => ({ id, file_name: 'a.pdf', url: '', thumbnail: '' });
    expect(proofNames([of('p-1'), of('p-2')])).toEqual(['a.pdf', 'p-2-a.pdf']);
  });
});
