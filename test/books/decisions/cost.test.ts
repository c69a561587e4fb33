/** What payments cost: margins, fees and rates, one by one and added up. */
import { expect, it } from 'vitest';
import { dayRates } from '../../../src/books/day-rates.ts';
import { statementOf } from '../../../src/books/statement/statement.ts';
import { openSqliteBooks } from '../../../src/books/store/sqlite.ts';
import type { Recipient, Transaction } from '../../../src/contract/resources/transaction.ts';
import {
  CostSum,
  feeOf,
  marginOf,
  paidDay,
  paymentCosts,
  rateOf,
  unknownMargins,
} from '../../../src/payments/cost.ts';
import { bookEntry } from '../../support/book-stores.ts';

const DAY = '2026-01-10';
const AT = Date.parse(`${DAY}T12:00:00Z`);
const MID = [
  { day: DAY, from: 'EUR', to: 'NGN', mid: '2000' },
  { day: '2026-01-02', from: 'EUR', to: 'NGN', mid: '1000' },
];

async function ratesOf(from = AT, to = AT) {
  const books = await openSqliteBooks(':memory:');
  await books.keepRates(MID);
  return { books, rates: await dayRates(books, { from, to }) };
}
const payout = (over: Partial<Recipient> = {}): Recipient => ({
  id: 'r-1',
  state: 'success',
  input_amount: '10',
  input_currency: 'EUR',
  output_amount: '19500',
  output_currency: 'NGN',
  exchange_rate: '1950',
  fee_fractional: '37',
  ...over,
});

it('a margin is what the rate of the day was better than the one that was given, and in money of what was paid in', async () => {
  const { rates } = await ratesOf();
  const from = { rates, day: DAY, currency: 'EUR' };
  expect(marginOf(payout(), from)).toEqual({ margin: '0.025', margin_amount: '0.25' });
  expect(marginOf(payout({ input_amount: '10.30' }), from)).toEqual({
    margin: '0.025',
    margin_amount: '0.26',
  });
  expect(marginOf(payout({ exchange_rate: '2100' }), from).margin_amount).toBe('-0.50');
  expect(marginOf(payout({ input_amount: null }), from)).toEqual({ margin: '0.025', margin_amount: null });
  const none = { margin: null, margin_amount: null };
  for (const over of [{ exchange_rate: null }, { output_currency: null }, { output_currency: 'GHS' }])
    expect(marginOf(payout(over), from)).toEqual(none);
  expect(marginOf(payout(), { ...from, day: '2026-01-09' })).toEqual(none);
});

it('the day of a rate is the day in UTC, however the service writes when it was paid', () => {
  const paid = (created_at: string | null) => paidDay({ created_at } as Transaction, AT);
  expect(paid('2026-01-10T00:30:00Z')).toBe(DAY);
  expect(paid('2026-01-11T01:30:00+02:00')).toBe(DAY);
  expect(paid('2026-01-09T23:30:00.000-01:00')).toBe(DAY);
  for (const none of ['', 'soon', null]) expect(paid(none)).toBe(DAY);
});

it('a fee is in subunits of what was paid in, of which even naira has a hundred', () => {
  expect([feeOf(payout(), 'EUR'), feeOf(payout(), 'NGN'), feeOf(payout(), 'XOF')]).toEqual([
    '0.37',
    '0.37',
    '37',
  ]);
  expect(feeOf(payout({ fee_fractional: null }), 'EUR')).toBeNull();
});

it('a rate of several is what arrives by what was paid in', () => {
  expect(rateOf('3', '1')).toBe('0.3333333333');
  expect(rateOf('2', '3900')).toBe('1950');
  expect(rateOf('3000000', '1')).toBe('0.000000333333333333');
  for (const [input, output] of [
    ['0', '1'],
    ['1', '0'],
    ['-1', '-2'],
  ] as const)
    expect(rateOf(input, output)).toBeNull();
});

