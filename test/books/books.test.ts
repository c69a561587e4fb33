/** The books: copied, brought up to date, compared, searched and forgotten, over a whole sandbox. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import type { Transport } from '../../src/core/transport.ts';
import { loadSqlite } from '../../src/disk/driver.ts';
import { answering, baseUrl, credentials, only, paymentFlags, useBench } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const bench = useBench({ sender: true });

type Json = Record<string, unknown>;
const sync = (...argv: string[]) => bench.run(['books', 'sync', ...argv, '-o', 'json']);
const status = async () => (await bench.run(['books', 'status', '-o', 'json'])).data<Json>();
const isPage = ({ url }: { url: string }): boolean => /\/transactions\?/.test(url);
const pageOf = ({ url }: { url: string }): number => Number(new URL(url).searchParams.get('page'));
const pages = (made: Awaited<ReturnType<typeof sync>>): string[] =>
  made.requests.filter(({ path }) => path.endsWith('/transactions')).map(({ query }) => query);
const seed = (rounds: number) => bench.run(['sandbox', 'seed', '--rounds', String(rounds)]);
const agrees = async (): Promise<void> => {
  const checked = await sync('--check');
  expect([checked.code, checked.data()], checked.stderr).toEqual([0, []]);
};

const FUNDED = ['--fund', '--max-input', '20'];
async function pay(id: string, first: string, account: string, more = FUNDED): Promise<void> {
  const flags = paymentFlags('customer-1', account).map((one) => one.replace('=Ada', `=${first}`));
  const made = await bench.run(['tx', 'create', ...flags, '--external-id', id, ...more]);
  expect(made.code, made.stderr).toBe(0);
}

it('copies everything, then only what is new and what was not final', async () => {
  await seed(25);
  const first = await sync();
  expect(first.code, first.stderr).toBe(0);
  expect(first.data<Json>()).toMatchObject({ added: 250, changed: 0, pages: 3, complete: true, missing: 0 });
  await agrees();
  const open = Number((await status()).open);
  expect(open).toBeGreaterThan(0);
  const calls = /read again the next time, with (\d+) calls/.exec(first.stderr)?.[1];
  const soon = await sync();
  expect(`${pages(soon).length}`, first.stderr).toBe(calls);
  await bench.run(['sandbox', 'clock', 'advance', '1d']);
  await seed(1);
  const second = await sync();
  expect(second.data<Json>()).toMatchObject({ added: 10, complete: true });
  expect(Number(second.data<Json>().changed)).toBeGreaterThan(0);
  await agrees();
});

it.runIf(isLong)('reads one by one what is open and far back, where that is fewer calls', async () => {
  await pay('old-1', 'Ada', '0123456700', []);
  await bench.run(['sandbox', 'clock', 'advance', '20m']);
  for (let i = 0; i < 220; i++) await pay(`later-${i}`, 'Ada', '0123456700');
  await bench.run(['sandbox', 'clock', 'advance', '20m']);
  await pay('new-1', 'Ada', '0123456700');
  await sync();
  expect(await status()).toMatchObject({ transactions: 222, open: 1 });
  await bench.run(['sandbox', 'clock', 'advance', '1d']);
  const again = await sync();
  expect(again.data<Json>()).toMatchObject({
    added: 0,
    changed: 1,
    pages: 1,
    calls: 3,
    open: 0,
    complete: true,
  });
  await agrees();
});

it.runIf(isLong)(
  'that is interrupted among what is open does not call the books complete until now',
  async () => {
    for (const id of ['old-1', 'old-2']) await pay(id, 'Ada', '0123456700', []);
    await bench.run(['sandbox', 'clock', 'advance', '20m']);
    for (let i = 0; i < 320; i++) await pay(`later-${i}`, 'Ada', '0123456700');
    await bench.run(['sandbox', 'clock', 'advance', '20m']);
    await pay('new-1', 'Ada', '0123456700');
    await sync();
    const before = (await status()).complete_until;
    const stop = new AbortController();
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (/\/transactions\/[0-9a-f-]{36}$/.test(request.url)) stop.abort();
      return answer;
    });
    const cut = await bench.run(['books', 'sync', '-o', 'json'], { interrupt: stop.signal });
    expect(stop.signal.aborted).toBe(true);
    expect([cut.code, (await status()).complete_until]).toEqual([130, before]);
    bench.restore();
    expect((await sync()).data<Json>()).toMatchObject({ complete: true });
    await agrees();
  },
);

it('goes on where it was killed, and loses nothing that was made meanwhile', async () => {
  await seed(25);
  bench.intercept(only((request) => isPage(request) && pageOf(request) === 2, answering(500, '{}')));
  const cut = await sync();
  expect(cut.code).toBe(75);
  expect(await status()).toMatchObject({ transactions: 100, next_page: 2, complete_until: null });
  bench.restore();
  await seed(2);
  const rest = await sync();
  expect(rest.code, rest.stderr).toBe(0);
  expect(pages(rest)[0]).toContain('page=2');
  const after = await sync();
  expect(after.data<Json>()).toMatchObject({ complete: true });
  await agrees();
});

it('does not believe in an order: where the newest are not first, every page is read', async () => {
  await seed(25);
  bench.intercept(turned);
  await sync();
  await bench.run(['sandbox', 'clock', 'advance', '2d']);
  await seed(1);
  const second = await sync();
  expect(second.code, second.stderr).toBe(0);
  expect(second.data<Json>()).toMatchObject({ added: 10, complete: true });
  expect(second.stderr).toContain('does not list the newest first');
  await agrees();
});

const signed = (url: string) =>
  signedHeaders(credentials, { nonce: randomUUID(), method: 'GET', url, body: undefined });

/** The pages the other way round: the oldest first. */
const turned = async (request: Parameters<Transport>[0], next: Transport) => {
  if (!isPage(request)) return next(request);
  const url = new URL(request.url);
  const per = Number(url.searchParams.get('per'));
  const all: Json[] = [];
  let total = 0;
  for (let page = 1; page === 1 || all.length < total; page++) {
    url.searchParams.set('page', String(page));
    const answer = await bench.direct({ ...request, url: url.href, headers: signed(url.href) });
    const { object, meta } = JSON.parse(answer.body) as {
      object: Json[];
      meta: { pagination: { total_count: number } };
    };
    total = meta.pagination.total_count;
    all.push(...object);
  }
  all.reverse();
  const page = pageOf(request);
  const rest = all.length > page * per;
  const pagination = { current_page: page, next_page: rest ? page + 1 : null, total_count: total };
  const object = all.slice((page - 1) * per, page * per);
  return { status: 200, headers: {}, body: JSON.stringify({ object, meta: { pagination } }) };
};

