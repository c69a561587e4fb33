/** What of each member is shown at each level of masking, case by case. */
import { describe, expect, it } from 'vitest';
import {
  initial,
  lastFour,
  looksMasked,
  maskData,
  maskUrl,
  maskValue,
  refuseMasked,
  withoutSignatures,
} from '../../../src/payments/words/mask.ts';

it.each([
  ['', '••••'],
  ['1', '••••'],
  ['1234', '••••'],
  // Four of its five digits would be nearly the whole number.
  ['12345', '••••'],
  ['123456', '••••3456'],
  ['0123456789', '••••6789'],
  // Half an escape of a log's text would break the text.
  ['12345678\\u', '••••'],
  ['\\12345678', '••••5678'],
])('of the account %j is shown %j', (text, shown) => expect(lastFour(text)).toBe(shown));

it.each([
  ['', ''],
  ['Ada', 'A•••'],
  ['Émile', 'É•••'],
  ['😀x', '😀•••'],
  ['\\u00c9mile', '•••'],
  ['a\\b', 'a•••'],
])('of the name %j is shown %j', (text, shown) => expect(initial(text)).toBe(shown));

it.each([
  ['••••6789', true],
  ['A•', true],
  ['***6789', true],
  ['12***', true],
  ['**6789', false],
  ['0123456789', false],
  ['', false],
])('%j looks masked: %j', (text, is) => {
  expect(looksMasked(text)).toBe(is);
  if (is) {
    expect(() => refuseMasked('bank_account', text)).toThrow('bank_account is a masked value');
    expect(() => refuseMasked('bank_account', text)).toThrow('in full');
  } else expect(refuseMasked('bank_account', text)).toBe(text);
});

describe('a member by its name', () => {
  const ACCOUNTS = [
    'bank_account',
    'iban',
    'IBAN',
    'phone_number',
    'identification_number',
    'identity_card_id',
    'account_number',
    'pix_key_value',
    'sort_code',
    'refund_address',
    'office_phone',
    'aml_officer_phone',
    'company_office_number',
  ];
  const NAMES = [
    'first_name',
    'middle_name',
    'last_name',
    'account_name',
    'email',
    'street',
    'address_description',
    'postal_code',
    'birth_date',
    'contact_first_name',
    'contact_last_name',
    'contact_person_email',
    'aml_officer_email',
    'ip',
  ];

  it.each(ACCOUNTS)('%s has its last four', (name) => {
    for (const level of ['accounts', 'all'] as const) {
      expect(maskValue(name, '2348012345678', level)).toBe('••••5678');
      expect(maskData({ [name]: '2348012345678' }, level)).toEqual({ [name]: '••••5678' });
    }
    expect(maskValue(name, '2348012345678', 'none')).toBe('2348012345678');
    expect(maskValue(name, '', 'all')).toBe('');
  });

  it.each(NAMES)('%s has its first letter where names are masked, and stays for a terminal', (name) => {
    expect(maskValue(name, 'Okoye', 'all')).toBe('O•••');
    expect(maskValue(name, 'Okoye', 'accounts')).toBe('Okoye');
    expect(maskValue(name, 'Okoye', 'none')).toBe('Okoye');
  });

  it.each(['state', 'external_id', 'note', 'Iban', '', 'first name'])('%j is shown', (name) => {
    expect(maskValue(name, '2348012345678', 'all')).toBe('2348012345678');
  });

  it('a one-time code shows nothing', () => {
    expect(maskValue('otp', '123456789', 'accounts')).toBe('••••');
    expect(maskValue('otp', '123456789', 'all')).toBe('••••');
    expect(maskValue('otp', '', 'all')).toBe('');
    expect(maskValue('otp', '123456789', 'none')).toBe('123456789');
  });

  it.each([
    'authenticated_url',
    'AUTHENTICATED_URL',
    'authorization-signature',
    'Authorization-Signature',
    'authorization_secret',
    'http_authorization_signature',
  ])('%s is cut at every level', (name) => {
    for (const level of ['none', 'accounts', 'all'] as const) {
      expect(maskValue(name, 'https://files.example/report?token=abc', level)).toBe('https://…');
      expect(maskValue(name, '0123456789abcdef', level)).toBe('…');
      expect(maskValue(name, '0123456789abcdefg', level)).toBe('01234567…');
    }
  });

  it.each([
    'authorization-signature-date',
    'my_authenticated_url',
    'authenticated_url_at',
    'authorization.secret',
  ])('%s is no credential', (name) =>
    expect(maskValue(name, '0123456789abcdefgh', 'all')).toBe('0123456789abcdefgh'),
  );

  it('is judged alike after thousands of other names', () => {
    for (let n = 0; n < 4_100; n += 1) expect(maskValue(`own_${n}`, '0123456789', 'all')).toBe('0123456789');
    expect(maskValue('iban', '0123456789', 'all')).toBe('••••6789');
    expect(maskValue('own_1', '0123456789', 'all')).toBe('0123456789');
  });
});

