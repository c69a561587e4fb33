/** A statement that others disturb, and times as people ask for them. */
import { expect, it } from 'vitest';
import { statementLines } from '../../src/books/statement/lines.ts';
import { statementOf } from '../../src/books/statement/statement.ts';
import { openSqliteBooks } from '../../src/books/store/sqlite.ts';
import { periodOf, readMonth } from '../../src/payments/lists/statement-period.ts';
import { bookEntry } from '../support/book-stores.ts';

const AT = Date.parse('2026-01-05T09:00:00Z');
const JANUARY = { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2026-02-01T00:00:00Z') };
const debit = (n: number, amount: string) =>
  bookEntry(n, {
    createdAt: AT + n,
    marks: [{ kind: 'debit', of: `t-${n}`, at: AT + n, laterAt: AT + n, currency: 'EUR', amount }],
  });

async function allOf<Row>(pages: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

it('is not called whole where another process keeps a payment after the sums were made', async () => {
  const books = await openSqliteBooks(':memory:');
  await books.seeBalances(JANUARY.from, [{ currency: 'EUR', amount: '100' }]);
  await books.keep([debit(1, '-10'), debit(2, '-5.50')], { completeAt: AT, knownUntil: JANUARY.to });
  await books.seeBalances(JANUARY.to, [{ currency: 'EUR', amount: '84.50' }]);
  const made = await statementOf(books, { ...JANUARY, currency: undefined });
  expect(made.accounts[0]?.totals).toMatchObject({
    opening: '100',
    gross: '15.5',
    closing: '84.5',
    difference: '0',
  });
  const lines = await allOf(statementLines(books, made, 'accounts'));
  expect(lines.map(({ kind, balance }) => [kind, balance])).toEqual([
    ['opening', '100'],
    ['debit', '90'],
    ['debit', '84.5'],
    ['closing', '84.5'],
  ]);
  await books.keep([debit(3, '-1')]);
  await expect(allOf(statementLines(books, made, 'accounts'))).rejects.toMatchObject({
    facts: { code: 'books_changed', category: 'conflict' },
  });
  await books.close();
});

it('is of a month, or from one day to another, as days of the zone', () => {
  const asked = { month: undefined, since: undefined, until: undefined };
  const now = Date.parse('2026-03-29T12:00:00Z');
  const hours = (zone: string, month: string): number => {
    const { from, to } = periodOf({ ...asked, month }, { now, zone });
    return (to - from) / 3_600_000;
  };
  // A day of March has 23 hours there, one of October 25.
  expect([
    hours('UTC', '2026-03'),
    hours('Europe/Lisbon', '2026-03'),
    hours('Europe/Lisbon', '2026-10'),
  ]).toEqual([744, 743, 745]);
  expect(periodOf(asked, { now, zone: 'UTC' })).toEqual({
    from: Date.parse('2026-03-01T00:00:00Z'),
    to: Date.parse('2026-04-01T00:00:00Z'),
  });
  const since = { day: '2026-03-02' };
  expect(() => periodOf({ ...asked, since, until: { day: '2026-03-01' } }, { now, zone: 'UTC' })).toThrow();
  for (const text of ['2026-13', '2026', '2026-1', 'march']) expect(() => readMonth(text), text).toThrow();
});
