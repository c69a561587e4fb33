/** remit reconcile, against a sandbox. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/contract/resources/transaction.ts';
import { answering, collectionFlags, payArgv, paymentJson, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

/** Pays to accounts whose ends decide what the sandbox does. */
async function pay(account: string, externalId: string): Promise<Transaction> {
  const run = await bench.run(payArgv(account, '--external-id', externalId));
  return run.data<Transaction>();
}

const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);
const lineOf = (
  one: Transaction,
  externalId = one.external_id,
  amount = one.input_amount,
  currency = 'EUR',
) => `${externalId},${one.created_at?.slice(0, 10)},${amount},${currency}\n`;
const HEADER = 'external_id,date,amount,currency\n';

interface Row {
  ending: string;
  case: string;
  ledger: { id: string; line: number; amount: string } | null;
  other: { id: string; amount: string; state: string; deadline: string | null } | null;
  command: string | null;
  with_line: number | null;
  note: string | null;
  decision: string | null;
}

describe('a ledger against entries that the bank only expects', () => {
  const entry = (amount: string, status: string, id: string): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-03</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;
  const camt = (...entries: string[]): string =>
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn><Id>1</Id>${entries.join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
  const mt942 =
    ':20:S\n:25:12345678/0123456789\n:28C:1/1\n:34F:EURD0,\n:13D:2611041200+0100\n:61:2611041104ED100,00NTRFINV-1\n:61:2611041104EC66,00NTRFINV-3\n:90D:1EUR100,00\n-\n';
  const pending = [entry('100.00', '<Prtry>PDNG</Prtry>', 'INV-1'), entry('66.00', '<Cd>PDNG</Cd>', 'INV-3')];

  it.each([
    ['a camt.054', 'bank.xml', camt(...pending)],
    ['an MT942', 'bank.sta', mt942],
  ])(
    '%s: they are left out and counted, and the payment is only in the ledger (10)',
    async (_, name, text) => {
      put('ledger.csv', 'date,reference,amount,currency\n2026-11-03,INV-1,100.00,EUR\n');
      put(name, text);
      const run = await bench.run(`reconcile ledger.csv --against ${name} -o json`);
      expect(run.code, run.stderr).toBe(10);
      expect(run.data<Row[]>()).toMatchObject([
        { ending: 'only_in_ledger', ledger: { id: 'INV-1' }, other: null },
      ]);
      expect(run.stderr).toContain(`${name}: 2 entries that the bank has not booked yet are left out.`);
    },
  );

  it('a status that is not known refuses the file, and is named with it', async () => {
    put('ledger.csv', 'date,reference,amount,currency\n2026-11-03,INV-1,100.00,EUR\n');
    put('bank.xml', camt(...pending, entry('1.00', '<Prtry>VORM</Prtry>', 'INV-4')));
    const run = await bench.run('reconcile ledger.csv --against bank.xml --sums warn');
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(/bank\.xml: line 1 has an entry with the status "VORM"/);
  });
});

describe('a ledger against the service', () => {
  it('agrees where it has the same payments', async () => {
    const [one, two] = [await pay('0123456700', 'p-1'), await pay('0123456700', 'p-2')];
    put('ledger.csv', HEADER + lineOf(one) + lineOf(two));
    const run = await bench.run('reconcile ledger.csv');
    expect(run.stderr).toMatch(/Nothing is left to look at/);
    expect(run.code).toBe(0);
    expect((await bench.run('reconcile ledger.csv -o json')).data()).toEqual([]);
    const all = await bench.run('reconcile ledger.csv --ending matched -o json');
    expect(all.data<Row[]>()).toMatchObject([
      { ending: 'matched', ledger: { id: 'p-1', line: 2 }, other: { id: 'p-1', state: 'success' } },
      { ending: 'matched', ledger: { id: 'p-2', line: 3 } },
    ]);
  });

  it('names what differs, and the command that looks at it', async () => {
    const [paid, wrong, slow] = [
      await pay('0123456700', 'p-1'),
      await pay('0123456719', 'p-2'),
      await pay('0123456701', 'p-3'),
      await pay('0123456700', 'p-4'),
    ];
    await bench.run('tx cancel p-2 --yes');
    put(
      'ledger.csv',
      HEADER +
        lineOf(paid, 'p-1', '99') +
        lineOf(wrong) +
        lineOf(slow) +
        lineOf(paid, 'nowhere') +
        lineOf(slow),
    );
    const run = await bench.run('reconcile ledger.csv -o json');
    expect(run.code).toBe(10);
    expect(run.data<Row[]>()).toMatchObject([
      { ending: 'amount_differs', ledger: { amount: '99.00' }, command: 'remit tx show p-1' },
      { ending: 'state_differs', other: { state: 'refunded' } },
      { ending: 'only_in_ledger', ledger: { id: 'nowhere' }, other: null, command: 'remit tx show nowhere' },
      { ending: 'duplicate', ledger: { line: 6 }, with_line: 4 },
      { ending: 'only_at_service', ledger: null, other: { id: 'p-4' }, command: 'remit tx show p-4' },
    ]);
    const expected = await bench.run('reconcile ledger.csv --ending expected -o json');
    expect(expected.data<Row[]>()).toMatchObject([
      {
        ledger: { id: 'p-3' },
        other: { deadline: expect.any(String) },
        command: 'remit tx watch p-3',
      },
    ]);
  });
});

describe('a ledger against the books', () => {
  it('says what it says against the service, and asks the service for nothing', async () => {
    const [paid, wrong] = [await pay('0123456700', 'p-1'), await pay('0123456719', 'p-2')];
    put(
      'ledger.csv',
      `${HEADER}${lineOf(paid)}${lineOf(wrong)}p-9,${paid.created_at?.slice(0, 10)},5.00,EUR\n`,
    );
    const none = await bench.run('reconcile ledger.csv --against books');
    expect([none.code, none.requests]).toEqual([6, []]);
    expect(none.stderr).toContain('remit books sync');
    await bench.run('books sync');
    const [service, books] = [
      await bench.run('reconcile ledger.csv -o json'),
      await bench.run('reconcile ledger.csv --against books -o json'),
    ];
    expect(service.code).toBe(10);
    expect([books.code, books.data()]).toEqual([service.code, service.data()]);
    expect(books.requests).toEqual([]);
    expect(books.stderr).toContain('The books are complete until');
    expect((await bench.run('reconcile ledger.csv --against books --against service')).code).toBe(2);
  });
});

describe('what belongs together', () => {
  it('is one row for all recipients of a transaction', async () => {
    const run = await bench.run(
      ['tx', 'create', '--file', '-', '--external-id', 'two', '--fund', '--max-input', '50', '-o', 'json'],
      {
        stdin: JSON.stringify(paymentJson('0123456700', '0123456701')),
      },
    );
    const made = run.data<Transaction>();
    put('ledger.csv', HEADER + lineOf(made, 'two'));
    const rows = (await bench.run('reconcile ledger.csv --ending expected --ending matched -o json')).data<
      Row[]
    >();
    expect(
      rows.map(({ ledger, other, with_line: line }) => [ledger?.id ?? null, other?.state, line]),
    ).toEqual([
      ['two', 'success', null],
      [null, 'pending', 2],
    ]);
    const [one, other] = made.recipients ?? [];
    put('ledger.csv', HEADER + lineOf(made, one?.id, one?.input_amount) + lineOf(made, other?.id, '1'));
    const each = await bench.run('reconcile ledger.csv -o json');
    expect(each.data<Row[]>()).toMatchObject([{ ending: 'amount_differs', ledger: { line: 3 } }]);
  });

  it('is a refund that is booked', async () => {
    const one = await pay('0123456719', 'p-1');
    await bench.run('tx cancel p-1 --yes');
    put('ledger.csv', HEADER + lineOf(one) + lineOf(one, 'p-1', `-${one.input_amount}`));
    const signs = await bench.run('reconcile ledger.csv');
    expect(signs).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--payments plus or --payments minus/),
    });
    expect((await bench.run('reconcile ledger.csv --payments plus')).code).toBe(0);
  });

  it('is a collection that came in, with the sign of money that comes in', async () => {
    const run = await bench.run(['tx', 'create', ...collectionFlags(), '--external-id', 'c-1', '-o', 'json']);
    await bench.run('sandbox payin c-1');
    const one = (await bench.run('tx show c-1 -o json')).data<Transaction>();
    expect(run.code).toBe(0);
    const amount = one.recipients?.[0]?.input_amount;
    put('ledger.csv', HEADER + lineOf(one, 'c-1', `-${amount}`, one.input_currency ?? ''));
    const found = await bench.run('reconcile ledger.csv --payments plus --ending matched -o json');
    expect(found).toMatchObject({ code: 0 });
    expect(found.data<Row[]>()).toMatchObject([
      { ledger: { id: 'c-1' }, other: { id: 'c-1', amount: `-${amount}.00` } },
    ]);
  });

  it('stays together over the end of a month, whatever the zone', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', `${HEADER}p-1,2025-12-31,${one.input_amount},EUR\n`);
    const run = await bench.run(
      'reconcile ledger.csv --month 2025-12 --zone Africa/Lagos --ending matched -o json',
    );
    expect(run.data<(Row & { edge: string })[]>()).toMatchObject([
      { ledger: { id: 'p-1' }, edge: 'outside' },
    ]);
    expect(run.stderr).toContain('time zone Africa/Lagos');
    expect(run.stderr).toMatch(/1 row is at an end of this time/);
    expect(run.code).toBe(0);
  });

  it('is never funded, and nothing is to be booked', async () => {
    const one = await pay('0123456700', 'p-1');
    await bench.run(['tx', 'create', '--from', 'p-1', '--external-id', 'p-2']);
    put('ledger.csv', HEADER + lineOf(one));
    const open = await bench.run('reconcile ledger.csv --ending expected -o json');
    expect(open.data<Row[]>()).toMatchObject([{ other: { id: 'p-2', deadline: expect.any(String) } }]);
    await bench.run('sandbox clock advance 2h');
    const run = await bench.run('reconcile ledger.csv --ending not_funded -o json');
    expect(run.data<Row[]>()).toMatchObject([{ ending: 'not_funded', other: { id: 'p-2' }, command: null }]);
    expect(run.code).toBe(0);
  });
});

