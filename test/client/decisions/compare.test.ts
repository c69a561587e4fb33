/** Whether a record is the one that was asked for, member by member. */
import { describe, expect, it } from 'vitest';
import { isSamePayment } from '../../../src/client/bound.ts';
import {
  detailDifferences,
  editDifferences,
  hasOurMoneyAndPayees,
  isEditableMember,
  isPerhapsEdited,
  showsMoneyAndPayees,
  transactionDifferences,
  writtenOtherwise,
} from '../../../src/client/compare.ts';
import type {
  Recipient,
  RecipientWrite,
  Transaction,
  TransactionWrite,
} from '../../../src/contract/resources/transaction.ts';
import { readExactly } from '../../../src/core/exact-numbers.ts';

const bank = (account: string, over: Partial<RecipientWrite> = {}): RecipientWrite => ({
  requested_amount: '10.5',
  requested_currency: 'NGN',
  payout_method: { type: 'NGN::Bank', details: { bank_account: account } },
  ...over,
});
const write = (recipients: RecipientWrite[], over: Partial<TransactionWrite> = {}): TransactionWrite => ({
  input_currency: 'EUR',
  sender: { id: 's' },
  recipients,
  ...over,
});
/** The record as the service has it. */
const record = (recipients: Recipient[] | undefined, over: Partial<Transaction> = {}): Transaction => ({
  input_currency: 'EUR',
  recipients,
  ...over,
});

describe('a record that is written otherwise', () => {
  const paid = (amount: string, currency = 'NGN', over: Partial<RecipientWrite> = {}): RecipientWrite =>
    bank('0123 456-789', { requested_amount: amount, requested_currency: currency, ...over });
  const details = (over: object) => ({
    payout_method: { type: 'NGN::Bank', details: { bank_account: '0123456789', ...over } },
  });

  it.each<[string, boolean, RecipientWrite, Recipient]>([
    ['not at all', true, paid('10'), bank('0123456789', { requested_amount: '10' })],
    [
      'in capitals',
      true,
      paid('10', 'NGN', details({ name: 'Ada' })),
      paid('10', 'ngn', details({ name: 'ADA' })),
    ],
    ['in its metadata', true, paid('10', 'NGN', { metadata: { a: '1' } }), { ...paid('10'), metadata: {} }],
    ['up to a multiple of five', true, paid('24998'), paid('25000')],
    ['down to a multiple of five', true, paid('25002'), paid('25000')],
    ['to no multiple of five', false, paid('24998'), paid('24999')],
    ['five and more away', false, paid('24995'), paid('25000')],
    ['to a whole unit', true, paid('10.4', 'JPY'), paid('11', 'JPY')],
    ['to a cent', true, paid('10.005', 'EUR'), paid('10', 'EUR')],
    ['by a cent', false, paid('10.01', 'EUR'), paid('10', 'EUR')],
    ['to a multiple of five in a currency with cents', false, paid('12', 'EUR'), paid('15', 'EUR')],
    ['in parts of a unit', false, paid('10', 'JPY'), paid('10.4', 'JPY')],
    ['with no amount', true, paid('10'), paid(null as unknown as string)],
    ['in another currency', false, paid('10'), paid('10', 'GHS')],
    ['to another account', false, paid('10'), bank('0123456788', { requested_amount: '10' })],
    [
      'to another name',
      false,
      paid('10', 'NGN', details({ name: 'Ada' })),
      paid('10', 'NGN', details({ name: 'Eve' })),
    ],
    [
      'as another kind',
      false,
      paid('10', 'NGN', { type: 'person' }),
      paid('10', 'NGN', { type: 'business' }),
    ],
  ])('%s: %s', (_, isOurs, asked, found) => {
    expect(transactionDifferences(write([asked]), record([found])).length === 0).toBe(isOurs);
  });

  it.each<[boolean, Partial<TransactionWrite>, Partial<Transaction>]>([
    [true, { external_id: 'T-1' }, { external_id: 'T-1', input_currency: 'eur' }],
    [false, { external_id: 'T-1' }, { external_id: 'T-2' }],
    [false, {}, { input_currency: 'USD' }],
    [false, {}, { sender: { id: 'other' } }],
    [false, { metadata: { a: '1' } }, { metadata: { a: '2' } }],
    [true, { metadata: { a: '1' } }, { metadata: {} }],
    [
      true,
      { sender: { external_id: 'E', metadata: { a: '1' } } },
      { sender: { external_id: 'E', metadata: {} } },
    ],
    [false, {}, { recipients: undefined }],
    [false, {}, { recipients: [paid('10'), paid('10')] }],
  ])('is ours (%s) where %j is asked, and %j found', (isOurs, asked, found) => {
    const differences = transactionDifferences(write([paid('10')], asked), record([paid('10')], found));
    expect(differences.length === 0).toBe(isOurs);
  });
});

