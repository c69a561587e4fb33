/**
 * Accounts, IBANs, BBANs and phones: what nobody should be paid by is refused before anything is sent. The sandbox refuses only
 * what the service does: it counts no digits and looks at no check digits (decision 0076).
 */
import { describe, expect, it } from 'vitest';
import { collectionFlags, paymentFlags, type Run, useBench, writesOf } from '../support/cli.ts';

const bench = useBench({ sender: true });

const LETTER_O = '012345670O';
const details = (pairs: Record<string, string>): string[] =>
  Object.entries(pairs).flatMap(([name, value]) => ['--detail', `${name}=${value}`]);

interface Refusal {
  error: { category: string; outcome: string; fields: { path: string; words: string[] }[] };
}
/** Nothing was sent; the field at fault, what is wrong and what is right. */
function refused(run: Run): { path: string; words: string } {
  expect(run.code, run.stderr).toBe(2);
  expect(writesOf(run)).toEqual([]);
  const { error } = JSON.parse(run.stderr) as Refusal;
  expect(error).toMatchObject({ category: 'usage', outcome: 'not applied' });
  const [field] = error.fields;
  return { path: field?.path ?? '', words: field?.words.join() ?? '' };
}

/** Type, the other details, the field, a wrong value, what is said of it, a right value. */
const CASES: [string, Record<string, string>, string, string, string, string][] = [
  [
    'NGN::Bank',
    { bank_code: '044' },
    'bank_account',
    LETTER_O,
    'the letter O in place 10; right is ten digits',
    '0123456719',
  ],
  [
    'NGN::Bank',
    { bank_code: '044' },
    'bank_account',
    '012345670',
    'has 9 digits; right is ten digits',
    '9123456719',
  ],
  ['NGN::Bank', { bank_code: '044' }, 'bank_account', '01234567000', 'has 11 digits', '0123456708'],
  ['NGN::Bank', { bank_code: '044' }, 'bank_account', '0123 456700', 'a blank in place 5', '0123456771'],
  ['NGN::Bank', { bank_code: '044' }, 'bank_account', '０123456700', '０ in place 1', '0123456701'],
  ['EUR::Bank', {}, 'iban', 'DE88370400440532013000', 'is no IBAN', 'DE89 3704 0044 0532 0130 00'],
  ['GBP::Bank', {}, 'iban', 'GB28NWBK60161331926819', 'is no IBAN', 'GB29NWBK60161331926819'],
  [
    'XAF::Bank',
    { transfer_reason: 'personal_account' },
    'iban',
    'CM2110002000300277976315009',
    'is no IBAN',
    'CM2110002000300277976315008',
  ],
  [
    'USD::Bank',
    { street: 'x', transfer_reason: 'personal_account', country: 'EG' },
    'iban',
    'EG380019000500000000263180003',
    'is no IBAN',
    'EG380019000500000000263180002',
  ],
  [
    'XOF::Bank',
    { transfer_reason: 'personal_account' },
    'iban',
    'CI0080111301134291200588',
    'is no BBAN',
    'CI0080111301134291200589',
  ],
  [
    'GHS::Mobile',
    { mobile_provider: 'mtn', transfer_reason: 'personal_account', gender: 'F' },
    'phone_number',
    '0302123400',
    'is national, and phone_country',
    '+233302123409',
  ],
  [
    'GHS::Mobile',
    { mobile_provider: 'mtn', transfer_reason: 'personal_account', gender: 'F' },
    'phone_number',
    '+23330212340O',
    'the letter O in place 12',
    '+233302123418',
  ],
];

/** The service takes these: the guard is the desk's. */
const isOfDesk = (said: string): boolean => /is no (?:IBAN|BBAN)|has \d+ digits/.test(said);

describe.each(CASES)('%s with %o and %s %s', (type, others, field, wrong, said, right) => {
  const all = (value: string) => ({ first_name: 'Ada', last_name: 'Obi', ...others, [field]: value });

  it('tx create refuses it before anything is sent, and takes a right one', async () => {
    const create = (value: string) => [
      ...['tx', 'create', '--input-currency', 'EUR', '--amount', '20', '--currency', 'EUR', '--type', type],
      ...['--sender', 'customer-1', ...details(all(value)), '-o', 'json'],
    ];
    const fault = refused(await bench.run(create(wrong)));
    expect(fault.path).toBe(`recipients.0.payout_method.details.${field}`);
    expect(fault.words).toContain(said);
    expect(fault.words).not.toContain(wrong);
    const sent = await bench.run([
      'api',
      'payout_methods.create',
      '--yes',
      '--data',
      JSON.stringify({ payout_method: { type, details: all(right), metadata: {} } }),
    ]);
    expect(sent.code, sent.stderr).toBe(0);
  });

  it('payout-method create refuses it; the sandbox refuses another shape, with the word and the fields', async () => {
    const create = ['payout-method', 'create', '--type', type, ...details(all(wrong)), '-o', 'json'];
    expect(refused(await bench.run(create)).path).toBe(`details.${field}`);
    const raw = await bench.run([
      'api',
      'payout_methods.create',
      '--yes',
      '--data',
      JSON.stringify({ payout_method: { type, details: all(wrong), metadata: {} } }),
      '-o',
      'json',
    ]);
    expect(raw.code, raw.stderr).toBe(isOfDesk(said) ? 0 : 5);
    if (isOfDesk(said)) return;
    const { object } = JSON.parse(raw.stdout) as { object: { errors: unknown; fields: object } };
    expect(object.errors).toEqual({ [field]: [{ error: 'invalid' }] });
    expect(Object.keys(object.fields)).toContain(field);
  });
});