it('a sum goes by what was paid in, takes back what came back, and counts what it does not know', async () => {
  const { rates } = await ratesOf();
  const from = { rates, day: DAY, currency: 'EUR' };
  const sum = new CostSum();
  expect(sum.sums()).toEqual({
    rate: null,
    margin: null,
    margin_amount: null,
    margin_unknown: 0,
    fee_amount: null,
  });
  sum.note(payout(), from);
  sum.note(payout({ input_amount: '30', output_amount: '60000', exchange_rate: '2000' }), from);
  const both = {
    rate: '1987.5',
    margin: '0.006250',
    margin_amount: '0.25',
    margin_unknown: 0,
    fee_amount: '0.74',
  };
  expect(sum.sums()).toEqual(both);
  sum.note(payout(), { ...from, day: '2026-01-09' });
  expect(sum.sums()).toMatchObject({ margin: '0.006250', margin_amount: '0.25', margin_unknown: 1 });
  sum.note(payout(), { ...from, day: '2026-01-09' }, -1);
  sum.note(payout(), from, -1);
  expect(sum.sums()).toMatchObject({
    rate: '2000',
    margin: '0.000000',
    margin_amount: '0',
    fee_amount: '0.37',
  });
  sum.note(payout({ input_amount: '30', output_amount: '60000', exchange_rate: '2000' }), from, -1);
  sum.note(payout(), from);
  sum.note(payout(), from);
  sum.note(payout(), from, -1);
  expect(sum.sums()).toMatchObject({ rate: '1950', margin: '0.025000', margin_amount: '0.25' });
  // No rate stands between two currencies that arrive; what stays in its currency has no margin, known or not.
  const mixed = new CostSum();
  mixed.note(payout(), from);
  mixed.note(payout({ output_currency: 'EUR', output_amount: '10', exchange_rate: '1' }), from);
  expect(mixed.sums()).toMatchObject({
    rate: null,
    margin: '0.025000',
    margin_amount: '0.25',
    margin_unknown: 0,
  });
});

it('a payment costs what did not come back of it, once it was paid for', async () => {
  const { rates } = await ratesOf();
  const whole = (over: Partial<Transaction>, ...recipients: Recipient[]) =>
    paymentCosts(
      { created_at: `${DAY}T09:00:00Z`, input_currency: 'EUR', state: 'received', recipients, ...over },
      rates,
    );
  const back = payout({ state: 'refunded' });
  expect(whole({}, payout(), back)).toMatchObject({ margin_amount: '0.25', fee_amount: '0.37' });
  expect(whole({}, payout({ input_currency: null })).margin_amount).toBe('0.25');
  expect(whole({}, back)).toMatchObject({ margin_amount: null, fee_amount: null });
  expect(whole({ state: 'approved' }, payout())).toMatchObject({ margin_amount: null, fee_amount: null });
});

it('the totals of a statement have the costs of debits, less those of refunds by the rate of their day', async () => {
  const { books } = await ratesOf();
  await books.keep(
    [
      { n: 1, kind: 'debit', at: AT, created: DAY, amount: '-20' },
      { n: 2, kind: 'refund', at: AT + 1, created: '2026-01-02', amount: '10' },
    ].map(({ n, kind, at, created, amount }) =>
      bookEntry(n, {
        createdAt: at,
        body: JSON.stringify({
          created_at: `${created}T01:00:00Z`,
          recipients: [payout(), payout({ id: 'r-2', exchange_rate: kind === 'debit' ? '1950' : '900' })],
        }),
        marks: [
          {
            kind: kind as 'debit',
            of: kind === 'debit' ? 't-1' : 'r-2',
            at,
            laterAt: at,
            currency: 'EUR',
            amount,
          },
        ],
      }),
    ),
    { completeAt: AT, knownUntil: AT + 9 },
  );
  await books.seeBalances(AT + 9, [{ currency: 'EUR', amount: '90' }]);
  const asked = { from: AT, to: AT + 5, currency: 'EUR' };
  const costs = { margin_amount: '-0.5', fee_amount: '0.37', margin_unknown: 0 };
  const [made] = (await statementOf(books, { ...asked, withCosts: true })).accounts;
  // Two debits of 0.25, less the 1.00 that the refund brings back.
  expect(made?.totals).toMatchObject(costs);
  const [brief] = (await statementOf(books, asked)).accounts;
  expect(brief?.totals).toMatchObject({
    ...made?.totals,
    rate: null,
    margin: null,
    margin_amount: null,
    fee_amount: null,
  });
});

it('says how many have no margin', () => {
  expect(unknownMargins(0)).toEqual([]);
  expect(JSON.stringify(unknownMargins(1))).toContain('1 payout to another currency is not in the margin');
  expect(JSON.stringify(unknownMargins(2))).toContain('2 payouts to another currency are not');
});
