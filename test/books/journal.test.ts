/**
 * A statement as a journal. Debian's own hledger, ledger and beancount read it back: where one is missing its test is skipped and printed so;
 * with REMIT_REQUIRE_LEDGERS=1, as in CI, it fails.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Line } from '../../src/books/statement/lines.ts';
import { eq, mul, round } from '../../src/core/money.ts';
import { openBooksFile } from '../support/book-stores.ts';
import { collectionFlags, payArgv, paymentJson, useBench, words } from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const required = process.env.REMIT_REQUIRE_LEDGERS === '1';
const has = (program: string): boolean =>
  required || spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const PERIOD = ['--month', '2026-01', '--from-first-seen', '--zone', 'UTC'];
const ACCOUNTS = `balance: Assets:Remit:{currency}
payout: Expenses:Payouts:{currency}
conversion: Equity:Conversion:{currency}
margin: Expenses:Margin
collection: Income:Collections:{currency}
top_up: Assets:Bank:{currency}
unexplained: Expenses:Unexplained:{currency}
opening: Equity:Opening:{currency}
`;
const NUMBERS = `balance: 1810
payout: 4900
conversion: 1370
margin: 4970
collection: 4400
top_up: 1460
opening: 9000
`;
const EXAMPLES = new URL('../../docs/examples/', import.meta.url);
/** Names that a program of accounting would take for something else. */
const HOSTILE = [
  ['x; id:forged', '(code) Eve | other'],
  ['* = !', '=1+1'],
  ['"quoted" \\ back', 'Two  spaces'],
  ['Ångström €', 'Ωmega'],
] as const;

/** A month: payments of several corridors and names, refunds, collections, and a top-up that the service says nothing of. */
const bench = useBench({
  sender: true,
  once: true,
  async setUp(at) {
    const run = (line: string | readonly string[]) => at.run(line);
    await run('books sync');
    for (let day = 0; day < 4; day++) {
      await run('sandbox seed --rounds 1');
      await run(['tx', 'create', ...collectionFlags(), '--external-id', `c-${day}`]);
      await run(['sandbox', 'payin', `c-${day}`]);
      const payment = paymentJson('0123456700', '0123456709') as {
        recipients: { payout_method: { details: Record<string, string> } }[];
      };
      const [first, last] = HOSTILE[day] as readonly [string, string];
      Object.assign(payment.recipients[0]?.payout_method.details ?? {}, {
        first_name: first,
        last_name: last,
      });
      writeFileSync(join(at.dir, 'two.json'), JSON.stringify(payment));
      await run(`tx create -f two.json --external-id two;${day} --fund --max-input 40`);
      // Rates are those of the day on which the books look.
      await run('books sync');
      await run('sandbox clock advance 1d');
      await run('books sync');
    }
    await run('sandbox clock advance 2h');
    await run('sandbox balance EUR +500');
    await run('books sync');
    writeFileSync(join(at.dir, 'accounts.yaml'), ACCOUNTS);
    writeFileSync(join(at.dir, 'numbers.yaml'), NUMBERS);
    for (const name of readdirSync(EXAMPLES)) cpSync(new URL(name, EXAMPLES), join(at.dir, name));
  },
});

const journal = (format: string, ...argv: string[]) =>
  bench.run([
    ...['statement', ...PERIOD, format.includes('.') ? '--columns' : '--journal', format],
    ...(format.includes('-bank') ? [] : ['--accounts', 'accounts.yaml']),
    ...argv,
  ]);

let balances: Record<string, number> = {};
beforeAll(async () => {
  const rows = (await bench.run('balance -o json')).data<{ currency: string; amount: string }[]>();
  balances = Object.fromEntries(rows.map(({ currency, amount }) => [currency, Number(amount)]));
});

/** Balances of `Assets:Remit:EUR` and the like. */
const remitBalances = (pairs: Iterable<[string, string]>): Record<string, number> =>
  Object.fromEntries([...pairs].map(([currency, amount]) => [currency, Number(amount)]));

const left = (): Record<string, number> =>
  Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0));

const kept = async (format: string, name: string): Promise<string> => {
  const made = await journal(format, '--opening');
  expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  const path = join(bench.dir, name);
  writeFileSync(path, made.stdout);
  return path;
};

