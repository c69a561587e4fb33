/** Statements as banks write them, in shapes that we made up after the public descriptions: each row's amount, sign, day and reference. */
import { describe, expect, it } from 'vitest';
import { shownAmount } from '../../src/books/reconcile/cases.ts';
import { dayIn, dayText } from '../../src/books/reconcile/days.ts';
import { readStatement, type StatementOptions } from '../../src/books/reconcile/statement.ts';
import { Problem } from '../../src/core/problem.ts';

async function* bytesOf(content: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array, options: Partial<StatementOptions> = {}, size = 65_536) {
  const notes: string[] = [];
  const note = (words: string): void => void notes.push(words);
  const dayOf = dayIn('Europe/Lisbon');
  const side = await readStatement(bytesOf(content, size), { name: 'bank.txt', dayOf, note, ...options });
  const rows = side.rows.map(({ amount, currency, day }) => [
    `${shownAmount(amount, currency)} ${currency}`,
    dayText(day ?? 0),
  ]);
  const references = side.rows.map(({ reference }) => reference);
  const ids = side.rows.map(({ keys }) => keys[0]);
  return { rows, references, ids, notes };
}

const refusal = (content: string | Uint8Array, options: Partial<StatementOptions> = {}): Promise<string> =>
  read(content, options).then(
    () => expect.fail('it was read'),
    (error) => (error instanceof Problem ? error.message : Promise.reject(error)),
  );

/** One movement of 12.50 out on 31 October, in the frame that most banks write. */
const framed = (movement: string, details = ''): string =>
  `:20:A\n:25:X\n:28C:1/1\n:60F:C261030EUR1000,00\n:61:${movement}\n${details}:62F:C261031EUR987,50\n`;
const out = [['12.50 EUR', '2026-10-31']];

