/** Corrections of closed months in a statement and in a journal, and which movements are such. */
import { beforeEach, describe, expect, it } from 'vitest';
import { isZero, sum } from '../../../src/core/money.ts';
import type { Books, Closing } from '../../../src/core/ports/books.ts';
import {
  closedNotes,
  correctedMonth,
  correctionsOf,
  correctionWords,
} from '../../../src/desk/books/closings.ts';
import { entryOf as journalEntry } from '../../../src/desk/journal/entries.ts';
import { type Line, linesOf } from '../../../src/desk/statement/lines.ts';
import { statementOf } from '../../../src/desk/statement/statement.ts';
import { openSqliteBooks } from '../../../src/store/sqlite-books.ts';
import { bookEntry } from '../../support/book-stores.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const OCTOBER = Date.UTC(2026, 9, 1);
const NOVEMBER = Date.UTC(2026, 10, 1);
const KNOWN = NOVEMBER + DAY;
const closing: Closing = {
  ...{ month: '2026-10', zone: 'UTC', from: OCTOBER, to: NOVEMBER, closedAt: KNOWN, knownUntil: KNOWN },
  ...{ manifest: 'c'.repeat(64), moved: [] },
};
const created = (at: number) => ({ created_at: new Date(at).toISOString() });

describe('a movement corrects', () => {
  it.each<[string, string, number, number, string | null]>([
    ['a refund of a payment of the month', 'refund', OCTOBER + DAY, KNOWN, '2026-10'],
    ['a collection of it', 'collection', OCTOBER + DAY, KNOWN + 1, '2026-10'],
    ['what came before it was closed', 'refund', OCTOBER + DAY, KNOWN - 1, null],
    ['a refund of the month after', 'refund', NOVEMBER, KNOWN + 1, null],
    ['a refund of the month before', 'refund', OCTOBER - 1, KNOWN + 1, null],
    ['its first moment', 'refund', OCTOBER, KNOWN + 1, '2026-10'],
    ['a debit within an hour of the creation', 'debit', KNOWN - HOUR, KNOWN, null],
    ['a debit that was learnt of later', 'debit', OCTOBER + DAY, KNOWN, '2026-10'],
    ['a payment whose creation nobody says', 'refund', Number.NaN, KNOWN, null],
  ])('%s', (_, kind, createdAt, at, month) => {
    const transaction = Number.isNaN(createdAt) ? {} : created(createdAt);
    expect(correctedMonth([closing], { kind: kind as 'debit', at }, transaction)).toBe(month);
  });

  it('not a debit of the last hour of the month, which came after it was closed', () => {
    const early = { ...closing, knownUntil: NOVEMBER };
    const debit = { kind: 'debit' as const, at: NOVEMBER + HOUR / 2 };
    expect(correctedMonth([early], debit, created(NOVEMBER - HOUR / 4))).toBeNull();
    expect(correctedMonth([early], { ...debit, kind: 'refund' }, created(NOVEMBER - HOUR / 4))).toBe(
      '2026-10',
    );
  });
});