describe('programs of accounting', () => {
  it.skipIf(!has('hledger'))(
    'hledger takes every entry, strictly, and has the balances of the service',
    async () => {
      const path = await kept('hledger', 'month.journal');
      const hledger = (...argv: string[]) =>
        execFileSync('hledger', ['-f', path, ...argv], { encoding: 'utf8' });
      hledger('check', '--strict', 'ordereddates');
      const csv = hledger('balance', 'Assets:Remit', '--flat', '-N', '-O', 'csv');
      const found = [...csv.matchAll(/"Assets:Remit:(\w+)","(-?[\d.]+) \w+"/g)];
      expect(remitBalances(found.map(([, currency = '', amount = '']) => [currency, amount]))).toEqual(
        left(),
      );
      // What a payee is called makes no tag: the only one is ours.
      expect(hledger('tags').trim()).toBe('id');
      expect(hledger('tags', 'id', '--values')).not.toContain('forged');
      expect(hledger('payees')).toContain('x, id:forged');
    },
  );

  it.skipIf(!has('ledger'))('ledger reads the same file to the same balances', async () => {
    const path = await kept('hledger', 'month.ledger');
    const text = execFileSync('ledger', [
      ...['-f', path, 'balance', 'Assets:Remit', '--flat', '--no-total'],
      ...['--format', '%(account) %(quantity(scrub(display_total)))\n'],
    ]).toString();
    const found = [...text.matchAll(/Assets:Remit:(\w+) (-?[\d.]+)/g)];
    expect(remitBalances(found.map(([, currency = '', amount = '']) => [currency, amount]))).toEqual(left());
  });

  it.skipIf(!has('bean-check'))('beancount finds no error, and has the same balances', async () => {
    const path = await kept('beancount', 'month.beancount');
    execFileSync('bean-check', [path]);
    const asked = "SELECT account, sum(position) WHERE account ~ 'Assets:Remit' GROUP BY account";
    const text = execFileSync('bean-query', ['-f', 'csv', path, asked]).toString();
    const found = [...text.matchAll(/Assets:Remit:(\w+)\s*,\s*(-?[\d.]+)\s+\w+/g)];
    const own = remitBalances(found.map(([, currency = '', amount = '']) => [currency, amount]));
    expect(own).toEqual(left());
  });
});

it('is the same in bytes each time, and one entry for each line that moved a balance', async () => {
  const [one, two] = [await journal('csv'), await journal('csv')];
  expect(two.stdout).toBe(one.stdout);
  const moved = (await bench.run(['statement', ...PERIOD, '-o', 'json', '--limit', '5000']))
    .data<{ amount: string | null }[]>()
    .filter(({ amount }) => amount !== null);
  const entries = new Set(
    one.stdout
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => line.split(',')[0]),
  );
  expect(entries.size).toBe(moved.length);
  expect(entries.size).toBeGreaterThan(30);
});

it('puts the margin on an account of its own, and gives it back with a refund', async () => {
  const { stdout } = await journal('csv');
  const postings = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const of = (id: string) => postings.filter(([entry]) => entry === id);
  const refund = postings.find(
    ([, , kind, , , account]) => kind === 'refund' && account === 'Expenses:Margin',
  );
  expect(refund, 'a refund with a margin').toBeDefined();
  const legs = of(refund?.[0] ?? '').map(([, , , , , account, amount, currency]) => [
    account,
    Number(amount),
    currency,
  ]);
  const sum = (currency: string) =>
    legs.filter((leg) => leg[2] === currency).reduce((all, leg) => all + Math.round(Number(leg[1]) * 100), 0);
  expect([sum('EUR'), sum('NGN')]).toEqual([0, 0]);
  expect(Number(refund?.[6])).toBeLessThan(0);
});