describe('MT940 of', () => {
  it.each<[string, string]>([
    ['ABN AMRO', `ABNANL2A\n940\nABNANL2A\n${framed('2610311031D12,5N526NONREF')}-\n`],
    [
      'ING',
      `{1:F01INGBNL2ABXXX0000000000}\n{2:I940INGBNL2AXXXN}\n{4:\n${framed('2610311031D12,50NTRFEREF//9\n/TRCD/00100/')}-}\n`,
    ],
    [
      'Rabobank',
      `:940:\n${framed('261031D000000000012,50N544MARF\nNL00RABO0000000000', ':86:/ORDP//NAME/A/REMI/b\n')}`,
    ],
    ['mBank', framed('2610311031DN12,50S073944', ':86:944 ~00WYCHODZACY~20a~21b\n')],
    ['PostFinance', framed('2610311031D12,50FGIR100//200\nGIRO')],
    [
      'Deutsche Bank',
      `{1:F01DEUTDEFFAXXX0}{2:O9400000}{3:{108:A}{119:B}}{4:\n${framed('2610311031DR12,50NTRFNONREF//1')}-}{5:{CHK:0}}`,
    ],
    ['Commerzbank', framed('2610311031DR12,50N033NONREF', ':86:116?00X?20A\n').replaceAll('\n', '\r\n')],
    ['Sberbank', framed('2610311031D12,50S999', ':86:/NREF/1\n')],
    ['Raiffeisen', `\n\n01 BANK\n${framed('261031    D12,50NMSC1')}`],
    ['a Sparkasse', `\r\n${framed('2610311031DR12,50N177NONREF')}\r\n-\r\n`],
    ['a bank without a booking day', framed('261031D12,50NTRF')],
    ['a bank that pads the kind of movement', framed('2610311031D12,50NTR //1')],
    ['a bank that pads with a blank', framed('2610311031D12,50 N12NONREF')],
    ['a bank that writes in small letters', framed('2610311031dr12,50ntrfNONREF')],
    ['a bank that names no kind', framed('2610311031D12,50')],
    ['a bank that takes credits back', framed('2610311031RCR12,50NTRF')],
    ['a bank without :20:', framed('2610311031D12,50NTRF').replace(':20:A\n', '')],
    ['a bank without :25:', framed('2610311031D12,50NTRF').replace(':25:X\n', '')],
    ['a bank of pages', framed('2610311031D12,50NTRF').replace('60F', '60M').replace('62F', '62M')],
    ['a bank with old numbers', framed('2610311031D12,50NTRF').replace(':28C:', ':28:')],
    ['a bank that ends its lines with CR', framed('2610311031D12,50NTRF').replaceAll('\n', '\r')],
    [
      'a bank that says what is available',
      `${framed('2610311031D12,50NTRF')}:64:C261031EUR987,50\n:65:C261101EUR987,50\n:86:end\n-`,
    ],
  ])('%s is read', async (_, content) => {
    for (const size of [1, 65_536]) expect((await read(`\ufeff${content}`, {}, size)).rows).toEqual(out);
  });

  it('no decimals, no whole part, and fifteen places', async () => {
    const content = `:20:A\n:25:X\n:60F:C261030EUR0,\n:61:261031C,5NTRF\n:61:261031C12,NTRF\n:61:261031C7NTRF\n:61:261031C123456789012,34NTRF\n:61:261031D000000000000001NTRF\n:62F:C261031EUR123456789030,84\n`;
    expect((await read(content)).rows.map(([amount]) => amount)).toEqual([
      '-0.50 EUR',
      '-12.00 EUR',
      '-7.00 EUR',
      '-123456789012.34 EUR',
      '1.00 EUR',
    ]);
  });

  it.each([
    ['2602300230', '2026-02-28'],
    ['2402290230', '2024-02-29'],
    ['2502290229', '2025-02-28'],
  ])('30 February is the last of its month: %s', async (days, day) => {
    expect((await read(framed(`${days}D12,50NTRF`))).rows).toEqual([['12.50 EUR', day]]);
  });

  it.each([
    ['2601021231', '2025-12-31'],
    ['2512310102', '2026-01-02'],
    ['2601020102', '2026-01-02'],
  ])('a booking day on the other side of the new year has its own year: %s', async (days, day) => {
    expect((await read(framed(`${days}D12,50NTRF`))).rows).toEqual([['12.50 EUR', day]]);
  });

  it.each(['12.500', '1.234,50', '1234567890123456', '12,123456789', '1,2,3'])(
    'an amount that could be another is never read in part: %s',
    async (amount) => {
      const content = framed(`261031D${amount}NTRF`);
      expect(await refusal(content, { sums: 'warn' })).toMatch(/line 5 has a movement \(:61:\) that cannot/);
    },
  );

  it('31 February and 31 April are no days', async () => {
    for (const day of ['260231', '260431'])
      expect(await refusal(framed(`${day}D12,50NTRF`))).toMatch(/line 5 has a movement \(:61:\) that cannot/);
  });

  it('what moved within a day (MT942) has no balances, and the currency of its floor', async () => {
    const content = `:20:A\n:25:X\n:28C:1\n:34F:EUR0,\n:13D:2610311200+0100\n:61:2610311031D12,50NTRF\n:90D:1EUR12,50\n:90C:0EUR0,\n-\n`;
    expect((await read(content)).rows).toEqual(out);
    expect(await refusal(content.replace(':34F:EUR0,\n', '').replaceAll('EUR', ''))).toMatch(
      /names no currency/,
    );
  });

  it('several messages, with and without what stands between them', async () => {
    const one = framed('2610311031D12,50NTRF');
    expect((await read(one + one)).rows).toEqual([...out, ...out]);
    expect((await read(`{4:\n${one}-}\nABC\n940\n${one.replace(':20:A\n', '')}-\n`)).rows).toEqual([
      ...out,
      ...out,
    ]);
  });

  it('its other letters, and says so', async () => {
    const content = framed('2610311031D12,50NTRF', ':86:Gehälter\n');
    const { references, notes } = await read(Buffer.from(content, 'latin1'));
    expect([references, notes]).toEqual([['Gehälter'], ['bank.txt is not UTF-8. It was read as Latin-1.']]);
    const windows = Buffer.from(content.replace('ä', '\u0080'), 'latin1');
    const read2 = await read(windows, {}, 7);
    expect([read2.references, read2.notes]).toEqual([
      ['Geh€lter'],
      ['bank.txt is not UTF-8. It was read as Windows-1252.'],
    ]);
  });
});

describe('the details of a movement', () => {
  it.each<[string, string, string, string]>([
    ['cut by the bank', '166?00X?20EREF+row-100?2105?22SVWZ+May', 'row-10005', 'May'],
    ['cut at the end of a line', '166?00X?20EREF+row-1\n0005?21SVWZ+May', 'row-10005', 'May'],
    ['with other marks', '020~00X~20EREF+row-10~21005~22SVWZ+May~30123', 'row-10005', 'May'],
    ['with angles', '020<00X<20EREF+row-10<21005<22SVWZ+May<32NAME', 'row-10005', 'May'],
    ['with slashes', '/EREF/PAY/row-1//REMI/USTD//May/', 'PAY/row-1', 'May'],
    ['as plain words', 'Invoice 1\nfor May', 'Invoice 1 for May', 'Invoice 1 for May'],
  ])('%s', async (_, details, id, reference) => {
    const found = await read(framed('2610311031D12,50NTRFNONREF', `:86:${details}\n`));
    expect([found.ids[0] || found.references[0], found.references[0]]).toEqual([id, reference]);
  });
});

