/** Rows as a spreadsheet, read back by openpyxl: the numbers, times and texts that CSV and JSON have, and no formula. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { eq, sum } from '../../src/core/money.ts';
import { shape } from '../../src/frame/shape.ts';
import { render } from '../../src/frame/terminal/formats.ts';
import { paintFor } from '../../src/frame/terminal/paint.ts';
import type { Rendering } from '../../src/frame/terminal/rendering.ts';
import type { Column, View } from '../../src/frame/terminal/view.ts';
import { xlsxPages } from '../../src/frame/terminal/xlsx.ts';
import { unguard } from '../../src/tables/csv-guard.ts';
import {
  collectionFlags,
  createArgv,
  payArgv,
  paymentJson,
  type RunOptions,
  useBench,
  words,
} from '../support/cli.ts';
import { some } from '../support/long.ts';
import { csvOf } from '../support/payrun-files.ts';
import { hasReader, readWorkbook, type Sheet, type SheetCell, valuesOf } from '../support/workbook.ts';

const PERIOD = ['--month', '2026-01', '--from-first-seen', '--zone', 'UTC'];
const WAGES = csvOf(
  '=1+1,NGN::Bank,26000,EUR,customer-1,Ada,Obi,044,0123456700',
  '@two,NGN::Bank,30000,EUR,customer-1,Bola,Ade,044,0123456709',
);

/** Payments to people whose names a spreadsheet would run, one refused and refunded, a collection, and a top-up. */
const bench = useBench({
  sender: true,
  once: true,
  async setUp(at) {
    await at.run('books sync');
    for (const [account, name, id] of [
      ['0123456700', '=HYPERLINK("http://127.0.0.1")', '+44'],
      ['0123456709', '-2+3', '@two'],
      ['0123456700', '\ttab', '007'],
    ] as const) {
      const payment = paymentJson(account) as { recipients: { payout_method: { details: object } }[] };
      Object.assign(payment.recipients[0]?.payout_method.details ?? {}, {
        first_name: name,
        last_name: 'Obi',
      });
      writeFileSync(join(at.dir, 'one.json'), JSON.stringify(payment));
      await at.run(['tx', 'create', '-f', 'one.json', '--external-id', id, '--fund', '--max-input', '20']);
    }
    await at.run(createArgv('0123456700', '--external-id', 'not-funded'));
    await at.run(['tx', 'create', ...collectionFlags(), '--external-id', 'c-1']);
    await at.run('sandbox payin c-1');
    writeFileSync(join(at.dir, 'wages.csv'), WAGES);
    await at.run('batch plan wages.csv --name wages --max-input EUR=100');
    await at.run('batch run wages --yes');
    await at.run('sandbox clock advance 2h');
    await at.run('sandbox balance EUR +500');
    await at.run('books sync');
    writeFileSync(
      join(at.dir, 'ledger.csv'),
      'date,reference,amount,currency\n2026-01-02,007,25000,NGN\n2026-01-03,=1+1,5,NGN\n',
    );
  },
});

/** The bytes, a character each, and what was said. */
async function printed(argv: readonly string[], options: RunOptions = {}) {
  const stdout = new PassThrough();
  const bytes: Buffer[] = [];
  stdout.on('data', (chunk: Buffer) => bytes.push(chunk));
  const run = await bench.run(argv, { ...options, stdout });
  return { ...run, bytes: Buffer.concat(bytes).toString('latin1') };
}

const sheetsOf = (text: string): [rows: Sheet, totals: Sheet] => readWorkbook(text) as [Sheet, Sheet];
const cells = ({ rows }: Sheet): SheetCell[] => rows.flat();
const columnOf = (sheet: Sheet, name: string): SheetCell[] => {
  const at = sheet.rows[0]?.findIndex(({ value }) => value === name) ?? -1;
  return sheet.rows.slice(1).map((row) => row[at] as SheetCell);
};
/** A row of the totals, or of the facts below them, as an object. */
const totalRows = (sheet: Sheet): Record<string, unknown>[] => {
  const [head = [], ...rows] = valuesOf(sheet);
  const end = rows.findIndex((row) => row.every((value) => value === null));
  return rows.slice(0, end).map((row) => Object.fromEntries(head.map((name, at) => [String(name), row[at]])));
};
const factOf = (sheet: Sheet, name: string) => valuesOf(sheet).find(([label]) => label === name)?.[1];

