/** Ledgers and statements, in their good forms and in their bad ones. */
import { describe, expect, it } from 'vitest';
import { shownAmount } from '../../src/books/reconcile/cases.ts';
import { dayIn, dayText } from '../../src/books/reconcile/days.ts';
import { type LedgerOptions, readLedger } from '../../src/books/reconcile/ledger.ts';
import type { Side } from '../../src/books/reconcile/side.ts';
import { readStatement } from '../../src/books/reconcile/statement.ts';
import { Problem } from '../../src/core/problem.ts';

async function* bytesOf(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const dayOf = dayIn('Europe/Lisbon');
const ledgerOf = (
  content: string | Uint8Array,
  options: Partial<LedgerOptions> = {},
  size?: number,
): Promise<Side> =>
  readLedger(bytesOf(content, size), {
    name: 'ledger.csv',
    map: {},
    decimalComma: false,
    currency: undefined,
    payments: undefined,
    dayOrder: undefined,
    dayOf,
    ...options,
  });
const statementOf = (content: string | Uint8Array, size?: number): Promise<Side> =>
  readStatement(bytesOf(content, size), { name: 'bank.txt', dayOf });

const rowsOf = (side: Side) =>
  side.rows.map(({ keys, amount, currency, day, line }) => [
    keys.filter((key) => key !== undefined).join(' '),
    `${shownAmount(amount, currency)} ${currency}`,
    dayText(day ?? 0),
    line,
  ]);

async function problemOf(reading: Promise<unknown>): Promise<Problem> {
  const error = await reading.then(
    () => expect.fail('it was read'),
    (reason) => reason,
  );
  if (!(error instanceof Problem)) throw error;
  return error;
}

describe('a ledger', () => {
  const good = 'external_id,date,amount,currency\np-1,2026-10-31,12.50,EUR\n';
  const row = [['p-1', '12.50 EUR', '2026-10-31', 2]];

  it.each<[string, string, Partial<LedgerOptions>]>([
    ['as it is', good, {}],
    ['with a byte order mark and the line breaks of Windows', `\ufeff${good.replaceAll('\n', '\r\n')}`, {}],
    [
      'with semicolons and other columns',
      good.replaceAll(',', ';').replace(/$/gm, ';x').replace(/;x$/, ''),
      {},
    ],
    [
      'with other names',
      good.replace('external_id', 'Voucher No.').replace('date', 'Booking Date'),
      { map: { external_id: 'Voucher No.' } },
    ],
    ['with decimals behind a comma', good.replace('12.50', '"+12,50"'), { decimalComma: true }],
    ['with the currency of the file', good.replace(',currency', '').replace(',EUR', ''), { currency: 'EUR' }],
    ['with debits', good.replace('amount', 'debit'), {}],
    ['with credits alone', good.replace('amount', 'credit'), {}],
    ['with a minus everywhere', good.replace('12.50', '-12.50'), {}],
    ['with days first', good.replace('2026-10-31', '31.10.2026'), {}],
    ['with months first', good.replace('2026-10-31', '10/31/2026'), { dayOrder: 'mdy' }],
    ['with times', good.replace('2026-10-31', '2026-10-31T23:59:00Z'), {}],
    ['with times of another zone', good.replace('2026-10-31', '2026-11-01T01:30:00+05:30'), {}],
  ])('is read %s', async (_, content, options) => {
    for (const size of [1, 65_536]) expect(rowsOf(await ledgerOf(content, options, size))).toEqual(row);
  });

  it('with debits and credits, once it is said which are the payments', async () => {
    const content = 'reference,debit,credit\na,5,\nb,,3.10\nc,0,1\n';
    const amounts = async (payments: 'debit' | 'credit') =>
      rowsOf(await ledgerOf(content, { payments, currency: 'EUR' })).map(([, amount]) => amount);
    expect(await amounts('debit')).toEqual(['5.00 EUR', '-3.10 EUR', '-1.00 EUR']);
    expect(await amounts('credit')).toEqual(['-5.00 EUR', '3.10 EUR', '1.00 EUR']);
    expect((await problemOf(ledgerOf(content, { currency: 'EUR' }))).message).toBe(
      'ledger.csv has 1 debits and 2 credits',
    );
  });

  it.each<[string, string, RegExp]>([
    ['no amount', good.replace('amount', 'amnt'), /no column amount, and neither debit nor credit/],
    ['no id', good.replace('external_id', 'x'), /an amount alone matches nothing/],
    ['no currency', good.replace(',currency', ',x'), /no column currency/],
    ['both signs', `${good}p-2,2026-10-31,-1,EUR\n`, /1 amounts with a plus and 1 with a minus/],
    ['no rows', good.split('\n')[0] ?? '', /has a header and no rows/],
    ['nothing', '', /is empty/],
  ])('with %s is refused', async (_, content, message) => {
    expect((await problemOf(ledgerOf(content))).message).toMatch(message);
  });

  it.each<[string, string]>([
    ['12,50', 'amount has a comma for its decimals'],
    ['1.234,50', 'amount has thousands separators'],
    ['"1,234.50"', 'amount has thousands separators'],
    ['1e3', 'amount is not an amount'],
    ['', 'amount is missing'],
    ['0.1234567', 'amount has too many digits'],
  ])('with the amount %s names the line', async (amount, words) => {
    const content = good.replaceAll(',', ';').replace('12.50', amount);
    const { facts } = await problemOf(ledgerOf(content));
    expect(facts.fields).toEqual([{ path: 'line 2', words: [words] }]);
    expect(facts.category).toBe('usage');
  });

  it.each<[string, string]>([
    ['31/10/2026', 'date may begin with the day or with the month'],
    ['2026-02-30', 'date is not a date'],
    ['yesterday', 'date is not a date'],
  ])('with the date %s names the line', async (date, words) => {
    const { facts } = await problemOf(ledgerOf(good.replace('2026-10-31', date)));
    expect(facts.fields).toEqual([{ path: 'line 2', words: [words] }]);
  });

  it('in another encoding names the line', async () => {
    const latin = Buffer.from(`${good}Zoë,2026-10-31,1,EUR\n`, 'latin1');
    expect((await problemOf(ledgerOf(latin))).message).toMatch(/line 3 reads as Latin-1/);
  });
});

const mt940 = `:20:STARTUMSE
:25:DE12500105170648489890/EUR
:28C:00001/001
:60F:C261030EUR1000,00
:61:2610301031DR12,50NTRFp-1//BANK1
:86:166?00SEPA?20EREF+wages-1?21SVWZ+Salary October
:61:2611011031C100,N051NONREF
:86:Refund of p-9
and more
:62F:C261031EUR1087,50
-
`;

describe('MT940', () => {
  it.each([
    ['as it is', mt940],
    ['with the line breaks of Windows', mt940.replaceAll('\n', '\r\n')],
    [
      'within the blocks of the network',
      `{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\n${mt940.trimEnd()}}\n`,
    ],
  ])('is read %s', async (_, content) => {
    for (const size of [1, 65_536])
      expect(rowsOf(await statementOf(content, size)).map((one) => one.slice(0, 3))).toEqual([
        ['wages-1 BANK1 p-1', '12.50 EUR', '2026-10-31'],
        ['', '-100.00 EUR', '2026-10-31'],
      ]);
  });

  it.each<[string, string, RegExp]>([
    [
      'a wrong closing balance',
      mt940.replace('1087,50', '1087,51'),
      /line 10 has the closing balance 1087.51, .* comes to 1087.5$/,
    ],
    ['a movement lost', mt940.replace(/^:61:2611.*\n/m, ''), /line 9 has the closing balance/],
    [
      'no opening balance',
      mt940.replace(/^:60F.*\n/m, ''),
      /line 1 begins a statement without an opening balance/,
    ],
    [
      'no closing balance',
      mt940.replace(/^:62F.*\n/m, ''),
      /line 1 begins a statement without a closing balance/,
    ],
    [
      'a movement that is none',
      mt940.replace('DR12,50', 'DR'),
      /line 5 has a movement \(:61:\) that cannot be read/,
    ],
    [
      'a movement with a point that may be one of thousands',
      mt940.replace('DR12,50', 'DR12.500'),
      /line 5 has a movement/,
    ],
    ['a day that is none', mt940.replace('2610301031', '2604311031'), /line 5 has a movement/],
    ['a balance that is none', mt940.replace('C261030EUR', 'C261030'), /line 4 has a balance \(:60F:\)/],
    [
      'two currencies',
      mt940.replace('C261031EUR', 'C261031USD'),
      /line 10 has a closing balance in another currency/,
    ],
  ])('with %s names the line', async (_, content, message) => {
    expect((await problemOf(statementOf(content))).message).toMatch(message);
  });

  it('with several statements', async () => {
    expect((await statementOf(mt940 + mt940)).rows.length).toBe(4);
  });
});

describe('MT942', () => {
  const intraday = (...marks: string[]): string =>
    [
      ...[':20:S', ':25:12345678/0123456789', ':28C:1/1', ':34F:EURD0,', ':13D:2611041200+0100'],
      ...marks.flatMap((mark) => [`:61:2611041104${mark}500,00NTRFINV-9`, ':86:of the one above it']),
      ...[':90D:1EUR500,00', ':90C:0EUR0,00', '-', ''],
    ].join('\n');

  it('what is only expected (EC, ED) is left out, and counted; its words belong to no other movement', async () => {
    const notes: string[] = [];
    const content = intraday('D', 'ED', 'EC', 'ec');
    const note = (words: string) => notes.push(words);
    const { rows } = await readStatement(bytesOf(content), { name: 'bank.sta', dayOf, note });
    expect(rows.map(({ keys, line }) => [keys.filter(Boolean), line])).toEqual([[['INV-9'], 6]]);
    expect(notes).toEqual(['bank.sta: 3 entries that the bank has not booked yet are left out.']);
  });

  it.each([
    ['C', '-500.00'],
    ['D', '500.00'],
    ['RC', '500.00'],
    ['RD', '-500.00'],
    ['CR', '-500.00'],
  ])('%s is booked', async (mark, amount) => {
    expect(rowsOf(await statementOf(intraday(mark))).map((row) => row[1])).toEqual([`${amount} EUR`]);
  });

  it.each(['X', 'RED', 'P', 'CRX'])('the mark %s refuses the file, and is named', async (mark) => {
    expect((await problemOf(statementOf(intraday(mark)))).message).toContain(
      `bank.txt: line 6 has an entry with the mark "${mark}"`,
    );
  });
});

const entry = (amount: string, mark: string, more: string): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-10-31</Dt></BookgDt>${more}</Ntry>`;
const bal = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const detail = (id: string, amount?: string): string =>
  `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${amount === undefined ? '' : `<Amt Ccy="EUR">${amount}</Amt>`}</TxDtls>`;
const camt = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S</Id>
${bal('OPBD', '100.00')}
${bal('CLBD', '65.00')}
<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries><Sum>55.00</Sum></TtlNtries></TxsSummry>
${entry('15.00', 'DBIT', `<AcctSvcrRef>B1</AcctSvcrRef><NtryDtls>${detail('p-1')}</NtryDtls>`)}
${entry('30.00', 'DBIT', `<NtryDtls>${detail('p-2', '10.00')}${detail('p-3', '20.00')}</NtryDtls>`)}
${entry('10.00', 'CRDT', `<NtryDtls>${detail('NOTPROVIDED')}</NtryDtls>`)}
</Stmt></BkToCstmrStmt></Document>
`;

describe('camt', () => {
  it('053 is read, an entry of several transactions by each', async () => {
    for (const size of [1, 65_536])
      expect(rowsOf(await statementOf(camt, size)).map((one) => one.slice(0, 3))).toEqual([
        ['p-1 B1', '15.00 EUR', '2026-10-31'],
        ['p-2', '10.00 EUR', '2026-10-31'],
        ['p-3', '20.00 EUR', '2026-10-31'],
        ['', '-10.00 EUR', '2026-10-31'],
      ]);
  });

  it('054 is read, which has no balances', async () => {
    const content = camt
      .replace('camt.053', 'camt.054')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
      .replaceAll('Stmt>', 'Ntfctn>')
      .replace(/<Bal>.*<\/Bal>\n/g, '');
    expect((await statementOf(content)).rows.length).toBe(4);
  });

  it.each(['PDNG', 'INFO', 'FUTR'])(
    '%s is not booked, however it is written: left out, and counted',
    async (word) => {
      const pending = (status: string): string =>
        entry('1.00', 'DBIT', '').replace('<Sts><Cd>BOOK</Cd></Sts>', `<Sts>${status}</Sts>`);
      const all = [`<Cd>${word}</Cd>`, `<Prtry>${word}</Prtry>`, word].map(pending).join('');
      const notes: string[] = [];
      const content = camt.replace('</Stmt>', `${all}</Stmt>`);
      const note = (words: string) => notes.push(words);
      const side = await readStatement(bytesOf(content), { name: 'bank.xml', dayOf, note });
      expect(side.rows.length).toBe(4);
      expect(notes).toEqual(['bank.xml: 3 entries that the bank has not booked yet are left out.']);
    },
  );

  it.each(['<Prtry>BOOK</Prtry>', 'BOOK'])('%s is booked as BOOK is in Cd', async (status) => {
    expect((await statementOf(camt.replaceAll('<Cd>BOOK</Cd>', status))).rows.length).toBe(4);
  });

  it.each(['<Cd>XBOK</Cd>', '<Prtry>Gebucht</Prtry>', '<Prtry>constructor</Prtry>', 'book', '<Cd>C</Cd>'])(
    'another status refuses the file, and is named: %s',
    async (status) => {
      const word = status.replace(/<.*?>/g, '');
      expect((await problemOf(statementOf(camt.replace('<Cd>BOOK</Cd>', status)))).message).toContain(
        `bank.txt: line 6 has an entry with the status "${word}"`,
      );
    },
  );

  it('two statuses of one entry refuse it', async () => {
    const both = camt.replace('<Cd>BOOK</Cd>', '<Cd>BOOK</Cd><Prtry>PDNG</Prtry>');
    expect((await problemOf(statementOf(both))).message).toMatch(/has Prtry beside Cd in one Sts/);
  });

  it.each<[string, string, RegExp]>([
    [
      'a wrong closing balance',
      camt.replace('65.00', '65.01'),
      /line 4 has the closing balance 65.01, .* comes to 65$/,
    ],
    ['no closing balance', camt.replace('CLBD', 'XXXX'), /line 9 ends a statement without a closing balance/],
    [
      'no opening balance',
      camt.replace('OPBD', 'XXXX'),
      /line 9 ends a statement without an opening balance/,
    ],
    ['a wrong sum', camt.replace('<Sum>55.00', '<Sum>55.10'), /line 5 says another sum \(Sum\)/],
    ['a wrong number', camt.replace('>3</NbOf', '>4</NbOf'), /line 5 says another number of entries/],
    [
      'parts that come to something else',
      camt.replace('20.00</Amt></TxDtls>', '21.00</Amt></TxDtls>'),
      /line 7 begins an entry of -30, and its transactions come to -31$/,
    ],
    ['an amount that is none', camt.replace('>15.00<', '>15,00<'), /line 6 begins a part without an amount/],
    [
      'no direction',
      camt.replace('<CdtDbtInd>DBIT</CdtDbtInd><Sts>', '<Sts>'),
      /line 6 begins a part that is neither/,
    ],
    ['a DOCTYPE', camt.replace('<Document', '<!DOCTYPE x>\n<Document'), /line 2, column 1 has a DOCTYPE/],
    ['another encoding', camt.replace('UTF-8', 'ISO-2022-JP'), /line 1, column 1 names another encoding/],
    [
      'an end that is missing',
      camt.slice(0, -60),
      /line 8, column \d+ is the end of the file, and elements are not closed yet/,
    ],
    ['another document', camt.replace('camt.053', 'pain.001'), /no camt.053 and no camt.054/],
  ])('with %s names the line', async (_, content, message) => {
    expect((await problemOf(statementOf(content))).message).toMatch(message);
  });

  const second = (element: string): string =>
    camt.replace(new RegExp(`(<${element}[ >].*?</${element}>)`), '$1$1');
  it.each<[string, string, RegExp]>([
    [
      'an amount twice',
      camt.replace('<Amt Ccy="EUR">15.00', '<Amt Ccy="EUR">14.00</Amt><Amt Ccy="EUR">15.00'),
      /line 6, column 33 has Amt a second time in one Ntry$/,
    ],
    [
      'a direction twice',
      camt.replace('DBIT</CdtDbtInd>', 'DBIT</CdtDbtInd><CdtDbtInd>CRDT</CdtDbtInd>'),
      /line 6, column 60 has CdtDbtInd/,
    ],
    [
      'a reference twice',
      second('EndToEndId'),
      /line 6, column \d+ has EndToEndId a second time in one Refs/,
    ],
    ['references twice', second('Refs'), /has Refs a second time in one TxDtls/],
    ['a date twice', second('BookgDt'), /has BookgDt a second time in one Ntry/],
    [
      'a date and a time',
      camt.replace('</Dt></BookgDt>', '</Dt><DtTm>2026-10-30T00:00:00</DtTm></BookgDt>'),
      /has DtTm beside Dt in one BookgDt/,
    ],
    ['a state twice', second('Sts'), /has Sts a second time/],
    ['a kind of balance twice', second('CdOrPrtry'), /line 3, column \d+ has CdOrPrtry a second time/],
    [
      'an amount of a balance twice',
      camt.replace('<Amt Ccy="EUR">100', '<Amt Ccy="EUR">1</Amt><Amt Ccy="EUR">100'),
      /line 3, column \d+ has Amt a second time in one Bal/,
    ],
    ['sums twice', second('TtlNtries'), /line 5, column \d+ has TtlNtries a second time/],
    [
      'two messages',
      camt.replace('</BkToCstmrStmt>', '</BkToCstmrStmt><BkToCstmrStmt/>'),
      /line 9, column 24 has BkToCstmrStmt a second time in one Document/,
    ],
    [
      'two opening balances that differ',
      camt.replace('\n<Bal>', `\n${bal('OPBD', '99.00')}<Bal>`),
      /line 3 has a second balance OPBD, and it differs/,
    ],
    [
      'an entry of another namespace',
      camt.replace('<Ntry>', '<o:Ntry xmlns:o="urn:other"/><Ntry>'),
      /line 6, column 1 has an element Ntry of another namespace/,
    ],
    [
      'an amount of another version',
      camt.replace(
        '<Amt Ccy="EUR">15',
        '<Amt xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02" Ccy="EUR">1</Amt><Amt Ccy="EUR">15',
      ),
      /line 6, column 7 has an element Amt of another namespace/,
    ],
    [
      'a text beside elements',
      camt.replace('<Ntry><Amt', '<Ntry>9<Amt'),
      /line 6, column 7 has a text beside the elements of Ntry/,
    ],
    [
      'an entry in a wrong place',
      camt.replace('</Stmt>', `</Stmt>${entry('1.00', 'DBIT', '')}`),
      /line 9, column 8 has Ntry where the standard has none/,
    ],
    [
      'the message of the other kind',
      camt.replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn').replaceAll('Stmt>', 'Ntfctn>'),
      /line 2, column \d+ has BkToCstmrDbtCdtNtfctn where the standard has none/,
    ],
    [
      'an amount without a currency',
      camt.replace('<Amt Ccy="EUR">15', '<Amt>15'),
      /line 6 begins a part without a currency/,
    ],
    [
      'a balance without a currency',
      camt.replace('<Amt Ccy="EUR">65', '<Amt>65'),
      /line 4 begins a part without a currency/,
    ],
    [
      'a part without a currency',
      camt.replace('<Amt Ccy="EUR">20', '<Amt>20'),
      /line 7 begins a part without a currency/,
    ],
  ])('with %s is refused', async (_, content, message) => {
    expect(content).not.toBe(camt);
    expect((await problemOf(statementOf(content))).message).toMatch(message);
  });

  it('what the standard allows several times, or leaves open, is read', async () => {
    const content = camt
      .replace('\n<Bal>', `\n${bal('OPBD', '100.0')}<Bal>`)
      .replace(
        '</Refs>',
        '</Refs><RmtInf><Ustrd>a</Ustrd><Ustrd>b</Ustrd></RmtInf><Chrgs/><Chrgs/><SplmtryData><Envlp><o:Ntry xmlns:o="urn:other">x</o:Ntry>y</Envlp></SplmtryData>',
      );
    expect((await statementOf(content)).rows.length).toBe(4);
  });

  it('what is no statement is refused', async () => {
    expect((await problemOf(statementOf('a,b\n1,2\n'))).message).toMatch(/line 1 begins neither/);
  });
});
