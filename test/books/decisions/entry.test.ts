/** What the books keep of a transaction: when it is over, and by what it can be found. */
import { describe, expect, it } from 'vitest';
import { bookEntryOf, isFinal } from '../../../src/books/entry.ts';
import type { Transaction } from '../../../src/contract/resources/transaction.ts';
import {
  bare,
  findsOf,
  findTexts,
  hashedFind,
  isHashed,
  ownFindsOf,
  personalFinds,
} from '../../../src/payments/finds.ts';

const CREATED = '2026-01-05T09:00:00Z';
const at = Date.parse(CREATED);

describe('an entry', () => {
  it('has what is asked about, and the record as it was said', () => {
    const record: Transaction = {
      id: 'AB-1',
      external_id: 'T-1',
      state: 'paid',
      created_at: CREATED,
      updated_at: '2026-01-05T10:00:00Z',
      recipients: [{ id: 'R-1', state: 'success', output_currency: 'NGN' }],
    };
    expect(bookEntryOf(record, 7)).toMatchObject({
      id: 'ab-1',
      externalId: 'T-1',
      state: 'paid',
      isFinal: true,
      createdAt: at,
      changedAt: at + 3_600_000,
      heardAt: 7,
      recipients: 1,
      body: JSON.stringify(record),
      finds: [
        { kind: 'id', text: 'ab-1' },
        { kind: 'id', text: 't-1' },
        { kind: 'id', text: 'r-1' },
      ],
      marks: [{ kind: 'paid', of: 'R-1', at: at + 3_600_000 }],
    });
  });

  it.each<[Partial<Transaction>, object]>([
    [{}, { createdAt: 0, changedAt: 0, externalId: undefined, state: '', recipients: 0, isFinal: false }],
    [
      { external_id: null, state: null, recipients: null },
      { externalId: undefined, state: '', recipients: 0 },
    ],
    [{ created_at: CREATED }, { createdAt: at, changedAt: at }],
    [
      { created_at: CREATED, updated_at: 'soon' },
      { createdAt: at, changedAt: at },
    ],
    [
      { created_at: null, updated_at: CREATED },
      { createdAt: 0, changedAt: at },
    ],
  ])('of %j', (over, entry) => expect(bookEntryOf({ id: 'a', ...over }, 1)).toMatchObject(entry));

  it.each([undefined, null, ''])('has the id %j and cannot be found again', (id) => {
    expect(bookEntryOf({ id }, 1)).toBeUndefined();
  });
});

it.each<[string, string[] | undefined, string | undefined, boolean]>([
  ['paid', [], undefined, true],
  ['paid', undefined, undefined, true],
  ['paid', ['success', 'overpaid', 'refunded'], undefined, true],
  // One whose recipients are not all over is not over.
  ['paid', ['success', 'pending'], undefined, false],
  ['paid', ['pending', 'success'], undefined, false],
  ['refunded', ['refunded', 'canceled'], undefined, false],
  ['refunded', ['refunded', 'refunded'], undefined, true],
  ['paid', ['a new state'], undefined, false],
  ['received', ['success'], undefined, false],
  ['manual', ['success'], undefined, false],
  ['a new state', ['success'], undefined, false],
  // Cancelled and never funded.
  ['canceled', ['canceled'], '0', true],
  ['canceled', ['canceled'], '5', false],
  ['canceled', ['canceled'], undefined, false],
])('%s with recipients %j, of which %j was paid, is final: %j', (state, recipients, paid_amount, is) => {
  const states = recipients?.map((one) => ({ id: 'r', state: one }));
  expect(isFinal({ state, recipients: states, paid_amount })).toBe(is);
});

it('a transaction without a state, and a recipient without one, are not over', () => {
  expect(isFinal({})).toBe(false);
  expect(isFinal({ state: 'paid', recipients: [{}] })).toBe(false);
  expect(isFinal({ state: 'paid', recipients: [{ state: null }] })).toBe(false);
});

const texts = (record: Transaction): string[] => findsOf(record).map(({ kind, text }) => `${kind} ${text}`);