describe.skipIf(!hasReader)('what openpyxl reads', () => {
  const LISTS = [
    ['statement', ...PERIOD],
    ['summary', '--month', '2026-01'],
    words('batch report wages'),
    words('batch rows wages'),
    words('tx list'),
    words('recipient list'),
    ['reconcile', 'ledger.csv', '--against', 'books', '--month', '2026-01'],
    words('history'),
    words('balance'),
  ];

  it.each(some(LISTS, 4))('%s: the cells of its CSV, the head frozen, and no formula', async (...argv) => {
    const csv = await bench.run([...argv, '-o', 'csv']);
    const { code, bytes } = await printed([...argv, '-o', 'xlsx']);
    expect(code).toBe(csv.code);
    const [rows, totals] = sheetsOf(bytes);
    expect(totals.name).toBe('Totals');
    expect([rows.frozen, totals.frozen]).toEqual(['frozen A2', 'frozen A2']);
    expect([...cells(rows), ...cells(totals)].filter(({ type }) => type === 'f')).toEqual([]);
    const wanted = (parse(csv.stdout, { relax_column_count: false }) as string[][]).map((row) =>
      row.map(unguard),
    );
    expect(wanted.length).toBeGreaterThan(1);
    expect(rows.rows).toHaveLength(wanted.length);
    for (const [index, row] of rows.rows.entries())
      expect(row.map((cell, at) => asInCsv(cell, wanted[index]?.[at] ?? ''))).toEqual(wanted[index]);
    for (const cell of cells(rows).filter(({ value }) => /^[=+\-@\t]/.test(String(value))))
      if (cell.type !== 'n') expect(cell).toMatchObject({ type: 's', isQuoted: true, format: '@' });
    expect(rows.widths.every((width) => width >= 8 && width <= 64)).toBe(true);
  });

  it('amounts are numbers with the decimals of their currency, times are times, digits of an id are a text', async () => {
    const { bytes } = await printed(words('tx list -o xlsx'));
    const [rows] = sheetsOf(bytes);
    expect(new Set(columnOf(rows, 'input_amount').map(({ type, format }) => `${type} ${format}`))).toEqual(
      new Set(['n #,##0.00']),
    );
    const output = columnOf(rows, 'output_amount').filter(({ value }) => value === 25000);
    expect(output.map(({ type, format }) => `${type} ${format}`)).toContain('n #,##0');
    expect(new Set(columnOf(rows, 'created_at').map(({ type }) => type))).toEqual(new Set(['d']));
    expect(columnOf(rows, 'external_id')).toContainEqual(
      expect.objectContaining({ type: 's', value: '007' }),
    );
    expect(new Set(columnOf(rows, 'recipients').map(({ type }) => type))).toEqual(new Set(['n']));
  });

  it('the totals of a statement are those of --totals', async () => {
    const asked = await bench.run(['statement', ...PERIOD, '--totals', '-o', 'json']);
    const wanted = asked.data<Record<string, string>[]>();
    const [, totals] = sheetsOf((await printed(['statement', ...PERIOD, '-o', 'xlsx'])).bytes);
    const found = totalRows(totals);
    expect(found.map(({ currency }) => currency)).toEqual(wanted.map(({ currency }) => currency));
    for (const [index, row] of found.entries())
      for (const name of ['opening', 'gross', 'refunded', 'net', 'collected', 'unexplained', 'closing'])
        expect(Number(row[name]), `${row.currency} ${name}`).toBe(Number(wanted[index]?.[name]));
    expect([factOf(totals, 'complete'), factOf(totals, 'times')]).toEqual(['yes', 'UTC']);
    expect(valuesOf(totals).flat().join('\n')).toContain('time zone UTC');
  });

  it('the totals of a comparison are those of --totals', async () => {
    const argv = ['reconcile', 'ledger.csv', '--against', 'books', '--month', '2026-01'];
    const wanted = (await bench.run([...argv, '--totals', '-o', 'json'])).data<Record<string, unknown>[]>();
    const [, totals] = sheetsOf((await printed([...argv, '-o', 'xlsx'])).bytes);
    const found = totalRows(totals).map((row) => ({ ...row, amount: Number(row.amount) }));
    expect(found.length).toBeGreaterThan(2);
    expect(found).toEqual(
      wanted.map((row) => ({ ...row, ending: row.ending ?? 'all', amount: Number(row.amount) })),
    );
  });

  it('a list without amounts has facts alone beside it, in columns that have a width', async () => {
    const [, totals] = sheetsOf((await printed(words('currencies -o xlsx'))).bytes);
    expect([totals.widths, factOf(totals, 'complete')]).toEqual([[12, 60], 'yes']);
  });

  it('the totals of a list are the sums of its amounts, apart by state, direction and currency', async () => {
    const json = await bench.run(words('tx list -o json'));
    const transactions =
      json.data<{ state: string; direction: string; input_currency: string; input_amount: string }[]>();
    const [rows, totals] = sheetsOf((await printed(words('tx list -o xlsx'))).bytes);
    const found = totalRows(totals).filter(({ amount }) => amount === 'input_amount');
    expect(new Set(transactions.map(({ state }) => state)).size).toBeGreaterThan(1);
    const places = new Set(transactions.map((one) => [one.input_currency, one.state, one.direction].join()));
    expect(found.map((one) => [one.currency, one.state, one.direction].join()).sort()).toEqual(
      [...places].sort(),
    );
    for (const one of found) {
      const own = transactions.filter(
        ({ state, direction, input_currency }) =>
          state === one.state && direction === one.direction && input_currency === one.currency,
      );
      expect(one.rows).toBe(own.length);
      expect(eq(String(one.sum), sum(own.map(({ input_amount }) => input_amount)))).toBe(true);
    }
    expect(factOf(totals, 'records')).toBe(rows.rows.length - 1);
  });

  it('a list that was cut says so in the file', async () => {
    const [, totals] = sheetsOf((await printed(words('tx list --limit 1 -o xlsx'))).bytes);
    expect([factOf(totals, 'records'), factOf(totals, 'complete')]).toEqual([1, 'no']);
  });

  it('an empty list has its heading', async () => {
    const { code, bytes } = await printed(words('tx list --since 2020-01 --until 2020-01 -o xlsx'));
    const [rows, totals] = sheetsOf(bytes);
    expect([code, rows.rows.length, rows.rows[0]?.[0]?.value]).toEqual([0, 1, 'id']);
    expect(factOf(totals, 'records')).toBe(0);
  });

  it('accounts are masked as in CSV, and that is said', async () => {
    const argv = words('recipient list -o xlsx --fields id,account');
    const accountsIn = (bytes: string) => columnOf(sheetsOf(bytes)[0], 'account').map(({ value }) => value);
    const masked = await printed(argv);
    expect(accountsIn(masked.bytes)).toContainEqual(expect.stringMatching(/••••6709$/));
    expect(masked.stderr).toContain('--reveal shows them whole');
    const whole = await printed([...argv, '--reveal']);
    expect(accountsIn(whole.bytes)).toContainEqual(expect.stringMatching(/0123456709$/));
    expect(whole.stderr).not.toContain('--reveal shows them whole');
  });
});

