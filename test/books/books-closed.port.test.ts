/** Months that are closed, in every store of books: nothing before their end changes, and what would have changed it is a correction. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BookEntry, Books, MonthClosing, Movement, NewMark } from '../../src/books/store/port.ts';
import { openSqliteBooks } from '../../src/books/store/sqlite.ts';
import { add, eq } from '../../src/core/money.ts';
import { seededRandom } from '../../src/core/random.ts';
import { BEGAN, bookEntry, bookStores, DAY, type KeptBooks, openBooksFile } from '../support/book-stores.ts';

const END = BEGAN + 10 * DAY;
const KNOWN = END + DAY;
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000, currency: 'EUR' };

const mark = (over: Partial<NewMark> = {}): NewMark => ({
  kind: 'debit',
  of: 't-1',
  at: BEGAN,
  laterAt: BEGAN + 1_000,
  currency: 'EUR',
  amount: '-10.50',
  ...over,
});
const closing = (over: Partial<MonthClosing> = {}): MonthClosing => ({
  month: '2026-01',
  zone: 'UTC',
  from: BEGAN - DAY,
  to: END,
  closedAt: 5,
  knownUntil: KNOWN,
  manifest: 'a'.repeat(64),
  moved: [],
  ...over,
});
let turn = 0;
/** A later version of the record, with these marks. */
const again = (n: number, marks: NewMark[], over: Partial<BookEntry> = {}): BookEntry => {
  turn++;
  return bookEntry(n, {
    marks,
    changedAt: BEGAN + turn,
    heardAt: 1_000 + turn,
    body: `{"turn":${turn}}`,
    ...over,
  });
};
const shown = (movements: readonly Movement[]) =>
  movements.map(({ kind, of, at, amount, currency }) => [kind, of, at, amount, currency]);