describe('in each form', () => {
  const made = async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', `${HEADER}${lineOf(one, 'p-1', '99')}${lineOf(one, 'nowhere')}`);
    return one;
  };

  it('a table has what a person needs', async () => {
    await made();
    for (const columns of [80, 120]) {
      const { stdout, stderr, code } = await bench.run('reconcile ledger.csv', { tty: true, columns });
      expect(code).toBe(10);
      expect(stdout).toMatch(/^ENDING .*LEDGER +OTHER SIDE .*NEXT/);
      expect(stdout).toMatch(/amount differs .*99\.00 EUR +14\.99 EUR .*remit tx show/);
      expect(stdout).toMatch(/only in ledger +(?:3 +)?nowhere/);
      expect(stderr).toMatch(/Compared from 2026-01-05 to 2026-01-05/);
      expect(stderr).toContain('time zone UTC');
      expect(stderr).toMatch(/2 differences to look at\./);
      for (const line of `${stdout}${stderr}`.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('text has tabs, CSV has amounts of their own, NDJSON has a line for each', async () => {
    await made();
    const text = await bench.run('reconcile ledger.csv');
    expect(text.stdout.split('\n')[0]?.split('\t').slice(0, 3)).toEqual(['amount_differs', '2', 'p-1']);
    const csv = await bench.run('reconcile ledger.csv -o csv');
    expect(csv.stdout).toMatch(/^case,against,ending,ledger_line,.*,decision,note\n/);
    expect(csv.stdout).toMatch(
      /^[0-9a-f]{16},the service,amount_differs,2,p-1,p-1,2026-01-05,99\.00,EUR,,p-1,/m,
    );
    const lines = (await bench.run('reconcile ledger.csv -o ndjson')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).data.ending)).toEqual(['amount_differs', 'only_in_ledger']);
    const { json } = await bench.run('reconcile ledger.csv -o json');
    expect(json()).toMatchObject({
      version: 1,
      kind: 'reconciled_row',
      meta: { complete: true, total: 2 },
      data: [{ next: { do: 'show_transaction', id: 'p-1' }, command: 'remit tx show p-1' }, {}],
    });
    const first = await bench.run('reconcile ledger.csv --limit 1 -o json');
    expect(first.json()).toMatchObject({ meta: { complete: false, total: 2 }, data: [{}] });
    expect(first.code).toBe(10);
  });

  it('totals are the sums of the endings', async () => {
    await made();
    const run = await bench.run('reconcile ledger.csv --totals -o json');
    expect(run.code).toBe(10);
    const totals = run.data<{ side: string; ending: string | null; rows: number; amount: string }[]>();
    expect(totals.map(({ side, ending, rows, amount }) => [side, ending, rows, amount])).toEqual([
      ['ledger', 'only_in_ledger', 1, '14.99'],
      ['ledger', 'amount_differs', 1, '99.00'],
      ['ledger', null, 2, '113.99'],
      ['service', 'amount_differs', 1, '14.99'],
      ['service', null, 1, '14.99'],
    ]);
  });
});

describe('decisions', () => {
  it('are made in a file, and count until the difference changes', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', HEADER + lineOf(one, 'p-1', '99') + lineOf(one, 'nowhere') + lineOf(one, 'nowhere'));
    const first = await bench.run('reconcile ledger.csv --exceptions open.csv');
    expect(first.code).toBe(10);
    const path = join(bench.dir, 'open.csv');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const file = readFileSync(path, 'utf8');
    expect(file.trim().split('\n')).toHaveLength(4);
    const again = await bench.run('reconcile ledger.csv --exceptions open.csv');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/open\.csv is there already/) });

    put('half.csv', file.replace(/^(.*amount_differs.*),,$/m, '$1,accept,"agreed, by phone"'));
    const half = await bench.run('reconcile ledger.csv --decisions half.csv -o json');
    expect(half.code).toBe(10);
    expect(half.data<Row[]>()).toMatchObject([
      { ending: 'amount_differs', decision: 'accept', note: 'agreed, by phone' },
      { decision: 'open' },
      { decision: 'open' },
    ]);
    put('all.csv', file.replace(/,,$/gm, ',Accept,'));
    const all = await bench.run('reconcile ledger.csv --decisions all.csv');
    expect(all).toMatchObject({ code: 0, stderr: expect.stringMatching(/3 differences are accepted\./) });

    put('ledger.csv', HEADER + lineOf(one, 'p-1', '98') + lineOf(one, 'nowhere'));
    const changed = await bench.run('reconcile ledger.csv --decisions all.csv');
    expect(changed).toMatchObject({
      code: 10,
      stderr: expect.stringMatching(/2 decisions fit no difference any more/),
    });

    put('bad.csv', file.replace(/,,$/m, ',maybe,'));
    const bad = await bench.run('reconcile ledger.csv --decisions bad.csv');
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/line 2 +"maybe" is not a decision: accept, open, or nothing/);
  });
});

