/**
 * Accounts, IBANs, BBANs and phones: what nobody should be paid by is refused before anything is sent. The sandbox refuses only
 * what the service does: it counts no digits and looks at no check digits (decision 0013).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectionFlags, paymentFlags, type Run, useBench, writesOf } from '../support/cli.ts';

const bench = useBench({ sender: true });

/** The same sandbox under an address that is not of this machine: production, as far as remit knows. */
const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };

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
    const fault = refused(await bench.run(create(wrong), { env: live }));
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
    expect(refused(await bench.run(create, { env: live })).path).toBe(`details.${field}`);
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
    expect(refused(await bench.run(edit, { env: live })).path).toBe('payout_method.details.bank_account');
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
    expect(refused(await bench.run(change, { env: live })).path).toBe('details.bank_account');
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
    const fault = refused(await bench.run(['validate-account', ...flags, '-o', 'json'], { env: live }));
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
    const fault = refused(await bench.run(collect, { env: live }));
    expect(fault.words).toContain('the letter O in place 12');
  });
});

it('says it in plain words to people, without the number', async () => {
  const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1', LETTER_O)], { env: live });
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

/** Type, the field, and what no account of that type is. */
const EVERYWHERE: [string, string, string, string][] = [
  ['GHS::Bank', 'bank_account', '123456789012O', 'the letter O in place 13'],
  ['GHS::Bank', 'bank_account', '123', 'has 3 digits; right is 8 to 17 digits'],
  ['KES::Bank', 'bank_account', '012345678O', 'the letter O'],
  ['KES::Bank', 'bank_account', '01234', 'has 5 digits'],
  ['UGX::Bank', 'bank_account', '012345678O', 'the letter O'],
  ['BWP::Bank', 'bank_account', '012345678O', 'the letter O'],
  ['ZMW::Bank', 'bank_account', '012345678O', 'the letter O'],
  ['ZAR::Bank', 'bank_account', '6212345678O', 'the letter O'],
  ['ZAR::Bank', 'bank_account', '62123456789012345', 'has 17 digits'],
  ['EGP::Bank', 'bank_account', '012345678O', 'the letter O'],
  ['EGP::Bank', 'bank_account', 'EG380019000500000000263180003', 'is no IBAN'],
  ['GBP::Bank', 'bank_account', '1234567O', 'the letter O'],
  ['GBP::Bank', 'bank_account', '12345', 'has 5 digits'],
  ['GBP::Bank', 'sort_code', '20-00-0', 'has 5 digits; right is six digits, such as 12-34-56'],
  ['BRL::Bank', 'bank_account', '000979O493', 'the letter O'],
  [
    'BTC',
    'address',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'do not fit; right is an address of the main network',
  ],
  ['BTC', 'address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'is no Bitcoin address'],
  ['BTC', 'address', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'is no Bitcoin address'],
  ['KES::Mobile', 'phone_number', '+25471234567', 'has 8 digits after +254'],
  ['KES::Mobile', 'phone_number', '+233302123400', 'a number of another country'],
  ['XOF::Mobile', 'phone_number', '+22177404443', 'has 8 digits after +221'],
];

const RIGHT: [string, Record<string, string>][] = [
  ['GHS::Bank', { bank_account: '1234567890123' }],
  ['BWP::Bank', { bank_account: '12345678912345678' }],
  ['EGP::Bank', { bank_account: 'EG380019000500000000263180002' }],
  ['EGP::Bank', { bank_account: 'eg380019000500000000263180002' }],
  ['GBP::Bank', { bank_account: '12345678', sort_code: '12-34-56' }],
  ['BRL::Bank', { bank_account: '12345-X' }],
  ['BTC', { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }],
  ['BTC', { address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' }],
  ['BTC', { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
  ['BTC', { address: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4' }],
  ['BTC', { address: 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0' }],
  ['KES::Mobile', { phone_number: '+254712345678' }],
  ['XOF::Mobile', { phone_number: '0102030405', phone_country: 'CI', country: 'CI' }],
];

/** PIX keys, each of its kind. */
const PIX: [string, string, boolean][] = [
  ['cpf', '529.982.247-25', true],
  ['cpf', '529.982.247-26', false],
  // A rest of 1 is the digit 0, as a rest of 0 is.
  ['cpf', '123.456.789-09', true],
  ['cpf', '11111111111', false],
  ['cnpj', '11.222.333/0001-81', true],
  ['cnpj', '11.222.333/0001-80', false],
  ['cnpj', '12ABC34501DE35', true],
  ['cnpj', '12ABC34501DE36', false],
  ['phone', '+5511987654321', true],
  ['phone', '+233302123400', false],
  ['email', 'ada@example.com', true],
  ['evp', '123e4567-e12b-12d1-a456-426655440000', true],
  ['evp', '123e4567', false],
];

const storing = (type: string, given: Record<string, string>): string[] => [
  ...['payout-method', 'create', '--type', type, '-o', 'json'],
  ...details({ first_name: 'Ada', last_name: 'Obi', ...given }),
];
const meant = ['--yes', '--live', 'key:7f3c'];

describe('every corridor', () => {
  it.each(EVERYWHERE)(
    '%s: %s %s is refused in production, before anything is sent',
    async (type, field, wrong, said) => {
      const fault = refused(await bench.run(storing(type, { [field]: wrong }), { env: live }));
      expect(fault).toMatchObject({ path: `details.${field}` });
      expect(fault.words).toContain(said);
      expect(fault.words).not.toContain(wrong);
    },
  );

  it.each(RIGHT)('%s takes %o', async (type, given) => {
    const run = await bench.run([...storing(type, given), ...meant], { env: live });
    expect(run.stderr).not.toContain('usage');
    expect(run.requests.map(({ method }) => method)).toContain('POST');
  });

  it('a national mobile number has its own digits, with or without the zero in front', async () => {
    const asked = (phone: string) =>
      storing('KES::Mobile', { phone_number: phone, phone_country: 'KE', mobile_provider: 'mpesa' });
    for (const right of ['712345678', '0712345678'])
      expect((await bench.run([...asked(right), ...meant], { env: live })).stderr).not.toContain(
        'does not take',
      );
    for (const wrong of ['7123456789', '07123456789', '71234567'])
      expect(refused(await bench.run(asked(wrong), { env: live })).words).toContain('digits');
  });

  it.each(PIX)('a PIX key of kind %s: %s, %s', async (type, key, isRight) => {
    const given = { pix_key_type: type, pix_key_value: key };
    const run = await bench.run([...storing('BRL::Bank', given), ...meant], { env: live });
    expect(run.requests.length > 0, run.stderr).toBe(isRight);
  });
});

describe('an account that looks wrong and is meant', () => {
  const NINE = '012345670';
  const ngn = { bank_code: '044', bank_account: NINE };

  it('is sent with --account-as-written, and the refusal names the flag', async () => {
    const asked = storing('NGN::Bank', ngn);
    expect((await bench.run(asked, { env: live })).stderr).toContain('--account-as-written');
    const run = await bench.run([...asked, ...meant, '--account-as-written'], { env: live });
    expect(run.code, run.stderr).toBe(0);
  });

  it('is not sent by --yes, not on a terminal either', async () => {
    for (const tty of [false, true]) {
      const run = await bench.run([...storing('NGN::Bank', ngn), ...meant], { env: live, tty });
      expect(run.code).toBe(2);
      expect(writesOf(run)).toEqual([]);
    }
  });

  it('a misspelt name is refused all the same', async () => {
    const asked = [...storing('NGN::Bank', { ...ngn, bank_acount: '1' }), ...meant, '--account-as-written'];
    expect(refused(await bench.run(asked, { env: live })).path).toBe('details.bank_acount');
  });

  it('against a sandbox it is a note', async () => {
    const run = await bench.run(storing('NGN::Bank', ngn));
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('bank_account has 9 digits');
    expect(run.stderr).toContain('since this is a sandbox');
  });

  it('on a terminal in production a person is asked, and nothing is sent after a No', async () => {
    const asked = ['payin-method', 'edit', 'order-1', '--detail', 'phone_number=12'];
    const create = ['tx', 'create', ...paymentFlags('customer-1', NINE)];
    const no = await bench.run(create, { env: live, tty: true, stdin: 'n\r' });
    expect(no.stderr).toContain('Use this account all the same?');
    expect(no.code).toBe(130);
    expect(writesOf(no)).toEqual([]);
    expect((await bench.run([...asked, '--help'])).stdout).toContain('--account-as-written');
  });
});

describe('rows of a run', () => {
  const HEADER = 'key,amount,type,input_currency,sender,first_name,last_name,bank_code,bank_account';
  const row = (key: string, account: string) => `${key},5000,NGN::Bank,EUR,customer-1,Ada,Obi,044,${account}`;
  const file = (...accounts: string[]): string => {
    const path = join(bench.dir, 'wages.csv');
    writeFileSync(path, [HEADER, ...accounts.map((one, at) => row(`w-${at}`, one))].join('\n'));
    return path;
  };

  it('are refused in production unless exactly so many are meant', async () => {
    const path = file('012345670', '0123456700', '01234567', '0123456701');
    const check = ['batch', 'check', path, '-o', 'json'];
    const refused = await bench.run(check, { env: live });
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('--accounts-as-written 2');
    const [two, one] = await Promise.all([
      bench.run([...check, '--accounts-as-written', '2'], { env: live }),
      bench.run([...check, '--accounts-as-written', '1'], { env: live }),
    ]);
    expect(two.code, two.stderr).toBe(0);
    expect(two.stderr).toContain('has 9 digits');
    expect(one.code).toBe(2);
    expect(one.stderr).toContain('2 rows have accounts that look wrong, and you said 1');
    const many = await bench.run([...check.slice(0, 2), file('012345670'), '--accounts-as-written', '3'], {
      env: live,
    });
    expect(many.stderr).toContain('1 row has an account that looks wrong, and you said 3');
  });

  it('a corrected row is held to the same rule', async () => {
    const plan = ['batch', 'plan', file('0123456700'), '--name', 'w', '--max-input', 'EUR=100', '-o', 'json'];
    expect((await bench.run(plan, { env: live })).code).toBe(0);
    const [row] = (await bench.run(['batch', 'rows', 'w', '-o', 'json'], { env: live })).data<
      { key: string }[]
    >();
    const fix = ['batch', 'fix', 'w', row?.key ?? '', '--set', 'bank_account=012345670'];
    const refused = await bench.run(fix, { env: live });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('has 9 digits')]);
    const meant = await bench.run([...fix, '--account-as-written'], { env: live });
    expect(meant.stderr).not.toContain('would not be right');
    expect(meant.stderr).toContain('has 9 digits; it is taken as it is written');
  });

  it('a plan with another number keeps nothing', async () => {
    const path = file('012345670', '0123456700');
    const plan = ['batch', 'plan', path, '--name', 'w', '--max-input', 'EUR=100', '--accounts-as-written'];
    expect((await bench.run([...plan, '2'])).code).toBe(2);
    expect((await bench.run(['batch', 'list', '-o', 'json'])).json<{ data: unknown[] }>().data).toEqual([]);
    const kept = await bench.run([...plan, '1']);
    expect(kept.code, kept.stderr).toBe(0);
  });

  it('are noted against a sandbox; what the sandbox itself refuses is a fault', async () => {
    const noted = await bench.run(['batch', 'check', file('012345670')]);
    expect(noted.code, noted.stderr).toBe(0);
    expect(noted.stderr).toContain('bank_account has 9 digits; it is taken as it is written');
    expect((await bench.run(['batch', 'check', file(LETTER_O)])).code).toBe(5);
  });
});