describe.each(bookStores)('closed months %s', (_name, make) => {
  let kept: KeptBooks;
  let books: Books;
  beforeEach(async () => {
    kept = await make();
    books = kept.books;
    await books.setProgress({ completeAt: 1, knownUntil: KNOWN });
  });
  afterEach(() => kept.close());

  const closedWith =
    (...marks: NewMark[]) =>
    async () => {
      await books.keep([again(1, marks)]);
      expect(await books.closeMonth(closing({ moved: [] }))).toBe(true);
    };
  const all = async (currency = 'EUR') => shown(await books.movements({ ...ALWAYS, currency }));
  const ORIGINAL = ['debit', 't-1', BEGAN, '-10.50', 'EUR'];

  it('are known to every process, in the order in which they were closed', async () => {
    expect(await kept.other.closings()).toEqual([]);
    await books.closeMonth(closing());
    await books.closeMonth(closing({ month: '2026-02', to: END + DAY }));
    expect((await kept.other.closings()).map(({ month }) => month)).toEqual(['2026-01', '2026-02']);
    expect((await kept.other.closings())[0]).toEqual(closing());
  });

  it('are closed once; again the manifest is another one, and the rest counts from the first time', async () => {
    await books.closeMonth(closing());
    const later = closing({ manifest: 'b'.repeat(64), knownUntil: KNOWN + DAY, closedAt: 9 });
    expect(await books.closeMonth(later)).toBe(false);
    expect(await books.closings()).toEqual([closing()]);
    expect(await books.closeMonth(later, true)).toBe(true);
    expect(await books.closings()).toEqual([{ ...later, knownUntil: KNOWN }]);
  });

  it('are not closed on sums that are not those of the books any more', async () => {
    await books.keep([again(1, [mark()])]);
    const moved = (amount: string) => [{ currency: 'EUR', amount }];
    expect(await books.closeMonth(closing({ moved: moved('-10.51') }))).toBe(false);
    expect(await books.closings()).toEqual([]);
    expect(await books.closeMonth(closing({ moved: moved('-10.5') }))).toBe(true);
  });

  it('are forgotten with all of the books, and stay where a part is forgotten', async () => {
    await closedWith(mark())();
    await books.setProgress({ completeAt: 3 });
    await books.keep([bookEntry(9)], { completeAt: 4 });
    expect(await books.closings()).toHaveLength(1);
    await books.forget(BEGAN + DAY);
    expect(await books.closings()).toHaveLength(1);
    await books.forget(undefined);
    expect(await books.closings()).toEqual([]);
  });

  it('get no movement any more: one that the books learn of comes when they did', async () => {
    await closedWith(mark())();
    await books.keep([again(2, [mark({ of: 't-2', at: END - 1, amount: '-7' })])]);
    expect(await all()).toEqual([ORIGINAL, ['debit', 't-2', KNOWN, '-7', 'EUR']]);
    expect(await books.movedBefore('EUR', END)).toBe('-10.5');
  });

  it('leave what is theirs no more, or of another amount, and a correction makes up for it', async () => {
    await closedWith(mark())();
    await books.keep([again(1, [mark({ amount: '-12' })])]);
    expect(await all()).toEqual([ORIGINAL, ['correction', 't-1', KNOWN, '-1.5', 'EUR']]);
    await books.keep([again(1, [])]);
    expect(await all()).toEqual([ORIGINAL, ['correction', 't-1', KNOWN, '10.5', 'EUR']]);
    await books.keep([again(1, [mark()])]);
    expect(await all()).toEqual([ORIGINAL]);
    expect(await books.movedBefore('EUR', Number.MAX_SAFE_INTEGER)).toBe('-10.5');
  });

  it('are corrected in another currency too', async () => {
    await closedWith(mark())();
    await books.keep([again(1, [mark({ currency: 'USD', amount: '-11' })])]);
    expect(await all()).toEqual([ORIGINAL, ['correction', 't-1', KNOWN, '10.5', 'EUR']]);
    expect(await all('USD')).toEqual([['correction', 't-1', KNOWN, '-11', 'USD']]);
  });

  it('keep a correction of a month that is closed since, and add another', async () => {
    await closedWith(mark())();
    await books.keep([again(1, [mark({ amount: '-12' })])]);
    const next = KNOWN + 30 * DAY;
    await books.setProgress({ completeAt: 2, knownUntil: next });
    await books.closeMonth(closing({ month: '2026-02', from: END, to: KNOWN + DAY, knownUntil: next }));
    await books.keep([again(1, [])]);
    const expected = [
      ORIGINAL,
      ['correction', 't-1', KNOWN, '-1.5', 'EUR'],
      ['correction', 't-1', next, '12', 'EUR'],
    ];
    expect(await all()).toEqual(expected);
    await books.keep([again(1, [])]);
    expect(await all()).toEqual(expected);
  });

  it('change nothing of marks that moved no balance', async () => {
    await closedWith(mark(), mark({ kind: 'paid', of: 'r-1', amount: undefined, laterAt: BEGAN + 5 }))();
    await books.keep([
      again(1, [mark(), mark({ kind: 'failed', of: 'r-1', amount: undefined, laterAt: BEGAN + 9 })]),
    ]);
    const marks = (await books.marks([bookEntry(1).id])).get(bookEntry(1).id) ?? [];
    expect(marks.map(({ kind }) => kind).sort()).toEqual(['debit', 'failed', 'paid']);
  });

  it('keep the time of what moved no balance, also in a record that is new', async () => {
    await closedWith(mark())();
    const paid = mark({ kind: 'paid', of: 'r-2', at: BEGAN + 7, laterAt: BEGAN + 7, amount: undefined });
    await books.keep([again(2, [paid])]);
    const marks = (await books.marks([bookEntry(2).id])).get(bookEntry(2).id);
    expect(marks).toMatchObject([{ kind: 'paid', at: BEGAN + 7 }]);
  });

  it('are corrected at the time of the first news, as long as that month is open', async () => {
    await closedWith(mark())();
    await books.keep([again(1, [mark({ amount: '-12' })])]);
    await books.setProgress({ completeAt: 2, knownUntil: KNOWN + DAY });
    await books.keep([again(1, [mark({ amount: '-13' })])]);
    expect(await all()).toEqual([ORIGINAL, ['correction', 't-1', KNOWN, '-2.5', 'EUR']]);
  });

  it('say what came since, of the transactions of a time, page by page', async () => {
    await books.keep([
      again(1, [mark()]),
      again(2, [mark({ of: 't-2' }), mark({ kind: 'refund', of: 'r-2', at: END + 5, amount: '3' })]),
      again(3, [mark({ kind: 'refund', of: 'r-3', at: END + 6, amount: '4' })]),
    ]);
    const within = {
      ...{ currency: 'EUR', from: END, to: END + DAY },
      created: { from: BEGAN, to: BEGAN + 3 * 60_000 },
    };
    const [first] = await books.movements({ ...within, limit: 1 });
    expect(first).toMatchObject({ of: 'r-2', at: END + 5, body: expect.stringContaining('turn') });
    expect(await books.movements({ ...within, after: first, limit: 9 })).toEqual([]);
    const ofCreated = async (from: number, to: number, currency = 'EUR') =>
      (await books.movements({ ...within, currency, created: { from, to }, limit: 9 })).map(({ of }) => of);
    expect(await ofCreated(BEGAN, BEGAN + DAY)).toEqual(['r-2', 'r-3']);
    expect(await ofCreated(BEGAN + 3 * 60_000, END)).toEqual(['r-3']);
    expect(await ofCreated(BEGAN, BEGAN + DAY, 'USD')).toEqual([]);
    expect((await books.movements({ ...within, to: END + 5, limit: 9 })).length).toBe(0);
  });

  it('never change, whatever 300 records say later, and all sums are those of the latest records', async () => {
    const random = seededRandom('closed');
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)] as T;
    const latest = new Map<number, NewMark[]>();
    const marksFor = (n: number): NewMark[] => {
      const own: NewMark[] = [];
      const at = BEGAN + Math.floor(random.next() * 40) * DAY;
      if (random.next() < 0.8)
        own.push(
          mark({
            of: `t-${n}`,
            at,
            laterAt: at,
            amount: pick(['-10.50', '-12', '-0.01']),
            currency: pick(['EUR', 'EUR', 'EUR', 'USD']),
          }),
        );
      for (const kind of ['refund', 'collection'] as const)
        if (random.next() < 0.4)
          own.push(mark({ kind, of: `r-${n}`, at, laterAt: at, amount: pick(['5', '7.25']) }));
      return own;
    };
    let closed = 0;
    let before = '';
    const all40 = async () => [...(await all()), ...(await all('USD'))];
    const old = async (): Promise<string> =>
      JSON.stringify((await all40()).filter(([, , at]) => Number(at) < closed));
    for (let step = 0; step < 300; step++) {
      if (step > 0 && step % 75 === 0) {
        closed = BEGAN + (step / 75) * 10 * DAY;
        await books.setProgress({ completeAt: step, knownUntil: closed + DAY });
        await books.closeMonth(closing({ month: `m${step}`, to: closed, knownUntil: closed + DAY }));
        before = await old();
      }
      const n = Math.floor(random.next() * 20);
      const marks = marksFor(n);
      latest.set(n, marks);
      await books.keep([again(n, marks)]);
      if (step % 10 === 0 && closed > 0) expect(await old()).toBe(before);
    }
    for (const currency of ['EUR', 'USD']) {
      const said = [...latest.values()].flat().filter((one) => one.currency === currency);
      const total = said.reduce((sum, { amount = '0' }) => add(sum, amount), '0');
      const kept = await books.movements({ ...ALWAYS, currency });
      expect(
        eq(
          kept.reduce((sum, { amount }) => add(sum, amount), '0'),
          total,
        ),
      ).toBe(true);
      expect(eq(await books.movedBefore(currency, Number.MAX_SAFE_INTEGER), total)).toBe(true);
    }
    expect((await all40()).some(([kind]) => kind === 'correction')).toBe(true);
  });
});

