/** remit reconcile against the service's own monthly reports. Their columns are an assumption, so what is not as assumed is refused. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/contract/resources/transaction.ts';
import { answering, type Intercept, only, payArgv, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const DAY = 86_400_000;
const HEADER = 'external_id,date,amount,currency\n';

async function pay(account: string, externalId: string): Promise<Transaction> {
  return (await bench.run(payArgv(account, '--external-id', externalId))).data<Transaction>();
}
const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);
const lineOf = (one: Transaction, amount = one.input_amount): string =>
  `${one.external_id},${one.created_at?.slice(0, 10)},${amount},EUR\n`;
const against = (what: string, ...more: string[]) =>
  bench.run(['reconcile', 'ledger.csv', '--against', what, '-o', 'json', ...more]);

/** The file of a report is this, whatever the service has. */
const reporting = (change: (text: string) => string): Intercept =>
  only(
    ({ url }) => url.includes('/files/'),
    async (request, next) => {
      const answer = await next(request);
      return { ...answer, body: change(answer.body) };
    },
  );
const listing = (...paths: string[]): Intercept =>
  only(
    ({ url }) => /\/reports(?:\?|$)/.test(url),
    answering(200, JSON.stringify({ available_reports: paths })),
  );

interface Row {
  ending: string;
  ledger: { id: string } | null;
  other: { id: string; state: string } | null;
}

it('says what it says against the service, reads no list of transactions, and keeps nothing', async () => {
  const [paid, wrong] = [await pay('0123456700', 'p-1'), await pay('0123456719', 'p-2')];
  const [slow, back] = [await pay('0123456701', 'p-3'), await pay('0123456719', 'p-4')];
  await bench.run('tx cancel p-4 --yes');
  await bench.run(['tx', 'create', '--from', 'p-1', '--external-id', 'p-5']);
  put('ledger.csv', HEADER + lineOf(paid, '99') + lineOf(wrong) + lineOf(slow) + lineOf(back) + lineOf(paid));
  // SQLite makes and removes the two files beside a database as it is opened and closed.
  const kept = (): string[] => readdirSync(bench.dir).filter((name) => !/-(?:shm|wal)$/.test(name));
  const files = kept();
  const service = await against('service');
  const reports = await against('reports');
  expect(service.code, service.stderr).toBe(10);
  expect([reports.code, reports.data()], reports.stderr).toEqual([service.code, service.data()]);
  for (const ending of ['matched', 'expected', 'not_funded'])
    expect(
      (await against('reports', '--ending', ending)).data<Row[]>().map(({ other }) => other?.state),
    ).toEqual((await against('service', '--ending', ending)).data<Row[]>().map(({ other }) => other?.state));
  expect(reports.requests.some(({ path }) => path.endsWith('/transactions'))).toBe(false);
  expect(reports.stderr).toContain('The service is taken from its reports of 2026-01.');
  expect(reports.stderr).toContain('2026-01 is not over (UTC)');
  expect(kept()).toEqual(files);
});

it('reads the months that the days around the time are in, and names one that has no report', async () => {
  const first = await pay('0123456700', 'p-1');
  await bench.sandbox.advance(26 * DAY);
  const last = await pay('0123456700', 'p-2');
  await bench.sandbox.advance(DAY);
  const next = await pay('0123456700', 'p-3');
  expect([first, last, next].map(({ created_at }) => created_at?.slice(0, 10))).toEqual([
    '2026-01-05',
    '2026-01-31',
    '2026-02-01',
  ]);
  // Booked on the last of the month, made on the first of the next one.
  put('ledger.csv', `${HEADER}${lineOf(first)}${lineOf(last)}p-3,2026-01-31,${next.input_amount},EUR\n`);
  const run = await against('reports', '--month', '2026-01', '--ending', 'matched');
  expect(run.code, run.stderr).toBe(0);
  expect(run.data<Row[]>().map(({ ledger }) => ledger?.id)).toEqual(['p-1', 'p-2', 'p-3']);
  expect(run.stderr).toContain('its reports of 2026-01, 2026-02.');
  expect(run.stderr).toContain('There is no report for 2025-12');
  const none = await against('reports', '--month', '2025-11');
  expect([none.code, none.stdout]).toEqual([6, '']);
  expect(none.stderr).toContain('no transaction report for 2025-11; there are those from 2026-01 to 2026-02');
  expect(none.stderr).toContain('remit reports list');
});

