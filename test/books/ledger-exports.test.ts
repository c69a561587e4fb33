/** Ledgers as accounting programs export them, each in a file of that shape: the same two payments in all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dayIn, dayText } from '../../src/books/reconcile/days.ts';
import { type LedgerOptions, readLedger } from '../../src/books/reconcile/ledger.ts';
import { unitsText } from '../../src/books/reconcile/side.ts';
import type { Problem } from '../../src/core/problem.ts';

const FOLDER = new URL('../fixtures/ledgers/', import.meta.url);
const PLAIN: LedgerOptions = {
  ...{ name: 'ledger.csv', map: {}, decimalComma: false, currency: undefined, payments: undefined },
  ...{ dayOrder: undefined, dayOf: dayIn('UTC') },
};

async function* piecesOf(content: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content as string);
}

const read = (content: Uint8Array | string, options: Partial<LedgerOptions> = {}) =>
  readLedger(piecesOf(content), { ...PLAIN, ...options });

/** What a person has to say of each: a file does not say its currency, or in which order its dates are. */
const FILES: Readonly<Record<string, Partial<LedgerOptions>>> = {
  'xero-account-transactions.csv': { currency: 'EUR' },
  'xero-bank.csv': { currency: 'EUR', dayOrder: 'dmy' },
  'quickbooks.csv': { currency: 'EUR', dayOrder: 'mdy' },
  'datev.csv': {},
  'hledger-register.csv': {},
  'hledger-aregister.csv': {},
  'hledger-print.csv': {},
  'german.csv': { decimalComma: true },
  'french.csv': { decimalComma: true, dayOrder: 'dmy' },
  'french-fec.csv': { decimalComma: true },
};
const RUNNING = /xero-account|quickbooks|register|german|french\.csv/;

describe('an export', () => {
  it('has a test for each file', () => expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(FILES).sort()));

  it.each(Object.entries(FILES))('%s is read by its own headings', async (name, options) => {
    const { rows } = await read(readFileSync(new URL(name, FOLDER)), options);
    expect(
      rows.map(({ keys, amount, currency, day }) => [
        keys.includes('INV-1') || keys.includes('INV-2'),
        unitsText(amount, currency),
        currency,
        dayText(day),
      ]),
    ).toEqual([
      [true, '1250.5', 'EUR', '2026-10-05'],
      [true, '99', 'EUR', '2026-10-06'],
    ]);
    // The first line of DATEV is not its heading.
    expect(rows.map(({ line }) => line)).toEqual(name === 'datev.csv' ? [3, 4] : [2, 3]);
    if (RUNNING.test(name))
      expect(rows.map(({ balance }) => balance && unitsText(balance, 'EUR'))).toEqual(['-1250.5', '-1349.5']);
  });

  it('of DATEV is told from a table that has some of its headings, and its letters are read', async () => {
    const notes: string[] = [];
    const { rows } = await read(readFileSync(new URL('datev.csv', FOLDER)), {
      note: (words) => notes.push(words),
    });
    expect(rows.map(({ account, reference }) => [account, reference])).toEqual([
      ['1810', 'Löhne Oktober'],
      ['1810', 'Löhne Oktober'],
    ]);
    expect(notes).toEqual([
      'ledger.csv was read as Latin-1.',
      'The columns of ledger.csv were read as those of DATEV.',
    ]);
  });

  const datev = (row: string, span = '20261001;20261031'): string =>
    `"EXTF";700;21;"B";13;;;"RE";"";"";1;1;20260101;4;${span};"";"";1;0;0;"EUR"\nUmsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Belegdatum;Belegfeld 1;Buchungstext\n${row}\n`;

  it.each([
    ['5,00;"X";EUR;1;0510;A;b', 'is neither a debit nor a credit'],
    ['-5,00;"H";EUR;1;0510;A;b', 'has a minus beside its debit or credit'],
    ['5,00;"H";EUR;1;0511;A;b', 'date is not a day and a month'],
    ['5,00;"H";EUR;1;3102;A;b', 'date is not a day and a month'],
  ])('of DATEV with %s is refused, and the line is that of the file', async (row, words) => {
    const problem = (await read(datev(row)).catch((error: unknown) => error)) as Problem;
    expect(problem.facts.fields).toEqual([{ path: 'line 3', words: [words] }]);
  });

  it('of DATEV over the end of a year has the year that brings each day into it', async () => {
    const { rows } = await read(datev('5,00;S;EUR;1;3112;A;b\n6,00;H;EUR;1;0201;B;b', '20261201;20270131'), {
      payments: 'credit',
    });
    expect(rows.map(({ amount, day, currency }) => [unitsText(amount, currency), dayText(day)])).toEqual([
      ['-5', '2026-12-31'],
      ['6', '2027-01-02'],
    ]);
  });
});

describe('a map of the rules', () => {
  const OURS = 'Beleg,Wann,Netto,Cur\nA-1,05/10/2026,"1250,50",EUR\n';
  const columns = {
    ours: { external_id: 'Beleg', date: 'Wann', amount: 'Netto', decimal_comma: true, dates: 'dmy' as const },
  };

  it('is taken where the file has its headings, and is named', async () => {
    const notes: string[] = [];
    const { rows } = await read(OURS, { columns, note: (words) => notes.push(words) });
    expect(rows).toMatchObject([{ keys: [undefined, 'A-1', undefined], amount: 1_250_500_000n, line: 2 }]);
    expect(notes).toEqual(['The columns of ledger.csv were read as those of ours of the rules.']);
    const other = await read('external_id,date,amount,currency\nA-1,2026-10-05,5,EUR\n', {
      columns,
      note: (words) => notes.push(words),
    });
    expect([other.rows.length, notes.length]).toEqual([1, 1]);
  });

  it('without a heading fits no file', async () => {
    const notes: string[] = [];
    const empty = { none: { dates: 'dmy' as const } };
    await read('external_id,date,amount,currency\nA-1,2026-10-05,5,EUR\n', {
      columns: empty,
      note: (words) => notes.push(words),
    });
    expect(notes).toEqual([]);
  });

  it('is asked for by its name, and what was typed counts before it', async () => {
    const problem = (await read('external_id,date,amount,currency\nA-1,2026-10-05,5,EUR\n', {
      columns,
      use: 'ours',
    }).catch((error: unknown) => error)) as Problem;
    expect(problem.message).toContain('has no column "Beleg"');
    expect(
      (
        await read(OURS.replace('Netto', 'Netto,Brutto').replace('"1250,50"', '"1250,50","9,00"'), {
          columns,
          use: 'ours',
          map: { amount: 'Brutto' },
        })
      ).rows[0]?.amount,
    ).toBe(9_000_000n);
  });

  it.each([
    [
      { ...columns, twin: { amount: 'Netto' } },
      undefined,
      'has the headings of several columns of the rules: ours, twin',
    ],
    [columns, 'theirs', 'the rules have no columns "theirs"'],
  ])('is refused where nobody can tell which', async (given, use, words) => {
    const problem = (await read(OURS, { columns: given, use }).catch((error: unknown) => error)) as Problem;
    expect(problem.message).toContain(words);
  });
});