it('a refund has the margin of the day on which it was paid', async () => {
  // Each day has a rate of its own, so that the wrong day would be seen.
  const [file = ''] = readdirSync(bench.dir).filter((name) => /-books-.*\.db$/.test(name));
  const database = await openBooksFile(join(bench.dir, file));
  database.run('UPDATE rates SET mid = CAST(mid + 10 * CAST(substr(day, 9) AS INTEGER) AS TEXT)');
  database.close();
  const lines = (await bench.run(['statement', ...PERIOD, '-o', 'json', '--limit', '5000'])).data<Line[]>();
  const refunds = lines.filter(({ kind, margin }) => kind === 'refund' && margin !== null);
  expect(refunds.length).toBeGreaterThan(2);
  let onAnotherDay = 0;
  for (const { at, transaction_id: id, name, output_amount: amount, margin, margin_amount } of refunds) {
    const debit = lines.find((line) => line.kind === 'debit' && line.transaction_id === id);
    const paid: readonly (Pick<Line, 'name' | 'output_amount' | 'margin' | 'margin_amount'> | undefined)[] =
      debit?.recipients ?? [debit];
    const same = paid.filter((one) => one?.name === name && one?.output_amount === amount);
    expect([id, same[0]?.margin, same[0]?.margin_amount]).toEqual([id, margin, margin_amount]);
    if (debit?.at.slice(0, 10) !== at.slice(0, 10)) onAnotherDay++;
  }
  expect(onAnotherDay).toBeGreaterThan(0);
  // Of one recipient; of several it is the sum of theirs, each rounded.
  const rounded = lines.flatMap(({ recipients, input_amount: input, margin, margin_amount: amount }) =>
    recipients !== null || input === null || margin === null
      ? []
      : [[amount ?? '', mul(input, margin)] as const],
  );
  for (const [amount, exact] of rounded)
    expect([exact, eq(amount, round(exact, 2, 'half_up'))]).toEqual([exact, true]);
  expect(rounded.some(([amount, exact]) => !eq(amount, round(exact, 2, 'down')))).toBe(true);
  // In a statement that begins after the payment the rate of its day is read too.
  const late = refunds.find(
    ({ at, transaction_id: id }) =>
      lines.find((line) => line.kind === 'debit' && line.transaction_id === id)?.at.slice(0, 10) !==
      at.slice(0, 10),
  );
  const day = late?.at.slice(0, 10) ?? '';
  const alone = (
    await bench.run(['statement', '--since', day, '--zone', 'UTC', '-o', 'json', '--limit', '5000'])
  ).data<Line[]>();
  expect(
    alone.find((line) => line.kind === 'refund' && line.recipient_id === late?.recipient_id)?.margin,
  ).toBe(late?.margin);
});

it.each([
  ['xero-bank.yaml', '*Date,*Amount,Payee,Description,Reference'],
  ['quickbooks-bank.yaml', 'Date,Description,Amount'],
])('%s has the movements of one balance', async (format, heading) => {
  const all = await journal(format);
  expect([all.code, all.stderr]).toEqual([2, expect.stringContaining('--currency EUR')]);
  const made = await journal(format, '--currency', 'EUR');
  expect(made.code, made.stderr).toBe(0);
  const [head = '', ...lines] = made.stdout.trim().split('\n');
  expect(head).toBe(heading);
  const rows = (await bench.run(['statement', ...PERIOD, '--currency', 'EUR', '-o', 'json']))
    .data<{ amount: string | null }[]>()
    .flatMap(({ amount }) => (amount === null ? [] : [Number(amount)]));
  const at = head.split(',').findIndex((name) => name.endsWith('Amount'));
  const cells = lines.map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, text]) => text),
  );
  expect(cells.map((row) => Number(row[at]))).toEqual(rows);
});

it.each([
  ['xero-journal.yaml', /^\*Narration,\*Date,Description,\*AccountCode,\*TaxRate,\*Amount$/],
  ['quickbooks-journal.yaml', /^Journal No,Journal Date,Account Name,Description,Debits,Credits$/],
])('%s has the entries of one currency, each balanced by itself', async (format, head) => {
  const made = await journal(format, '--currency', 'EUR', '--accounts', 'numbers.yaml');
  expect(made.code, made.stderr).toBe(0);
  const [first = '', ...lines] = made.stdout.trim().split('\n');
  expect(first).toMatch(head);
  const sums = new Map<string, number>();
  for (const line of lines) {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, text = '']) => text);
    const amount = format === 'xero-journal.yaml' ? Number(cells[5]) : Number(cells[4]) - Number(cells[5]);
    const id = cells[0] ?? '';
    sums.set(id, (sums.get(id) ?? 0) + Math.round(amount * 100));
  }
  expect(sums.size).toBeGreaterThan(10);
  expect([...new Set(sums.values())]).toEqual([0]);
});

it('datev.yaml keeps the rules of its vendor in every field, in bytes of Windows-1252', async () => {
  const made = await journal('datev.yaml', '--currency', 'EUR', '--accounts', 'numbers.yaml');
  expect(made.code, made.stderr).toBe(0);
  const [head = '', columns = '', ...rows] = made.stdout.split('\r\n').filter(Boolean);
  expect(head.split(';')).toHaveLength(31);
  expect(head).toContain('"EXTF";700;21;"Buchungsstapel";13;');
  expect(columns).toMatch(/^Umsatz .*;Gegenkonto \(ohne BU-Schl\ufffdssel\);.*;Buchungstext$/);
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows)
    expect(row).toMatch(
      /^\d{1,10},\d{2};"[SH]";"EUR";;;"";\d{1,9};\d{1,9};"";\d{4};"[0-9a-f]{20}";"";;"(?:[^"]|"")*"$/,
    );
});