describe('against more than the service', () => {
  it('each is compared for itself', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', HEADER + lineOf(one) + lineOf(one, 'top-up', '-500'));
    put(
      'bank.sta',
      ':20:S\n:25:1/2\n:28C:1\n:60F:C260104EUR0,\n:61:2601060106C500,NTRFtop-up\n:62F:C260106EUR500,\n',
    );
    const argv = 'reconcile ledger.csv --payments plus --against service --against bank.sta';
    const run = await bench.run(`${argv} --ending matched --ending only_in_ledger -o json`);
    expect(
      run.data<(Row & { against: string })[]>().map((row) => [row.against, row.ending, row.ledger?.id]),
    ).toEqual([
      ['the service', 'matched', 'p-1'],
      ['the service', 'only_in_ledger', 'top-up'],
      ['bank.sta', 'only_in_ledger', 'p-1'],
      ['bank.sta', 'matched', 'top-up'],
    ]);
    expect(run.requests.filter(({ path }) => path === '/transactions')).toHaveLength(1);
    const bank = await bench.run('reconcile ledger.csv --payments plus --against bank.sta');
    expect(bank.requests).toEqual([]);
  });

  it('what was asked for is compared where the ledger has that', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', HEADER + lineOf(one, 'p-1', '25000', 'NGN'));
    const cost = await bench.run('reconcile ledger.csv -o json');
    expect(cost.data<Row[]>()).toMatchObject([{ ending: 'currency_differs' }]);
    expect((await bench.run('reconcile ledger.csv --by requested')).code).toBe(0);
  });
});