it.each<[boolean, string, RecipientWrite]>([
  [true, 'however its account is spelt', bank('01 234-56789')],
  [false, 'with another account', bank('0123456788')],
  [false, 'with another amount', bank('0123456789', { requested_amount: '12' })],
  [true, 'with a currency in lower case', bank('0123456789', { requested_currency: 'ngn' })],
  [false, 'with other metadata', bank('0123456789', { metadata: { a: '2' } })],
])('a payment is the same (%s) %s', (isSame, _, found) => {
  const asked = write([bank('0123456789', { metadata: { a: '1' } })], { external_id: 'T-1' });
  const recipients = [found.metadata ? found : { ...found, metadata: { a: '1' } }];
  expect(isSamePayment(asked, record(recipients, { external_id: 'T-2' }))).toBe(isSame);
});

describe('the transaction', () => {
  const one = [bank('0123456789')];

  it.each<[string | undefined, string | undefined, string[]]>([
    ['T-1', 'T-1', []],
    ['T-1', 'T-2', ['external_id']],
    ['T-1', undefined, []],
    [undefined, 'T-2', []],
  ])('with the external id %j, found with %j', (external_id, found, differences) => {
    const asked = write(one, external_id === undefined ? {} : { external_id });
    expect(transactionDifferences(asked, record(one, { external_id: found }))).toEqual(differences);
  });

  it.each<[object, object | null | undefined, string[]]>([
    [{ id: 'S-1' }, { id: 's-1', external_id: 'x' }, []],
    [{ id: 's-1' }, { id: 's-2' }, ['sender.id']],
    [{ id: 's-1' }, { external_id: 'x' }, []],
    [{ id: 's-1' }, { id: null }, []],
    [{ id: 's-1' }, null, []],
    [{ id: 's-1' }, undefined, []],
    [{ external_id: 'E ' }, { id: 's', external_id: 'E' }, []],
    [{ external_id: 'E' }, { id: 's', external_id: 'e' }, ['sender.external_id']],
    [{ external_id: 'E' }, { id: 's' }, []],
    [{ external_id: 'E', first_name: 'Ines' }, { external_id: 'E', first_name: 'Ana' }, []],
    [{ first_name: 'Inês' }, { first_name: 'INES' }, []],
    [{ first_name: 'Ines ' }, { first_name: 'INES' }, []],
    [{ first_name: 'Ines' }, { first_name: 'Ana' }, ['sender.first_name']],
    [{ first_name: 'Ines', city: '' }, { city: 'Lisboa' }, []],
    [{ birth_date: '1990-04-12' }, { birth_date: '1990-04-13' }, ['sender.birth_date']],
    [{ phone_number: '912 345 678' }, { phone_number: '+351912345678' }, []],
    [{ phone_number: '912345678' }, { phone_number: '+351912345679' }, ['sender.phone_number']],
    [{ street: '12' }, { street: '112' }, ['sender.street']],
    [{ first_name: 'Ana' }, { first_name: 'Mariana' }, ['sender.first_name']],
    [{ tax_id: 'AB123456' }, { tax_id: 'ZAB123456' }, ['sender.tax_id']],
    [{ tax_id: '123456A' }, { tax_id: 'X123456A' }, ['sender.tax_id']],
    [{ first_name: '--' }, { first_name: 'Ana' }, []],
    [{ persons: [{ name: 'A' }] }, { persons: [{ id: 1, name: 'A' }] }, []],
    [{ documents: [1], ip: '192.0.2.1' }, { documents: [2], ip: '192.0.2.2' }, []],
    [{ metadata: { a: 1, b: 'x' } }, { metadata: { a: '1', b: 'y', c: 'z' } }, ['sender.metadata.b']],
    [{ metadata: { a: 1 } }, {}, []],
  ])('of the sender %j, found with %j', (sender, found, differences) => {
    const asked = write(one, { sender: sender as never });
    expect(transactionDifferences(asked, record(one, { sender: found as never }))).toEqual(differences);
  });

  it.each<[object | undefined, object | null | undefined, string[]]>([
    [{ ref: 7, note: 'a' }, { ref: '7', note: 'a', more: 'x' }, []],
    [{ ref: 7, note: 'a' }, { ref: '8' }, ['metadata.ref']],
    [{ ref: 7 }, null, []],
    [{ ref: 7 }, undefined, []],
    [undefined, { ref: '8' }, []],
  ])('with the metadata %j, found with %j', (metadata, found, differences) => {
    const over = (map: unknown) => (map === undefined ? {} : { metadata: map as never });
    expect(transactionDifferences(write(one, over(metadata)), record(one, over(found)))).toEqual(differences);
    const of = (map: unknown) => [{ ...bank('0123456789'), ...over(map) }];
    expect(transactionDifferences(write(of(metadata)), record(of(found) as never))).toEqual(
      differences.map((name) => `recipients.0.${name}`),
    );
    const inside = (map: unknown) => [
      { ...bank('1'), payout_method: { type: 'NGN::Bank', details: {}, ...over(map) } },
    ];
    expect(transactionDifferences(write(inside(metadata) as never), record(inside(found) as never))).toEqual(
      differences.map((name) => `recipients.0.payout_method.${name}`),
    );
  });

  it('of another currency', () => {
    expect(transactionDifferences(write(one), record(one, { input_currency: 'USD' }))).toEqual([
      'input_currency',
    ]);
  });

  it.each<[Recipient[] | undefined]>([[undefined], [[]], [[...one, ...one]]])(
    'of another number of recipients: %j',
    (recipients) => {
      expect(transactionDifferences(write(one), record(recipients))).toEqual(['recipients']);
    },
  );

  it('of the same recipients in any order', () => {
    const [a, b, c] = [bank('1'), bank('2'), bank('3')];
    expect(transactionDifferences(write([a, b, c]), record([c, a, b]))).toEqual([]);
    // One that was found stands for one that was asked for.
    expect(transactionDifferences(write([a, a, b]), record([b, a, b]))).toEqual([
      'recipients.1.payout_method.details.bank_account',
    ]);
    expect(transactionDifferences(write([a, b]), record([b, c]))).toEqual([
      'recipients.0.payout_method.details.bank_account',
    ]);
  });

  it('names the differences to the nearest that is left', () => {
    const asked = write([bank('1'), bank('2')]);
    const far = { ...bank('9'), requested_amount: '5', requested_currency: 'KES' };
    expect(transactionDifferences(asked, record([far, { ...bank('2'), requested_amount: '12' }]))).toEqual([
      'recipients.0.requested_amount',
      'recipients.0.payout_method.details.bank_account',
      'recipients.1.requested_amount',
    ]);
    // Where none is left to compare with, the recipient itself is what differs.
    expect(transactionDifferences(write([bank('1')]), record([]))).toEqual(['recipients']);
  });
});

