/** Two lists of payments compared, by files and by runs. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';

const bench = useBench({ sender: true, once: true });

interface Change {
  key: string;
  changes: string[];
  name: string | null;
  account: string | null;
  amount: string | null;
  old_key: string | null;
  old_name: string | null;
  old_account: string | null;
  old_amount: string | null;
  account_was_of: string | null;
}

const HEAD = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
type Row = readonly [key: string, amount: string, first: string, last: string, bank: string, account: string];
const ADA: Row = ['E-1', '25000', 'Ada', 'Obi', '044', '0123456700'];
const CHIDI: Row = ['E-2', '18500', 'Chidi', 'Eze', '058', '0123456800'];
const NGOZI: Row = ['E-3', '31000', 'Ngozi', 'Bello', '044', '0123456900'];

const file = (name: string, rows: readonly Row[]): string => {
  const lines = rows.map(([key, amount, ...who]) =>
    [key, 'NGN::Bank', amount, 'EUR', 'customer-1', ...who].join(','),
  );
  writeFileSync(join(bench.dir, name), `${[HEAD, ...lines].join('\n')}\n`);
  return name;
};

async function diff(old: readonly Row[] | string, now: readonly Row[] | string, ...argv: string[]) {
  const [from, to] = [
    typeof old === 'string' ? old : file('old.csv', old),
    typeof now === 'string' ? now : file('new.csv', now),
  ];
  const run = await bench.run(['batch', 'diff', from, to, ...argv, '-o', 'json']);
  return { ...run, changes: run.stdout === '' ? [] : run.data<Change[]>() };
}

it('ends with 0 where both are the same, whatever their order, and asks the service for nothing', async () => {
  const { code, changes, requests, stderr } = await diff([ADA, CHIDI], [CHIDI, ADA]);
  expect([code, changes, requests]).toEqual([0, [], []]);
  expect(stderr).toContain('NGN::Bank: 2 rows, 43500 NGN before; 2 rows, 43500 NGN now.');
});

describe('one change', () => {
  it.each<[string, readonly Row[], Partial<Change>]>([
    [
      'account',
      [['E-1', '25000', 'Ada', 'Obi', '044', '0123457777'], CHIDI],
      { old_account: '044 ••••6700', account: '044 ••••7777' },
    ],
    // The same number at another bank is another account.
    ['account', [['E-1', '25000', 'Ada', 'Obi', '058', '0123456700'], CHIDI], { account_was_of: null }],
    [
      'name',
      [['E-1', '25000', 'Ada', 'Okafor', '044', '0123456700'], CHIDI],
      { old_name: 'Ada Obi', name: 'Ada Okafor' },
    ],
    [
      'amount',
      [['E-1', '26000', 'Ada', 'Obi', '044', '0123456700'], CHIDI],
      { old_amount: '25000', amount: '26000' },
    ],
    ['new', [ADA, CHIDI, NGOZI], { key: 'E-3', old_key: null, old_amount: null }],
    ['gone', [CHIDI], { key: 'E-1', amount: null, account: null, name: 'Ada Obi' }],
  ])('%s is told, ends with 10, and with 0 where it is allowed', async (kind, now, told) => {
    const { code, changes } = await diff([ADA, CHIDI], now);
    expect([code, changes.length, changes[0]]).toEqual([
      10,
      1,
      expect.objectContaining({ changes: [kind], ...told }),
    ]);
    const allowed = await diff([ADA, CHIDI], now, '--allow', kind);
    expect([allowed.code, allowed.changes.length]).toEqual([0, 1]);
    const other = await diff([ADA, CHIDI], now, '--allow', kind === 'new' ? 'gone' : 'new');
    expect(other.code).toBe(10);
    expect(other.stderr).toContain('1 difference is not allowed; --allow KIND allows a kind.');
    expect(allowed.stderr).toContain('1 difference is allowed.');
  });
});

it('is not allowed where one of two changes is', async () => {
  const now: Row = ['E-1', '26000', 'Ada', 'Obi', '044', '0123457777'];
  const one = await diff([ADA], [now], '--allow', 'amount');
  expect([one.code, one.changes[0]?.changes]).toEqual([10, ['account', 'amount']]);
  expect((await diff([ADA], [now], '--allow', 'amount', '--allow', 'account')).code).toBe(0);
});

it('the same number in another currency is another amount', async () => {
  const named = (currency: string): string => {
    const path = file(`${currency}.csv`, [['E-1', '25', 'Ada', 'Obi', '044', '0123456700']]);
    const text = readFileSync(join(bench.dir, path), 'utf8');
    writeFileSync(
      join(bench.dir, path),
      text.replace('amount,', 'amount,currency,').replace('25,', `25,${currency},`),
    );
    return path;
  };
  const { changes } = await diff(named('NGN'), named('EUR'));
  expect(changes.map((one) => one.changes)).toEqual([['amount']]);
});

it('reads each file by its own headings', async () => {
  const head = HEAD.replace('bank_account', 'Account');
  const changed = file('changed.csv', [['E-1', '26000', 'Ada', 'Obi', '044', '0123456700']]);
  const text = readFileSync(join(bench.dir, changed), 'utf8').replace(HEAD, head);
  writeFileSync(join(bench.dir, 'headed.csv'), text);
  for (const [old, now, ...argv] of [
    [file('old.csv', [ADA]), 'headed.csv', '--map', 'bank_account=Account'],
    ['headed.csv', file('old.csv', [ADA]), '--old-map', 'bank_account=Account'],
  ] as const) {
    const { code, changes, stderr } = await diff(old, now, ...argv);
    expect([code, changes.map((one) => one.changes)], stderr).toEqual([10, [['amount']]]);
  }
  expect((await diff('headed.csv', 'old.csv', '--map', 'bank_account=Account')).code).toBe(2);
});

it('closes a file whose heading it refuses', async () => {
  file('refused.csv', [ADA]);
  expect((await diff([ADA], 'refused.csv', '--map', 'bank_account=Nothing')).code).toBe(2);
  const open = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return [];
      }
    });
  // The system closes it in its own time.
  await expect.poll(() => open().filter((path) => path.endsWith('refused.csv'))).toEqual([]);
});

it('capitals, accents and blanks make no other payee, and 25000 is 25000.00', async () => {
  const same: Row = ['E-1', '25000.00', 'ADA', 'Óbi', '044', '0123 4567 00'];
  expect((await diff([ADA], [same])).changes).toEqual([]);
});

it('an account that was another payee’s is told with that payee, and stands before everything else', async () => {
  const { changes } = await diff(
    [ADA, CHIDI],
    [
      NGOZI,
      ['E-1', '25000', 'Ada', 'Obi', '044', '0123456700'],
      ['E-2', '18500', 'Chidi', 'Eze', '044', '0123456700'],
    ],
    '--allow-duplicates',
  );
  expect(changes.map(({ key, changes: kinds, account_was_of: of }) => [key, kinds, of])).toEqual([
    ['E-2', ['account'], 'E-1'],
    ['E-3', ['new'], null],
  ]);
});

it('knows payees again by account and by name where the keys are others each month', async () => {
  const { changes } = await diff(
    [ADA, CHIDI, NGOZI],
    [
      ['NOV-1', '25000', 'Ada', 'Obi', '044', '0123456700'],
      ['NOV-2', '18500', 'Chidi', 'Eze', '058', '0123459999'],
      ['NOV-3', '31000', 'Ngozi', 'Ade', '044', '0123456900'],
    ],
  );
  expect(changes.map((one) => [one.old_key, one.key, one.changes])).toEqual([
    ['E-2', 'NOV-2', ['account']],
    ['E-3', 'NOV-3', ['name']],
  ]);
});

it('takes nobody for somebody else where two have one name', async () => {
  const twin: Row = ['E-9', '1000', 'Ada', 'Obi', '044', '0123451111'];
  const { changes } = await diff([ADA, twin], [['N-1', '25000', 'Ada', 'Obi', '044', '0123452222']]);
  expect(changes.map((one) => [one.key, one.changes])).toEqual([
    ['N-1', ['new']],
    ['E-1', ['gone']],
    ['E-9', ['gone']],
  ]);
});

describe('a run', () => {
  beforeAll(async () => {
    const planned = await bench.run(
      `batch plan ${file('october.csv', [ADA, CHIDI])} --name wages-2026-10 --max-input EUR=100`,
    );
    expect(planned.code, planned.stderr).toBe(0);
  });

  it('is compared with a file', async () => {
    expect((await diff('wages-2026-10', [ADA, CHIDI])).changes).toEqual([]);
    const { code, changes } = await diff('wages-2026-10', [
      ['E-1', '25000', 'Ada', 'Obi', '044', '0123457777'],
      CHIDI,
    ]);
    expect([code, changes[0]?.changes, changes[0]?.old_account]).toEqual([10, ['account'], '044 ••••6700']);
  });

  it('compares senders as they are named, and asks nobody whether an id and an external id are one', async () => {
    const { id } = (await bench.run('sender find customer-1 -o json')).data<{ id: string }>();
    const text = readFileSync(join(bench.dir, file('by-id.csv', [ADA])), 'utf8').replace('customer-1', id);
    writeFileSync(join(bench.dir, 'by-id.csv'), text);
    const planned = await bench.run(
      'batch plan by-id.csv --name by-id --max-input EUR=100 --allow-duplicates --repeat wages-2026-10',
    );
    expect(planned.code, planned.stderr).toBe(0);
    expect((await diff('by-id', 'by-id.csv')).changes).toEqual([]);
    const other = await diff('by-id', [['E-1', '25000', 'Ada', 'Obi', '044', '0123456700']]);
    expect(other.changes.map(({ changes }) => changes)).toEqual([['sender']]);
  });

  it('shows whole accounts with --reveal alone, and no name in CI', async () => {
    const now: readonly Row[] = [['E-1', '25000', 'Ada', 'Obi', '044', '0123457777'], CHIDI];
    expect((await diff('wages-2026-10', now, '--reveal')).changes[0]?.account).toBe('044 0123457777');
    const ci = await bench.run(['batch', 'diff', 'wages-2026-10', file('new.csv', now), '-o', 'csv'], {
      env: { CI: '1' },
    });
    expect([ci.code, /Obi|01234/.test(ci.stdout)]).toEqual([10, false]);
  });

  it('is not taken for a file, nor a file with faults for one', async () => {
    const none = await diff('wages-2026-09', [ADA]);
    expect([none.code, none.stderr]).toEqual([
      6,
      expect.stringContaining('no file \\"wages-2026-09\\" here, and no run of that name'),
    ]);
    const wrong = await diff([ADA], [['E-1', '-5', 'Ada', 'Obi', '044', '0123456700']]);
    expect([wrong.code, wrong.stdout]).toEqual([5, '']);
    expect(wrong.stderr).toMatch(
      /new\.csv has 1 fault, so it cannot be compared.*remit batch check new\.csv lists them/s,
    );
    expect((await bench.run('batch diff old.csv')).code).toBe(2);
  });

  it('that was forgotten has nobody to compare with', async () => {
    await bench.run('batch cancel wages-2026-10 --yes');
    const forgotten = await bench.run('batch forget wages-2026-10 --yes');
    expect(forgotten.code, forgotten.stderr).toBe(0);
    const { code, stdout, stderr } = await diff('wages-2026-10', [ADA]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('was forgotten on')]);
  });
});