describe('an id in whatever case', () => {
  const bank = (e2e: string, text: string): string =>
    `:20:S\n:25:1/2\n:28C:1\n:60F:C260104EUR500,\n:61:2601060106D500,NTRF${e2e}\n${text === '' ? '' : `:86:${text}\n`}:62F:C260106EUR0,\n`;

  it.each([
    [
      'alone on both sides',
      'external_id,date,amount,currency\ninv-1,2026-01-06,500,EUR\n',
      bank('INV-1', ''),
    ],
    [
      'beside a text of the ledger',
      'external_id,reference,date,amount,currency\ninv-1,Rent of October,2026-01-06,500,EUR\n',
      bank('INV-1', ''),
    ],
    [
      'beside a text of the bank',
      'external_id,date,amount,currency\ninv-1,2026-01-06,500,EUR\n',
      bank('INV-1', 'THANK YOU'),
    ],
    [
      'beside a text of both',
      'external_id,reference,date,amount,currency\ninv-1,Rent of October,2026-01-06,500,EUR\n',
      bank('INV-1', 'THANK YOU'),
    ],
  ])('matches %s', async (_, ledger, statement) => {
    put('ledger.csv', ledger);
    put('bank.sta', statement);
    const run = await bench.run('reconcile ledger.csv --payments plus --against bank.sta');
    expect([run.code, run.stdout], run.stderr).toEqual([0, '']);
  });

  it('matches a payment of the service beside a text of the ledger', async () => {
    const one = await pay('0123456700', 'INV-7');
    put(
      'ledger.csv',
      `external_id,reference,date,amount,currency\n${lineOf(one, 'inv-7').replace(',', ',Rent,')}`,
    );
    const run = await bench.run('reconcile ledger.csv');
    expect(run.code, run.stderr + run.stdout).toBe(0);
  });

  it('does not match another amount, and says nothing of it', async () => {
    put('ledger.csv', 'external_id,reference,date,amount,currency\ninv-1,Rent,2026-01-06,501,EUR\n');
    put('bank.sta', bank('INV-1', 'THANK YOU'));
    const run = await bench.run('reconcile ledger.csv --payments plus --against bank.sta -o json');
    expect(run.data<Row[]>().map(({ ending }) => ending)).toEqual(['only_in_ledger', 'only_in_statement']);
  });
});

