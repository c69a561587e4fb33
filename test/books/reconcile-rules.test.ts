/** remit reconcile --rules: what the rules suggest, and what somebody decides. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';

const bench = useBench();
const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);
const kept = (name = 'rules.yaml'): string => readFileSync(join(bench.dir, name), 'utf8');

interface Row {
  case: string;
  ending: string;
  ledger: { line: number } | null;
  other: { line: number } | null;
  suggestion: { id: string | null; rule: string; words: string; charge: string | null } | null;
  decision: string | null;
  note: string | null;
  decided_by: string | null;
  decided_on: string | null;
}

/** Movements of an account: an amount in cents, and the words of the bank. */
function statement(movements: readonly [cents: number, reference: string, words?: string][]): string {
  const amount = (cents: number): string =>
    `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
  const total = movements.reduce((sum, [cents]) => sum + cents, 0);
  const lines = movements.map(
    ([cents, reference, words]) =>
      `:61:2601060106D${amount(cents)}NTRF${reference}\n${words === undefined ? '' : `:86:${words}\n`}`,
  );
  return `:20:S\n:25:1/2\n:28C:1\n:60F:C260105EUR${amount(total)}\n${lines.join('')}:62F:C260106EUR0,\n`;
}

const HEADER = 'reference,date,amount,currency\n';
const LINE = 'reconcile ledger.csv --against bank.sta --rules rules.yaml';

/** A charge, a movement that the ledger does not have, and a bundle of three. */
beforeEach(() => {
  const rows = [
    ['R-1', '100.00'],
    ['W-1', '10.00'],
    ['W-2', '20.00'],
    ['W-3', '40.00'],
    ['R-2', '9.00'],
  ];
  put('ledger.csv', HEADER + rows.map(([name, amount]) => `${name},2026-01-06,${amount},EUR\n`).join(''));
  put(
    'bank.sta',
    statement([
      [10_150, 'R-1'],
      [7_000, 'NONREF', 'SALARY TOTAL'],
      [300, 'NONREF', 'MONTHLY ACCOUNT FEE JANUARY'],
      [1_101, 'R-2'],
    ]),
  );
  put(
    'rules.yaml',
    `# Kept by finance.
tolerances:
  EUR: 2.00
counterparties:
  - name: bank fees
    text: account fee
    kind: charge
    account: "4970"   # of our books
bundles: { rows: 10, days: 3 }
`,
  );
});

describe('suggestions', () => {
  it('are shown with their rule, and change nothing', async () => {
    const plain = await bench.run('reconcile ledger.csv --against bank.sta -o json');
    expect(plain.data<Row[]>().map(({ ending, suggestion }) => [ending, suggestion])).toEqual([
      ['amount_differs', null],
      ...[1, 2, 3].map(() => ['only_in_ledger', null]),
      ['amount_differs', null],
      ...[1, 2].map(() => ['only_in_statement', null]),
    ]);
    const run = await bench.run(`${LINE} -o json`);
    expect(run.code).toBe(10);
    const bundle = ['bundles', 'lines 3 + 4 + 5 of the ledger = line 6 of bank.sta'];
    expect(
      run.data<Row[]>().map(({ ending, suggestion: found }) => [ending, found?.rule, found?.words]),
    ).toEqual([
      ['bank_charge', 'tolerances: EUR', 'bank charge 1.50 EUR'],
      ...[1, 2, 3].map(() => ['only_in_ledger', ...bundle]),
      // 2.01 is more than the bank may take.
      ['amount_differs', undefined, undefined],
      ['only_in_statement', ...bundle],
      ['only_in_statement', 'counterparties: bank fees', 'bank fees: charge, account 4970'],
    ]);
    expect(run.stderr).toContain('Bank charges within the tolerances: 1.50 EUR (1).');
    expect(run.stderr).toMatch(
      /3 suggestions \(1 by tolerances: EUR, 1 by bundles, 1 by counterparties: bank fees\)/,
    );
    expect(run.stderr).toContain('7 differences to look at.');
    expect(run.requests).toEqual([]);
  });

  it('are on a screen of any width, and in a table for a spreadsheet', async () => {
    for (const columns of [80, 120]) {
      const { stdout } = await bench.run(LINE, { tty: true, columns, stdin: '\r\r\r' });
      expect(stdout.replace(/\s+/g, ' ')).toMatch(/bank charge .*100\.00 EUR 101\.50 EUR/);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
    const csv = await bench.run(`${LINE} -o csv`);
    expect(csv.stdout).toMatch(
      /^[0-9a-f]{16},bank\.sta,bank_charge,.*,tolerances: EUR,bank charge 1\.50 EUR,1\.50,/m,
    );
  });

  it('a charge counts in its own ending, and its total has accepted ones too', async () => {
    const totals = (await bench.run(`${LINE} --totals -o json`)).data<{ ending: string; amount: string }[]>();
    expect(totals.filter(({ ending }) => ending === 'bank_charge').map(({ amount }) => amount)).toEqual([
      '100.00',
      '101.50',
    ]);
    await bench.run(`${LINE} --accept 3`);
    const run = await bench.run(LINE);
    expect(run.stderr).toContain('Bank charges within the tolerances: 1.50 EUR (1).');
  });

  it('a bank that took less than the ledger has is no charge, and none is a charge at the service', async () => {
    put('bank.sta', statement([[9_900, 'R-1']]));
    const [row] = (await bench.run(`${LINE} -o json`)).data<Row[]>();
    expect(row).toMatchObject({ ending: 'amount_differs', suggestion: null });
  });

  it('money that came in is less by the charge', async () => {
    put('ledger.csv', `${HEADER}R-1,2026-01-06,-100,EUR\nR-3,2026-01-06,5,EUR\n`);
    put(
      'bank.sta',
      ':20:S\n:25:1/2\n:28C:1\n:60F:C260105EUR0,\n:61:2601060106C98,NTRFR-1\n:61:2601060106D5,NTRFR-3\n:62F:C260106EUR93,\n',
    );
    const run = await bench.run(`${LINE} --payments plus -o json`);
    expect(run.data<Row[]>()).toMatchObject([{ ending: 'bank_charge', suggestion: { charge: '2.00' } }]);
  });

  it('two bundles are named, and nobody can accept them', async () => {
    put('ledger.csv', `${kept('ledger.csv')}W-4,2026-01-06,30.00,EUR\n`);
    const run = await bench.run(`${LINE} -o json`);
    const total = run.data<Row[]>().find(({ other }) => other?.line === 6);
    expect(total?.suggestion).toEqual({
      id: null,
      rule: 'bundles',
      words:
        'two answers: lines 5 + 7 of the ledger = line 6 of bank.sta; or lines 3 + 4 + 5 of the ledger = line 6 of bank.sta',
      charge: null,
    });
    expect(run.stderr).toContain('2 suggestions');
  });

  it('many movements for one row of the ledger', async () => {
    put('ledger.csv', `${HEADER}TOTAL,2026-01-06,70,EUR\n`);
    put(
      'bank.sta',
      statement([
        [1_000, 'NONREF', 'ONE'],
        [6_000, 'NONREF', 'TWO'],
      ]),
    );
    const rows = (await bench.run(`${LINE} -o json`)).data<Row[]>();
    expect(new Set(rows.map(({ suggestion }) => suggestion?.words))).toEqual(
      new Set(['line 2 of the ledger = lines 5 + 7 of bank.sta']),
    );
    expect(new Set(rows.map(({ suggestion }) => suggestion?.id)).size).toBe(1);
  });

  it('a movement that a text explains is in no bundle', async () => {
    put('ledger.csv', `${HEADER}A-1,2026-01-06,1,EUR\nA-2,2026-01-06,2,EUR\n`);
    put('bank.sta', statement([[300, 'NONREF', 'ACCOUNT FEE']]));
    const rows = (await bench.run(`${LINE} -o json`)).data<Row[]>();
    expect(rows.map(({ suggestion }) => suggestion?.rule)).toEqual([
      undefined,
      undefined,
      'counterparties: bank fees',
    ]);
  });

  it('a text is found in whole words alone, and two texts that fit say so', async () => {
    put(
      'bank.sta',
      statement([
        [300, 'NONREF', 'ACCOUNT FEEDER'],
        [400, 'NONREF', 'Account-Fee'],
      ]),
    );
    const found = async () =>
      (await bench.run(`${LINE} -o json`)).data<Row[]>().filter(({ other }) => other !== null);
    expect((await found()).map(({ suggestion }) => suggestion?.words)).toEqual([
      undefined,
      'bank fees: charge, account 4970',
    ]);
    put('rules.yaml', 'counterparties:\n  - { name: a, text: fee }\n  - { name: b, text: account }\n');
    expect((await found())[1]?.suggestion).toMatchObject({ id: null, words: 'several texts fit: a, b' });
  });
});

describe('decisions', () => {
  it('--accept takes the exact number, and writes who, when and why behind what the file has', async () => {
    const before = kept();
    const wrong = await bench.run(`${LINE} --accept 2`);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there are 3 suggestions to accept, and not 2'),
    });
    expect(kept()).toBe(before);
    const run = await bench.run([...LINE.split(' '), '--accept', '3', '--because', 'agreed with the bank'], {
      env: { USER: 'ana' },
    });
    expect(run.code).toBe(10);
    expect(run.stderr).toMatch(/6 differences are accepted\..*1 difference to look at\./s);
    // Comments and all that people wrote stay.
    expect(kept().startsWith(before.trimEnd().replace('"4970"   #', '"4970" #'))).toBe(true);
    expect(
      kept().match(
        / {2}- id: s[0-9a-f]{16}\n {4}what: accept\n {4}who: ana\n {4}when: 2026-01-05\n {4}why: agreed with the bank\n/g,
      ),
    ).toHaveLength(3);
    const rows = (await bench.run(`${LINE} -o json`)).data<Row[]>();
    expect(rows.filter(({ decision }) => decision === 'accept')).toHaveLength(6);
    expect(rows[0]).toMatchObject({
      note: 'agreed with the bank',
      decided_by: 'ana',
      decided_on: '2026-01-05',
    });
    expect((await bench.run(`${LINE} --accept 1`)).code).toBe(2);
  });

  it('lapse where a row of them changes, and stand where lines move', async () => {
    await bench.run(`${LINE} --accept 3`);
    const [header, ...lines] = kept('ledger.csv').trim().split('\n');
    put('ledger.csv', `${header}\n${lines.reverse().join('\n')}\n`);
    const moved = (await bench.run(`${LINE} -o json`)).data<Row[]>();
    expect(moved.filter(({ decision }) => decision === 'accept')).toHaveLength(6);
    put('ledger.csv', kept('ledger.csv').replace('W-3', 'W-9'));
    const run = await bench.run(`${LINE} -o json`);
    expect(run.data<Row[]>().filter(({ decision }) => decision === 'accept')).toHaveLength(2);
    // A file of rules has decisions of other months: nothing is said of those.
    expect(run.stderr).not.toContain('no difference any more');
  });

  it('of a table are added to the rules, with its note as the reason', async () => {
    await bench.run(`${LINE} --exceptions open.csv`);
    put('decided.csv', kept('open.csv').replace(/^(.*,amount_differs,.*),,$/m, '$1,accept,by phone'));
    const run = await bench.run(`${LINE} --decisions decided.csv`, { env: { USER: 'ana' } });
    expect(run.stderr).toContain('1 decision of decided.csv was added to rules.yaml.');
    expect(kept()).toMatch(
      / {2}- id: [0-9a-f]{16}\n {4}what: accept\n {4}who: ana\n {4}when: 2026-01-05\n {4}why: by phone\n$/,
    );
    const again = await bench.run(LINE);
    expect(again.stderr).toContain('1 difference is accepted.');
    const twice = await bench.run(`${LINE} --decisions decided.csv`);
    expect(twice.stderr).not.toContain('added');
  });

  it('--accept makes the file where there is none; elsewhere a file that is not there is an error', async () => {
    put('ledger.csv', `${HEADER}INV-1,2026-01-06,500,EUR\n`);
    put('bank.sta', statement([[50_000, 'NONREF', 'Invoice INV-1']]));
    const line = LINE.replace('rules.yaml', 'new.yaml');
    expect((await bench.run(line)).code).toBe(2);
    expect((await bench.run(`${line} --accept 1`)).code).toBe(0);
    expect((await bench.run(line)).code).toBe(0);
  });
});

describe('columns', () => {
  it('of the rules are taken by the headings or by --columns, and said', async () => {
    put('ledger.csv', 'Beleg;Wann;Netto;Cur\nR-1;06/01/2026;101,50;EUR\n');
    put('bank.sta', statement([[10_150, 'R-1']]));
    const map =
      '{ external_id: Beleg, date: Wann, amount: Netto, currency: Cur, decimal_comma: true, dates: dmy, payments: plus }';
    put('rules.yaml', `columns:\n  ours: ${map}\n`);
    const run = await bench.run(LINE);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The columns of ledger.csv were read as those of ours of the rules.'),
    });
    put('rules.yaml', `columns:\n  ours: ${map}\n  twin: ${map}\n`);
    expect((await bench.run(LINE)).stderr).toMatch(/--columns ours says which/);
    expect((await bench.run(`${LINE} --columns twin`)).code).toBe(0);
    expect((await bench.run('reconcile ledger.csv --against bank.sta --columns ours')).code).toBe(2);
    put('rules.yaml', 'columns:\n  ours: { amnt: Netto }\n');
    expect((await bench.run(LINE)).stderr).toMatch(/line 2, column 11 +columns\.ours\.amnt is no member/);
  });
});

describe('a file of rules that cannot be read', () => {
  it.each([
    ['colums: {}', /line 1, column 1 +colums is no member that is known/],
    ['bundles: { rows: 3, days: 2, sum: 1 }', /line 1, column 30 +bundles\.sum is no member/],
    [
      'bundles:\n  rows: 501\n  days: 2',
      /line 2, column 3 +bundles\.rows is not a whole number from 1 to 500/,
    ],
    ['tolerances:\n  EUR: -1', /line 2, column 3 +tolerances\.EUR is not an amount above zero/],
    ['tolerances:\n  ABC: 1', /ABC is not a known currency/],
    ['counterparties:\n  - name: x', /line 2, column 5 +counterparties\.1\.text is missing/],
    [
      'decisions:\n  - { id: a, what: yes, who: b, when: 2026-02-30, why: c }',
      /decisions\.1\.what is not one of accept, open.*decisions\.1\.when is not a day/s,
    ],
    ['decisions:\n  - { id: a, what: open, who: b, when: 2026-02-20 }', /decisions\.1\.why is missing/],
    [
      'decisions:\n  - &a { id: a, what: open, who: b, when: 2026-02-20, why: c }\n  - { id: a, what: accept, who: b, when: 2026-02-20, why: c }',
      /line 3, column 7 +decisions\.2\.id is there twice/,
    ],
    ['decisions:\n  - *a', /alias/],
    ['tolerances: { EUR: 1, EUR: 2 }', /is there twice/],
    ['a: [', /is not YAML: line/],
    ['- a', /is not an object/],
    ['', /is empty/],
  ])('%s', async (text, words) => {
    put('rules.yaml', `${text}\n`);
    const run = await bench.run(LINE);
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toMatch(words);
    expect(run.stdout).toBe('');
  });

  it.each([
    ['--accept 3', /--accept needs --rules/],
    ['--rules rules.yaml --accept many', /--accept many is not a number/],
    ['--rules rules.yaml --because why', /--because goes with --accept/],
  ])('%s', async (flags, words) => {
    const run = await bench.run(`reconcile ledger.csv --against bank.sta ${flags}`);
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