describe('a recipient', () => {
  it.each<[string, Partial<RecipientWrite>, Recipient, string[]]>([
    ['as it was asked for', {}, {}, []],
    ['of the amount as the service rounds it', {}, { requested_amount: '11' }, []],
    ['of another amount', {}, { requested_amount: '10.6' }, ['requested_amount']],
    ['of the amount rounded the other way', {}, { requested_amount: '10' }, []],
    ['of an amount two away', {}, { requested_amount: '8' }, ['requested_amount']],
    ['of a number', { requested_amount: 12 } as never, { requested_amount: '12.00' }, []],
    ['of an amount that is not shown', {}, { requested_amount: undefined }, []],
    ['of what is no amount', { requested_amount: 'x' }, { requested_amount: 'x' }, ['requested_amount']],
    ['of another currency', {}, { requested_currency: 'KES' }, ['requested_currency']],
    ['a person found as a person', { type: 'person' }, { type: 'person' }, []],
    ['a person found as a business', { type: 'person' }, { type: 'business' }, ['type']],
    ['nobody said of which type', {}, { type: 'business' }, []],
    ['the service does not say of which type', { type: 'person' }, { type: undefined }, []],
    ['the service says null of its type', { type: 'person' }, { type: null }, []],
    ['without a method', {}, { payout_method: undefined }, []],
    [
      'of another method',
      {},
      { payout_method: { type: 'KES::Bank', details: { bank_account: '1' } } },
      ['payout_method.type'],
    ],
    ['whose method has no details', {}, { payout_method: { type: 'NGN::Bank' } }, []],
    ['asked for without details', { payout_method: { type: 'NGN::Bank' } as never }, {}, []],
  ])('%s', (_, over, found, differences) => {
    const asked = bank('1', over);
    const names = differences.map((name) => `recipients.0.${name}`);
    expect(transactionDifferences(write([asked]), record([{ ...bank('1'), type: null, ...found }]))).toEqual(
      names,
    );
  });
});