describe('data', () => {
  it.each([
    ['bank_account', 1_234_567_890, '••••7890'],
    ['phone_number', 2_348_012_345_678, '••••5678'],
    ['sort_code', 12_345, '••••'],
  ])('the number of %s is masked like its text', (name, number, shown) => {
    expect(maskData({ [name]: number }, 'accounts')).toEqual({ [name]: shown });
    expect(maskData({ [name]: number }, 'all')).toEqual({ [name]: shown });
    expect(maskData({ [name]: [number] }, 'all')).toEqual({ [name]: [shown] });
    expect(maskData({ [name]: number }, 'none')).toEqual({ [name]: number });
  });

  it('another number, and what is no text, stay as they are', () => {
    const value = { amount: 1_234_567_890, first_name: 7, iban: null, phone_number: true, ip: undefined };
    expect(maskData(value, 'all')).toBe(value);
  });

  it('where a customer is to pay is shown whole on a terminal, and masked where it is kept', () => {
    const details = { out_details: { bank_account: '0123456789', account_name: 'Remit Ltd' } };
    expect(maskData(details, 'accounts')).toBe(details);
    expect(maskData(details, 'all')).toEqual({
      out_details: { bank_account: '••••6789', account_name: 'R•••' },
    });
    expect(maskData({ in_details: details.out_details }, 'accounts')).toEqual({
      in_details: { bank_account: '••••6789', account_name: 'Remit Ltd' },
    });
    // A credential is cut there too.
    expect(maskData({ out_details: { authenticated_url: 'https://files.example/x' } }, 'accounts')).toEqual({
      out_details: { authenticated_url: 'https://…' },
    });
  });

  it('is masked at any depth, and the given value stays what it was', () => {
    const given = { a: [{ iban: '0123456789', n: 1 }, { n: 2 }], b: { c: 'x' } };
    const shown = maskData(given, 'all');
    expect(shown).toEqual({ a: [{ iban: '••••6789', n: 1 }, { n: 2 }], b: { c: 'x' } });
    expect(given.a[0]?.iban).toBe('0123456789');
    // Nothing is copied but what was changed.
    expect(shown.b).toBe(given.b);
    expect(shown.a[1]).toBe(given.a[1]);
    const plain = [{ n: 1 }, 'x', 2];
    expect(maskData(plain, 'all')).toBe(plain);
    expect(maskData({ phone_number: ['0123456789', '2345678901'] }, 'all')).toEqual({
      phone_number: ['••••6789', '••••8901'],
    });
  });

  it('a text by itself is nobody’s', () => expect(maskData('0123456789', 'all')).toBe('0123456789'));
});

