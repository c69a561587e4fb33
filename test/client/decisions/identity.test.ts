/** Which spellings of a request are one payment, and which are two. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonical, payerOf, type RawAsked, requestDigest } from '../../../src/client/identity.ts';
import type { AskedWrite } from '../../../src/client/writes.ts';
import type { RecipientWrite, TransactionWrite } from '../../../src/contract/resources/transaction.ts';
import { accountRelation } from '../../../src/core/account.ts';
import { readExactly } from '../../../src/core/exact-numbers.ts';
import { InvariantError } from '../../../src/core/invariants.ts';

const account = { baseUrl: 'https://api.example.com/v1', keyLast4: '51ab' };
const recipient = (over: Partial<RecipientWrite> = {}, details: object = {}): RecipientWrite => ({
  requested_amount: '10.5',
  requested_currency: 'NGN',
  payout_method: {
    type: 'NGN::Bank',
    details: { bank_account: '0123456789', last_name: 'Okoye', ...details },
  } as never,
  ...over,
});
const payment = (over: Partial<TransactionWrite> = {}): TransactionWrite & { external_id: string } => ({
  input_currency: 'EUR',
  sender: { id: 's' },
  recipients: [recipient()],
  ...over,
  external_id: over.external_id ?? 'T-1',
});
const create = (over: Partial<TransactionWrite> = {}, fund = true): AskedWrite => ({
  plan: 'create',
  transaction: payment(over),
  fund,
});
const digest = (asked: AskedWrite | RawAsked, at: Partial<typeof account> = {}) =>
  requestDigest({ ...account, ...at }, asked);

const debitOf = (to_id: string, over: object = {}): AskedWrite =>
  ({ plan: 'debit', debit: { to_id, to_type: 'Transaction', ...over } }) as AskedWrite;

describe('a payment', () => {
  /** Not while the file is loaded: then a fault in it would be no failed test. */
  const same = () => digest(create());
  const to = (over: Partial<RecipientWrite>, details: object = {}) =>
    create({ recipients: [recipient(over, details)] });
  const payin = (over: object) => create({ payin_methods: [{ type: 'GHS::Mobile', ...over } as never] });

  it.each<[string, AskedWrite | RawAsked]>([
    ['with another external id', create({ external_id: 'T-2' })],
    ['of another sender', create({ sender: { id: 't' } })],
    ['with traits', create({ traits: { auto_refund: true } })],
    ['funded later', create({}, false)],
    ['with the amount as it is rounded', to({ requested_amount: '11' })],
    ['with the amount in another way', to({ requested_amount: '10.50' })],
    ['with the amount as a number', to({ requested_amount: 10.5 as never })],
    ['to a person', to({ type: 'person' })],
    ['with empty metadata', to({ metadata: {} })],
    ['with blanks in an account', to({}, { bank_account: ' 0123 456-789' })],
    ['with a name in another case', to({}, { last_name: 'OKOYE ' })],
    ['with a name of wide letters', to({}, { last_name: 'Ｏkoye' })],
    ['with an empty detail', to({}, { note: '', other: null })],
    ['sent raw', { plan: 'raw', method: 'POST', path: '/transactions', payment: payment() }],
  ])('%s is the same', (_, asked) => expect(digest(asked)).toBe(same()));

  it.each<[string, AskedWrite]>([
    ['of another currency', create({ input_currency: 'USD' })],
    ['of another amount', to({ requested_amount: '12' })],
    ['of what is no amount', to({ requested_amount: 'x' })],
    ['in another currency', to({ requested_currency: 'KES' })],
    ['to a business', to({ type: 'business' })],
    ['to another account', to({}, { bank_account: '0123456780' })],
    ['to another name', to({}, { last_name: 'Obi' })],
    ['to a name in two words', to({}, { last_name: 'Oko ye' })],
    ['to a name with a dash', to({}, { last_name: 'Oko-ye' })],
    ['with a number among its details', to({}, { bank_account: 123456789 })],
    ['to two', create({ recipients: [recipient(), recipient()] })],
    ['with metadata', create({ metadata: { a: '1' } })],
    ['with metadata of the recipient', to({ metadata: { a: '1' } })],
    ['that is collected', payin({})],
  ])('%s is another', (_, asked) => expect(digest(asked)).not.toBe(same()));

  it('to several is the same in any order', () => {
    const [a, b] = [recipient({}, { bank_account: '1' }), recipient({ requested_amount: '7' })];
    expect(digest(create({ recipients: [a, b] }))).toBe(digest(create({ recipients: [b, a] })));
  });

  it.each(['iban', 'phone_number', 'sort_code', 'identity_card_id', 'ACCOUNT'])(
    'is one however its %s is grouped',
    (name) => {
      expect(digest(to({}, { [name]: 'AB 12-34' }))).toBe(digest(to({}, { [name]: 'ab1234' })));
      expect(digest(to({}, { [name]: 'AB 12-34' }))).not.toBe(digest(to({}, { [name]: 'ab1235' })));
    },
  );

  it('is one however the number is grouped from which it is collected', () => {
    const from = (phone: string) => digest(payin({ in_details: { phone_number: phone } }));
    expect(from('+233 20 1')).toBe(from('+233201'));
    expect(from('+233201')).not.toBe(from('+233202'));
    expect(digest(payin({ in_details: {} }))).toBe(digest(payin({})));
    expect(digest(payin({ ux_flow: 'ussd' }))).not.toBe(digest(payin({})));
  });

  it('without details has none', () => {
    const bare = (details?: object) =>
      to({ payout_method: { type: 'NGN::Bank', ...(details ? { details } : {}) } as never });
    expect(digest(bare())).toBe(digest(bare({})));
  });
});

