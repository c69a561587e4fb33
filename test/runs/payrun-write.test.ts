/** What is written reads again as the same rows, in every format, whatever is in the cells. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowCells, type WrittenFormat, writeRows } from '../../src/runs/files/write.ts';
import { isFault } from '../../src/tables/row.ts';
import { anyText } from '../support/any-text.ts';
import { check, csvOf, HEADER, payRow, read } from '../support/payrun-files.ts';

const COLUMNS = [
  'key',
  'type',
  'amount',
  'input_currency',
  'sender.first_name',
  'first_name',
  'bank_account',
  'metadata.a b',
];
const FORMATS: WrittenFormat[] = ['csv', 'ndjson', 'json', 'yaml'];

/** No NUL, which no file of ours may have, and no half of a character. */
const text = fc
  .oneof(
    anyText({ maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        "'",
        '"',
        ',',
        ';',
        '\t',
        '\n',
        '\r',
        '|',
        ' ',
        'a',
        '0',
        '\ufeff',
        '#',
        ':',
      ),
    }),
    fc.constantFrom(
      '=1+1',
      '#7',
      'Total',
      "''Total",
      "' Summe 2",
      '+2348012345678',
      '-5',
      '@SUM(A1)',
      "'044",
      '044',
      'true',
      'null',
      '~',
      '1e5',
      '2026-01-02',
      'é',
      '- a',
      '{}',
      '&a',
      '*a',
      '!x',
    ),
  )
  .filter((one) => !one.includes('\0') && one.trim() !== '' && !/\p{Cs}/u.test(one));
const row = fc
  .record(
    Object.fromEntries(
      COLUMNS.map((name) => [name, name === 'key' ? text : fc.option(text, { nil: undefined })]),
    ),
  )
  .map(
    (cells) =>
      Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== undefined)) as Record<
        string,
        string
      >,
  );

async function written(
  format: WrittenFormat,
  rows: Record<string, string>[],
  spreadsheet = false,
): Promise<string> {
  let all = '';
  for await (const piece of writeRows(format, rows, { columns: COLUMNS, spreadsheet })) all += piece;
  return all;
}

describe('rows that are written', () => {
  it.each(FORMATS)('read again as they were: %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (rows, spreadsheet) => {
          const found = await read(await written(format, rows, spreadsheet), { name: `a.${format}` });
          expect(found.map((one) => (isFault(one) ? one : one.cells))).toEqual(rows);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('a text that a spreadsheet would run is guarded', async () => {
    expect(await written('csv', [{ key: '=1+1', bank_account: '+234' }])).toContain("'=1+1");
  });

  it.each(FORMATS)('payments become the same payments again: %s', async (format) => {
    const header = `${HEADER},metadata.team,recipient_type,middle_name`;
    const content = `${header}\n${payRow('e1', { amount: '1200.50' })},blue,person,Ngozi\n${payRow('e2')},,,\n`;
    const before = await check(content);
    expect(before.faults).toEqual([]);
    let all = '';
    for await (const piece of writeRows(format, before.payments.map(rowCells))) all += piece;
    const after = await check(all, { name: `a.${format}` });
    const bare = ({ at: _, ...payment }: (typeof before.payments)[number]) => payment;
    expect(after.payments.map(bare)).toEqual(before.payments.map(bare));
    expect(after.faults).toEqual([]);
  });

  it('a sender that a row describes is described again', async () => {
    const fields = { first_name: 'Ines', country: 'PT', external_id: 'c9' };
    const [payment] = (await check(csvOf(payRow('e1')))).payments;
    if (!payment) expect.fail();
    const body = { ...payment.body, sender: { ...fields, documents: [], metadata: {} } };
    expect(rowCells({ key: 'e1', body })).toMatchObject({
      'sender.first_name': 'Ines',
      'sender.country': 'PT',
      'sender.external_id': 'c9',
    });
  });
});