describe('books of the version before', () => {
  it('in a file are read, and may be closed', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'remit-books-')), 'books.db');
    const made = await openSqliteBooks(path);
    await made.keep([again(1, [mark()])]);
    await made.close();
    const database = await openBooksFile(path);
    database.exec(`ALTER TABLE marks RENAME TO newer; DROP INDEX marks_moved;
      CREATE TABLE marks (seq INTEGER NOT NULL, kind TEXT NOT NULL, of TEXT NOT NULL, at INTEGER NOT NULL, currency TEXT NOT NULL, amount TEXT,
        PRIMARY KEY (seq, kind, of)) STRICT, WITHOUT ROWID;
      CREATE INDEX marks_moved ON marks (currency, at, seq, kind, of) WHERE amount IS NOT NULL;
      INSERT INTO marks SELECT * FROM newer; DROP TABLE newer; PRAGMA user_version=3`);
    database.close();
    await correctsTwice(await openSqliteBooks(path));
  });

  async function correctsTwice(books: Books): Promise<void> {
    expect(shown(await books.movements(ALWAYS))).toEqual([['debit', 't-1', BEGAN, '-10.50', 'EUR']]);
    for (const [month, to] of [
      ['2026-01', END],
      ['2026-02', END + 30 * DAY],
    ] as const) {
      await books.setProgress({ knownUntil: to + DAY });
      expect(await books.closeMonth(closing({ month, to, knownUntil: to + DAY }))).toBe(true);
      await books.keep([again(1, [mark({ amount: month === '2026-01' ? '-11' : '-12' })])]);
    }
    expect((await books.movements(ALWAYS)).map(({ amount }) => amount)).toEqual(['-10.50', '-0.5', '-1']);
    await books.close();
  }
});