describe('other writes', () => {
  const edit = (over: object = {}): AskedWrite =>
    ({
      plan: 'edit',
      recipientId: 'r',
      transactionId: 't',
      recipient: { metadata: { a: '1' } },
      ...over,
    }) as AskedWrite;
  const retry = (over: object = {}): AskedWrite =>
    ({ plan: 'payin_method_retry', payinMethodId: 'p', transactionId: 't', ...over }) as AskedWrite;
  const raw = (over: Partial<RawAsked> = {}): RawAsked => ({
    plan: 'raw',
    method: 'POST',
    path: '/x',
    ...over,
  });

  it.each<[string, AskedWrite | RawAsked, AskedWrite | RawAsked]>([
    ['debits of one transaction', debitOf('AB'), debitOf('ab', { amount: '1', currency: 'EUR' })],
    ['edits whatever stood before', edit(), edit({ before: { a: '0' }, transactionId: 'u' })],
    ['retries whatever stood before', retry(), retry({ before: { a: '0' } })],
    ['raw calls of the same members', raw({ body: '{"a":1,"b":2}' }), raw({ body: '{ "b":2, "a":1 }' })],
    ['raw calls without a body', raw(), raw({ body: '' })],
  ])('%s are one', (_, a, b) => expect(digest(a)).toBe(digest(b)));

  it.each<[string, AskedWrite | RawAsked, AskedWrite | RawAsked]>([
    ['debits of two transactions', debitOf('ab'), debitOf('ac')],
    ['edits of two recipients', edit(), edit({ recipientId: 'q' })],
    ['edits to other things', edit(), edit({ recipient: { metadata: { a: '2' } } })],
    [
      'an edit and a cancel',
      { plan: 'cancel', recipientId: 'r', transactionId: 't' },
      edit({ recipient: {} }),
    ],
    [
      'cancels of two recipients',
      { plan: 'cancel', recipientId: 'r', transactionId: 't' },
      { plan: 'cancel', recipientId: 'q', transactionId: 't' },
    ],
    ['a retry and a cancel of a payin', retry(), retry({ plan: 'payin_method_cancel' })],
    ['retries of two payins', retry(), retry({ payinMethodId: 'q' })],
    ['raw calls of two methods', raw(), raw({ method: 'PUT' })],
    ['raw calls of two paths', raw(), raw({ path: '/y' })],
    ['raw calls of two bodies', raw({ body: '{"a":1}' }), raw({ body: '{"a":2}' })],
    ['raw calls of bodies that are no JSON', raw({ body: 'a' }), raw({ body: 'b' })],
    ['a raw call and a payment', raw({ payment: payment() }), raw({ body: JSON.stringify(payment()) })],
  ])('%s are two', (_, a, b) => expect(digest(a)).not.toBe(digest(b)));

  it('what names nothing cannot be told apart, and is refused', () => {
    const nothing = { plan: 'cancel', recipientId: '', transactionId: 't' } as AskedWrite;
    expect(() => digest(nothing)).toThrow(InvariantError);
  });
});