it('names what reads otherwise though it is ours', () => {
  const asked = write([bank('0123456789')], { external_id: 'T-1', metadata: { ref: '7' } });
  const found = record([bank('••••6789', { requested_currency: 'ngn' })], {
    external_id: 'T-1',
    metadata: {},
  });
  expect(transactionDifferences(asked, found)).toEqual([]);
  expect(writtenOtherwise(asked, found)).toEqual(['recipients.0.requested_currency']);
});

describe('a record shows its payee', () => {
  const of = (details: object) => [{ ...bank('1'), payout_method: { type: 'NGN::Bank', details } }] as never;
  it.each<[boolean, object, object]>([
    [true, { bank_account: '0123456789' }, { bank_account: '0123456789' }],
    [true, { bank_account: '0123456789' }, { bank_account: '123456789' }],
    [false, { bank_account: '0123456789' }, { bank_account: '••••6789' }],
    [false, { bank_account: '0123456789' }, {}],
    [true, { bank_account: '0123456789', first_name: 'Ada' }, { first_name: 'ADA' }],
    [true, { phone_number: '+2348012345678' }, { phone_number: '08012345678' }],
    [true, { email: 'a@example.com' }, { email: 'a@example.com' }],
    [true, { iban: 'DE89370400440532013000' }, { iban: 'DE89 3704 0044 0532 0130 00' }],
    [true, { pix_key_value: 'k' }, { pix_key_value: 'k' }],
    [false, { bank_name: 'Access', bank_code: '044' }, { bank_name: 'Access', bank_code: '044' }],
    [false, { country: 'NG', bank_account_type: 'savings' }, { country: 'NG', bank_account_type: 'savings' }],
  ])('%s: asked as %j, shown as %j', (isShown, asked, found) => {
    expect(showsMoneyAndPayees(write(of(asked)), record(of(found)))).toBe(isShown);
  });

  it('each of them', () => {
    const asked = write([bank('1'), bank('2')]);
    expect(showsMoneyAndPayees(asked, record([bank('2'), bank('1')]))).toBe(true);
    expect(showsMoneyAndPayees(asked, record([bank('2'), bank('••')]))).toBe(false);
    expect(showsMoneyAndPayees(asked, record([bank('2')]))).toBe(false);
    expect(showsMoneyAndPayees(asked, record(undefined))).toBe(false);
  });
});

describe('how it is paid in', () => {
  const payin = { type: 'GHS::Mobile', ux_flow: 'ussd', in_details: { phone_number: '1' } };
  it.each<[string, unknown, unknown, string[]]>([
    ['was not asked for', undefined, [payin], []],
    ['is not shown', [payin], undefined, []],
    ['is shown as null', [payin], null, []],
    ['is as asked', [payin], [payin], []],
    ['is another number of ways', [payin], [payin, payin], ['payin_methods']],
    ['is none', [payin], [], ['payin_methods']],
    ['is of another type', [payin], [{ ...payin, type: 'x' }], ['payin_methods.0.type']],
    ['is of another flow', [payin], [{ ...payin, ux_flow: 'x' }], ['payin_methods.0.ux_flow']],
    [
      'has other details',
      [payin],
      [{ ...payin, in_details: { phone_number: '2' } }],
      ['payin_methods.0.in_details.phone_number'],
    ],
    ['shows no details', [payin], [{ ...payin, in_details: null }], []],
    ['was asked for without details', [{ type: 'x' }], [{ type: 'x', in_details: { a: 1 } }], []],
    [
      'differs in the second',
      [payin, payin],
      [payin, { ...payin, type: 'x', ux_flow: 'y' }],
      ['payin_methods.1.type', 'payin_methods.1.ux_flow'],
    ],
  ])('%s', (_, asked, found, differences) => {
    const one = [bank('1')];
    expect(
      transactionDifferences(
        write(one, { payin_methods: asked as never }),
        record(one, { payin_methods: found as never }),
      ),
    ).toEqual(differences);
  });
});

