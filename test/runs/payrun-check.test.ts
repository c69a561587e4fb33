/** Rows of payments, checked by themselves and against each other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../src/contract/corridors/check.ts';
import { corridorTypes } from '../../src/contract/corridors/index.ts';
import { transactionWrite } from '../../src/contract/resources/transaction.ts';
import { readAmount } from '../../src/payments/amount.ts';
import { detailFaults, knownCorridor } from '../../src/runs/files/corridors.ts';
import { sentAmount } from '../../src/runs/files/money.ts';
import { person } from '../support/cli.ts';
import { check, csvOf, HEADER, payRow } from '../support/payrun-files.ts';

const faultsOf = async (content: string, options = {}) => (await check(content, options)).faults;

describe('a row that is right', () => {
  it('becomes a payment whose body fits the contract', async () => {
    const { payments, faults } = await check(
      `${HEADER},metadata.team\n${payRow('e1', { amount: '1200.50' })},blue\n`,
    );
    expect(faults).toEqual([]);
    expect(payments).toHaveLength(1);
    const [{ body, ...payment } = expect.fail()] = payments;
    expect(payment).toMatchObject({
      n: 1,
      at: 'line 2',
      key: 'e1',
      externalId: undefined,
      type: 'NGN::Bank',
      amount: '1200.5',
      currency: 'NGN',
      inputCurrency: 'EUR',
      sender: 'customer-1',
      roundings: ['1200.50 NGN will be paid as 1201 NGN: NGN is paid in whole units, rounded up'],
    });
    expect(transactionWrite.parse(body)).toEqual(body);
    expect(body).toEqual({
      input_currency: 'EUR',
      sender: { external_id: 'customer-1' },
      recipients: [
        {
          type: 'person',
          requested_amount: '1200.5',
          requested_currency: 'NGN',
          payout_method: {
            type: 'NGN::Bank',
            details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' },
          },
        },
      ],
      metadata: { team: 'blue' },
    });
  });

  it('says the same whatever the order of the columns, and has the print of its account and amount', async () => {
    const [one] = (await check(csvOf(payRow('e1')))).payments;
    const turned = csvOf(payRow('e1')).replace(/[^\n]+/g, (line) => line.split(',').reverse().join(','));
    const [same] = (await check(turned)).payments;
    const [other] = (await check(csvOf(payRow('e1', { amount: '25001' })))).payments;
    const [named] = (await check(csvOf(payRow('e1').replace('Ada', 'Eva')))).payments;
    expect(JSON.stringify(same)).toBe(JSON.stringify(one));
    expect(other?.account).not.toBe(one?.account);
    expect(JSON.stringify(named?.body)).not.toBe(JSON.stringify(one?.body));
    expect(named?.account).toBe(one?.account);
  });

  it('may describe its sender', async () => {
    const fields = Object.entries(person);
    const header = `${HEADER.replace('sender,', '')},${fields.map(([name]) => `sender.${name}`).join(',')}`;
    const given = `${payRow('e1').replace('customer-1,', '')},${fields.map(([, value]) => value).join(',')}`;
    const { payments, faults } = await check(`${header}\n${given}\n`);
    expect(faults).toEqual([]);
    expect(payments[0]?.sender).toBeUndefined();
    expect(transactionWrite.parse(payments[0]?.body).sender).toEqual({
      documents: [],
      metadata: {},
      ...person,
    });
    const wrong = await faultsOf(
      `${header}\n${given.replace(',PT,', ',Portugal,').replace('203.0.113.7', '')}\n`,
    );
    expect(wrong).toMatchObject([
      { column: 'sender.ip', code: 'missing' },
      { column: 'sender.country', code: 'wrong_sender', right: 'two letters, such as NG' },
    ]);
  });

  it('takes an id for a sender too', async () => {
    const id = '0B0B0B0B-0000-4000-8000-000000000000';
    const [payment] = (await check(csvOf(payRow('e1').replace('customer-1', id)))).payments;
    expect(payment?.body.sender).toEqual({ id: id.toLowerCase() });
  });
});

/** A row with one cell changed, and what is said of it. */
const SPOILT: [column: string, cell: string, code: string, words: string, right?: string][] = [
  ['bank_code', '44', 'not_a_choice', 'choices', 'did you mean 044?'],
  ['bank_code', 'Access Bank', 'not_a_choice', 'choices', 'did you mean 044?'],
  ['bank_code', '044 ', 'not_a_choice', 'choices', 'did you mean 044?'],
  ['bank_account', '1.23E+11', 'spreadsheet', 'power of ten'],
  ['bank_account', '123456789', 'wrong_account', 'has 9 digits', 'ten digits, such as 0123456789'],
  ['bank_account', '012345678O', 'wrong_account', 'the letter O in place 10'],
  ['bank_account', '••••6789', 'masked', 'is masked'],
  ['bank_account', '', 'missing', 'is missing'],
  ['bank_account', '#REF!', 'spreadsheet', 'error of the spreadsheet'],
  ['amount', '"0,50"', 'decimal_comma', 'comma for its decimals'],
  ['amount', '"25,000"', 'unclear', 'two ways'],
  ['amount', '25.000', 'unclear', 'two ways'],
  ['amount', '"25,000.00"', 'thousands', 'thousands separators'],
  ['amount', '"1.250.000,00"', 'thousands', 'thousands separators'],
  ['amount', '2.5E+4', 'spreadsheet', 'power of ten'],
  ['amount', '0', 'amount', 'more than 0'],
  ['amount', '-5', 'amount', 'more than 0'],
  ['amount', 'abc', 'amount', 'is not an amount'],
  ['amount', '€ 50', 'amount', 'is not an amount'],
  ['amount', '1.0051', 'decimals', 'too many decimals'],
  ['amount', '1234567890123456', 'amount', 'too large'],
  ['amount', '#N/A', 'amount', 'is not an amount'],
  ['amount', '', 'missing', 'is missing'],
  ['type', 'NGN::Bnak', 'type', 'not a known payout type', 'did you mean NGN::Bank?'],
  ['type', '', 'missing', 'is missing'],
  ['input_currency', 'XXX', 'currency', 'you can pay in'],
  ['input_currency', 'BRL', 'currency', 'you can pay in'],
  ['sender', '', 'missing', 'is missing'],
  ['key', '', 'missing', 'is missing'],
  ['key', '1.5E+11', 'spreadsheet', 'power of ten'],
  ['first_name', '2026-01-02', 'spreadsheet', 'is a date'],
  ['first_name', '02/01/2026', 'spreadsheet', 'is a date'],
  ['first_name', '2-Jan', 'spreadsheet', 'is a date'],
  ['first_name', 'Jan-02', 'spreadsheet', 'is a date'],
  ['first_name', 'TRUE', 'spreadsheet', 'true or false'],
  ['first_name', '#NAME?', 'spreadsheet', 'error of the spreadsheet'],
  ['first_name', '"Ada\nObi"', 'control_character', 'line break'],
];