/** The cell as the CSV beside it says the same. */
function asInCsv({ type, value }: SheetCell, wanted: string): string {
  if (value === null) return '';
  if (type === 'd')
    return String(value).slice(0, 19) === wanted.slice(0, 19) || `${wanted}T00:00:00` === value
      ? wanted
      : String(value);
  if (type === 'n') return eq(String(value), wanted) ? wanted : String(value);
  return String(value);
}

describe('bytes', () => {
  it('are the same for the same records', async () => {
    const twice = [
      await printed(['statement', ...PERIOD, '-o', 'xlsx']),
      await printed(['statement', ...PERIOD, '-o', 'xlsx']),
    ];
    // The time of the day is none, and the day is the first that there is.
    expect(twice[0]?.bytes.slice(0, 14)).toBe('PK\u0003\u0004\u0014\0\u0008\0\u0008\0\0\0\u0021\0');
    expect(twice[0]?.bytes).toBe(twice[1]?.bytes);
  });
});

describe('it is refused', () => {
  const refusedWith = async (argv: readonly string[], options?: RunOptions) => {
    const run = await printed(argv, options);
    expect([run.code, run.bytes, run.requests]).toEqual([2, '', []]);
    return run.stderr;
  };

  it('on a terminal, with how to write it to a file', async () => {
    expect(await refusedWith(words('batch report wages -o xlsx'), { tty: true })).toContain(
      'remit batch report … -o xlsx > batch-report.xlsx',
    );
  });

  it('by a command that prints no rows, by its name, before anything is sent', async () => {
    expect(await refusedWith([...payArgv('0123456700'), '-o', 'xlsx'])).toContain(
      'remit tx create prints no rows that -o xlsx could hold',
    );
    expect(await refusedWith(words('tx show 007'), { env: { REMIT_OUTPUT: 'xlsx' } })).toContain(
      'remit tx show prints no rows',
    );
  });

  it.each([
    ['--query finds anything', ['tx', 'list', '--query', '[].id']],
    ['--spreadsheet goes with -o csv', ['tx', 'list', '--spreadsheet']],
    ['something else is printed', ['statement', ...PERIOD, '--camt053']],
    ['something else is printed', ['statement', ...PERIOD, '--currency', 'EUR', '--columns', BANK]],
    ['something else is printed', ['batch', 'report', 'wages', '--pain002']],
    ['something else is printed', ['balance', '--watch', '1s']],
  ])('%s', async (said, argv) => {
    const run = await printed([...argv, '-o', 'xlsx']);
    expect([run.code, run.bytes]).toEqual([2, '']);
    expect(run.stderr).toContain(said);
  });

  it('as the output of a profile', async () => {
    expect((await bench.run('profiles set no-profile output=xlsx')).stderr).toContain(
      'no output format "xlsx"',
    );
  });
});

