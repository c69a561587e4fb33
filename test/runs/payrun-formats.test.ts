/** Files of payments in JSON, NDJSON, YAML and pain.001: the same rows, and what is wrong with a file. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/problem.ts';
import { check, type Reading, read } from '../support/payrun-files.ts';

const row = {
  key: 'e1',
  type: 'NGN::Bank',
  amount: '25000',
  input_currency: 'EUR',
  sender: 'customer-1',
  first_name: 'Ada',
  last_name: 'Obi',
  bank_code: '044',
  bank_account: '0123456700',
};
const { first_name, last_name, bank_code, bank_account, ...own } = row;
const nested = {
  ...own,
  details: { first_name, last_name, bank_code, bank_account },
  metadata: { team: 'blue' },
};

const problemOf = (content: string | Uint8Array, options: Reading): Promise<Problem> =>
  read(content, options).then(
    () => expect.fail('it was read'),
    (error) => {
      expect(error).toBeInstanceOf(Problem);
      return error as Problem;
    },
  );

describe('JSON, NDJSON and YAML', () => {
  it.each([
    ['rows.json', JSON.stringify([row])],
    ['rows.json', JSON.stringify([nested], null, 2)],
    ['rows.ndjson', JSON.stringify(nested)],
    ['rows.jsonl', `\n${JSON.stringify(row)}\r\n\r\n`],
    ['-', JSON.stringify([row])],
    ['-', `${JSON.stringify(nested)}\n`],
    ['-', `- ${JSON.stringify(nested)}\n`],
    ['rows.yaml', `- ${JSON.stringify(row)}\n`],
    [
      'rows.yml',
      `- key: e1\n  type: NGN::Bank\n  amount: 25000\n  input_currency: EUR\n  sender: customer-1\n  details:\n    first_name: Ada\n    last_name: Obi\n    bank_code: 044\n    bank_account: 0123456700\n    middle_name:\n`,
    ],
  ])('%s gives the rows', async (name, content) => {
    for (const size of [5, 65_536]) {
      const { payments, faults } = await check(content, { name, size });
      expect(faults).toEqual([]);
      expect(payments).toMatchObject([{ key: 'e1', amount: '25000', sender: 'customer-1' }]);
      expect(payments[0]?.body.recipients[0]?.payout_method.details).toEqual({
        first_name,
        last_name,
        bank_code,
        bank_account,
      });
    }
  });

  it('numbers keep their own digits', async () => {
    const content = '[{"key":12345678901234567890,"amount":1250.10,"bank_account":1234567890}]';
    expect(await read(content, { name: 'a.json' })).toMatchObject([
      { cells: { key: '12345678901234567890', amount: '1250.10', bank_account: '1234567890' } },
    ]);
  });

  it('a sender may be an object, and so may its id', async () => {
    const content = '[{"sender":{"id":"x"}},{"sender":{"external_id":"y"}},{"sender":{"first_name":"Ines"}}]';
    expect(await read(content, { name: 'a.json', defaults: { sender: 'z' } })).toMatchObject([
      { cells: { sender: 'x' } },
      { cells: { 'sender.external_id': 'y' } },
      { cells: { 'sender.first_name': 'Ines' } },
    ]);
  });

  it('a row that is wrong is a fault, and the others are read', async () => {
    const rows = [
      '{"key":"1"}',
      '{"key":',
      '{"kye":"3"}',
      '{"key":["4"]}',
      '[5]',
      '{"key":true}',
      '{"key":"7","Key":"7"}',
      '{"key":"8"}',
    ];
    expect(await read(rows.join('\n'), { name: 'a.ndjson' })).toMatchObject([
      { n: 1, at: 'line 1' },
      { row: 2, at: 'line 2', code: 'not_json' },
      { row: 3, column: 'kye', code: 'unknown_column', right: 'did you mean key?' },
      { row: 4, column: 'key', code: 'not_a_text' },
      { row: 5, code: 'not_a_row' },
      { row: 6, column: 'key', code: 'not_a_text', words: 'is true or false, not a text' },
      { row: 7, code: 'duplicate_column' },
      { n: 8, at: 'line 8' },
    ]);
  });

  const bomb = `a: &a [x]\n${Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [*a,*a,*a]`).join('\n')}`;
  it.each([
    ['a.json', 'not_json', '{"key":'],
    ['a.json', 'not_json', '[{"bank_code":044}]'],
    ['a.json', 'not_json', '['.repeat(200_000)],
    ['a.json', 'not_a_list', '{"rows":[]}'],
    ['a.json', 'no_rows', '[]'],
    ['a.json', 'empty_file', ' '],
    ['a.ndjson', 'empty_file', '\n'],
    ['a.ndjson', 'too_long', `{"key":"${'x'.repeat(1_100_000)}"}`],
    ['a.yaml', 'not_yaml', bomb],
    ['a.yaml', 'not_yaml', '- &a {key: x}\n- *a\n'],
    ['a.yaml', 'not_yaml', '- {key: x}\n---\n- {key: y}\n'],
    ['a.yaml', 'not_yaml', '- key: x\n  key: y\n'],
    ['a.yaml', 'not_yaml', '['.repeat(20_000)],
    ['a.yaml', 'not_a_list', 'key: x\n'],
    ['a.xml', 'not_xml', '<Document'],
    ['a.xml', 'not_pain', '<html/>'],
  ])('%s is refused with %s', async (name, code, content) => {
    const { facts } = await problemOf(content, { name });
    expect(facts).toMatchObject({ code, category: 'usage' });
    expect(facts.message).not.toContain('044');
  });
});

describe('a member that is there twice', () => {
  const twice = [
    ['two accounts', '"bank_account":"1","bank_account":"2"'],
    ['the same twice', '"bank_account":"1","bank_account":"1"'],
    ['spelt in another way', '"bank_account":"1","bank\\u005faccount":"2"'],
    ['behind texts with quotes', '"key":"a\\\\","first_name":"\\"{","bank_account":"1","bank_account":"2"'],
  ] as const;

  it.each(twice)('refuses a JSON file and is named with its place: %s', async (_, members) => {
    const content = `[{"key":"e0"},\n {${members}}]`;
    const column = content.split('\n')[1]?.lastIndexOf('"bank') ?? 0;
    const { facts } = await problemOf(content, { name: 'a.json' });
    expect(facts).toMatchObject({
      code: 'duplicate_member',
      message: `a.json: line 2, column ${column + 1} has the member "bank_account" a second time`,
    });
  });

  it.each(twice)('is a fault of its row in NDJSON: %s', async (_, members) => {
    expect(await read(`{"key":"e0"}\n{${members}}\n{"key":"e2"}`, { name: 'a.ndjson' })).toMatchObject([
      { n: 1 },
      { row: 2, at: 'line 2', column: 'bank_account', code: 'duplicate_member' },
      { n: 3 },
    ]);
  });

  it('counts in each object by itself', async () => {
    const content =
      '[{"key":"1","details":{"key":"x: {"},"metadata":{"a":"1"}},{"key":"2","metadata":{"a":"2"}}]';
    expect((await read(content, { name: 'a.json' })).map((row) => 'code' in row)).toEqual([true, false]);
    const deep = '[{"key":"1","metadata":{"a":"1","a":"2"}}]';
    expect((await problemOf(deep, { name: 'a.json' })).facts.code).toBe('duplicate_member');
  });

  it('of a text that is no JSON the place is said', async () => {
    const { facts } = await problemOf('[{"key":"position 3"},\n {"key":044}]', { name: 'a.json' });
    expect(facts.message).toBe('a.json is not JSON: line 2, column 10 cannot be read');
  });

  it.each([
    ['- key: x\n  key: y\n', 'line 2, column 3 has a member that is there twice'],
    [
      '- key: x\n- {bank_account: 1, "bank_account": 1}\n',
      'line 2, column 21 has a member that is there twice',
    ],
    ['- ? [key]\n  : x\n  ? [key]\n  : y\n', 'line 1, column 5 has a key that is no text'],
    ['- &a key: x\n  *a : y\n', 'line 2, column 3 has a key that is no text'],
  ])('refuses a YAML file: %j', async (content, words) => {
    const { facts } = await problemOf(content, { name: 'a.yaml' });
    expect(facts.code).toBe('not_yaml');
    expect(facts.message).toContain(words);
  });
});

interface Transfer {
  id?: string;
  amount?: string;
  currency?: string;
  more?: string;
  name?: string;
}

const transfer = ({
  id = 'inv-1',
  amount = '1500.00',
  currency = 'NGN',
  more = '',
  name = 'Ada Ngozi Obi',
}: Transfer): string => `
  <CdtTrfTxInf><PmtId><EndToEndId>${id}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>
  <CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>044</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>
  <Cdtr><Nm>${name}</Nm>${more}</Cdtr><CdtrAcct><Id><Othr><Id>0123456700</Id></Othr></Id></CdtrAcct></CdtTrfTxInf>`;

interface Pain {
  version?: string;
  count?: number | string;
  sum?: string;
  before?: string;
}

const pain = (
  transfers: readonly string[],
  { version = '09', count, sum = '3000.00', before = '' }: Pain = {},
): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>m</MsgId><NbOfTxs>${count ?? transfers.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum></GrpHdr>
<PmtInf><PmtInfId>p</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>${transfers.length}</NbOfTxs>${transfers.join('')}
</PmtInf></CstmrCdtTrfInitn></Document>`;

describe('pain.001', () => {
  const options = { name: 'wages.xml', defaults: { input_currency: 'EUR', sender: 'customer-1' } };
  const two = [
    transfer({}),
    transfer({ id: 'inv-2', name: 'Eze Trading', more: '<Id><OrgId><LEI>x</LEI></OrgId></Id>' }),
  ];

  it.each(['03', '09'])('version %s gives payments of persons and businesses', async (version) => {
    const notes: string[] = [];
    for (const size of [9, 65_536]) {
      const { payments, faults } = await check(pain(two, { version }), {
        ...options,
        size,
        allowDuplicates: true,
        note: (words) => notes.push(words),
      });
      expect(faults).toEqual([]);
      expect(payments.map(({ key, at, amount, type }) => [key, at, amount, type])).toEqual([
        ['inv-1', 'CdtTrfTxInf 1', '1500', 'NGN::Bank'],
        ['inv-2', 'CdtTrfTxInf 2', '1500', 'NGN::Bank'],
      ]);
      const [person, business] = payments.map(({ body }) => body.recipients[0]);
      expect(person?.payout_method.details).toEqual({
        first_name: 'Ada Ngozi',
        last_name: 'Obi',
        bank_code: '044',
        bank_account: '0123456700',
      });
      expect(business).toMatchObject({
        type: 'business',
        payout_method: { details: { name: 'Eze Trading' } },
      });
    }
    expect(new Set(notes).size).toBe(1);
  });

  it('an IBAN and a BIC go where the corridor has them', async () => {
    const iban = transfer({ currency: 'EUR', amount: '20' })
      .replace(/<Othr>.*<\/Othr>/, '<IBAN>DE89370400440532013000</IBAN>')
      .replace(/<ClrSysMmbId>.*<\/ClrSysMmbId>/, '<BICFI>COBADEFFXXX</BICFI>');
    const { payments, faults } = await check(pain([iban], { sum: '20' }), options);
    expect(faults).toEqual([]);
    expect(payments[0]?.body.recipients[0]?.payout_method).toMatchObject({
      type: 'EUR::Bank',
      details: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    });
  });

  it('what is missing is a fault of its row', async () => {
    const odd = [
      transfer({ id: 'NOTPROVIDED' }),
      transfer({ currency: 'JPY' }),
      transfer({ id: 'x', name: 'Ada' }),
    ];
    const { faults } = await check(pain(odd, { sum: '4500' }), { ...options, allowDuplicates: true });
    expect(faults).toMatchObject([
      { row: 1, column: 'key', code: 'missing' },
      { row: 2, column: 'type', code: 'missing' },
      { row: 3, column: 'last_name', code: 'missing' },
    ]);
    const dollars = transfer({ currency: 'USD', more: '<PstlAdr><Ctry>GB</Ctry></PstlAdr>' });
    expect((await check(pain([dollars], { sum: '1500' }), options)).faults).toMatchObject([
      { column: 'type' },
    ]);
  });

  it.each([
    ['sums_differ', pain(two, { count: 3 })],
    ['sums_differ', pain(two, { sum: '3000.01' })],
    ['sums_differ', pain(two, { count: 'two' })],
    ['sums_differ', pain([transfer({ amount: 'x' })])],
    ['sums_differ', pain(two).replace('</PmtMtd>', '</PmtMtd><CtrlSum>1500</CtrlSum>')],
    ['sums_differ', pain(two).replace('</PmtMtd><NbOfTxs>2', '</PmtMtd><NbOfTxs>1')],
    ['not_transfers', pain(two).replace('TRF', 'CHK')],
    ['not_pain', pain(two, { version: '08' })],
    ['not_xml', pain(two, { before: '<!DOCTYPE x [<!ENTITY a "b">]>' })],
    ['not_xml', pain(two).replace('UTF-8', 'ISO-8859-1')],
    ['not_xml', pain(two).replace('Ada', '&a;')],
    ['not_xml', pain(two).slice(0, -30)],
    ['not_xml', pain(two).replace('Ada', `<x>${'<y>'.repeat(100)}`)],
    ['not_xml', pain(two).replace('Ada', 'A'.repeat(200_000))],
    ['no_rows', pain([], { sum: '0' })],
  ])('is refused with %s', async (code, content) => {
    const { facts } = await problemOf(content, options);
    expect(facts).toMatchObject({ code, category: 'usage' });
  });
});
