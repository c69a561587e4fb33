/** CSV files of payments as people and spreadsheets write them. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/problem.ts';
import { csvOf, HEADER, payRow, read } from '../support/payrun-files.ts';

const row = { key: 'e1', type: 'NGN::Bank', amount: '25000', input_currency: 'EUR', sender: 'customer-1' };
const cells = { ...row, first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };

const problemOf = (content: string | Uint8Array, options = {}): Promise<Problem> =>
  read(content, options).then(
    () => expect.fail('it was read'),
    (error) => {
      expect(error).toBeInstanceOf(Problem);
      return error as Problem;
    },
  );

describe('a CSV file', () => {
  it.each([
    ['as it is', csvOf(payRow('e1'))],
    ['without a line break at its end', csvOf(payRow('e1')).trimEnd()],
    ['with a byte order mark', `\ufeff${csvOf(payRow('e1'))}`],
    ['with the line breaks of Windows', csvOf(payRow('e1')).replaceAll('\n', '\r\n')],
    ['with semicolons', csvOf(payRow('e1')).replaceAll(',', ';')],
    ['with tabs', csvOf(payRow('e1')).replaceAll(',', '\t')],
    ['with bars', csvOf(payRow('e1')).replaceAll(',', '|')],
    ['with quotes', csvOf(payRow('e1')).replace(/[^,\n]+/g, '"$&"')],
    ['with other capitals and blanks', csvOf(payRow('e1')).replace('bank_code', ' Bank Code ')],
    ['with empty lines and columns', csvOf(payRow('e1')).replace(/$/gm, ',,').replace(/^,,$/m, '')],
    ['with what keeps it a text in a spreadsheet', csvOf(payRow('e1')).replace('0123456700', "'0123456700")],
  ])('is read %s', async (_, content) => {
    for (const size of [1, 7, 65_536]) expect(await read(content, { size })).toMatchObject([{ n: 1, cells }]);
  });

  it('names the line of each row, empty lines and breaks within cells counted', async () => {
    const content = `${HEADER},street\r\n\r\n${payRow('e1')},"a\r\nb\r\nc"\r\n\r\n${payRow('e2')},x\r\n${payRow('e3')},y`;
    for (const size of [1, 65_536])
      expect((await read(content, { size })).map(({ at }) => at)).toEqual(['line 3', 'line 7', 'line 8']);
  });

  it('takes columns by other names', async () => {
    const content = csvOf(payRow('e1')).replace('bank_account', 'Account no.').replace('key', 'Employee');
    const map = { bank_account: 'Account no.', key: 'Employee' };
    expect(await read(content, { map })).toMatchObject([{ cells }]);
  });

  it('fills in what the whole file has in common', async () => {
    const content = 'key,amount,first_name\ne1,5,Ada\n';
    const defaults = { type: 'GHS::Mobile', input_currency: 'EUR', sender: 'customer-1' };
    expect(await read(content, { defaults })).toMatchObject([{ cells: { ...defaults, key: 'e1' } }]);
    const inline = 'key,amount,sender.first_name\ne1,5,Ines\n';
    expect(await read(inline, { defaults })).toMatchObject([{ cells: { 'sender.first_name': 'Ines' } }]);
    expect((await read(inline, { defaults }))[0]).not.toMatchObject({ cells: { sender: expect.anything() } });
  });

  it('goes on behind a row that is wrong', async () => {
    const content = csvOf(payRow('e1'), `${payRow('e2')},extra`, 'e3,NGN::Bank', 'e4,NG"N', payRow('e5'));
    const found = await read(content);
    expect(found).toMatchObject([
      { n: 1, at: 'line 2' },
      { row: 2, at: 'line 3', code: 'cells', words: 'has 10 cells, and the header has 9' },
      { row: 3, at: 'line 4', code: 'cells' },
      { row: 4, at: 'line 5', code: 'quote' },
      { n: 5, at: 'line 6' },
    ]);
  });

  it.each([
    ['empty_file', 'is empty', ''],
    ['empty_file', 'is empty', ' \n\n'],
    ['no_rows', 'has a header and no rows', `${HEADER}\n\n`],
    ['duplicate_column', 'has the column key twice', `${HEADER},KEY\n`],
    ['unknown_column', 'has a column "bank_acount" that is not known', `${HEADER},bank_acount\n`],
    ['missing_column', 'has no column key, type, input_currency, sender', 'amount,first_name\n1,2'],
    [
      'quote',
      'a quote in the row at line 3 is never closed',
      csvOf(payRow('e1'), `"${payRow('e2')}`, payRow('e3')),
    ],
    ['quote', 'line 2 has a quote in the middle of a cell', csvOf('"a"b,c')],
    ['too_long', 'the row at line 2 is longer than 1 MB', csvOf(`${'x'.repeat(1_100_000)},b`)],
    ['encoding', 'has a NUL byte in line 2', csvOf(`${payRow('e1')}\0`)],
    ['encoding', 'reads as UTF-16', Buffer.from(`\ufeff${csvOf(payRow('e1'))}`, 'utf16le')],
    ['encoding', 'reads as UTF-16', Buffer.from(csvOf(payRow('e1')), 'utf16le')],
    [
      'encoding',
      'line 2 reads as Latin-1',
      Buffer.from(csvOf(payRow('e1').replace('Ada', 'José')), 'latin1'),
    ],
    ['encoding', 'is a spreadsheet or a zip file', Buffer.from('PK\u0003\u0004 and more', 'latin1')],
  ])('is refused with %s: %s', async (code, words, content) => {
    for (const size of [3, 65_536]) {
      if (size === 3 && content.length > 100_000) continue;
      const { facts } = await problemOf(content, { size });
      expect(facts).toMatchObject({ code, category: 'usage', outcome: 'not applied' });
      expect(facts.message).toContain(words);
    }
  });

  it('is refused with too many rows', async () => {
    const content = csvOf(payRow('e1'), payRow('e2'), payRow('e3'));
    expect(await read(content, { mostRows: 3 })).toHaveLength(3);
    const { facts } = await problemOf(content, { mostRows: 2 });
    expect(facts).toMatchObject({ code: 'too_many_rows', message: 'wages.csv has more than 2 rows' });
  });

  it('says which column may be meant, and how to keep one that is unknown', async () => {
    const { facts } = await problemOf(`${HEADER},bank_acount\n`);
    expect(JSON.stringify(facts.hint)).toContain('did you mean bank_account?');
    expect(JSON.stringify(facts.hint)).toContain("metadata.bank_acount='bank_acount'");
    const hostile = await problemOf(`${HEADER},$(rm -rf x)'\n`);
    expect(JSON.stringify(hostile.facts.hint)).toContain('metadata.NAME=HEADER');
  });

  it('reads commas as decimals only when told', async () => {
    const content = csvOf(payRow('e1', { amount: '0;50' }))
      .replaceAll(',', '\t')
      .replace('0;50', '0,50');
    expect(await read(content)).toMatchObject([{ cells: { amount: '0,50' } }]);
    expect(await read(content, { decimalComma: true })).toMatchObject([{ cells: { amount: '0.50' } }]);
    const thousands = content.replace('0,50', '1.250,50');
    expect(await read(thousands, { decimalComma: true })).toMatchObject([
      { code: 'thousands', column: 'amount' },
    ]);
  });
});