const BANK = new URL('../../docs/examples/xero-bank.yaml', import.meta.url).pathname;

interface Row {
  text: string;
  number: string;
  currency: string;
}
const columns: Column<Row>[] = [
  { name: 'text', get: ({ text }) => text },
  { name: 'number', amount: true, currency: 'currency', get: ({ number }) => number },
  { name: 'currency', get: ({ currency }) => currency },
  { name: 'at', time: true, get: ({ text }) => text },
];
const view: View<Row> = { shape: shape('row', z.looseObject({})), columns };
const rendering: Rendering = { format: 'xlsx', columns: 100, paint: paintFor(false), isTerminal: false };
const drawn = (rows: Row[]) => render(view, rows, rendering);
const rowOf = (over: Partial<Row>): Row => ({ text: '', number: '', currency: 'EUR', ...over });

describe.skipIf(!hasReader)('whatever a cell is given', () => {
  it('a text comes back as it was, and is no formula', async () => {
    const piece = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\n',
      '\r',
      ' ',
      '<',
      '&',
      '"',
      "'",
      ']]>',
      '\0',
      '\u001f',
      '\uffff',
      '\ud800',
      '_x0041_',
      '_x005F_',
      'é',
      '😀',
      '1',
      'a',
    );
    const texts = fc
      .sample(fc.array(piece, { maxLength: 8 }), { numRuns: 3_000, seed: 7 })
      .map((pieces) => pieces.join(''));
    const { text } = await drawn(texts.map((one) => rowOf({ text: one })));
    const [rows] = sheetsOf(text);
    const found = columnOf(rows, 'text');
    expect(found.filter(({ type, value }) => value !== null && type !== 's')).toEqual([]);
    expect(found.map(({ value }) => unescaped(String(value ?? '')))).toEqual(texts);
  });

  it('an amount is a number with the decimals of its currency, and a text beyond fifteen digits', async () => {
    const amounts = [
      ['0.1', 'EUR', 'n', 0.1, '#,##0.00'],
      ['-1234567.5', 'NGN', 'n', -1234567.5, '#,##0.0'],
      ['12', 'XOF', 'n', 12, '#,##0'],
      ['0.00000001', 'BTC', 'n', 1e-8, '#,##0.00000000'],
      ['123456789012345', 'NGN', 'n', 123456789012345, '#,##0'],
      ['1234567890123.45', 'EUR', 'n', 1234567890123.45, '#,##0.00'],
      ['123456789012345.00', 'EUR', 'n', 123456789012345, '#,##0.00'],
      ['1234567890123456', 'VND', 's', '1234567890123456', '@'],
      ['12345678901234.56', 'USD', 's', '12345678901234.56', 'General'],
      ['007', 'EUR', 's', '007', '@'],
      ['1e5', 'EUR', 's', '1e5', '@'],
    ] as const;
    const { text, below } = await drawn(amounts.map(([number, currency]) => rowOf({ number, currency })));
    const found = columnOf(sheetsOf(text)[0], 'number').map(({ type, value, format }) => [
      type,
      value,
      format,
    ]);
    expect(found).toEqual(amounts.map(([, , ...wanted]) => wanted));
    // Two, and the sums of four currencies.
    expect(below).toEqual([
      '6 numbers with more than 15 digits are text: a spreadsheet would change the digits.',
    ]);
  });

  it('a time is a date in its column alone', async () => {
    const times = [
      ['2026-10-31T23:59:59.250Z', 'd', '2026-10-31T23:59:59.250000'],
      ['2026-10-31', 'd', '2026-10-31T00:00:00'],
      ['1900-03-01', 'd', '1900-03-01T00:00:00'],
      ['1900-02-28', 's', '1900-02-28'],
      ['2026-02-30', 's', '2026-02-30'],
      ['tomorrow', 's', 'tomorrow'],
    ] as const;
    const [rows] = sheetsOf((await drawn(times.map(([text]) => rowOf({ text })))).text);
    expect(columnOf(rows, 'at').map(({ type, value }) => [type, value])).toEqual(
      times.map(([, ...wanted]) => wanted),
    );
    // A reference that looks so stays what it is.
    expect(columnOf(rows, 'text').map(({ type, value }) => [type, value])).toEqual(
      times.map(([text]) => ['s', text]),
    );
    expect(
      columnOf(rows, 'at')
        .slice(0, 2)
        .map(({ format }) => format),
    ).toEqual(['yyyy\\-mm\\-dd hh:mm:ss', 'yyyy\\-mm\\-dd']);
  });

  it('a text that no cell can hold is cut, and that is said', async () => {
    const { text, below } = await drawn([rowOf({ text: 'x'.repeat(40_000) })]);
    const [found] = columnOf(sheetsOf(text)[0], 'text');
    expect(String(found?.value)).toHaveLength(32_767);
    // The column of times has the same text.
    expect(below).toEqual(['2 texts longer than a cell of a spreadsheet can be: cut, with … at the end.']);
  });

  it('sums are of decimals: a hundred times 0.1 is 10, and no more digits than there are', async () => {
    const { text } = await drawn(Array.from({ length: 100 }, () => rowOf({ number: '0.1' })));
    expect(totalRows(sheetsOf(text)[1])).toEqual([{ amount: 'number', currency: 'EUR', rows: 100, sum: 10 }]);
  });

  it('more rows than a sheet has go on in the next', () => {
    const pages = xlsxPages(view, rendering, 500);
    const rows = Array.from({ length: 1_300 }, (_, index) => rowOf({ text: `row ${index}` }));
    const sheets = readWorkbook(pages.page(rows.slice(0, 700)) + pages.page(rows.slice(700)) + pages.end());
    expect(sheets.map(({ name }) => name)).toEqual(['row', 'row 2', 'row 3', 'Totals']);
    expect(sheets.map((sheet) => sheet.frozen)).toEqual(Array(4).fill('frozen A2'));
    expect(sheets.slice(0, 3).flatMap((sheet) => columnOf(sheet, 'text').map(({ value }) => value))).toEqual(
      rows.map((row) => row.text),
    );
  });

  it('however the list is divided, the bytes are the same', () => {
    const half = Array.from({ length: 600 }, (_, index) => `${index}`);
    const inPages = (size: number): string => {
      const pages = xlsxPages(view, rendering);
      let bytes = '';
      for (let at = 0; at < half.length; at += size)
        bytes += pages.page(half.slice(at, at + size).map((text) => rowOf({ text })));
      return bytes + pages.end();
    };
    expect(inPages(7)).toBe(inPages(600));
  });
});

/** As a spreadsheet reads it; openpyxl leaves these as they stand in the file. */
const unescaped = (text: string): string =>
  text.replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