describe('sums that prove nothing', () => {
  const wrong = framed('2610311031D12,51NTRF');
  const without = (tag: string): string =>
    framed('2610311031D12,50NTRF').replace(new RegExp(`:${tag}:.*\n`), '');
  it.each<[string, string, RegExp]>([
    ['wrong', wrong, /has the closing balance 987.50?, and .* comes to 987.49$/],
    ['without a beginning', without('60F'), /without an opening balance/],
    ['without an end', without('62F'), /without a closing balance/],
  ])('are refused, or told: %s', async (_, content, words) => {
    expect(await refusal(content)).toMatch(words);
    const { rows, notes } = await read(content, { sums: 'warn' });
    expect(rows.length).toBe(1);
    expect(notes).toEqual([expect.stringMatching(/It was read all the same\.$/)]);
  });
});

const bal = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const entry = (amount: string, more = ''): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-10-31</Dt></BookgDt>${more}</Ntry>`;
const camt = (kind: '052' | '053' | '054', within: string, namespace?: string): string => {
  const [message, one] = {
    '052': ['BkToCstmrAcctRpt', 'Rpt'],
    '053': ['BkToCstmrStmt', 'Stmt'],
    '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  }[kind];
  const uri = namespace ?? `urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.02`;
  const named = uri === '' ? '' : ` xmlns="${uri}"`;
  return `<?xml version="1.0" encoding="UTF-8"?><Document${named}><${message}><${one}>${within}</${one}></${message}></Document>`;
};
const ends = bal('OPBD', '100') + bal('CLBD', '87.50');

describe('camt', () => {
  it.each<[string, string]>([
    ['a report of a day', camt('052', entry('12.50'))],
    ['a report with a balance within the day', camt('052', bal('ITBD', '7') + entry('12.50'))],
    ['a notification', camt('054', entry('12.50'))],
    ['a statement', camt('053', ends + entry('12.50'))],
    ['without a namespace', camt('053', ends + entry('12.50'), '')],
    ['with the namespace of SWIFT', camt('053', ends + entry('12.50'), 'urn:swift:xsd:camt.053.001.02')],
    [
      'of a later version',
      camt('053', ends + entry('12.50'), 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.13'),
    ],
    ['amounts as a schema writes them', camt('053', ends + entry('+012.500000000'))],
    [
      'a first page',
      camt(
        '053',
        `<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>${bal('OPBD', '100')}${bal('ITBD', '87.5')}${entry('12.50')}`,
      ),
    ],
    [
      'a page between',
      camt(
        '053',
        `<StmtPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>${bal('ITBD', '100')}${bal('ITBD', '87.5')}${entry('12.50')}`,
      ),
    ],
    [
      'a day with the offset of its zone',
      camt('053', ends + entry('12.50').replace('10-31<', '10-31+01:00<')),
    ],
    ['the value date alone', camt('053', ends + entry('12.50').replaceAll('BookgDt', 'ValDt'))],
  ])('is read: %s', async (_, content) => {
    for (const size of [1, 65_536]) expect((await read(content, {}, size)).rows).toEqual(out);
  });

  it('what was charged beside the transactions is a row of its own', async () => {
    const one = (amount: string): string => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;
    const charges = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">0.50</TtlChrgsAndTaxAmt></Chrgs>';
    const content = (more: string): string =>
      camt('053', ends + entry('12.50', `${more}<NtryDtls>${one('4')}${one('8')}</NtryDtls>`));
    expect((await read(content(charges))).rows.map(([amount]) => amount)).toEqual([
      '4.00 EUR',
      '8.00 EUR',
      '0.50 EUR',
    ]);
    expect(await refusal(content(''))).toMatch(/begins an entry of -12.5, and its transactions come to -12$/);
    expect((await read(content(''), { sums: 'warn' })).rows).toEqual(out);
  });

  it('a page whose sums are wrong, and a statement without an end, are refused or told', async () => {
    const wrong = camt('053', ends + entry('12.51'));
    expect(await refusal(wrong)).toMatch(/has the closing balance 87.5,/);
    expect((await read(wrong, { sums: 'warn' })).notes.length).toBe(1);
    const short = camt('053', bal('OPBD', '100') + entry('12.50'));
    expect(await refusal(short)).toMatch(/without a closing balance/);
    expect((await read(short, { sums: 'warn' })).rows).toEqual(out);
  });

  it('in the encoding that it names', async () => {
    const text = camt(
      '053',
      ends + entry('12.50', '<NtryDtls><TxDtls><RmtInf><Ustrd>Gehälter</Ustrd></RmtInf></TxDtls></NtryDtls>'),
    );
    const { references } = await read(Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    expect(references).toEqual(['Gehälter']);
  });
});
