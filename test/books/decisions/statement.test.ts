/** The sums of a statement, and on which side of its ends each movement and each change falls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movementPages } from '../../../src/books/movements.ts';
import { lost, statementOf, stepsIn } from '../../../src/books/statement/statement.ts';
import type { Books, NewMark } from '../../../src/books/store/port.ts';
import { openSqliteBooks } from '../../../src/books/store/sqlite.ts';
import { bookEntry } from '../../support/book-stores.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 0, 10);
const TO = Date.UTC(2026, 0, 20);
const KNOWN = Date.UTC(2026, 1, 1);
let books: Books;
let entries = 0;

beforeEach(async () => {
  entries = 0;
  books = await openSqliteBooks(':memory:');
  await books.setProgress({ completeAt: 77, knownUntil: KNOWN });
});
afterEach(() => books.close());

async function moves(
  ...all: [kind: NewMark['kind'], at: number, amount: string, currency?: string][]
): Promise<void> {
  await books.keep(
    all.map(([kind, at, amount, currency = 'EUR']) => {
      const n = ++entries;
      return bookEntry(n, { marks: [{ kind, of: `m-${n}`, at, laterAt: at, currency, amount }] });
    }),
  );
}
const see = (at: number, amount: string, currency = 'EUR') => books.seeBalances(at, [{ currency, amount }]);
const statement = (currency?: string) => statementOf(books, { from: FROM, to: TO, currency });

it('sums what moved the balance within its time', async () => {
  await see(FROM - 10 * HOUR, '100');
  await moves(
    ['debit', FROM - 2 * HOUR, '-1'],
    ['debit', FROM, '-10'],
    ['debit', FROM + HOUR, '-20.50'],
    ['refund', FROM + 2 * HOUR, '5'],
    ['collection', FROM + 3 * HOUR, '7'],
    ['debit', TO, '-3'],
  );
  const made = await statement();
  expect(made).toMatchObject({ from: FROM, to: TO, knownUntil: KNOWN, completeAt: 77 });
  expect(made.accounts).toHaveLength(1);
  expect(made.accounts[0]).toMatchObject({
    currency: 'EUR',
    totals: {
      currency: 'EUR',
      opening: '99',
      gross: '30.5',
      refunded: '5',
      net: '25.5',
      collected: '7',
      unexplained: '0',
      closing: '80.5',
      movements: 4,
      difference: '0',
    },
    steps: [],
    later: undefined,
    firstSeen: undefined,
    nearAnEnd: 0,
  });
});

it.each([
  [FROM - HOUR - 1, 0, 0],
  [FROM - HOUR, 1, 0],
  [FROM - 1, 1, 0],
  [FROM, 0, 1],
  [TO - HOUR - 1, 0, 1],
  [TO - HOUR, 1, 1],
  [TO - 1, 1, 1],
  [TO, 0, 0],
])('a debit at %i is near an end: %i, and within: %i', async (at, nearAnEnd, movements) => {
  await see(FROM - 100 * HOUR, '100');
  await moves(['debit', at, '-1'], ['refund', TO - 1, '1']);
  const [account] = (await statement('EUR')).accounts;
  expect(account).toMatchObject({ nearAnEnd, totals: { movements: movements + 1, difference: '0' } });
});

describe('a change that no payment explains', () => {
  it.each<[string, number, string, string | undefined]>([
    ['within', FROM + HOUR, '40', undefined],
    ['at the beginning', FROM, '40', undefined],
    ['before', FROM - 1, '0', undefined],
    ['at the end', TO, '0', '40'],
    ['behind the end', TO + HOUR, '0', '40'],
  ])('that was found %s', async (_, at, unexplained, later) => {
    await see(FROM - 10 * HOUR, '100');
    await see(at, '140');
    const [account] = (await statement('EUR')).accounts;
    expect(account?.totals).toMatchObject({
      unexplained,
      difference: '0',
      movements: unexplained === '0' ? 0 : 1,
    });
    const step = { currency: 'EUR', amount: '40', after: FROM - 10 * HOUR, at };
    expect(account?.steps).toEqual(unexplained === '0' ? [] : [step]);
    expect(account?.later).toEqual(later === undefined ? undefined : step);
  });

  it('is none of this time where the balance was as before until its end', async () => {
    await see(FROM - 10 * HOUR, '100');
    await see(TO, '100');
    await see(TO + HOUR, '90');
    const [account] = (await statement('EUR')).accounts;
    expect(account?.later).toBeUndefined();
  });

  it('is lost money where the balance went down', async () => {
    await see(FROM - HOUR, '100');
    await see(FROM + HOUR, '140');
    await see(FROM + 2 * HOUR, '90');
    const [account] = (await statement('EUR')).accounts;
    expect(account?.totals).toMatchObject({
      opening: '100',
      closing: '90',
      unexplained: '-10',
      movements: 2,
    });
    expect(account && lost(account).map(({ amount }) => amount)).toEqual(['-50']);
  });
});

it.each([
  [FROM + 1, FROM + 1],
  [FROM, undefined],
  [FROM - 1, undefined],
])('a balance that was first seen at %i is told from %s', async (at, firstSeen) => {
  await see(at, '100');
  const [account] = (await statement('EUR')).accounts;
  expect(account?.firstSeen).toBe(firstSeen);
  const opening = firstSeen === undefined ? '100' : null;
  const first_seen = firstSeen === undefined ? null : new Date(firstSeen).toISOString();
  expect(account?.totals).toMatchObject({ opening, closing: '100', first_seen });
});

it.each<[string, number, object | undefined]>([
  ['before the time', FROM - HOUR, { from: FROM, opening: '100', first_seen: null }],
  ['within it', FROM + HOUR, { from: FROM + HOUR, opening: '100', first_seen: null }],
  ['just before its end', TO - 1, { from: TO - 1, opening: '100', first_seen: null }],
  ['at its end', TO, undefined],
  ['behind its end', TO + HOUR, undefined],
])('from the first time that a balance was seen, which is %s', async (_, at, expected) => {
  await see(at, '100');
  const asked = statementOf(books, { from: FROM, to: TO, currency: undefined, fromFirstSeen: true });
  if (expected === undefined) {
    await expect(asked).rejects.toThrow('no balance was seen before the end of this time');
    return;
  }
  const [account] = (await asked).accounts;
  const { from, ...totals } = expected as { from: number };
  expect(account).toMatchObject({ from, totals });
});

it('of two balances the one that was seen in time is told alone', async () => {
  await see(FROM - HOUR, '100', 'EUR');
  await see(TO, '50', 'USD');
  const made = await statementOf(books, { from: FROM, to: TO, currency: undefined, fromFirstSeen: true });
  expect(made.accounts.map(({ currency }) => currency)).toEqual(['EUR']);
  // Whoever does not leave out what nobody had seen is told that nobody had.
  expect((await statement('USD')).accounts[0]?.totals).toMatchObject({ opening: null, closing: '50' });
});

it('with nothing in any balance is empty, and no mistake', async () => {
  await see(FROM - HOUR, '0');
  expect((await statement()).accounts).toEqual([]);
});

it.each([
  [TO - 1, '100'],
  [TO, '100'],
  [TO + 1, null],
])('the balance at its end that was first seen at %i is %s', async (at, closing) => {
  await see(at, '100');
  expect((await statement('EUR')).accounts[0]?.totals.closing).toBe(closing);
});

describe('of several balances', () => {
  beforeEach(async () => {
    await see(FROM - HOUR, '100', 'EUR');
    await see(FROM - HOUR, '0', 'USD');
    await see(FROM - HOUR, '0', 'GBP');
    await moves(['collection', FROM, '5', 'GBP']);
  });
  const currencies = async (currency?: string) =>
    (await statement(currency)).accounts.map(({ totals }) => totals.currency).sort();

  it('those are told that have something or moved', async () => {
    expect(await currencies()).toEqual(['EUR', 'GBP']);
  });
  it('one is told alone, though it is nothing', async () => expect(await currencies('USD')).toEqual(['USD']));
  it('one that there is not is not found', async () => {
    await expect(statement('KES')).rejects.toThrow('no balance in KES');
  });
});

it('is not made where no balance was seen, or the books are not whole', async () => {
  await expect(statement()).rejects.toThrow('not seen a balance');
  await see(FROM - HOUR, '100');
  await books.setProgress({ completeAt: 77, knownUntil: KNOWN, forgottenBefore: FROM + 1 });
  await expect(statement()).rejects.toThrow('was removed');
  await books.setProgress({});
  await expect(statement()).rejects.toThrow('not complete');
});

it('adds up without reading the record of each movement', async () => {
  await see(FROM - HOUR, '100');
  await moves(['debit', FROM + HOUR, '-1']);
  const asked: unknown[] = [];
  const watched: Books = {
    ...books,
    movements: (query) => {
      asked.push(query.brief);
      return books.movements(query);
    },
  };
  await statementOf(watched, { from: FROM, to: TO, currency: undefined });
  expect(asked).toEqual([true]);
});

it('reads movements a page at a time, each once', async () => {
  const sizes = async (from: number): Promise<number[]> => {
    const all: number[] = [];
    for await (const page of movementPages(books, { currency: 'EUR', from, to: TO })) all.push(page.length);
    return all;
  };
  expect(await sizes(FROM)).toEqual([]);
  await moves(
    ...Array.from({ length: 1_001 }, (_, n) => ['debit', FROM + n, '-1'] as ['debit', number, string]),
  );
  expect(await sizes(FROM)).toEqual([200, 200, 200, 200, 200, 1]);
  expect(await sizes(FROM + 1)).toEqual([200, 200, 200, 200, 200]);
});

describe('costs', () => {
  const DAY = 24 * HOUR;
  const recipient = (id: string, input = '10') => ({
    ...{ id, input_currency: 'EUR', input_amount: input, fee_fractional: 50 },
    ...{ output_currency: 'NGN', output_amount: '1000', exchange_rate: '100' },
  });
  /** A payment to two, with what of it moved the balance. */
  async function pays(created: number, ...marks: [kind: NewMark['kind'], of: string, at: number][]) {
    const n = ++entries;
    await books.keep([
      bookEntry(n, {
        body: JSON.stringify({
          ...{ id: `t-${n}`, created_at: new Date(created).toISOString() },
          recipients: [recipient('a'), recipient('b', '20')],
        }),
        marks: marks.map(([kind, of, at]) => ({
          ...{ kind, of, at, laterAt: at, currency: 'EUR', amount: kind === 'debit' ? '-30' : '10' },
        })),
      }),
    ]);
  }
  const costs = async () => {
    const made = await statementOf(books, { from: FROM, to: TO, currency: undefined, withCosts: true });
    const { margin_amount, margin_unknown, fee_amount } = made.accounts[0]?.totals ?? {};
    return { margin_amount, margin_unknown, fee_amount };
  };
  const none = { margin_amount: null, margin_unknown: 0, fee_amount: null };
  beforeEach(async () => {
    await see(FROM - 10 * DAY, '1000');
    const rate = { from: 'EUR', to: 'NGN', mid: '125' };
    for (const at of [FROM - 5 * DAY, FROM + DAY])
      await books.keepRates([{ ...rate, day: new Date(at).toISOString().slice(0, 10) }]);
  });

  it.each<[string, number, Parameters<typeof pays>[1][], object]>([
    [
      'a debit has those of all who are paid',
      1,
      [['debit', 't', 1]],
      { ...none, margin_amount: '6', fee_amount: '1' },
    ],
    [
      'a refund takes back those of its recipient alone',
      1,
      [
        ['debit', 't', 1],
        ['refund', 'b', 2],
      ],
      { ...none, margin_amount: '2', fee_amount: '0.5' },
    ],
    [
      'a refund of an earlier payment takes back those of its day',
      -5,
      [
        ['debit', 't', -5],
        ['refund', 'a', 2],
      ],
      { ...none, margin_amount: '-2', fee_amount: '-0.5' },
    ],
    ['a collection has none', 1, [['collection', 'a', 1]], none],
    ['a correction has none', 1, [['correction', 'a', 1]], none],
    [
      'a day without rates has no margin',
      2,
      [['debit', 't', 2]],
      { ...none, margin_unknown: 2, fee_amount: '1' },
    ],
  ])('%s', async (_, created, marks, expected) => {
    await pays(
      FROM + created * DAY,
      ...marks.map(([kind, of, days]): Parameters<typeof pays>[1] => [kind, of, FROM + days * DAY]),
    );
    expect(await costs()).toEqual(expected);
  });

  it('are none where a record has no recipients', async () => {
    await moves(['debit', FROM + DAY, '-1']);
    expect(await costs()).toEqual(none);
  });
});