/** Journals keep digests: another form of one and the same request would let it be paid twice by whoever upgrades. */
it.each<[string, AskedWrite | RawAsked, string, string]>([
  [
    'a payment',
    {
      plan: 'create',
      fund: true,
      transaction: {
        ...{ external_id: 'T-1', input_currency: 'EUR', sender: { id: 's' } },
        recipients: [
          recipient({ requested_amount: '7', type: 'business' }, { bank_code: 'a-b 1', middle: '' }),
          recipient(),
        ],
        metadata: { b: 2, a: ' x  y ' },
      } as never,
    },
    'transactions.create',
    '{"input_currency":"EUR","metadata":{"a":"x y","b":"2"},"recipients":[' +
      '"{\\"payout_method\\":{\\"details\\":{\\"bank_account\\":\\"0123456789\\",\\"bank_code\\":\\"AB1\\",\\"last_name\\":\\"OKOYE\\"},\\"type\\":\\"NGN::Bank\\"},\\"requested_amount\\":\\"7\\",\\"requested_currency\\":\\"NGN\\",\\"type\\":\\"business\\"}",' +
      '"{\\"payout_method\\":{\\"details\\":{\\"bank_account\\":\\"0123456789\\",\\"last_name\\":\\"OKOYE\\"},\\"type\\":\\"NGN::Bank\\"},\\"requested_amount\\":\\"11\\",\\"requested_currency\\":\\"NGN\\",\\"type\\":\\"person\\"}"]}',
  ],
  ['a debit', debitOf('AB'), 'debits.create', '{"debits.create":"ab"}'],
  ['a cancel', { plan: 'cancel', recipientId: 'R', transactionId: 't' }, 'recipients.cancel', '{"id":"R"}'],
  [
    'an edit',
    { plan: 'edit', recipientId: 'R', transactionId: 't', recipient: { metadata: { a: 1 } } } as never,
    'recipients.edit',
    '{"id":"R","recipient":{"metadata":{"a":"1"}}}',
  ],
  [
    'a retry',
    { plan: 'payin_method_retry', payinMethodId: 'p', transactionId: 't', before: {} } as never,
    'payin_methods.retry',
    '{"payinMethodId":"p","transactionId":"t"}',
  ],
  [
    'a raw call',
    { plan: 'raw', method: 'POST', path: '/x', body: '{ "b": 1 }' },
    'raw',
    '["POST","/x",{"b":"1"}]',
  ],
  ['a raw call without a body', { plan: 'raw', method: 'POST', path: '/x' }, 'raw', '["POST","/x",""]'],
])('what is hashed of %s never changes', (_, asked, kind, text) => {
  const hashed = ['https://api.example.com/v1', kind, text].join('\n');
  expect(digest(asked)).toBe(createHash('sha256').update(hashed).digest('hex'));
});