it('a record that is missing is noticed by its count, and read the next time', async () => {
  await seed(12);
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    if (!isPage(request) || pageOf(request) !== 1) return answer;
    const body = JSON.parse(answer.body);
    body.object = body.object.slice(1);
    return { ...answer, body: JSON.stringify(body) };
  });
  const short = await sync();
  expect([short.code, short.data<Json>().missing]).toEqual([8, 1]);
  expect(await status()).toMatchObject({ complete_until: null });
  bench.restore();
  expect((await sync()).data<Json>()).toMatchObject({ added: 1, complete: true });
});

it('--check ends with 10 and names what differs; an older record never takes the place of a newer one', async () => {
  await seed(1);
  const url = `${baseUrl}/transactions?page=1&per=100`;
  const old = await bench.direct({
    method: 'GET',
    url,
    headers: signed(url),
    connectTimeoutMs: 1000,
    responseTimeoutMs: 1000,
  });
  await sync();
  await bench.run(['sandbox', 'clock', 'advance', '2d']);
  const checked = await sync('--check');
  expect(checked.code).toBe(10);
  const differences = checked.data<{ id: string; kind: string; what: string }[]>();
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.every(({ kind }) => kind === 'differs')).toBe(true);
  expect(differences.some(({ what }) => /state \w+ here, \w+ at the service/.test(what))).toBe(true);
  await sync();
  await agrees();
  // The service answers from a copy that is behind.
  bench.intercept(only(isPage, async () => old));
  expect(Number((await sync('--all')).data<Json>().older)).toBeGreaterThan(0);
  bench.restore();
  await agrees();
});

it.each([
  [
    'a movement',
    `UPDATE marks SET amount = '-1.00' WHERE kind = 'debit'`,
    'movements differ',
    'debit -1.00 EUR',
  ],
  [
    'a movement that is gone',
    `DELETE FROM marks WHERE kind = 'debit'`,
    'movements differ',
    'none in the books',
  ],
  [
    'a sum of a day',
    `UPDATE moved SET amount = amount - 1 WHERE currency = 'EUR'`,
    'sums differ',
    'left over',
  ],
])('--check looks at what a statement proves itself by: %s', async (_, damage, kind, words) => {
  await seed(1);
  await sync();
  await agrees();
  const [file = ''] = readdirSync(bench.dir).filter((name) => /^remit-books-.*\.db$/.test(name));
  const { DatabaseSync } = loadSqlite(file);
  const database = new DatabaseSync(join(bench.dir, file), { timeout: PATIENCE_MS });
  database.exec(damage);
  database.close();
  const checked = await sync('--check');
  expect(checked.code).toBe(10);
  const found = checked.data<{ kind: string; what: string }[]>();
  expect(
    found.some((one) => one.kind === kind && one.what.includes(words)),
    JSON.stringify(found),
  ).toBe(true);
});