it('names the months that are closed, and what corrects them within its time', async () => {
  await see(FROM - 10 * HOUR, '100');
  const created = FROM - 3 * HOUR;
  const refund = (n: number, at: number): Promise<unknown> =>
    books.keep([
      bookEntry(n, {
        createdAt: created,
        body: JSON.stringify({ created_at: new Date(created).toISOString() }),
        marks: [{ kind: 'refund', of: `r-${n}`, at, laterAt: at, currency: 'EUR', amount: '5' }],
      }),
    ]);
  for (const [n, at] of [FROM - 1, FROM, TO - 1, TO].entries()) await refund(n + 50, at);
  const closing = {
    ...{
      month: '2026-01',
      zone: 'UTC',
      from: created,
      to: created + 1,
      closedAt: 1,
      knownUntil: created + 1,
    },
    ...{ manifest: 'a'.repeat(64), moved: [] },
  };
  await books.closeMonth(closing);
  const made = await statement();
  expect(made.closings).toEqual([closing]);
  expect(made.corrections).toEqual([{ month: '2026-01', currency: 'EUR', movements: 2, amount: '10' }]);
  await see(FROM - HOUR, '7', 'USD');
  expect((await statement('EUR')).corrections).toEqual(made.corrections);
  expect((await statement('USD')).corrections).toEqual([]);
});

it('says the changes of every balance that no payment explains, oldest first', async () => {
  await see(FROM, '100');
  await see(FROM, '5', 'USD');
  await see(TO, '140');
  await see(TO, '4', 'USD');
  await see(TO + 1, '141');
  expect((await stepsIn(books)).map(({ currency, amount, at }) => [currency, amount, at])).toEqual([
    ['EUR', '40', TO],
    ['EUR', '1', TO + 1],
    ['USD', '-1', TO],
  ]);
});
