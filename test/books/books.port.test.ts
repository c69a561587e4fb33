/** One suite over every store of books: in memory, and in a file that two processes have open. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchBooks } from '../../src/books/search.ts';
import type { BookEntry, Books, NewMark } from '../../src/books/store/port.ts';
import type { Transaction } from '../../src/contract/resources/transaction.ts';
import { eq } from '../../src/core/money.ts';
import { seededRandom } from '../../src/core/random.ts';
import { findsOf } from '../../src/payments/finds.ts';
import { BEGAN, bookEntry, bookStores, DAY, type KeptBooks } from '../support/book-stores.ts';

const many = (count: number, over: (n: number) => Partial<BookEntry> = () => ({})) =>
  Array.from({ length: count }, (_, n) => bookEntry(n, over(n)));
const mark = (over: Partial<NewMark> = {}): NewMark => ({
  kind: 'debit',
  of: 't-1',
  at: BEGAN,
  laterAt: BEGAN + 1_000,
  currency: 'EUR',
  amount: '-10.50',
  ...over,
});

describe.each(bookStores)('books %s', (_name, make) => {
  let kept: KeptBooks;
  let books: Books;
  let other: Books;
  beforeEach(async () => {
    kept = await make();
    ({ books, other } = kept);
  });
  afterEach(() => kept.close());

  const bodyOf = async (id: string) => JSON.parse((await books.get(id)) ?? '{}');
  const idOf = (n: number) => bookEntry(n).id;

  it('keep a record whole, with what is known of the progress, for every process', async () => {
    const odd = bookEntry(1, {
      body: JSON.stringify({ name: 'Zoë \u0000 \u2028 \ud83d\ude00' }),
      externalId: undefined,
    });
    expect(await books.keep([odd, bookEntry(2)], { walk: { page: 2, beganAt: 5 } })).toEqual({
      added: 2,
      changed: 0,
      older: 0,
    });
    expect(await other.get(odd.id)).toBe(odd.body);
    expect(await other.entry(odd.id)).toEqual({
      id: odd.id,
      createdAt: odd.createdAt,
      heardAt: 1_000,
      body: odd.body,
    });
    expect([await other.get('nobody'), await other.entry('nobody')]).toEqual([undefined, undefined]);
    expect(await other.progress()).toEqual({ walk: { page: 2, beganAt: 5 } });
    await other.setProgress({ completeAt: 7 });
    expect(await books.progress()).toEqual({ completeAt: 7 });
    expect(await books.counts()).toMatchObject({ transactions: 2, recipients: 2, open: 2 });
  });

  it('never go back: by the change, then by the end, then by when it was asked for', async () => {
    const at = BEGAN + DAY;
    const first = bookEntry(1, { changedAt: at, heardAt: 50, state: 'received' });
    await books.keep([first]);
    const tries: [Partial<BookEntry>, string][] = [
      [{ changedAt: at - 1, heardAt: 99, state: 'older' }, 'received'],
      [{ changedAt: at, heardAt: 49, state: 'asked before' }, 'received'],
      [{ changedAt: at, heardAt: 51, state: 'asked later' }, 'asked later'],
      [{ changedAt: at, heardAt: 1, state: 'paid', isFinal: true }, 'paid'],
      [{ changedAt: at, heardAt: 99, state: 'open again' }, 'paid'],
      [{ changedAt: at + 1, heardAt: 1, state: 'changed again' }, 'changed again'],
    ];
    for (const [over, stands] of tries) {
      const now = await other.keep([bookEntry(1, over)]);
      expect((await bodyOf(first.id)).state, over.state).toBe(stands);
      expect(now, over.state).toEqual({
        added: 0,
        changed: stands === over.state ? 1 : 0,
        older: stands === over.state ? 0 : 1,
      });
    }
  });

  it('count one that is read again as neither changed nor older, and know that it was heard', async () => {
    await books.keep([bookEntry(1, { heardAt: 50 })]);
    expect(await books.keep([bookEntry(1, { heardAt: 80 }), bookEntry(2)])).toEqual({
      added: 1,
      changed: 0,
      older: 0,
    });
    expect(await books.keep([bookEntry(1, { heardAt: 60 })])).toEqual({ added: 0, changed: 0, older: 0 });
    expect((await books.entry(idOf(1)))?.heardAt).toBe(80);
    const twice = [bookEntry(3), bookEntry(3, { changedAt: BEGAN + DAY, state: 'paid' }), bookEntry(3)];
    expect(await books.keep(twice)).toEqual({ added: 1, changed: 1, older: 1 });
    expect((await bodyOf(idOf(3))).state).toBe('paid');
  });

  it('end with the newest of each, in whatever order two processes keep them', async () => {
    const random = seededRandom('books');
    const versions = Array.from({ length: 400 }, (_, i) => {
      const n = i % 40;
      return bookEntry(n, {
        changedAt: BEGAN + DAY + Math.floor(i / 40),
        state: `state ${Math.floor(i / 40)}`,
      });
    });
    const shuffled = versions.map((one) => ({ one, at: random.next() })).sort((a, b) => a.at - b.at);
    const groups = Array.from({ length: 20 }, (_, i) =>
      shuffled.slice(i * 20, i * 20 + 20).map(({ one }) => one),
    );
    await Promise.all(groups.map((group, i) => (i % 2 === 0 ? books : other).keep(group)));
    for (let n = 0; n < 40; n++) expect((await bodyOf(idOf(n))).state).toBe('state 9');
  });

  it('list what is open and what is new, and page through all', async () => {
    await books.keep(many(25, (n) => ({ isFinal: n % 5 !== 0, heardAt: n === 10 ? 500 : 100 })));
    expect((await books.open(200, 10)).map(({ id }) => id)).toEqual([0, 5, 15, 20].map(idOf));
    expect(await books.open(1_000, 2)).toHaveLength(2);
    expect([await books.since(BEGAN + 20 * 60_000), await books.since(0)]).toEqual([5, 25]);
    expect(await books.counts()).toMatchObject({ open: 5, oldestAt: BEGAN, newestAt: BEGAN + 24 * 60_000 });
    const ids: string[] = [];
    for (let after = ''; ; after = ids.at(-1) ?? '') {
      const page = await books.bodies(after, 10);
      if (page.length === 0) break;
      ids.push(...page.map(({ id }) => id));
    }
    expect(ids).toEqual(many(25).map(({ id }) => id));
    const [from, to] = [BEGAN + 5 * 60_000, BEGAN + 15 * 60_000];
    const first = await books.created({ from, to, limit: 6 });
    const rest = await books.created({ from, to, after: first.at(-1), limit: 6 });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(
      many(25)
        .slice(5, 15)
        .map(({ id }) => id),
    );
  });

  it('find what holds every part in one of its spellings, the newest first', async () => {
    const sign = bookEntry(30, { finds: [{ kind: 'email', text: `o'b%_r\\ien"@example.com` }] });
    await books.keep([...many(25), sign]);
    const find = async (...parts: string[][]) => (await books.find(parts, { limit: 5 })).map(({ id }) => id);
    expect(await find(['zoe'])).toEqual([24, 22, 20, 18, 16].map(idOf));
    expect(await find(['zoe'], ['00006'])).toEqual([6].map(idOf));
    expect(await find(['bola'], ['00006'])).toEqual([]);
    expect(await find(['nobody', 'wages-7', '3400012'])).toEqual([12, 7].map(idOf));
    for (const part of ['%_r', '\\ien', `o'b`, 'n"@exa']) expect(await find([part]), part).toEqual([sign.id]);
    expect(await find(['e_e'])).toEqual([]);
    const within = { limit: 10, from: BEGAN + 4 * 60_000, to: BEGAN + 8 * 60_000 };
    expect((await books.find([['obi']], within)).map(({ id }) => id)).toEqual([6, 4].map(idOf));
    await books.keep([
      bookEntry(6, { changedAt: BEGAN + DAY, finds: [{ kind: 'name', text: 'chidi' }], state: 'x' }),
    ]);
    expect([await find(['00006']), await find(['chidi'])]).toEqual([[], [idOf(6)]]);
  });

  it('find an amount, however many newer records merely hold its digits', async () => {
    const paid = (n: number, amount: string, name: string) => {
      const transaction = {
        id: idOf(n),
        recipients: [
          {
            input_amount: amount,
            payout_method: { details: { first_name: name, bank_account: '0125078912' } },
          },
        ],
      } as unknown as Transaction;
      return bookEntry(n, { body: JSON.stringify(transaction), finds: findsOf(transaction) });
    };
    await books.keep([paid(0, '250', 'Ada'), paid(1, '12.50', 'Bola'), paid(2, '250.0', 'Chidi')]);
    // Each has 250, 12 and 12.50 within its account or its amount.
    await books.keep(many(600).map((_, n) => paid(n + 3, n % 2 === 0 ? '12500.01' : '912.509', 'Newer')));
    const found = async (...words: string[]) =>
      (await searchBooks(books, { words, limit: 10, zone: 'UTC' })).hits.map(
        ({ recipient }) => recipient?.payout_method?.details?.first_name,
      );
    expect(await found('250.00')).toEqual(['Chidi', 'Ada']);
    // Ids have it too, and stand behind.
    expect((await found('250')).slice(0, 2)).toEqual(['Chidi', 'Ada']);
    expect(await found('250,00')).toEqual(['Chidi', 'Ada']);
    expect(await found('12.5')).toEqual(['Bola']);
    expect(await found('250.00', 'ada')).toEqual(['Ada']);
    // The end of an account beside an amount.
    expect(await found('8912', '250.00')).toEqual(['Chidi', 'Ada']);
    expect(await found('250.01')).toEqual([]);
    expect(await found('12500.01')).toHaveLength(10);
  });

  it('find by a time alone, and by a text of the record that the index does not know', async () => {
    await books.keep([...many(12), bookEntry(30, { body: '{"name":"欧阳 %_x"}' })]);
    const within = { limit: 3, from: BEGAN + 4 * 60_000, to: BEGAN + 8 * 60_000 };
    expect((await books.find([], within)).map(({ id }) => id)).toEqual([7, 6, 5].map(idOf));
    const holding = async (...containing: string[]) =>
      (await books.find([], { limit: 5, containing })).map(({ id }) => id);
    expect(await holding('欧阳')).toEqual([idOf(30)]);
    expect(await holding('欧阳', '%_')).toEqual([idOf(30)]);
    expect(await holding('欧阳', '_%')).toEqual([]);
    expect(await books.find([['bola']], { limit: 5, containing: ['欧阳'] })).toEqual([]);
  });

  it('find among many alike as well', async () => {
    for (let from = 0; from < 2_600; from += 650)
      await books.keep(
        many(2_600)
          .slice(from, from + 650)
          .map((one) => ({ ...one, marks: [] })),
      );
    const found = await books.find([['wages-']], { limit: 3, to: BEGAN + 2_000 * 60_000 });
    expect(found.map(({ id }) => id)).toEqual([1_999, 1_998, 1_997].map(idOf));
  });

  it('keep when something happened as it was first known, and what that comes to', async () => {
    const marks = [mark(), mark({ kind: 'failed', of: 'r-1', amount: undefined })];
    await books.keep([bookEntry(1, { marks }), bookEntry(2)]);
    const later = { changedAt: BEGAN + DAY, state: 'x' };
    await books.keep([
      bookEntry(1, {
        ...later,
        marks: [
          mark({ at: BEGAN + DAY, amount: '-12.00' }),
          mark({ kind: 'refund', of: 'r-1', at: BEGAN + DAY, laterAt: BEGAN + DAY, amount: '2' }),
        ],
      }),
      bookEntry(2, { ...later, marks: [mark({ of: 't-2', laterAt: BEGAN + 2 * DAY, amount: '-1' })] }),
    ]);
    const found = await other.marks([idOf(1), 'nobody', idOf(2)]);
    expect(found.get('nobody')).toEqual([]);
    expect(found.get(idOf(1))).toEqual([
      { kind: 'debit', of: 't-1', at: BEGAN, currency: 'EUR', amount: '-12.00' },
      { kind: 'failed', of: 'r-1', at: BEGAN, currency: 'EUR', amount: undefined },
      { kind: 'refund', of: 'r-1', at: BEGAN + DAY, currency: 'EUR', amount: '2' },
    ]);
    expect(found.get(idOf(2))).toMatchObject([{ at: BEGAN + 2 * DAY }]);
    const moved = async (at: number) => books.movedBefore('EUR', at);
    for (const [at, sum] of [
      [BEGAN, '0'],
      [BEGAN + 1, '-12'],
      [BEGAN + DAY + 5, '-10'],
      [BEGAN + 3 * DAY, '-11'],
    ] as const)
      expect(eq(await moved(at), sum), `${await moved(at)} ${sum}`).toBe(true);
    const all = { currency: 'EUR', from: 0, to: BEGAN + 9 * DAY };
    const [first, second] = await books.movements({ ...all, limit: 2 });
    expect([first?.amount, second?.amount, JSON.parse(first?.body ?? '').id]).toEqual([
      '-12.00',
      '2',
      idOf(1),
    ]);
    const [third, none] = await books.movements({ ...all, after: second, limit: 2, brief: true });
    expect([third?.amount, third?.body, none]).toEqual(['-1', '', undefined]);
    // What no longer moved a balance is taken back; that it failed stays true.
    await books.keep([bookEntry(1, { changedAt: BEGAN + 2 * DAY, state: 'y', marks: [] })]);
    expect((await books.marks([idOf(1)])).get(idOf(1))).toMatchObject([{ kind: 'failed' }]);
    expect(eq(await moved(BEGAN + 9 * DAY), '-1')).toBe(true);
  });

  it('put what was new of a payment no earlier than they knew everything, but for its debit and its first record', async () => {
    const knownUntil = BEGAN + 3 * DAY;
    await books.keep([bookEntry(1)], { knownUntil });
    const refund = mark({ kind: 'refund', of: 'r-1', at: BEGAN + DAY, laterAt: BEGAN + DAY, amount: '2' });
    const late = mark({ kind: 'paid', of: 'r-2', laterAt: knownUntil + 7, amount: undefined });
    const entry = { changedAt: BEGAN + DAY, state: 'x', marks: [mark(), refund, late] };
    await books.keep([bookEntry(1, entry), bookEntry(2, { marks: [{ ...refund, of: 'r-3' }] })]);
    const found = await other.marks([idOf(1), idOf(2)]);
    expect(found.get(idOf(1))).toMatchObject([
      { kind: 'debit', at: BEGAN + 1_000 },
      { kind: 'paid', at: knownUntil + 7 },
      { kind: 'refund', at: knownUntil },
    ]);
    expect(found.get(idOf(2))).toMatchObject([{ kind: 'refund', at: BEGAN + DAY }]);
  });

  it('add up what several processes moved at once', async () => {
    const entries = many(200, (n) => ({
      marks: [mark({ of: `t-${n}`, at: BEGAN + (n % 3) * DAY, amount: '-0.10' })],
    }));
    const groups = Array.from({ length: 20 }, (_, i) => entries.slice(i * 10, i * 10 + 10));
    await Promise.all(groups.flatMap((group) => [books.keep(group), other.keep(group)]));
    expect(eq(await books.movedBefore('EUR', BEGAN + 9 * DAY), '-20')).toBe(true);
    expect(await books.counts()).toMatchObject({ transactions: 200 });
  });

  it('see balances: one line as long as the unexplained part stays', async () => {
    await books.keep([bookEntry(1, { marks: [mark()] })]);
    const see = (at: number, amount: string) => books.seeBalances(at, [{ currency: 'EUR', amount }]);
    await see(BEGAN + 10, '89.50');
    await see(BEGAN + 20, '89.50');
    await see(BEGAN + 30, '189.50');
    await see(BEGAN + 25, '1');
    expect(await other.seenBalances()).toEqual([
      { currency: 'EUR', firstAt: BEGAN + 10, lastAt: BEGAN + 20, amount: '89.50', unexplained: '100' },
      { currency: 'EUR', firstAt: BEGAN + 30, lastAt: BEGAN + 30, amount: '189.50', unexplained: '200' },
    ]);
    await books.keepRates([
      { day: '2026-01-05', from: 'EUR', to: 'NGN', mid: '1600' },
      { day: '2026-01-05', from: 'EUR', to: 'NGN', mid: '1650' },
      { day: '2026-01-06', from: 'EUR', to: 'NGN', mid: '1700' },
    ]);
    expect(await other.rates('2026-01-05', '2026-01-05')).toEqual([
      { day: '2026-01-05', from: 'EUR', to: 'NGN', mid: '1650' },
    ]);
  });

  it('forget what is old, or all, and keep what it had moved until all is forgotten', async () => {
    const entries = many(30, (n) => ({ marks: [mark({ of: `t-${n}`, at: BEGAN + n * 60_000 })] }));
    await books.keep(entries, { completeAt: 5, hiddenBy: undefined });
    expect(await other.forget(BEGAN + 20 * 60_000)).toBe(20);
    expect(await books.counts()).toMatchObject({ transactions: 10, oldestAt: BEGAN + 20 * 60_000 });
    expect(await books.progress()).toMatchObject({ completeAt: 5, forgottenBefore: BEGAN + 20 * 60_000 });
    expect(await books.find([['wages-7']], { limit: 5 })).toEqual([]);
    expect((await books.marks([idOf(7)])).get(idOf(7))).toEqual([]);
    expect(eq(await books.movedBefore('EUR', BEGAN + 9 * DAY), '-315')).toBe(true);
    expect(await books.forget(undefined)).toBe(10);
    expect([await books.progress(), await books.seenBalances()]).toEqual([{}, []]);
    expect(await books.counts()).toMatchObject({ transactions: 0, oldestAt: undefined, newestAt: undefined });
    expect(eq(await books.movedBefore('EUR', BEGAN + 9 * DAY), '0')).toBe(true);
  });

  it('take no record that is hidden otherwise than they are', async () => {
    await books.setProgress({ hiddenBy: 'key 1' });
    await books.keep([bookEntry(1, { hiddenBy: 'key 1' })]);
    for (const hiddenBy of [undefined, 'key 2'])
      await expect(other.keep([bookEntry(2, { hiddenBy })])).rejects.toMatchObject({
        name: 'StoreError',
        kind: 'remade',
      });
    expect(await books.counts()).toMatchObject({ transactions: 1 });
  });
});