it('a month with faults: books and service say the same, record by record', async () => {
  for (const fault of ['provider-outage', 'pending-loop', 'corridor-inactive'])
    await bench.run(['sandbox', 'fail', fault, '--times', '5']);
  for (let day = 0; day < 30; day++) {
    await seed(1);
    await bench.run(['sandbox', 'clock', 'advance', '1d']);
    if (day % 3 === 0) await sync();
  }
  const last = await sync();
  expect(last.data<Json>()).toMatchObject({ complete: true });
  await agrees();
});

it('is found by what a customer can read out', async () => {
  await pay('INV-2044', 'Zoë', '0123454471');
  await pay('INV-2045', 'Bola', '0123454472');
  await sync();
  const find = async (...words: string[]) =>
    (await bench.run(['search', ...words, '-o', 'json'])).data<{ external_id: string; why: string }[]>();
  const names = async (...words: string[]) => (await find(...words)).map((row) => row.external_id).sort();
  expect(await find('4471')).toMatchObject([{ external_id: 'INV-2044', why: 'end of account' }]);
  expect(await names('zoe')).toEqual(['INV-2044']);
  expect(await names('obi', 'ZOE')).toEqual(['INV-2044']);
  expect(await names('inv-2045')).toEqual(['INV-2045']);
  expect(await names('ines@example.com')).toEqual(['INV-2044', 'INV-2045']);
  expect(await names('bola', 'EUR')).toEqual(['INV-2045']);
  expect(await names('bola', '2026-01-05')).toEqual(['INV-2045']);
  expect(await names('bola', '2026-01-06')).toEqual([]);
  expect(await names('0123454471')).toEqual(['INV-2044']);
  const [{ id: recipient = '', transaction_id: id = '' } = {}] = (
    await bench.run(['search', 'INV-2045', '-o', 'json'])
  ).data<{ id: string; transaction_id: string }[]>();
  for (const text of [id, id.slice(0, 8), id.slice(0, 20), recipient])
    expect(await names(text), text).toEqual(['INV-2045']);
  expect(await names(`${id.slice(0, 35)}${id.endsWith('0') ? '1' : '0'}`)).toEqual([]);
  expect(await names('454', 'zoe')).toEqual([]);
  const short = await bench.run(['search', 'zo']);
  expect([short.code, short.requests]).toEqual([2, []]);
  const shown = await bench.run(['search', '4471', '-o', 'json']);
  expect(shown.stdout).not.toContain('0123454471');
  expect(shown.requests).toEqual([]);
  const mistyped = await bench.run(['search', '4471', '--fields', 'nmae']);
  expect([mistyped.code, mistyped.stdout]).toEqual([2, '']);
});

it('forgets with no byte left, and does not copy again what was to be forgotten', async () => {
  await seed(2);
  await sync();
  const [name = ''] = readdirSync(bench.dir).filter((file) => /-books-.*\.db$/.test(file));
  const path = join(bench.dir, name);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const bytes = (): string =>
    readdirSync(bench.dir)
      .filter((file) => file.startsWith(name))
      .map((file) => readFileSync(join(bench.dir, file), 'latin1'))
      .join('');
  const [one] = (await bench.run(['tx', 'list', '--limit', '1', '-o', 'json'])).data<{ id: string }[]>();
  expect(bytes()).toContain(one?.id);
  // The clock of this machine stays: ages count by the service's.
  await bench.run(['sandbox', 'clock', 'advance', '3d']);
  await seed(1);
  await sync();
  const forgotten = await bench.run(['books', 'forget', '--before', '2d', '-o', 'json']);
  expect(forgotten.data<Json>()).toMatchObject({ forgotten: 20, left: 10 });
  expect(bytes()).not.toContain(one?.id);
  expect((await sync()).data<Json>()).toMatchObject({ added: 0, complete: true });
  await agrees();
  await bench.run(['books', 'forget', '--all']);
  expect(bytes()).not.toContain('NGN::Bank');
  expect((await sync()).data<Json>()).toMatchObject({ added: 30, complete: true });
});

it('are on this machine alone: a PostgreSQL is refused for them, and what REMIT_STORE names is not asked', async () => {
  await seed(1);
  const url = 'postgres://remit@127.0.0.1:9/remit';
  for (const line of [
    'books sync',
    'books status',
    'search 4471',
    'statement',
    'summary',
    'reconcile f.csv',
  ]) {
    const run = await bench.run([...line.split(' '), '--store', url, '-o', 'json']);
    expect([run.code, run.requests, run.error().hint], line).toEqual([
      2,
      [],
      'the books are on this machine: leave --store out, and make them here with remit books sync',
    ]);
  }
  const shared = { env: { REMIT_STORE: url } };
  expect(await bench.run(['books', 'sync'], shared)).toMatchObject({ code: 0 });
  const { file, transactions } = (await bench.run(['books', 'status', '-o', 'json'], shared)).data<Json>();
  expect([statSync(String(file)).isFile(), transactions]).toEqual([true, 10]);
});