describe('an account', () => {
  it.each<[object, boolean]>([
    [{ baseUrl: 'https://api.example.com/v1/' }, true],
    [{ baseUrl: 'https://api.example.com/v1//' }, true],
    [{ baseUrl: 'https://API.example.com/v1' }, true],
    [{ baseUrl: 'https://api.example.com/v2' }, false],
    [{ baseUrl: 'https://api.example.com//v1' }, false],
    [{ baseUrl: 'http://api.example.com/v1' }, false],
  ])('with %j is the same: %j', (over, is) => {
    expect(accountRelation(account, { ...account, ...over }, []) === 'same').toBe(is);
    const cancel: AskedWrite = { plan: 'cancel', recipientId: 'r', transactionId: 't' };
    expect(digest(cancel, over) === digest(cancel)).toBe(is);
  });

  it('on this machine is one by any of its names, and two by two ports', () => {
    const at = (baseUrl: string) => ({ ...account, baseUrl });
    const here = at('http://127.0.0.1:4010/v1');
    expect(accountRelation(here, at('http://localhost:4010/v1'), [])).toBe('same');
    expect(accountRelation(here, at('http://[::1]:4010/v1'), [])).toBe('same');
    expect(accountRelation(here, at('http://localhost:4011/v1'), [])).toBe('other');
  });
});

describe('who pays', () => {
  const payer = (sender: object): string | undefined => payerOf(create({ sender: sender as never }));
  it.each<[object, string]>([
    [{ id: ' AB ' }, 'id:ab'],
    [{ id: 'ab', external_id: 'X' }, 'id:ab'],
    [{ external_id: ' Xy ' }, 'ext:Xy'],
    [{ id: ' ', external_id: 'X' }, 'ext:X'],
    [{ id: 7, external_id: 'X' }, 'ext:X'],
  ])('%j is %s', (sender, name) => expect(payer(sender)).toBe(name));

  it('a new one is what it is made of, without its papers', () => {
    const ada = payer({ first_name: 'Ada' });
    expect(ada).toMatch(/^new:[0-9a-f]{16}$/);
    expect(
      payer({ first_name: ' Ada', id: '', external_id: ' ', documents: [1], ip: '::1', metadata: { a: 1 } }),
    ).toBe(ada);
    expect(payer({ first_name: 'Bola' })).not.toBe(ada);
  });

  it('is said by a payment and by nothing else', () => {
    expect(payerOf({ plan: 'raw', method: 'POST', path: '/x', payment: payment() })).toBe('id:s');
    expect(payerOf({ plan: 'raw', method: 'POST', path: '/x' })).toBeUndefined();
    expect(payerOf({ plan: 'cancel', recipientId: 'r', transactionId: 't' })).toBeUndefined();
  });
});

it.each<[unknown, string]>([
  [{ b: 1, a: 2 }, '{"a":"2","b":"1"}'],
  [{ c: '1', a: '1', b: '1' }, '{"a":"1","b":"1","c":"1"}'],
  [{ a: undefined, b: null, c: [], d: {}, e: '', f: ' ', g: { h: null } }, '{}'],
  [{ ab: 1, a: 1, B: 1 }, '{"B":"1","a":"1","ab":"1"}'],
  [{ a: '{}', b: '""', c: [''] }, '{"a":"{}","b":"\\"\\"","c":[""]}'],
  [{ a: [null], b: false }, '{"a":[null],"b":false}'],
  [[2, '2', '2.0'], '["2","2","2.0"]'],
  [' a \n  b ', '"a b"'],
  [1e21, '"1000000000000000000000"'],
  [Number.NaN, '"NaN"'],
  [null, 'null'],
  [undefined, 'null'],
  [true, 'true'],
])('%j in its canonical form is %s', (value, text) => expect(canonical(value)).toBe(text));

it('a number that is kept with its digits is in the canonical form what it was as a float, where that loses nothing', () => {
  const read = (json: string) => canonical(readExactly(json, { isMetadata: true }));
  expect(read('{"f":12.60,"n":7,"e":1e2}')).toBe('{"e":"100","f":"12.6","n":"7"}');
  expect(read('{"n":839299365868340225}')).toBe('{"n":"839299365868340225"}');
  expect(read('{"n":839299365868340225}')).not.toBe(read('{"n":839299365868340226}'));
});