it.each<[unknown, unknown, boolean]>([
  ['1', '1', true],
  ['1', 1, true],
  ['01', 1, false],
  ['', undefined, true],
  ['', null, true],
  [null, undefined, true],
  ['', '0', false],
  ['null', null, false],
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, '[object Object]', false],
  ['[object Object]', { a: 1 }, false],
  [true, 'true', true],
])('the detail %j found as %j is the same: %j', (a, b, isSame) => {
  expect(detailDifferences({ x: a }, { x: b, other: 1 })).toEqual(isSame ? [] : ['x']);
});

it.each<[string[], boolean]>([
  [[], false],
  [['recipients.0.type'], true],
  [['recipients.12.payout_method.details.bank_account'], true],
  [['payin_methods.10.in_details.phone_number', 'recipients.0.type'], true],
  [['recipients.0.type', 'recipients.0.requested_amount'], false],
  [['recipients.0.payout_method.type'], false],
  [['recipients.0.payout_method.details.'], false],
  [['payin_methods.0.in_details.'], false],
  [['payin_methods.0.type'], false],
  [['recipients.x.type'], false],
  [['payin_methods.x.in_details.a'], false],
  [['recipients.0.type_of'], false],
  [['my.recipients.0.type'], false],
  [['recipients'], false],
  [['external_id'], false],
  [['sender.first_name', 'sender.metadata.a'], true],
  [['sender.id'], false],
  [['sender.external_id'], false],
  [['sender.external_id_kind', 'sender.identification_number'], true],
  [['recipients.0.metadata.note'], true],
  [['recipients.0.payout_method.metadata.note'], true],
  [['metadata.a'], false],
  [['recipients.0.metadata.a', 'recipients.12.payout_method.metadata.a'], true],
])('with differences in %j it may have been edited: %j', (differences, is) => {
  expect(isPerhapsEdited(differences)).toBe(is);
});

it.each<[string, object, Recipient, string[]]>([
  ['nothing', {}, {}, []],
  ['a detail', { payout_method: { details: { a: '1' } } }, { payout_method: { details: { a: '1' } } }, []],
  [
    'a detail that is another',
    { payout_method: { details: { a: '1' } } },
    { payout_method: { details: { a: '2' } } },
    ['a'],
  ],
  ['a detail that is missing', { payout_method: { details: { a: '1' } } }, {}, ['a']],
  [
    'metadata of the method',
    { payout_method: { metadata: { a: '1', b: '2' } } },
    { payout_method: { metadata: { a: '1' } }, metadata: { b: '2' } },
    ['payout_method.metadata.b'],
  ],
  ['metadata', { metadata: { a: '1', b: '2' } }, { metadata: { a: '1' } }, ['metadata.b']],
  ['metadata where there is none', { metadata: { a: '1' } }, { metadata: null }, ['metadata.a']],
])('an edit of %s', (_, asked, found, differences) => {
  expect(editDifferences(asked as never, found)).toEqual(differences);
});

describe('metadata that were read with their digits', () => {
  const asked = readExactly('{"metadata":{"a":12.60,"b":839299365868340225,"c":{"d":[1e2,7]}}}') as never;
  const found = (a: unknown, b: unknown, c: unknown = { d: [100, 7] }) =>
    record([], { metadata: { a, b, c } });
  const differences = (one: Transaction) => transactionDifferences(write([], asked), one);

  it.each([
    [12.6, '839299365868340225'],
    ['12.60', Number('839299365868340225')],
  ])('stand as %s and %s, however the service reads numbers', (a, b) => {
    expect(differences(found(a, b))).toEqual([]);
  });

  it.each([
    ['metadata.a', found(12.61, '839299365868340225')],
    ['metadata.b', found(12.6, '839299365868350225')],
    ['metadata.c', found(12.6, '839299365868340225', { d: [100, 8] })],
    ['metadata.c', found(12.6, '839299365868340225', { d: [100, 7, 1] })],
    ['metadata.c', found(12.6, '839299365868340225', { d: { 0: 100, 1: 7 } })],
    ['metadata.c', found(12.6, '839299365868340225', '1')],
  ])('differ in %s', (name, one) => {
    expect(differences(one)).toEqual([name]);
  });
});