describe('a row that is wrong', () => {
  it.each(SPOILT)('%s %j is a fault: %s', async (column, cell, code, words, right) => {
    const at = HEADER.split(',').indexOf(column);
    const given = payRow('e1').split(',').with(at, cell).join(',');
    const { payments, faults } = await check(csvOf(given, payRow('e2')));
    expect(payments.map(({ key }) => key)).toEqual(['e2']);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ row: 1, at: 'line 2', column, code });
    expect(faults[0]?.words).toContain(words);
    if (right !== undefined) expect(faults[0]?.right).toBe(right);
  });

  it.each(['045', '0044', '440', '04', '4', '44a'])(
    'bank code %s is near no other: that is another bank',
    async (code) => {
      const [fault] = await faultsOf(csvOf(payRow('e1').replace(',044,', `,${code},`)));
      expect(fault).toMatchObject({ column: 'bank_code', code: 'not_a_choice' });
      expect(fault?.right).toBeUndefined();
    },
  );

  it('no list has a code with a digit that is suggested for another one, and words are', async () => {
    for (const { type } of corridorTypes) {
      const known = (await knownCorridor(type)) ?? expect.fail();
      for (const field of known.fields.person) {
        const codes = Object.keys(field.control === 'select' ? optionsOf(field, known.options) : {});
        for (const code of codes) {
          const near = `${code.slice(0, -1)}${code.endsWith('7') ? '8' : '7'}`;
          if (!/\d$/.test(code) || codes.includes(near)) continue;
          const row = { n: 1, at: 'line 2', cells: {} };
          const found = detailFaults(row, known, 'person', { [field.name]: near }, 'as_written').faults;
          const { right = '' } = found.find(({ column }) => column === field.name) ?? expect.fail();
          expect([type, near, right]).toEqual([type, near, expect.not.stringContaining('did you mean')]);
        }
      }
    }
    const details = { mobile_provider: 'mtnn' };
    const ghana = (await knownCorridor('GHS::Mobile')) ?? expect.fail();
    const row = { n: 1, at: 'line 2', cells: {} };
    expect(JSON.stringify(detailFaults(row, ghana, 'person', details, 'as_written'))).toContain(
      'did you mean mtn?',
    );
  });

  it('keys may look like months, days and powers of ten', async () => {
    const rows = ['nov-2026', '2026-01-02', '1E5', '2-Jan'].map((key, i) =>
      payRow(key, { amount: `${100 + i}` }),
    );
    expect(await faultsOf(csvOf(...rows))).toEqual([]);
  });

  it('names like those of months and numbers are names', async () => {
    const rows = ['May', 'April', 'True', 'Fé', 'Anne-Marie', "O'Brien", 'E1'].map((name, i) =>
      payRow(`e${i}`, { amount: `${100 + i}` }).replace('Ada', name),
    );
    expect(await faultsOf(csvOf(...rows))).toEqual([]);
  });

  it('has all its faults, in the order of its columns, and no value is repeated', async () => {
    const secret = 'e1,NGN::Bank,0123456799x,EUR,customer-1,Ada,Obi,0123456799,01234567';
    const faults = await faultsOf(csvOf(secret));
    expect(faults.map(({ column }) => column).sort()).toEqual(['amount', 'bank_account', 'bank_code']);
    expect(JSON.stringify(faults)).not.toMatch(/01234567[^8]|Ada|Obi/);
  });

  it('details of another type or kind are refused', async () => {
    const content = `${HEADER},mobile_provider,name\n${payRow('e1')},mtn,Acme\n`;
    expect(await faultsOf(content)).toMatchObject([
      { column: 'mobile_provider', code: 'unknown_detail' },
      {
        column: 'name',
        code: 'unknown_detail',
        right: 'only a recipient that is a business has it (recipient_type)',
      },
    ]);
  });

  it('groups of details of which one is needed are said once', async () => {
    const content =
      'key,type,amount,input_currency,sender,city,identity_card_id,transfer_reason,first_name,last_name,bank_account\ne1,BRL::Bank,5,EUR,c,Rio,A12,personal_account,Ada,Obi,12345\n';
    expect(await faultsOf(content)).toMatchObject([
      {
        column: 'bank_code',
        code: 'missing',
        right: expect.stringContaining('pix_key_type + pix_key_value; or bank_code +'),
      },
    ]);
  });

  it('a kind of recipient that the type does not pay', async () => {
    const content =
      'key,type,recipient_type,amount,input_currency,sender\ne1,BRL::Bank,business,5,EUR,c\ne2,BRL::Bank,firm,6,EUR,c\n';
    expect(await faultsOf(content)).toMatchObject([
      { row: 1, column: 'recipient_type', words: 'BRL::Bank pays no business' },
      { row: 2, column: 'recipient_type', right: 'person or business' },
    ]);
  });

  it('an amount is in what arrives, or in what is paid in', async () => {
    const content = `${HEADER},currency\n${payRow('e1')},NGN\n${payRow('e2', { amount: '20' })},EUR\n${payRow('e3')},GHS\n${payRow('e4')},XYZ\n`;
    const { payments, faults } = await check(content);
    expect(payments.map(({ currency, amount }) => `${amount} ${currency}`)).toEqual([
      '25000 NGN',
      '20.00 EUR',
    ]);
    expect(faults).toMatchObject([
      { row: 3, column: 'currency', right: 'NGN' },
      { row: 4, column: 'currency', words: 'is not a known currency' },
    ]);
  });
});