describe('it is found by', () => {
  it('its own ids, its reference and its amount', () => {
    const record = { id: 'A', external_id: 'B', payin_reference: 'Réf', input_amount: '10.50' };
    expect(texts(record)).toEqual(['id a', 'id b', 'reference ref', 'amount 10.50']);
  });

  it('the ids and the amounts of each recipient', () => {
    const recipient = {
      id: 'R',
      external_id: 'E',
      requested_amount: '1',
      input_amount: '2',
      output_amount: 3 as never,
      state: 'paid',
    };
    expect(texts({ recipients: [recipient] })).toEqual(['id r', 'id e', 'amount 1', 'amount 2', 'amount 3']);
  });

  it('its sender', () => {
    const sender = {
      id: 'S',
      external_id: 'X',
      first_name: 'Zoë',
      middle_name: '',
      last_name: 'Ñúñez',
      phone_number: '+234 801-234',
      country: 'NG',
    };
    expect(texts({ sender })).toEqual(['id s', 'id x', 'name zoe nunez', 'phone +234801234']);
  });

  it('what its recipients and anybody wrote of them', () => {
    const record = {
      metadata: { Order: 'No 7', n: 8, nothing: null, deep: {}, empty: ' ' },
      recipients: [
        { payout_method: { details: { bank_account: '01-23.45 67' } }, metadata: { note: 'Rent' } },
        { payout_method: null, metadata: null },
        { payout_method: { type: 'x' } },
      ],
    } as never;
    expect(texts(record)).toEqual(['account 01234567', 'reference rent', 'reference no 7', 'reference 8']);
  });

  it.each([
    ['bank_account', 'account'],
    ['account_number', 'account'],
    ['iban', 'account'],
    ['identity_card_id', 'account'],
    ['pix_key_value', 'account'],
    ['refund_address', 'account'],
    ['phone_number', 'phone'],
    ['email', 'email'],
    ['office_phone', 'phone'],
    ['account_name', 'name'],
    ['contact_last_name', 'name'],
    ['contact_person_email', 'email'],
    ['street', undefined],
    ['postal_code', undefined],
    ['reference', 'reference'],
    ['narration', 'reference'],
    ['bank_name', undefined],
    ['nickname', undefined],
    ['name_of_dog', undefined],
    ['address_description', undefined],
    ['bank_code', undefined],
  ])('the member %s: %s', (member, kind) => {
    const expected = kind === undefined ? [] : [{ kind, text: 'x1' }];
    expect(personalFinds.ofSender({ [member]: 'X1' })).toEqual(expected);
    // What a name means is remembered.
    expect(personalFinds.ofSender({ [member]: 'X1' })).toEqual(expected);
  });

  it('a name in parts as one text, and by any one of them', () => {
    const names = (members: object) => personalFinds.ofSender({ ...members }).map(({ text }) => text);
    expect(names({ first_name: 'A', middle_name: 'B', last_name: 'C', name: 'D' })).toEqual(['a b c d']);
    expect(names({ last_name: 'C', first_name: 5 })).toEqual(['c']);
    expect(names({ name: 'Acme Ltd' })).toEqual(['acme ltd']);
    expect(names({ first_name: '' })).toEqual([]);
  });

  it('metadata, of which each kind of record has its own', () => {
    expect(personalFinds.ofTransaction({ metadata: { a: 'X' }, external_id: 'T' })).toEqual([
      { kind: 'reference', text: 'x' },
    ]);
    expect(personalFinds.ofTransaction({})).toEqual([]);
    expect(personalFinds.ofRecipient({ id: 'r' })).toEqual([]);
    expect(personalFinds.ofSender({ metadata: { a: 'X' } })).toEqual([]);
  });

  it('hashes, where the names are gone', () => {
    const hashes = ['account #0a1b2c3d4e5f6789', 'name #aaaaaaaaaaaaaaaa', 'email'];
    const [account, name, email] = ['account #0a1b2c3d4e5f6789', 'name #aaaaaaaaaaaaaaaa', 'email '];
    expect(texts({ hashes })).toEqual([account, name, email]);
    expect(texts({ sender: { hashes }, recipients: [{ hashes }] })).toEqual([
      account,
      name,
      email,
      account,
      name,
      email,
    ]);
    expect(texts({ hashes: 'account #0a1b2c3d4e5f6789' })).toEqual([]);
  });
});

it('each text is of the payment, of its sender, or of one recipient', () => {
  const record = {
    id: 'T',
    external_id: 'inv-1',
    payin_reference: 'R',
    input_amount: '12.5',
    metadata: { note: 'Rent' },
    sender: { id: 'S', first_name: 'Zoe' },
    recipients: [
      { id: 'r1', requested_amount: '5' },
      { id: 'r2', payout_method: { details: { last_name: 'Obi' } } },
    ],
  } as unknown as Transaction;
  const own = ownFindsOf(record);
  const texts = (finds: readonly { kind: string; text: string }[]) =>
    finds.map(({ kind, text }) => `${kind} ${text}`);
  expect(texts(own.payment)).toEqual(['id t', 'id inv-1', 'reference r', 'amount 12.5', 'reference rent']);
  expect(texts(own.sender)).toEqual(['id s', 'name zoe']);
  expect(own.recipients.map(texts)).toEqual([
    ['id r1', 'amount 5'],
    ['id r2', 'name obi'],
  ]);
  expect(ownFindsOf({} as Transaction)).toEqual({ payment: [], sender: [], recipients: [] });
});

it('nothing is found by what is not there', () => {
  expect(findsOf({} as Transaction)).toEqual([]);
  expect(findsOf({ recipients: null } as unknown as Transaction)).toEqual([]);
});

it.each([
  ['reference', 'no 7', ['no', '7', 'no 7']],
  ['name', 'zoe nunez', ['zoe', 'nunez', 'zoe nunez']],
  ['reference', 'rent', ['rent']],
  ['account', '01 23', ['01 23']],
] as const)('of a %s %j is hashed %j', (kind, text, all) => expect(findTexts({ kind, text })).toEqual(all));

it.each([
  ['#0a1b2c3d4e5f6789', true],
  ['#0a1b2c3d4e5f678', false],
  ['#0a1b2c3d4e5f67890', false],
  ['x#0a1b2c3d4e5f6789', false],
  ['#0A1b2c3d4e5f6789', false],
])('%j is a hash: %j', (text, is) => {
  expect(isHashed({ kind: 'account', text })).toBe(is);
  expect(hashedFind({ kind: 'account', text })).toBe(`account ${text}`);
});

it('blanks, points and dashes make no other account', () => expect(bare('AB 1-2.3\t4')).toBe('ab1234'));