it('a month in which nothing was paid has an empty report', async () => {
  const one = await pay('0123456700', 'p-1');
  await bench.sandbox.advance(35 * DAY);
  put('ledger.csv', `${HEADER}p-9,2026-02-03,5.00,EUR\n`);
  const run = await against('reports', '--month', '2026-02', '--days', '0');
  expect(run.code, run.stderr).toBe(10);
  expect(run.data<Row[]>()).toMatchObject([{ ending: 'only_in_ledger', ledger: { id: 'p-9' } }]);
  expect(one.state).toBe('paid');
});

it('three-way: the reports and a statement of a bank', async () => {
  const one = await pay('0123456700', 'p-1');
  put('ledger.csv', HEADER + lineOf(one));
  put(
    'bank.sta',
    `:20:S\n:25:DE00\n:28C:1/1\n:60F:C260105EUR100,00\n:61:2601050105D${one.input_amount?.replace('.', ',')}NMSCp-1\n:86:p-1\n:62F:C260105EUR${(100 - Number(one.input_amount)).toFixed(2).replace('.', ',')}\n`,
  );
  const run = await against('reports', '--against', 'bank.sta');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('Nothing is left to look at against the service and bank.sta.');
});

it('stands in the place of the service: one of the three', async () => {
  for (const other of ['service', 'books']) {
    const run = await against('reports', '--against', other);
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.stderr).toContain('one of --against service, --against books, --against reports');
  }
});

describe('a report that is not as assumed is refused, and nothing is compared', () => {
  it.each<[string, (text: string) => string, RegExp]>([
    [
      'without a column',
      (text) => text.replace('recipient_state', 'status'),
      /has no column recipient_state/,
    ],
    [
      'with an amount that is none',
      (text) => text.replace(/,14\.99,/, ',14;99,'),
      /line 2 has no decimal in input_amount/,
    ],
    [
      'with a row that is cut',
      (text) => text.replace(/,[^,]*,[^,]*\n$/, '\n'),
      /line 2 has \d+ cells, and the header has 17/,
    ],
    ['without an id', (text) => text.replace(/\n[0-9a-f-]{36}/, '\n'), /line 2 has no transaction_id/],
    [
      'without a time',
      (text) => text.replace(/2026-01-05T[^,]*/, 'soon'),
      /line 2 has no time in created_at/,
    ],
    [
      'with a quote that does not end',
      (text) => text.replace(/\n/, '\n"'),
      /a quote in the row at line 2 is never closed/,
    ],
  ])('%s', async (_, change, words) => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', HEADER + lineOf(one));
    bench.intercept(reporting(change));
    const run = await against('reports');
    expect([run.code, run.stdout]).toEqual([75, '']);
    expect(run.stderr.replace(/\s+/g, ' ')).toMatch(words);
    expect(run.stderr).toContain('the service’s report of 2026-01'.replace('’', "'"));
  });

  it('columns in another order, and more of them, are read', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', HEADER + lineOf(one));
    bench.intercept(
      reporting((text) =>
        text
          .trim()
          .split('\n')
          .map((line, row) => `${row === 0 ? 'fee' : '0.10'},${line.split(',').reverse().join(',')}\n`)
          .join(''),
      ),
    );
    expect((await against('reports')).code).toBe(0);
  });

  it('reports of the other environment are not meant; two of a month are not guessed at', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', HEADER + lineOf(one));
    const [path = ''] = (await bench.run('reports list --type transaction -o json'))
      .data<{ path: string }[]>()
      .map((each) => each.path);
    bench.intercept(listing(path.replace('test/', 'live/'), path));
    expect((await against('reports')).code).toBe(0);
    bench.intercept(listing(path, path.replace('test/', 'test/other/')));
    const two = await against('reports');
    expect([two.code, two.stdout]).toEqual([75, '']);
    expect(two.stderr).toContain('2 transaction reports for 2026-01');
  });
});