describe('the whole file', () => {
  it('keys, external ids and payments that are there twice name the first', async () => {
    const content = `${HEADER},external_id\n${[
      `${payRow('e1')},x1`,
      `${payRow('e1', { amount: '1' })},x2`,
      `${payRow('e3', { amount: '2' })},x1`,
      `${payRow('e4')},x4`,
    ].join('\n')}\n`;
    expect(await faultsOf(content)).toMatchObject([
      { row: 2, column: 'key', code: 'duplicate_key', words: 'is that of row 1 too' },
      { row: 3, column: 'external_id', code: 'duplicate_external_id', words: 'is that of row 1 too' },
      { row: 4, code: 'duplicate_payment', words: 'has the account and the amount of row 1' },
    ]);
    expect(await faultsOf(content, { allowDuplicates: true })).toHaveLength(2);
  });

  it('an external id is the key where there is none', async () => {
    const { payments } = await check(csvOf(payRow('e1')).replace('key', 'external_id'));
    expect(payments).toMatchObject([{ key: 'e1', externalId: 'e1' }]);
  });

  it('stops at ten thousand faults', async () => {
    const rows = Array.from({ length: 10_050 }, (_, i) => payRow(`e${i}`, { code: '1', amount: `${i + 1}` }));
    const faults = await faultsOf(csvOf(...rows));
    expect(faults).toHaveLength(10_001);
    expect(faults.at(-1)).toMatchObject({ row: undefined, code: 'too_many_faults' });
    expect(faults.at(-1)?.words).toBe(
      'there are 10000 faults up to line 10001: the rest of the file was not read',
    );
  });
});