describe('a payment that comes to something else after its month was closed', () => {
  let books: Books;
  const AT = OCTOBER + 9 * DAY;
  const debit = (amount: string) => ({
    ...{ kind: 'debit' as const, of: 't-1', at: AT, laterAt: AT, currency: 'EUR', amount },
  });
  const record = (amount: string, turn: number) =>
    bookEntry(1, {
      ...{ createdAt: AT, changedAt: AT + turn, heardAt: turn, marks: [debit(`-${amount}`)] },
      body: JSON.stringify({
        ...{ id: 't-1', state: 'received', ...created(AT), input_currency: 'EUR', paid_amount: amount },
        recipients: [
          {
            ...{ id: 'r-1', state: 'paid', input_currency: 'EUR', input_amount: amount },
            ...{ output_currency: 'NGN', output_amount: '1000', exchange_rate: '100' },
          },
        ],
      }),
    });
  const rowsOf = async (from: number, to: number) => {
    const statement = await statementOf(books, { from, to, currency: undefined, withCosts: true });
    const lines: Line[] = [];
    for await (const page of linesOf(books, statement, 'none')) lines.push(...page);
    const [account] = statement.accounts;
    return { statement, lines, totals: account?.totals };
  };
  beforeEach(async () => {
    books = await openSqliteBooks(':memory:');
    await books.setProgress({ completeAt: 1, knownUntil: OCTOBER });
    await books.keepRates([{ day: '2026-10-10', from: 'EUR', to: 'NGN', mid: '125' }]);
    await books.seeBalances(OCTOBER - 1, [{ currency: 'EUR', amount: '1000' }]);
    await books.keep([record('10', 1)]);
    await books.setProgress({ completeAt: 2, knownUntil: KNOWN });
    await books.seeBalances(KNOWN - 1, [{ currency: 'EUR', amount: '990' }]);
    expect(await books.closeMonth(closing)).toBe(true);
  });

  it('leaves the closed month as it was, and is a correction of its own where it came', async () => {
    const before = await rowsOf(OCTOBER, NOVEMBER);
    await books.keep([record('12', 2)]);
    await books.seeBalances(KNOWN + DAY, [{ currency: 'EUR', amount: '988' }]);
    await books.setProgress({ completeAt: 3, knownUntil: KNOWN + 2 * DAY });
    const after = await rowsOf(OCTOBER, NOVEMBER);
    expect([after.totals?.gross, after.totals?.closing]).toEqual([
      before.totals?.gross,
      before.totals?.closing,
    ]);
    const november = await rowsOf(NOVEMBER, NOVEMBER + 30 * DAY);
    expect(
      november.lines.map(({ kind, amount, balance, corrects }) => [kind, amount, balance, corrects]),
    ).toEqual([
      ['opening', null, '990', null],
      ['correction', '-2', '988', '2026-10'],
      ['closing', null, '988', null],
    ]);
    expect(november.totals).toMatchObject({
      ...{ opening: '990', gross: '0', corrected: '-2', unexplained: '0', closing: '988', difference: '0' },
      ...{ margin_amount: null, margin_unknown: 0 },
    });
    expect(correctionWords(november.statement.corrections)).toEqual([
      expect.objectContaining({ parts: expect.anything() }),
    ]);
    const [note] = await closedNotes(books, await books.closings(), { from: OCTOBER, to: NOVEMBER });
    expect(String(note)).toMatch(
      /2026-10 was closed on 2026-11-02.*1 movement of its payments came since, -2\.00 EUR/,
    );
  });

  it('is a balanced entry with an id of its own in a journal, however often it comes', async () => {
    await books.keep([record('12', 2)]);
    const later = { ...closing, month: '2026-11', from: NOVEMBER, to: KNOWN + 1, knownUntil: KNOWN + DAY };
    await books.setProgress({ completeAt: 3, knownUntil: KNOWN + DAY });
    await books.closeMonth(later);
    await books.keep([record('13', 3)]);
    await books.seeBalances(KNOWN + 2 * DAY, [{ currency: 'EUR', amount: '987' }]);
    await books.setProgress({ completeAt: 4, knownUntil: KNOWN + 3 * DAY });
    const { lines } = await rowsOf(OCTOBER, NOVEMBER + 30 * DAY);
    const entries = lines.flatMap((line) => journalEntry(line, { zone: 'UTC', opening: false }) ?? []);
    const own = entries.filter(({ kind }) => kind === 'correction');
    expect(own.map(({ amount, legs }) => [amount, legs.map(({ role }) => role)])).toEqual([
      ['-2', ['balance', 'correction']],
      ['-1', ['balance', 'correction']],
    ]);
    expect(own.every(({ legs }) => isZero(sum(legs.map(({ amount }) => amount))))).toBe(true);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(await correctionsOf(books, await books.closings())).toEqual([
      { month: '2026-10', currency: 'EUR', movements: 2, amount: '-3' },
    ]);
  });
});