describe('an account that stands', () => {
  it('recipient edit and payout-method edit refuse a wrong one', async () => {
    const made = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '-o', 'json']);
    const id = made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
    const edit = ['recipient', 'edit', id, ...details({ bank_account: LETTER_O }), '-o', 'json'];
    expect(refused(await bench.run(edit)).path).toBe('payout_method.details.bank_account');
    const stored = await bench.run([
      'payout-method',
      'create',
      '--type',
      'NGN::Bank',
      ...details({ first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' }),
      '-o',
      'json',
    ]);
    const method = stored.data<{ id: string }>().id;
    const change = ['payout-method', 'edit', method, ...details({ bank_account: LETTER_O }), '-o', 'json'];
    expect(refused(await bench.run(change)).path).toBe('details.bank_account');
  });
});

describe('remit validate-account', () => {
  it.each([
    [
      ['--type', 'NGN::Bank', '--bank-code', '044', '--bank-account', LETTER_O],
      'bank_account',
      'the letter O in place 10',
    ],
    [
      ['--type', 'GHS::Mobile', '--phone-number', '0302123400', '--mobile-provider', 'mtn'],
      'phone_number',
      'is national',
    ],
    [
      ['--country', 'CI', '--currency', 'XOF', '--method', 'bank', '--iban', 'CI0080111301134291200588'],
      'iban',
      'is no BBAN',
    ],
  ])('refuses %o before anything is sent', async (flags, path, said) => {
    const fault = refused(await bench.run(['validate-account', ...flags, '-o', 'json']));
    expect(fault).toMatchObject({ path });
    expect(fault.words).toContain(said);
  });

  it.each([
    [
      { method: 'bank', country: 'NG', currency: 'NGN', bank_code: '044', bank_account: LETTER_O },
      'bank_account',
    ],
    [{ method: 'mobile', country: 'GH', currency: 'GHS', phone_number: '0302123400' }, 'phone_number'],
    [{ method: 'bank', country: 'CI', currency: 'XOF', iban: 'CI008011130113429120058' }, 'iban'],
  ])('and the sandbox refuses %o itself', async (body, field) => {
    const run = await bench.run([
      'api',
      'account_validations.create',
      '--data',
      JSON.stringify(body),
      '-o',
      'json',
    ]);
    expect(run.code, run.stderr).toBe(5);
    const { object } = JSON.parse(run.stdout) as { object: { errors: unknown; fields: object } };
    expect(object.errors).toEqual({ [field]: [{ error: 'invalid' }] });
    expect(Object.keys(object.fields)).toEqual([field]);
  });
});

describe('a collection', () => {
  it('refuses a phone that is no phone', async () => {
    const collect = [
      ...['tx', 'create', ...collectionFlags('ussd_popup', '+23330212340O'), '-o', 'json'],
      ...['--payin-detail', 'mobile_provider=mtn', ...details({ reference: 'order-17' })],
    ];
    const fault = refused(await bench.run(collect));
    expect(fault.words).toContain('the letter O in place 12');
  });
});

it('says it in plain words to people, without the number', async () => {
  const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1', LETTER_O)]);
  expect(run.stderr).toContain('NGN::Bank does not take this bank_account');
  expect(run.stderr).toContain('has the letter O in place 10; right is ten digits, such as 0123456789');
  expect(run.stderr).toContain('not applied (nothing was sent)');
  expect(run.stderr).not.toContain('012345670');
});

it('a national phone with phone_country is taken; that nobody could be asked about it is said, not that it is unknown', async () => {
  const cedi = { first_name: 'Ada', last_name: 'Obi', phone_number: '+233302123419', mobile_provider: 'mtn' };
  const made = await bench.run([
    ...['tx', 'create', '--input-currency', 'EUR', '--amount', '20', '--type', 'GHS::Mobile'],
    ...['--sender', 'customer-1', ...details({ ...cedi, transfer_reason: 'personal_account', gender: 'F' })],
    ...['-o', 'json'],
  ]);
  const id = made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
  const national = details({ phone_number: '0302123400', phone_country: 'GH' });
  const run = await bench.run(['recipient', 'edit', id, ...national]);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('only an international number can be');
  expect(writesOf(run).map(({ method }) => method)).toEqual(['PATCH']);
});
