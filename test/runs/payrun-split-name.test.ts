/** A whole name in one column: divided surely, or a fault of its row. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Divided, SPLIT_NAMES, splitName } from '../../src/runs/files/split-name.ts';
import { generated } from '../support/long.ts';
import { check } from '../support/payrun-files.ts';

describe('a name is divided', () => {
  it.each([
    ['first-last', 'Ada Obi', 'Ada', 'Obi'],
    ['first-last', ' Ada\u00a0 Obi ', 'Ada', 'Obi'],
    ['first-last', "Ngozi O'Brien-Eze", 'Ngozi', "O'Brien-Eze"],
    ['first-last', 'A. Obi', 'A.', 'Obi'],
    ['first-last', 'Alexandr Obi', 'Alexandr', 'Obi'],
    ['first-last', 'vanessa Msuya', 'vanessa', 'Msuya'],
    ['last-first', 'Obi Ada', 'Ada', 'Obi'],
    ['last-first', 'Obi, Ada', 'Ada', 'Obi'],
    ['last-first', 'van der Berg, Anna Maria', 'Anna Maria', 'van der Berg'],
    ['last-first', 'Obi,Ada', 'Ada', 'Obi'],
    ['pain', 'Ada Obi', 'Ada', 'Obi'],
    ['pain', 'Ada Grace Obi', 'Ada Grace', 'Obi'],
  ] as const)('%s: %s', (way, name, first, last) => {
    expect(splitName(name, way)).toEqual({ first, last });
  });

  it.each([
    ...SPLIT_NAMES.flatMap((way) => [
      [way, 'Ada', /is one word/] as const,
      [way, '', /is one word/] as const,
      [way, 'Obi, Ada, Grace', /comma/] as const,
      [way, 'Ada & Ben', /no name/] as const,
      [way, '12 Nov', /no name/] as const,
      [way, 'Ada Obi2', /no name/] as const,
    ]),
    ['first-last', 'Ada Grace Obi', /has 3 words/],
    ['last-first', 'Obi Ada Grace', /has 3 words/],
    ['first-last', 'Obi, Ada', /its last name is first/],
    ['pain', 'Obi, Ada', /its last name is first/],
    ['last-first', ', Ada Obi', /no name/],
    ['last-first', 'Obi, Dr. Ada', /a title/],
    ['last-first', 'Obi Jr., Ada', /a title/],
    ['first-last', 'Mr Obi', /a title or a particle/],
    ['first-last', 'Ada Jr.', /a title or a particle/],
    ['first-last', 'van Gogh', /a title or a particle/],
    ['last-first', 'Obi Dr.', /a title or a particle/],
  ] as const)('%s: %j is not, and it is said why', (way, name, why) => {
    expect(splitName(name, way)).toMatch(why);
  });

  it('and no letter of it is lost or made up', () => {
    const word = fc.string({ unit: fc.constantFrom(..."abzÉß.-'"), minLength: 1, maxLength: 6 });
    const names = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.constantFrom(...SPLIT_NAMES), names, fc.boolean(), (way, given, hasComma) => {
        const name = hasComma ? given.replace(' ', ', ') : given;
        const halves = splitName(name, way);
        if (typeof halves === 'string') return;
        const { first, last } = halves;
        expect([first, last]).not.toContain('');
        const letters = (text: string): string => [...text.replace(/[ ,]/g, '')].sort().join('');
        expect(letters(first + last)).toBe(letters(name));
        const isLastFirst = way === 'last-first';
        expect(name.startsWith(isLastFirst ? last : first)).toBe(true);
        expect(name.endsWith(isLastFirst ? first : last)).toBe(true);
      }),
      { numRuns: generated(5_000) },
    );
  });
});

describe('a file with whole names', () => {
  const head =
    'key,type,amount,input_currency,sender,name,recipient_type,first_name,last_name,bank_code,bank_account';
  const row = (key: string, names: string): string =>
    `${key},NGN::Bank,25000,EUR,customer-1,${names},044,0123456700`;
  const told = async (...rows: string[]) => {
    const divided: Divided[] = [];
    const options = {
      splitName: 'first-last',
      allowDuplicates: true,
      onDivided: (one: Divided) => void divided.push(one),
    } as const;
    const { payments, faults } = await check(`${[head, ...rows].join('\n')}\n`, options);
    const details = payments.map(({ body }) => body.recipients[0]?.payout_method?.details);
    return { details, divided, faults };
  };

  it('pays the halves, and says each row', async () => {
    const { details, divided, faults } = await told(row('e1', 'Ada Obi,,,'), row('e2', ',,Ben,Okoro'));
    expect(faults).toEqual([]);
    expect(details).toEqual([
      expect.objectContaining({ first_name: 'Ada', last_name: 'Obi' }),
      expect.objectContaining({ first_name: 'Ben', last_name: 'Okoro' }),
    ]);
    expect(details[0]).not.toHaveProperty('name');
    expect(divided).toEqual([{ n: 1, at: 'line 2', name: 'Ada Obi', first: 'Ada', last: 'Obi' }]);
  });

  it('has a fault in each row that is not sure, and pays none of them', async () => {
    const { details, divided, faults } = await told(
      row('e1', 'Ada,,,'),
      row('e2', 'Ada Grace Obi,,,'),
      row('e3', 'Ada Obi,,Ada,'),
    );
    expect([details, divided]).toEqual([[], []]);
    expect(faults).toMatchObject([
      { row: 1, column: 'name', code: 'name_not_divided' },
      { row: 2, column: 'name', code: 'name_not_divided' },
      { row: 3, column: 'name', code: 'name_twice' },
    ]);
    expect(JSON.stringify(faults)).not.toMatch(/Ada|Obi/);
  });

  it('leaves the name of a business whole', async () => {
    const { details, divided } = await told(row('e1', 'Obi Motors,business,,'));
    expect(details).toEqual([expect.objectContaining({ name: 'Obi Motors' })]);
    expect(divided).toEqual([]);
  });

  it('divides a spoilt name into spoilt halves, which are faults', async () => {
    expect((await told(row('e1', 'Ada\u200b Obi,,,'))).faults).toMatchObject([
      { column: 'first_name', code: 'unseen_character' },
    ]);
  });
});

it('a pain.001 is divided at the last blank, or as somebody says', async () => {
  const pain = (name: string): string =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><PmtInf><CdtTrfTxInf><PmtId><EndToEndId>e1</EndToEndId></PmtId><Amt><InstdAmt Ccy="NGN">25000</InstdAmt></Amt><CdtrAgt><FinInstnId><ClrSysMmbId><MmbId>044</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt><Cdtr><Nm>${name}</Nm></Cdtr><CdtrAcct><Id><Othr><Id>0123456700</Id></Othr></Id></CdtrAcct></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`;
  const options = { name: 'wages.xml', defaults: { input_currency: 'EUR', sender: 'customer-1' } };
  const namesOf = async (name: string, more: object = {}) => {
    const { payments, faults } = await check(pain(name), { ...options, ...more });
    const { first_name, last_name } = (payments[0]?.body.recipients[0]?.payout_method?.details ??
      {}) as Record<string, string>;
    return faults[0]?.code ?? [first_name, last_name];
  };
  expect(await namesOf('Ada Grace Obi')).toEqual(['Ada Grace', 'Obi']);
  expect(await namesOf('Obi Ada', { splitName: 'last-first' })).toEqual(['Ada', 'Obi']);
  expect(await namesOf('Obi Ada Grace', { splitName: 'last-first' })).toBe('name_not_divided');
});