it('refuses by name what has no account, and what this program would not take, before it prints anything', async () => {
  writeFileSync(
    join(bench.dir, 'few.yaml'),
    'balance: Assets:Remit:{currency}\npayout: {EUR: Expenses:Out}\n',
  );
  const few = await journal('hledger', '--accounts', 'few.yaml');
  expect([few.code, few.stdout]).toEqual([2, '']);
  expect(few.stderr).toMatch(
    /few\.yaml names no account for .*collection \(.*conversion \(EUR\).*payout \(NGN\).*top_up \(EUR\)/s,
  );
  writeFileSync(join(bench.dir, 'odd.yaml'), 'balence: Assets:Remit\nmargin: [a]\n');
  const odd = await journal('hledger', '--accounts', 'odd.yaml');
  expect([odd.code, odd.stdout]).toEqual([2, '']);
  expect(odd.stderr).toMatch(/"balence" is no role; margin is no name of an account/);
  writeFileSync(join(bench.dir, 'low.yaml'), ACCOUNTS.replace('Assets:Remit:{currency}', 'assets:remit'));
  expect((await journal('beancount', '--accounts', 'low.yaml')).stderr).toContain('assets:remit');
  const nameless = await bench.run(['statement', ...PERIOD, '--currency', 'EUR', '--columns', 'datev.yaml']);
  expect([nameless.code, nameless.stderr]).toEqual([
    2,
    expect.stringContaining('this table needs the names'),
  ]);
  writeFileSync(join(bench.dir, 'odd-columns.yaml'), 'columns: {A: "{nmae}"}\ncolour: red\n');
  const columns = await journal('odd-columns.yaml', '--currency', 'EUR');
  expect([columns.code, columns.stdout, columns.stderr]).toEqual([2, '', expect.stringContaining('colour')]);
  expect((await bench.run(['statement', '--journal', 'hledger', '--columns', 'x'])).code).toBe(2);
  expect((await bench.run(['statement', ...PERIOD, '--journal', 'hledger'])).stderr).toContain(
    '--accounts FILE',
  );
  expect((await bench.run(['statement', '--opening'])).code).toBe(2);
  expect((await bench.run(['statement', '--camt053', '--journal', 'csv'])).code).toBe(2);
});

it('is refused where the statement does not prove itself, and made of it with --unproved', async () => {
  const month = words('statement --month 2026-01 --zone UTC --journal csv --accounts accounts.yaml');
  const refused = await bench.run(month);
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    10,
    '',
    expect.stringContaining('does not prove itself'),
  ]);
  const made = await bench.run([...month, '--unproved']);
  expect([made.code, made.stdout.split('\n').length > 50]).toEqual([10, true]);
});

it('says how far a file of so many lines goes', async () => {
  const payments = Array.from({ length: 110 }, (_, at) => `many-${at}`);
  for (const [at, id] of payments.entries()) {
    if (at === 60) await bench.run('sandbox clock advance 1d');
    const made = await bench.run([...payArgv('0123456700', '--external-id', id)]);
    expect(made.code, made.stderr).toBe(0);
  }
  await bench.run('sandbox clock advance 2d');
  await bench.run('books sync');
  const made = await journal('xero-journal.yaml', '--currency', 'EUR', '--accounts', 'numbers.yaml');
  expect([made.code, made.stdout]).toEqual([2, '']);
  expect(made.stderr).toMatch(
    /take 300 lines a file, and there are more by (2026-01-\d\d).*take the time until 2026-01-\d\d first, and then from \1 on/s,
  );
});

it('says that nothing moved, and prints no account', async () => {
  const made = await bench.run(
    'statement --since 2025-01-01 --until 2025-01-31 --journal hledger --accounts accounts.yaml --unproved',
  );
  expect([made.stdout, made.stderr]).toEqual([
    '',
    expect.stringContaining('Nothing moved in this time: the journal has no entry.'),
  ]);
});

it('is refused where the books do not reach the end of the time, and made of it with --unproved', async () => {
  await machine.sleep(40 * 86_400_000);
  const refused = await journal('csv');
  expect([refused.code, refused.stdout]).toEqual([8, '']);
  expect(refused.stderr).toContain('the books do not reach the end of this time');
  expect((await journal('csv', '--unproved')).stdout.split('\n').length).toBeGreaterThan(50);
});
