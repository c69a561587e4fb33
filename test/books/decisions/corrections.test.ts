/** Corrections of closed months in a statement and in a journal, and which movements are such. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  closedMonths,
  closedNotes,
  correctedMonth,
  correctionsOf,
  correctionWords,
} from '../../../src/books/closings.ts';
import { journalEntryOf as journalEntry } from '../../../src/books/journal/entries.ts';
import { type Line, statementLines } from '../../../src/books/statement/lines.ts';
import { statementOf } from '../../../src/books/statement/statement.ts';
import type { Books, MonthClosing } from '../../../src/books/store/port.ts';
import { openSqliteBooks } from '../../../src/books/store/sqlite.ts';
import { isZero, sum } from '../../../src/core/money.ts';
import { renderMessage } from '../../../src/core/next.ts';
import { bookEntry } from '../../support/book-stores.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const OCTOBER = Date.UTC(2026, 9, 1);
const NOVEMBER = Date.UTC(2026, 10, 1);
const KNOWN = NOVEMBER + DAY;
const closing: MonthClosing = {
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
    ['a correction of a payment of it', 'correction', OCTOBER, KNOWN, '2026-10'],
    ['a correction of an older payment, which moved in it', 'correction', OCTOBER - 1, KNOWN, '2026-10'],
    ['a correction of the month after', 'correction', NOVEMBER, KNOWN, null],
    ['a debit within an hour of the creation', 'debit', KNOWN - HOUR, KNOWN, null],
    ['a debit that was learnt of later', 'debit', OCTOBER + DAY, KNOWN, '2026-10'],
    ['one an hour after the creation', 'debit', KNOWN - HOUR, KNOWN, null],
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

it('a correction of a payment that is older than all closed months is of the first of them', () => {
  const september = { ...closing, month: '2026-09', from: OCTOBER - 30 * DAY, to: OCTOBER };
  const correction = { kind: 'correction' as const, at: KNOWN };
  const older = created(OCTOBER - 40 * DAY);
  for (const closings of [
    [closing, september],
    [september, closing],
  ])
    expect(correctedMonth(closings, correction, older)).toBe('2026-09');
  expect(correctedMonth([september, closing], correction, created(OCTOBER))).toBe('2026-10');
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
    for await (const page of statementLines(books, statement, 'none')) lines.push(...page);
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

describe('several closed months', () => {
  let books: Books;
  const months = ['2026-08', '2026-09', '2026-10'];
  const monthOf = (n: number): MonthClosing => {
    const from = Date.UTC(2026, 7 + n, 1);
    const to = Date.UTC(2026, 8 + n, 1);
    return { ...closing, month: months[n] ?? '', from, to, knownUntil: to + DAY, closedAt: to + DAY };
  };
  /** A refund of a payment of the nth month, so many days after the end of the last. */
  const refunds = (id: number, n: number, days: number, amount: string, currency = 'EUR') =>
    books.keep([
      bookEntry(id, {
        createdAt: monthOf(n).from + DAY,
        body: JSON.stringify(created(monthOf(n).from + DAY)),
        marks: [
          {
            ...{ kind: 'refund' as const, of: `r-${id}`, amount, currency },
            ...{ at: NOVEMBER + days * DAY, laterAt: NOVEMBER + days * DAY },
          },
        ],
      }),
    ]);
  beforeEach(async () => {
    books = await openSqliteBooks(':memory:');
    await books.setProgress({ completeAt: 1, knownUntil: NOVEMBER + DAY });
    for (const currency of ['EUR', 'USD']) await books.seeBalances(OCTOBER, [{ currency, amount: '1000' }]);
    for (const n of months.keys()) await books.closeMonth(monthOf(n));
    await refunds(1, 0, 2, '5');
    await refunds(2, 2, 3, '7');
    await refunds(3, 2, 3, '1', 'USD');
    await refunds(4, 2, 4, '2');
  });
  const sums = {
    august: { month: '2026-08', currency: 'EUR', movements: 1, amount: '5' },
    october: { month: '2026-10', currency: 'EUR', movements: 2, amount: '9' },
    usd: { month: '2026-10', currency: 'USD', movements: 1, amount: '1' },
  };

  it('are added up by month and currency, within a time', async () => {
    const closings = await books.closings();
    expect(await correctionsOf(books, closings)).toEqual([sums.august, sums.october, sums.usd]);
    const within = { from: NOVEMBER + 3 * DAY, to: NOVEMBER + 4 * DAY };
    expect(await correctionsOf(books, closings, within)).toEqual([
      { ...sums.october, movements: 1, amount: '7' },
      sums.usd,
    ]);
    expect(await correctionsOf(books, [])).toEqual([]);
  });

  it('are each said in a sentence', async () => {
    const words = correctionWords(await correctionsOf(books, await books.closings()));
    expect(words.map((one) => renderMessage(one, () => ''))).toEqual([
      '1 movement corrects 2026-08, which is closed: 5.00 EUR.',
      '3 movements correct 2026-10, which is closed: 9.00 EUR and 1.00 USD.',
    ]);
  });

  it('are shown with what corrects them', async () => {
    expect(await closedMonths(books)).toMatchObject([
      { month: '2026-08', zone: 'UTC', manifest: closing.manifest, corrections: [sums.august] },
      { month: '2026-09', closed_at: '2026-10-02T00:00:00.000Z', corrections: [] },
      { month: '2026-10', corrections: [sums.october, sums.usd] },
    ]);
  });

  it('of an older payment are said of the month that they correct, and of no other', async () => {
    const before = monthOf(0).from - 40 * DAY;
    await books.keep([
      bookEntry(9, {
        createdAt: before,
        body: JSON.stringify(created(before)),
        marks: [
          {
            ...{ kind: 'correction', of: 'r-9', amount: '3', currency: 'EUR' },
            ...{ at: NOVEMBER + 2 * DAY, laterAt: NOVEMBER + 2 * DAY },
          },
        ],
      }),
    ]);
    const closings = await books.closings();
    const noteOf = async (n: number) => String((await closedNotes(books, closings, monthOf(n)))[0]);
    expect(await noteOf(0)).toContain('2 movements of its payments came since, 8.00 EUR');
    expect(await noteOf(1)).not.toContain('came since');
  });

  it('in a statement of one balance are those of this balance', async () => {
    const of = async (currency: string | undefined) =>
      (await statementOf(books, { from: NOVEMBER, to: NOVEMBER + 9 * DAY, currency })).corrections;
    expect(await of('USD')).toEqual([sums.usd]);
    expect(await of(undefined)).toHaveLength(3);
  });

  it.each<[string, number, number, (string | RegExp)[]]>([
    ['a time of none', NOVEMBER, NOVEMBER + DAY, []],
    ['a time before', 0, monthOf(0).from, []],
    [
      'the last moment of one',
      monthOf(0).to - 1,
      monthOf(0).to,
      [/^2026-08 .* 1 movement of .* it stands in/],
    ],
    [
      'the first moment of one',
      monthOf(1).from,
      monthOf(1).from + 1,
      [/^2026-09 was closed on 2026-10-02, with the manifest c{12}\.$/],
    ],
    [
      'a part of two',
      monthOf(1).from,
      NOVEMBER,
      [
        /^2026-09 /,
        /^2026-10 .* 3 movements of its payments came since, 9\.00 EUR and 1\.00 USD: they stand in .* they came/,
      ],
    ],
  ])('are named for %s', async (_, from, to, expected) => {
    const notes = await closedNotes(books, await books.closings(), { from, to });
    expect(notes.map(String)).toEqual(expected.map((one) => expect.stringMatching(one)));
  });
});
