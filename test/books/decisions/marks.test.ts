/** What happened to a transaction and to its recipients, by their states and amounts. */
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src/books/marks.ts';
import type { Recipient, Transaction } from '../../../src/contract/resources/transaction.ts';

const HOUR = 3_600_000;
const CREATED = 1_000 * HOUR;
const times = { createdAt: CREATED, changedAt: CREATED + 5 * HOUR };
const transaction = (over: Partial<Transaction> = {}): Transaction => ({
  id: 't-1',
  state: 'received',
  input_currency: 'EUR',
  input_amount: '30',
  paid_amount: '30',
  recipients: [],
  ...over,
});
const debit = (amount: string, over: object = {}) => ({
  kind: 'debit',
  of: 't-1',
  at: CREATED,
  laterAt: CREATED + HOUR,
  currency: 'EUR',
  amount,
  ...over,
});

describe('a debit', () => {
  it.each<[string, Partial<Transaction>, object[]]>([
    ['of what was paid', { input_amount: '31', paid_amount: '31.5' }, [debit('-31.5')]],
    ['of what was asked, where nothing says what was paid', { paid_amount: undefined }, [debit('-30')]],
    ['of no known amount', { paid_amount: null, input_amount: null }, []],
    ['without an id', { id: undefined }, []],
    ['without a currency', { input_currency: undefined }, []],
    ['of one that is not funded', { state: 'approved', paid_amount: '0' }, []],
    [
      'of one with a collection that was not paid',
      { payin_methods: [{ state: 'initial' }] as never },
      [debit('-30')],
    ],
    ['of one whose collections are null', { payin_methods: null }, [debit('-30')]],
    ['of one without recipients', { recipients: null }, [debit('-30')]],
  ])('%s', (_, over, marks) => expect(marksOf(transaction(over), times)).toEqual(marks));

  it.each(['success', 'processing', 'mispaid', 'canceled', 'refunded'])(
    'is none where a collection is %s: somebody paid it in',
    (state) => {
      const payins = [{ state: 'initial' }, { state }] as never;
      expect(marksOf(transaction({ payin_methods: payins }), times)).toEqual([]);
    },
  );

  it('is within an hour of creation, or before the last change', () => {
    expect(marksOf(transaction(), { createdAt: CREATED, changedAt: CREATED + 7 })).toEqual([
      debit('-30', { laterAt: CREATED + 7 }),
    ]);
  });
});

describe('a recipient', () => {
  const recipient = (over: Partial<Recipient>): Recipient => ({
    id: 'r-1',
    input_amount: '10',
    input_currency: 'EUR',
    output_amount: '500',
    output_currency: 'NGN',
    payout_method: { type: 'NGN::Bank' },
    ...over,
  });
  const at = times.changedAt;
  const mark = (over: object) => ({ of: 'r-1', at, laterAt: at, ...over });
  const marks = (over: Partial<Recipient>, of: Partial<Transaction> = {}) =>
    marksOf(transaction({ recipients: [recipient(over)], ...of }), times).filter(
      ({ kind }) => kind !== 'debit',
    );

  it.each<[Partial<Recipient>, object | undefined]>([
    [{ state: 'refunded' }, { kind: 'refund', currency: 'EUR', amount: '10' }],
    [
      { state: 'refunded', input_amount: null },
      { kind: 'refund', currency: 'EUR', amount: undefined },
    ],
    [
      { state: 'refunded', input_currency: 'USD' },
      { kind: 'refund', currency: 'USD', amount: '10' },
    ],
    [
      { state: 'refunded', input_currency: null },
      { kind: 'refund', currency: 'EUR', amount: '10' },
    ],
    [{ state: 'success' }, { kind: 'paid', currency: 'NGN', amount: undefined }],
    [{ state: 'overpaid' }, { kind: 'paid', currency: 'NGN', amount: undefined }],
    [
      { state: 'success', output_currency: null },
      { kind: 'paid', currency: '', amount: undefined },
    ],
    [
      { state: 'success', payout_method: null },
      { kind: 'paid', currency: 'NGN', amount: undefined },
    ],
    [
      { state: 'success', payout_method: { type: 'GHS::Balance' } },
      { kind: 'collection', currency: 'GHS', amount: '500' },
    ],
    [
      { state: 'success', payout_method: { type: 'GHS::Balance' }, output_amount: null },
      { kind: 'paid', currency: 'NGN', amount: undefined },
    ],
    [{ state: 'error' }, { kind: 'failed', currency: 'EUR', amount: undefined }],
    [{ state: 'manual' }, { kind: 'failed', currency: 'EUR', amount: undefined }],
    [{ state: 'exception' }, { kind: 'failed', currency: 'EUR', amount: undefined }],
    [{ state: 'initial' }, undefined],
    [{ state: 'pending' }, undefined],
    [{ state: 'canceled' }, { kind: 'canceled', currency: 'EUR', amount: undefined }],
    [{ state: 'stuck' }, undefined],
    [{ state: null }, undefined],
    [{ state: 'refunded', id: null }, undefined],
  ])('%j', (over, expected) => {
    expect(marks(over)).toEqual(expected === undefined ? [] : [mark(expected)]);
  });

  it('that was collected for gives nothing back to the balance', () => {
    const payins = { payin_methods: [{ state: 'success' }] as never };
    expect(marks({ state: 'refunded' }, payins)).toEqual([
      mark({ kind: 'refund', currency: 'EUR', amount: undefined }),
    ]);
  });

  it('without a currency anywhere has an empty one', () => {
    expect(marks({ state: 'error', input_currency: null }, { input_currency: null })).toEqual([
      mark({ kind: 'failed', currency: '', amount: undefined }),
    ]);
  });
});