it.each([
  ['https://x.example/v1/senders', 'https://x.example/v1/senders'],
  ['/senders?page=2', '/senders?page=2'],
  ['/senders?phone_number=0123456789', '/senders?phone_number=••••6789'],
  ['/senders?phone%5Fnumber=%2B123456789&n', '/senders?phone%5Fnumber=••••6789&n='],
  ['?email=a%20b', '?email=a•••'],
  ['/x?iban=12=345678', '/x?iban=••••5678'],
  // What is no escape is masked as it stands.
  ['/x?iban=%E0%A4%A', '/x?iban=••••A4%A'],
])('the query of %j is shown as %j', (url, shown) => {
  expect(maskUrl(url, 'all')).toBe(shown);
});

it('an address stays whole where nothing is masked', () => {
  expect(maskValue('request_url', '/senders?iban=0123456789', 'none')).toBe('/senders?iban=0123456789');
  expect(maskValue('request_url', '/senders?iban=0123456789', 'accounts')).toBe('/senders?iban=••••6789');
});

describe('a body as text', () => {
  it.each([
    ['{"iban":"0123456789"}', '{"iban":"••••6789"}'],
    ['{"iban" : "0123456789","n":1}', '{"iban" : "••••6789","n":1}'],
    ['{"iban":\n"0123456789"}', '{"iban":\n"••••6789"}'],
    // A number becomes a text.
    ['{"bank_account":1234567890,"n":1}', '{"bank_account":"••••7890","n":1}'],
    ['{"bank_account":"","n":1}', '{"bank_account":"","n":1}'],
    ['{"amount":1234567890}', '{"amount":1234567890}'],
    ['{"last_name":"O\\"Bi","iban":"0123456789"}', '{"last_name":"O•••","iban":"••••6789"}'],
    ['{"note":"\\"iban\\":","iban":"0123456789"}', '{"note":"\\"iban\\":","iban":"••••6789"}'],
    ['{"note":"C:\\\\","iban":"0123456789"}', '{"note":"C:\\\\","iban":"••••6789"}'],
    ['{"last_name":"x\\\\","iban":"0123456789"}', '{"last_name":"x•••","iban":"••••6789"}'],
    // Cut short.
    ['{"iban":"01234567', '{"iban":"••••4567'],
    ['{"body":"{\\"iban\\":\\"0123456789\\"}"}', '{"body":"{\\"iban\\":\\"••••6789\\"}"}'],
    ['{"authorization_secret":"0123456789abcdefgh"}', '{"authorization_secret":"…"}'],
    ['{"otp":"123456"}', '{"otp":"••••"}'],
    ['iban: 0123456789', 'iban: 0123456789'],
  ])('%s', (text, shown) => {
    for (const name of ['body', 'request_body', 'response_body'])
      expect(maskValue(name, text, 'all')).toBe(shown);
  });

  it('keeps names for a terminal, and everything but credentials where all is shown', () => {
    const text = '{"first_name":"Ada","iban":"0123456789","authenticated_url":"https://files.example/x"}';
    expect(maskValue('body', text, 'accounts')).toBe(
      '{"first_name":"Ada","iban":"••••6789","authenticated_url":"…"}',
    );
    expect(maskValue('body', text, 'none')).toBe(
      '{"first_name":"Ada","iban":"0123456789","authenticated_url":"https://…"}',
    );
  });
});

it.each([
  ['{"authenticated_url":"https://files.example/x"}', '{"authenticated_url":"https://…"}'],
  ['{"AUTHORIZATION-SECRET" : "0123456789abcdefg"}', '{"AUTHORIZATION-SECRET" : "01234567…"}'],
  ['{"http_authorization_signature":\n "short"}', '{"http_authorization_signature":\n "…"}'],
  [
    '{"a":"{\\"authorization_secret\\" : \\"0123456789abcdefg\\"}"}',
    '{"a":"{\\"authorization_secret\\" : \\"01234567…\\"}"}',
  ],
  [
    '{"authorization-secret":"0123456789abcdefg","authorization-signature":"x"}',
    '{"authorization-secret":"01234567…","authorization-signature":"…"}',
  ],
  ['{"authorization":"0123456789abcdefg"}', '{"authorization":"0123456789abcdefg"}'],
])('%s without credentials', (text, shown) => expect(withoutSignatures(text)).toBe(shown));