describe('pairs that perhaps go together', () => {
  const BANK =
    ':20:S\n:25:1/2\n:28C:1\n:60F:C260104EUR600,\n:61:2601060106D500,NTRFNONREF\n:86:Invoice INV-1\n:61:2601060106D100,NTRFNONREF\n:86:PAY/INV-2\n:62F:C260106EUR0,\n';
  const argv = 'reconcile ledger.csv --payments plus --against bank.sta';
  const setUp = (): void => {
    put('ledger.csv', `reference,date,amount,currency\nINV-1,2026-01-06,500,EUR\nINV-2,2026-01-05,100,EUR\n`);
    put('bank.sta', BANK);
  };
  interface Pair extends Row {
    perhaps: { line: number; reference: string } | null;
  }

  it('are said, and stay differences', async () => {
    setUp();
    const run = await bench.run(argv);
    expect(run.code).toBe(10);
    expect(run.stderr).toMatch(
      /2 suggestions \(2 by reference\), which count for nothing until you accept them.*4 differences to look at/s,
    );
    const rows = (await bench.run(`${argv} -o json`)).data<Pair[]>();
    expect(rows.map(({ ending, perhaps }) => [ending, perhaps?.reference])).toEqual([
      ['only_in_ledger', 'Invoice INV-1'],
      ['only_in_ledger', 'PAY/INV-2'],
      ['only_in_statement', 'INV-1'],
      ['only_in_statement', 'INV-2'],
    ]);
  });

  it('are asked about on a terminal, and what is accepted is kept in the file of rules', async () => {
    setUp();
    const first = await bench.run(`${argv} --rules rules.yaml`, { tty: true, stdin: 'y\r' });
    expect(first.stderr.replace(/\s+/g, ' ')).toContain(
      '500.00 EUR INV-1 of 2026-01-06: line 2 of the ledger = line 5 of bank.sta (reference). Accept it? (y/N)',
    );
    const kept = (): string => readFileSync(join(bench.dir, 'rules.yaml'), 'utf8');
    expect(kept()).toMatch(
      /^decisions:\n {2}- id: s[0-9a-f]{16}\n {4}what: accept\n {4}who: \S+\n {4}when: 2026-01-05\n {4}why: "reference: line 2 of the ledger = line 5 of bank.sta"\n$/,
    );
    expect(statSync(join(bench.dir, 'rules.yaml')).mode & 0o777).toBe(0o600);
    // The screen shows what is open; a file has all, with what was decided.
    const screen = await bench.run(`${argv} --rules rules.yaml`, { tty: true, stdin: 'n\r' });
    expect(screen.stdout).toContain('INV-2');
    expect(screen.stdout).not.toContain('INV-1');
    const all = await bench.run(`${argv} --rules rules.yaml -o json`);
    expect(all.data<Pair[]>().map(({ decision }) => decision)).toEqual(['accept', null, 'accept', null]);
    const last = await bench.run(`${argv} --rules rules.yaml`, { tty: true, stdin: 'y\r' });
    expect([last.code, kept().match(/what: accept/g)?.length]).toEqual([0, 2]);
    expect((await bench.run(`${argv} --rules rules.yaml`)).code).toBe(0);
  });

  it('without a terminal nothing is asked, and a file that is not there is an error', async () => {
    setUp();
    expect((await bench.run(`${argv} --rules nowhere.yaml`)).code).toBe(2);
    expect(readFileSync(join(bench.dir, 'ledger.csv'), 'utf8')).toContain('INV-1');
  });
});