describe('a record of several payees', () => {
  const of = (account: string, name: string, amount = '10') =>
    bank(account, {
      requested_amount: amount,
      payout_method: {
        type: 'NGN::Bank',
        details: { bank_account: account, last_name: name, bank_code: '044' },
      },
    });

  it('is compared in any order, and one that is written otherwise goes before one that is another', () => {
    const asked = write([of('0123456789', 'Obi'), of('0223456789', 'Ode')]);
    const shown = record([of('0223456789', 'ODE'), of('123456789', 'OBI')]);
    expect(transactionDifferences(asked, shown)).toEqual([]);
    expect(writtenOtherwise(asked, shown)).toEqual([
      'recipients.0.payout_method.details.bank_account',
      'recipients.0.payout_method.details.last_name',
      'recipients.1.payout_method.details.last_name',
    ]);
    expect(hasOurMoneyAndPayees(asked, shown)).toBe(false);
    expect(showsMoneyAndPayees(asked, shown)).toBe(true);
  });

  it('shows another where one of them is taken already', () => {
    const asked = write([of('0123456789', 'Obi'), of('0123456789', 'Obi')]);
    const shown = record([of('0123456789', 'Obi'), of('0323456789', 'Eze')]);
    expect(transactionDifferences(asked, shown)).toEqual([
      'recipients.1.payout_method.details.bank_account',
      'recipients.1.payout_method.details.last_name',
    ]);
    expect([hasOurMoneyAndPayees(asked, shown), showsMoneyAndPayees(asked, shown)]).toEqual([false, false]);
  });

  it.each<[string, Recipient, boolean, boolean]>([
    ['as they were asked', of('0123456789', 'Obi'), true, true],
    ['by one of them alone', of('••••6789', 'Obi'), true, true],
    ['in another way', of('123456789', 'OBI'), false, true],
    ['masked', of('••••6789', 'O•••'), false, false],
    ['with an amount in another way', of('0123456789', 'Obi', '15'), false, true],
    ['with another amount', of('0123456789', 'Obi', '11'), false, false],
    ['without an amount', { ...of('0123456789', 'Obi'), requested_amount: null }, false, false],
    [
      'with the currency in another way',
      { ...of('0123456789', 'Obi'), requested_currency: 'ngn' },
      false,
      true,
    ],
  ])('shows its money and payee %s', (_, shown, toTheLetter, isShown) => {
    const asked = write([of('0123456789', 'Obi', '12')]);
    const same = write([of('0123456789', 'Obi')]);
    const wish = shown.requested_amount === '15' ? asked : same;
    expect([hasOurMoneyAndPayees(wish, record([shown])), showsMoneyAndPayees(wish, record([shown]))]).toEqual(
      [toTheLetter, isShown],
    );
  });

  it('and fewer of them than were asked for show nothing', () => {
    const asked = write([of('0123456789', 'Obi'), of('0223456789', 'Ode')]);
    for (const shown of [record([of('0123456789', 'Obi')]), { ...record([]), recipients: null }])
      expect([hasOurMoneyAndPayees(asked, shown), showsMoneyAndPayees(asked, shown)]).toEqual([false, false]);
  });
});

it.each<[string, object, string[]]>([
  ['the same id in capitals', { id: 'ABC-1' }, []],
  ['another id', { id: 'abc-2' }, ['sender.id']],
  ['no id', {}, []],
])('a sender that is named by an id, shown with %s', (_, sender, differences) => {
  const asked = { ...write([bank('1')]), sender: { id: 'abc-1' } };
  expect(transactionDifferences(asked, { ...record([bank('1')]), sender } as never)).toEqual(differences);
});

it.each([
  ['recipients.0.payout_method.details.bank_account', true],
  ['recipients.0.requested_amount', false],
  ['sender.first_name', true],
  ['sender.id', false],
  ['input_currency', false],
])('%s may be edited after the creation: %s', (name, isEditable) => {
  expect(isEditableMember(name)).toBe(isEditable);
});