it('an amount of the usual form is read as any other', () => {
  const digits = fc.tuple(
    fc.nat(3_000_000_000),
    fc.option(fc.stringMatching(/^[0-9]{1,9}$/), { nil: undefined }),
  );
  fc.assert(
    fc.property(
      digits,
      fc.constantFrom('NGN', 'EUR', 'XOF', 'BTC', 'GHS', 'UGX'),
      ([whole, fraction], currency) => {
        const text = fraction === undefined ? String(whole) : `${whole}.${fraction}`;
        const found = sentAmount(text, currency, 'written');
        if (typeof found === 'string') expect(found).toBe(readAmount(text, currency, 'written'));
        else expect(() => readAmount(text, currency, 'written')).toThrow();
      },
    ),
    { numRuns: 2_000 },
  );
});

describe('a name', () => {
  const HIDDEN = [
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u061c',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u180e',
    '\u3164',
    '\u{e0041}',
    '\ufff9',
  ];
  const rowOf = (first: string, last: string) => ({
    ...{ key: 'e1', type: 'NGN::Bank', amount: '25000', input_currency: 'EUR', sender: 'customer-1' },
    ...{ first_name: first, last_name: last, bank_code: '044', bank_account: '0123456700' },
  });
  const pain = (
    name: string,
  ): string => `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><PmtInf><CdtTrfTxInf>
<PmtId><EndToEndId>e1</EndToEndId></PmtId><Amt><InstdAmt Ccy="NGN">25000</InstdAmt></Amt>
<CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>044</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>
<Cdtr><Nm>${name}</Nm></Cdtr><CdtrAcct><Id><Othr><Id>0123456700</Id></Othr></Id></CdtrAcct></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`;
  const files = (first: string, last: string): [name: string, content: string][] => [
    ['a.csv', csvOf(payRow('e1').replace('Ada', first).replace('Obi', last))],
    ['a.json', JSON.stringify([rowOf(first, last)])],
    ['a.ndjson', JSON.stringify(rowOf(first, last))],
    ['a.yaml', `- ${JSON.stringify(rowOf(first, last))}\n`],
    ['a.xml', pain(`${first} ${last}`)],
  ];
  const defaults = { input_currency: 'EUR', sender: 'customer-1' };

  it.each(HIDDEN)('with %j is a fault, in every format and in every place', async (hidden) => {
    const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    for (const first of [`A${hidden}da`, `Ada${hidden}`, `${hidden}Ada`])
      for (const [name, content] of files(first, 'Obi')) {
        const { payments, faults } = await check(content, { name, defaults });
        expect([name, payments]).toEqual([name, []]);
        expect(faults).toMatchObject([
          {
            row: 1,
            column: 'first_name',
            code: 'unseen_character',
            words: expect.stringContaining(`(U+${code})`),
          },
        ]);
      }
  });

  it('in other letters is none', async () => {
    for (const [name, content] of files('Zoë', 'Nguyễn'))
      expect((await check(content, { name, defaults })).faults).toEqual([]);
  });

  it.each(['bank_account', 'key', 'sender'])('a hidden character in %s is a fault too', async (column) => {
    const row = { ...rowOf('Ada', 'Obi') } as Record<string, string>;
    row[column] = `${row[column]}\u200b`;
    const { faults } = await check(JSON.stringify([row]), { name: 'a.json' });
    expect(faults).toMatchObject([{ column, code: 'unseen_character' }]);
  });

  it.each([
    ['one column', '𝒜'.repeat(141), 'Obi', 'first_name', 145],
    ['the second', 'Ada', 'b'.repeat(141), 'last_name', 145],
    ['both together', 'a'.repeat(70), 'b'.repeat(70), 'first_name', 141],
  ])(
    'of more than 140 characters is a fault, in every format: %s',
    async (_, first, last, column, length) => {
      for (const [name, content] of files(first, last)) {
        const { payments, faults } = await check(content, { name, defaults });
        expect([name, payments]).toEqual([name, []]);
        expect(faults).toMatchObject([{ row: 1, column, code: 'long_name', right: 'at most 140' }]);
        expect(faults[0]?.words).toContain(`has ${length} characters`);
      }
    },
  );

  it('of 140 characters is none', async () => {
    for (const [name, content] of files('𝒜'.repeat(70), 'b'.repeat(69)))
      expect((await check(content, { name, defaults })).faults).toEqual([]);
  });

  it('of a sender is looked at too', async () => {
    const { sender: _, ...row } = rowOf('Ada', 'Obi');
    for (const [first, code] of [
      ['I\u202enes', 'unseen_character'],
      ['i'.repeat(141), 'long_name'],
    ] as const) {
      const { faults } = await check(
        JSON.stringify([{ ...row, 'sender.first_name': first, 'sender.last_name': 'x' }]),
        { name: 'a.json' },
      );
      expect(faults).toContainEqual(expect.objectContaining({ column: 'sender.first_name', code }));
    }
  });
});