describe('what is wrong', () => {
  it.each([
    ['reconcile', /LEDGER/],
    ['reconcile nowhere.csv', /nowhere\.csv/],
    ['reconcile ledger.csv --month october', /october is not a month/],
    ['reconcile ledger.csv --days many', /--days many is not a number of days/],
    ['reconcile ledger.csv --map amnt=Sum', /a ledger has no column "amnt"/],
    ['reconcile ledger.csv --map amount=Sum', /has no column "Sum", which amount is to be read from/],
    ['reconcile - --against -', /only one file can come from standard input/],
    ['reconcile ledger.csv --against ledger.csv', /ledger\.csv is no statement that is read/],
  ])('%s', async (line, message) => {
    put('ledger.csv', `${HEADER}p-1,2026-01-05,10,EUR\n`);
    const run = await bench.run(line);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
    expect(run.requests).toEqual([]);
  });

  it('rows are named by their lines, and nothing is asked of the service', async () => {
    put('ledger.csv', `${HEADER}p-1,2026-01-05,"10,5",EUR\np-2,5/1/2026,10,EUR\np-3,2026-01-05,10,EUR\n`);
    const run = await bench.run('reconcile ledger.csv');
    expect(run).toMatchObject({ code: 2, requests: [] });
    expect(run.stderr).toMatch(/2 rows of ledger\.csv cannot be read, so nothing was compared/);
    expect(run.stderr).toMatch(/line 2 +amount has a comma/);
    expect(run.stderr).toMatch(/line 3 +date may begin with the day or with the month/);
  });

  it('a list in no order, longer than may be read in a day, is not read on; one that is newest first is read as far as it must', async () => {
    put('ledger.csv', `${HEADER}p-1,2026-01-05,10,EUR\n`);
    const listing = (...days: string[]): string =>
      JSON.stringify({
        object: days.map((day) => ({
          id: `00000000-0000-4000-8000-0000000000${day.slice(-2)}`,
          created_at: day,
        })),
        meta: { pagination: { next_page: 2, total_count: 150_001 } },
      });
    bench.intercept(answering(200, listing('2026-01-04', '2026-01-05')));
    const mixed = await bench.run('reconcile ledger.csv');
    expect(mixed.stderr).toMatch(/more than 150,000 transactions would have to be read/);
    expect(mixed).toMatchObject({ code: 2, requests: { length: 1 } });
    bench.intercept(answering(200, listing('2026-01-05', '2025-11-04')));
    expect(await bench.run('reconcile ledger.csv')).toMatchObject({ code: 10, requests: { length: 1 } });
  });

  it('a service that cannot be read to its end is not taken for one that has nothing', async () => {
    put('ledger.csv', `${HEADER}p-1,2026-01-05,10,EUR\n`);
    bench.intercept(answering(401, '{"errors":[]}'));
    const run = await bench.run('reconcile ledger.csv');
    expect(run).toMatchObject({ code: 4, stdout: '' });
  });

  it('a ledger without dates needs a month', async () => {
    const one = await pay('0123456700', 'p-1');
    put('ledger.csv', `external_id,amount,currency\np-1,${one.input_amount},EUR\n`);
    const run = await bench.run('reconcile ledger.csv');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(/--month 2026-10 says it/) });
    const month = await bench.run('reconcile ledger.csv --month 2026-01');
    expect(month.stderr).toMatch(/Compared from 2026-01-01 to 2026-01-31/);
    expect(month.code).toBe(0);
  });
});
