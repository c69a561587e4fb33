/** remit reconcile against the statements of several accounts: one run, and the balances of each beside the ledger's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';

const bench = useBench();
const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);

interface Row {
  against: string;
  ending: string;
  ledger: { reference: string } | null;
  other: { line: number } | null;
  suggestion: { words: string } | null;
}

const swift = (account: string, [opening, closing]: readonly string[], ...moves: readonly string[]): string =>
  `:20:S\n:25:${account}\n:28C:1\n:60F:C260105${opening}\n${moves.map((one) => `:61:${one}\n`).join('')}:62F:C260131${closing}\n`;

const balance = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const camt = (
  iban: string,
  [opening = '', closing = '']: readonly string[],
  ...entries: readonly string[]
): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>
<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
const entry = (amount: string, reference: string, day = '2026-01-06'): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;

const HEADER = 'reference,date,amount,currency\n';
const LINE = 'reconcile ledger.csv --against a.sta --against b.xml';
const IBAN = 'DE00123412341234123456';

function twoBanks(): void {
  put('a.sta', swift('100/2000EUR', ['EUR100,', 'EUR70,'], '2601060106D30,NTRFA-1'));
  put('b.xml', camt(IBAN, ['500.00', '440.00'], entry('50.00', 'B-1'), entry('10.00', 'B-2')));
}

const accountsOf = async (line = LINE) =>
  (await bench.run(`${line} --balances -o json`)).data<Record<string, string | number | null>[]>();

describe('several accounts', () => {
  it('a row of the ledger is looked for in all of them, and a difference names its file', async () => {
    twoBanks();
    put('ledger.csv', `${HEADER}A-1,2026-01-06,30,EUR\nB-1,2026-01-06,50,EUR\nC-1,2026-01-06,5,EUR\n`);
    const run = await bench.run(`${LINE} -o json`);
    expect(
      run.data<Row[]>().map(({ against, ending, ledger }) => [against, ending, ledger?.reference]),
    ).toEqual([
      ['a.sta and b.xml', 'only_in_ledger', 'C-1'],
      ['b.xml', 'only_in_statement', undefined],
    ]);
    const all = await bench.run(`${LINE} --ending matched -o json`);
    expect(all.data<Row[]>().map(({ against }) => against)).toEqual(['a.sta', 'b.xml']);
  });

  it('opening and closing balances stand beside those of the ledger', async () => {
    twoBanks();
    put('ledger.csv', `${HEADER}A-1,2026-01-06,30,EUR\nB-1,2026-01-06,50,EUR\nC-1,2026-01-06,5,EUR\n`);
    const run = await bench.run(LINE);
    expect(run.stderr).toContain(
      'Account ••••2000: the bank opened with 100.00 EUR and closed with 70.00 EUR, the rows of the ledger lead to 70.00 EUR: no difference.',
    );
    expect(run.stderr).toContain(
      'Account ••••3456: the bank opened with 500.00 EUR and closed with 440.00 EUR, the rows of the ledger lead to 450.00 EUR: 10.00 EUR apart.',
    );
    expect(run.stderr).toContain(
      '1 row of the ledger is of no account of these banks, and counts in no balance.',
    );
    expect(`${run.stdout}${run.stderr}`).not.toContain(IBAN);
    expect((await bench.run(`${LINE} --balances`)).stdout).toContain('••••3456\tEUR\t500.00\t440.00');
    expect((await bench.run(`${LINE} --balances --reveal`)).stdout).toContain(`${IBAN}\tEUR`);
    expect(await accountsOf()).toEqual([
      {
        ...{
          account: null,
          account_number: '••••2000',
          currency: 'EUR',
          opening: '100.00',
          closing: '70.00',
        },
        ...{
          ledger_opening: null,
          ledger_closing: '70.00',
          difference: '0.00',
          movements: 1,
          ledger_rows: 1,
        },
      },
      {
        ...{
          account: null,
          account_number: '••••3456',
          currency: 'EUR',
          opening: '500.00',
          closing: '440.00',
        },
        ...{
          ledger_opening: null,
          ledger_closing: '450.00',
          difference: '10.00',
          movements: 2,
          ledger_rows: 1,
        },
      },
    ]);
  });

  it('the ledger names the account, and the rules say which one it is', async () => {
    twoBanks();
    const rows = ['A-1,2026-01-06,30,EUR,1200', 'B-9,2026-01-06,60,EUR,main'];
    put('ledger.csv', `reference,date,amount,currency,account\n${rows.join('\n')}\n`);
    put(
      'rules.yaml',
      `accounts:\n  petty: { bank: 100/2000, ledger: "1200" }\n  main: { bank: DE00 1234 1234 1234 1234 56 }\n`,
    );
    expect(await accountsOf(`${LINE} --rules rules.yaml`)).toMatchObject([
      { account: 'petty', ledger_closing: '70.00', ledger_rows: 1 },
      { account: 'main', ledger_closing: '440.00', difference: '0.00', ledger_rows: 1 },
    ]);
  });

  it('a column of balances is the ledger’s own word, whichever row comes first', async () => {
    put('a.sta', swift('1234567', ['EUR100,', 'EUR60,'], '2601060106D30,NTRFA-1', '2601070107D10,NTRFA-2'));
    const rows = ['A-1,2026-01-06,30,EUR,75', 'A-2,2026-01-07,10,EUR,65'];
    const line = 'reconcile ledger.csv --against a.sta';
    for (const ordered of [rows, [...rows].reverse()]) {
      put('ledger.csv', `reference,date,amount,currency,balance\n${ordered.join('\n')}\n`);
      expect(await accountsOf(line)).toMatchObject([
        {
          opening: '100.00',
          closing: '60.00',
          ledger_opening: '105.00',
          ledger_closing: '65.00',
          difference: '5.00',
        },
      ]);
    }
    const { stderr } = await bench.run(line);
    expect(stderr).toContain('the ledger with 105.00 EUR and 65.00 EUR: 5.00 EUR apart.');
    // Balances that do not lead from row to row are nobody's word.
    put('ledger.csv', `reference,date,amount,currency,balance\n${rows.join('\n').replace('65', '66')}\n`);
    expect(await accountsOf(line)).toMatchObject([{ ledger_opening: null, ledger_closing: '60.00' }]);
  });

  it('balances are those at the ends of the month, and a statement that goes on from another is one account', async () => {
    put('a.sta', swift('1234567', ['EUR100,', 'EUR90,'], '2512311231D10,NTRFOLD'));
    put('b.xml', swift('1234567', ['EUR90,', 'EUR50,'], '2601060106D30,NTRFA-1', '2602010201D10,NTRFNEW'));
    put('ledger.csv', `${HEADER}A-1,2026-01-06,30,EUR\nNEW,2026-01-31,10,EUR\n`);
    expect(await accountsOf(`${LINE} --month 2026-01`)).toMatchObject([
      // What the ledger paid in January left the bank in February.
      {
        opening: '90.00',
        closing: '60.00',
        ledger_closing: '50.00',
        difference: '-10.00',
        movements: 1,
        ledger_rows: 2,
      },
    ]);
    put('a.sta', swift('1234567', ['EUR100,', 'EUR95,'], '2512311231D5,NTRFOLD'));
    const run = await bench.run(`${LINE} --month 2026-01`);
    expect(run.stderr).toContain('closed with an unknown balance');
    expect(run.stderr).toContain('not compared');
  });

  it('rows of the ledger of another month count in no balance', async () => {
    put('a.sta', swift('1234567', ['EUR100,', 'EUR70,'], '2601060106D30,NTRFA-1'));
    put('ledger.csv', `${HEADER}OLD,2025-11-06,7,EUR\nA-1,2026-01-06,30,EUR\nNEW,2026-03-06,8,EUR\n`);
    expect(await accountsOf('reconcile ledger.csv --against a.sta --month 2026-01')).toMatchObject([
      { ledger_closing: '70.00', difference: '0.00', ledger_rows: 1 },
    ]);
  });

  it('two accounts in one file are two', async () => {
    put('ledger.csv', `${HEADER}A-1,2026-01-06,30,EUR\nB-1,2026-01-06,50,EUR\n`);
    const [one, two] = [
      swift('1234567', ['EUR100,', 'EUR70,'], '2601060106D30,NTRFA-1'),
      swift('7654321', ['EUR60,', 'EUR10,'], '2601060106D50,NTRFB-1'),
    ];
    put('a.sta', one + two);
    const two053 = camt('DE00999', ['60.00', '10.00'], entry('50.00', 'B-1'));
    const stmt = two053.slice(two053.indexOf('<Stmt>'), two053.indexOf('</BkToCstmrStmt>'));
    put('b.xml', camt(IBAN, ['100.00', '70.00'], entry('30.00', 'A-1')).replace('</Stmt>', `</Stmt>${stmt}`));
    for (const file of ['a.sta', 'b.xml'])
      expect(await accountsOf(`reconcile ledger.csv --against ${file}`)).toMatchObject([
        { closing: '70.00', difference: '0.00', ledger_rows: 1, movements: 1 },
        { closing: '10.00', difference: '0.00', ledger_rows: 1, movements: 1 },
      ]);
  });

  it('a bundle may have movements of two files, and names both', async () => {
    put('a.sta', swift('1234567', ['EUR100,', 'EUR70,'], '2601060106D30,NTRFNONREF'));
    put('b.xml', camt(IBAN, ['500.00', '490.00'], entry('10.00', 'NOTPROVIDED')));
    put('ledger.csv', `${HEADER}A-1,2026-01-06,40,EUR\n`);
    put('rules.yaml', 'bundles: { rows: 3, days: 3 }\n');
    const run = await bench.run(`${LINE} --rules rules.yaml -o json`);
    expect(run.data<Row[]>()[0]?.suggestion?.words).toBe(
      'line 2 of the ledger = line 5 of a.sta + line 2 of b.xml',
    );
  });

  it.each([
    ['--balances', /--balances needs the statement of a bank/],
    ['--against a.sta --balances --totals', /take one of them/],
  ])('%s is refused', async (flags, words) => {
    const run = await bench.run(`reconcile ledger.csv ${flags}`);
    expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