describe('a name that our own records have as well', () => {
  const SHARED = ['name', 'address', 'Address', 'fingerprint'];
  const of = (name: string) => ({ [name]: 'Ada Obi 12345678' });
  const shownIn = (around: object, level: 'accounts' | 'all' | 'none' = 'all') =>
    JSON.stringify(maskData(around, level)).includes('Ada Obi 12345678');

  it.each(SHARED)('%s is shown where it is nobody’s', (name) => {
    expect(shownIn(of(name))).toBe(true);
    expect(shownIn({ run: of(name) })).toBe(true);
    expect(shownIn({ type: 'NGN::Bank', ...of(name) })).toBe(true);
    expect(shownIn({ sender: 'x', ...of(name) })).toBe(true);
  });

  it.each(SHARED)('%s is masked where it is a person’s or a company’s', (name) => {
    for (const party of ['sender', 'recipient', 'out_details', 'politically_exposed_people'])
      expect(shownIn({ [party]: of(name) }), party).toBe(false);
    for (const details of ['details', 'in_details'])
      expect(shownIn({ [details]: of(name) }), details).toBe(false);
    expect(shownIn({ politically_exposed_people: [of(name)] })).toBe(false);
    for (const type of ['person', 'business']) expect(shownIn({ type, ...of(name) }), type).toBe(false);
    expect(shownIn({ sender: of(name) }, 'none')).toBe(true);
  });

  it('is judged by what is nearest around it', () => {
    expect(shownIn({ sender: { metadata: of('name') } })).toBe(true);
    expect(shownIn({ metadata: { details: of('name') } })).toBe(false);
  });
});

describe('a detail that the contract does not have', () => {
  const NEW = 'wallet_of_the_future';

  it.each(['details', 'in_details'])('within %s shows its end, as an account does', (around) => {
    for (const level of ['accounts', 'all'] as const) {
      expect(maskData({ [around]: { [NEW]: '0123456789' } }, level)).toEqual({
        [around]: { [NEW]: '••••6789' },
      });
      expect(maskData({ [around]: { [NEW]: 1_234_567_890 } }, level)).toEqual({
        [around]: { [NEW]: '••••7890' },
      });
    }
    expect(maskData({ [around]: { [NEW]: '0123456789' } }, 'none')).toEqual({
      [around]: { [NEW]: '0123456789' },
    });
  });

  it.each(['sender', 'recipient', 'metadata', 'run'])('within %s is shown', (around) => {
    const value = { [around]: { [NEW]: '0123456789' } };
    expect(maskData(value, 'all')).toBe(value);
  });

  it('is asked of the name that is given with the value', () => {
    expect(maskData({ [NEW]: '0123456789' }, 'all', 'details')).toEqual({ [NEW]: '••••6789' });
    expect(maskData({ [NEW]: '0123456789' }, 'all', 'sender')).toEqual({ [NEW]: '0123456789' });
  });

  it('a detail that the contract has and that is nobody’s stays', () => {
    const value = { details: { bank_code: '044', country: 'NG' } };
    expect(maskData(value, 'all')).toBe(value);
  });

  it('a credential and a body are what they are there too', () => {
    expect(maskData({ details: { authenticated_url: 'https://files.example/x' } }, 'accounts')).toEqual({
      details: { authenticated_url: 'https://…' },
    });
    expect(maskData({ details: { body: '{"iban":"0123456789"}' } }, 'accounts')).toEqual({
      details: { body: '{"iban":"••••6789"}' },
    });
    expect(maskData({ details: { otp: '123456' } }, 'accounts')).toEqual({ details: { otp: '••••' } });
  });
});

it('a masked value of no length is no way to go on for ever', () => {
  expect(maskValue('body', '{"iban":"0123456789","iban":"","last_name":"Obi"}', 'all')).toBe(
    '{"iban":"••••6789","iban":"","last_name":"O•••"}',
  );
});
