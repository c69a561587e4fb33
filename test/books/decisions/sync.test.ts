/** How far `books sync` reads, what it calls complete, and which look at the balances counts. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bookEntryOf } from '../../../src/books/entry.ts';
import type { Books } from '../../../src/books/store/port.ts';
import { openSqliteBooks } from '../../../src/books/store/sqlite.ts';
import { syncBooks } from '../../../src/books/sync.ts';
import type { Transaction } from '../../../src/contract/resources/transaction.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { deskOver } from '../../support/desk.ts';
import { type StandingClock, standingClock } from '../../support/stores.ts';

const MINUTE = 60_000;
const configDir = mkdtempSync(join(tmpdir(), 'remit-sync-'));

/** A service with these records, as it lists them; `calls` are the paths that were asked for. */
let service: {
  records: Transaction[];
  total: number | undefined;
  calls: string[];
  status: Record<string, number>;
  onCall: (path: string) => void;
};
let books: Books;
let clock: StandingClock;
let heard: string[];
let stop: AbortController;
let now: number;

beforeEach(async () => {
  service = { records: [], total: -1, calls: [], status: {}, onCall: () => {} };
  books = await openSqliteBooks(':memory:');
  clock = standingClock();
  now = clock.now();
  heard = [];
  stop = new AbortController();
});
afterEach(() => books.close());

function answer(path: string, query: URLSearchParams): unknown {
  if (path === '/accounts') return { object: [{ currency: 'EUR', amount: '100' }] };
  if (path !== '/transactions') {
    const id = path.split('/').at(-1);
    return { object: service.records.find((one) => one.id === id) ?? {} };
  }
  const [page, per] = [Number(query.get('page')), Number(query.get('per'))];
  const object = service.records.slice((page - 1) * per, page * per);
  const isLast = page * per >= service.records.length;
  const total_count = service.total === -1 ? service.records.length : service.total;
  return { object, meta: { pagination: { next_page: isLast ? null : page + 1, total_count } } };
}

function desk(): Desk {
  const over = deskOver({
    clock,
    transport: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const path = pathname.replace('/v1', '');
      const name = path === '/transactions' ? `page ${searchParams.get('page')}` : path;
      service.calls.push(name);
      service.onCall(name);
      const body = JSON.stringify(answer(path, searchParams));
      return { status: service.status[name] ?? 200, headers: {}, body };
    },
  });
  return {
    ...over,
    machine: { ...over.machine, env: { REMIT_CONFIG_DIR: configDir } },
    signal: stop.signal,
    hear: (event: unknown) => heard.push(JSON.stringify(event)),
  } as Desk;
}

/** Created so many minutes before now, and over. */
const over = (id: string, minutes: number, more: Partial<Transaction> = {}): Transaction => ({
  id,
  state: 'paid',
  created_at: new Date(now - minutes * MINUTE).toISOString(),
  ...more,
});
const open = (id: string, minutes: number): Transaction => over(id, minutes, { state: 'received' });
/** So many, newest first, a minute apart, the newest so many minutes before now. */
const many = (name: string, count: number, minutes: number): Transaction[] =>
  Array.from({ length: count }, (_, n) => over(`${name}-${n}`, minutes + n));
const at = (minutes: number): number => now - minutes * MINUTE;
const sync = (wish: Partial<Parameters<typeof syncBooks>[2]> = {}) =>
  syncBooks(desk(), books, { perMinute: undefined, all: false, ...wish });
/** Later, with nothing asked for yet. */
function later(): void {
  clock.advance(MINUTE);
  service.calls = [];
}

describe('the first time', () => {
  it('every page is read, behind a look at the balances', async () => {
    service.records = [...many('a', 150, 10), open('b', 300)];
    const synced = await sync();
    expect(service.calls).toEqual(['/accounts', 'page 1', 'page 2']);
    expect(synced).toEqual({
      pages: 2,
      calls: 3,
      added: 151,
      changed: 0,
      older: 0,
      isComplete: true,
      missing: 0,
      corrections: [],
      again: 1,
      open: 1,
    });
    expect(await books.progress()).toMatchObject({
      completeAt: now,
      newestAt: at(10),
      knownUntil: now,
      lookedAt: now,
    });
    expect((await books.progress()).walk).toBeUndefined();
    expect(await books.seenBalances()).toMatchObject([{ currency: 'EUR', amount: '100', firstAt: now }]);
  });

  it('goes on behind the page where it was interrupted, without a look, and is known until it began', async () => {
    service.records = many('a', 250, 10);
    await books.keep([...service.records.slice(0, 100)].map((one) => bookEntryOf(one, 1) as never));
    await books.setProgress({ walk: { page: 2, beganAt: now - 7, newestAt: at(10) } });
    const synced = await sync();
    expect(service.calls).toEqual(['page 2', 'page 3']);
    expect(synced).toMatchObject({ isComplete: true, added: 150 });
    expect(await books.progress()).toMatchObject({ completeAt: now - 7, newestAt: at(110) });
    expect(await books.seenBalances()).toEqual([]);
  });

  it('reads from the front what was made since it was interrupted', async () => {
    const old = many('a', 250, 10);
    await books.keep(old.slice(0, 100).map((one) => bookEntryOf(one, 1) as never));
    await books.setProgress({ walk: { page: 2, beganAt: now - 7, newestAt: at(10) } });
    service.records = [over('new', 1), ...old];
    expect(await sync()).toMatchObject({ isComplete: true, missing: 0 });
    expect(service.calls).toEqual(['page 2', 'page 3', 'page 1']);
    expect(await books.get('new')).toBeDefined();
  });

  it('is not complete where the service has more than any page shows, and every page is read again', async () => {
    service.records = many('a', 3, 10);
    service.total = 5;
    expect(await sync()).toMatchObject({ isComplete: false, missing: 2 });
    expect((await books.progress()).completeAt).toBeUndefined();
    expect(heard.join()).toContain('2 transactions that no page showed');
    expect(await books.seenBalances()).toEqual([]);
    later();
    service.total = 3;
    expect(await sync()).toMatchObject({ isComplete: true, missing: 0 });
    expect(heard).toHaveLength(1);
  });

  it('that turns out not to be complete later keeps what else is known', async () => {
    service.records = many('a', 3, 10);
    await sync();
    const { newestAt, knownUntil, lookedAt } = await books.progress();
    later();
    service.total = 5;
    expect(await sync()).toMatchObject({ isComplete: false, missing: 2 });
    const after = await books.progress();
    expect(after).toMatchObject({ newestAt, knownUntil, lookedAt });
    expect([newestAt, after.completeAt]).toEqual([at(10), undefined]);
  });

  it('is complete where the service does not say how many there are, or some were forgotten', async () => {
    service.records = many('a', 3, 10);
    service.total = undefined;
    expect(await sync()).toMatchObject({ isComplete: true, missing: 0 });
    service.total = 9;
    await books.setProgress({ ...(await books.progress()), forgottenBefore: 1 });
    later();
    expect(await sync({ all: true })).toMatchObject({ isComplete: true, missing: 0 });
  });

  it('that is interrupted is neither complete nor said to lack anything', async () => {
    service.records = many('a', 250, 10);
    service.onCall = (name) => name === 'page 1' && stop.abort();
    expect(await sync()).toMatchObject({ isComplete: false, added: 100 });
    expect((await books.progress()).walk).toMatchObject({ page: 2, beganAt: now, newestAt: at(10) });
    expect(heard).toEqual([]);
  });
});

describe('later', () => {
  it('reads on to ten minutes before the newest: one that came late into the list is found', async () => {
    const known = [over('t', 200), over('u', 201), ...many('old', 120, 220)];
    service.records = known;
    expect(await sync()).toMatchObject({ isComplete: true });
    later();
    const [t, u, ...rest] = known as [Transaction, Transaction];
    // The first page ends a minute before what was the newest; the late one stands on the second.
    service.records = [...many('new', 98, 1), t, u, over('late', 205), ...rest];
    const synced = await sync();
    expect(service.calls).toEqual(['/accounts', 'page 1', 'page 2']);
    expect(await books.get('late')).toBeDefined();
    expect(synced).toMatchObject({ isComplete: true, added: 99, missing: 0 });
  });

  it.each([
    // The first page ends just at ten minutes before the newest, or one minute before that.
    [9, ['page 1', 'page 2']],
    [10, ['page 1', 'page 2']],
    [11, ['page 1']],
  ])('is enough where a page ends more than ten minutes before the newest: %i', async (minutes, pages) => {
    const known = [over('t', 200), over('u', 200 + minutes), ...many('old', 120, 320)];
    service.records = known;
    await sync();
    later();
    service.records = [...many('new', 98, 1), ...known];
    expect(await sync()).toMatchObject({ isComplete: true });
    expect(service.calls).toEqual(['/accounts', ...pages]);
    expect((await books.progress()).newestAt).toBe(at(1));
    expect((await books.progress()).completeAt).toBe(clock.now());
  });

  it('reads every page where the newest do not come first, and says so', async () => {
    service.records = many('a', 250, 10);
    await sync();
    later();
    service.records.reverse();
    expect(await sync()).toMatchObject({ isComplete: true });
    expect(service.calls).toEqual(['/accounts', 'page 1', 'page 2', 'page 3']);
    expect(heard.join()).toContain('does not list the newest first');
  });

  it('two of one moment are in order', async () => {
    service.records = [over('x', 10), over('y', 10), ...many('a', 250, 10)];
    await sync();
    later();
    await sync();
    expect(service.calls).toEqual(['/accounts', 'page 1']);
    expect(heard).toEqual([]);
  });

  it('reads every page where that is asked for', async () => {
    service.records = many('a', 250, 10);
    await sync();
    later();
    await sync({ all: true });
    expect(service.calls).toEqual(['/accounts', 'page 1', 'page 2', 'page 3']);
    expect(heard).toEqual([]);
  });

  it('reads one by one what was open, where that is fewer calls', async () => {
    service.records = [...many('a', 250, 10), open('b', 400)];
    await sync();
    later();
    service.records = [...many('a', 250, 10), over('b', 400)];
    expect(await sync()).toMatchObject({ isComplete: true, changed: 1, open: 0 });
    expect(service.calls).toEqual(['/accounts', 'page 1', '/transactions/b']);
  });

  it('reads the pages down to the oldest that was open, where those are fewer', async () => {
    const opened = ['b', 'c', 'd', 'e'].map((id, n) => open(id, 400 + n));
    service.records = [...many('a', 150, 10), ...opened];
    await sync();
    later();
    expect(await sync()).toMatchObject({ isComplete: true, open: 4 });
    expect(service.calls).toEqual(['/accounts', 'page 1', 'page 2']);
  });

  it('keeps as it was what the service has no more, and says so', async () => {
    service.records = [...many('a', 150, 10), open('b', 400)];
    await sync();
    later();
    service.status['/transactions/b'] = 404;
    expect(await sync()).toMatchObject({ isComplete: true, open: 1 });
    expect(heard.join()).toContain('has no transaction b any more');
  });

  it('fails where an open one cannot be read for another reason', async () => {
    service.records = [...many('a', 150, 10), open('b', 400)];
    await sync();
    later();
    service.status['/transactions/b'] = 400;
    await expect(sync()).rejects.toMatchObject({ status: 400 });
  });

  it('is not complete where it is interrupted among the open ones', async () => {
    service.records = [...many('a', 350, 10), open('b', 400), open('c', 401)];
    await sync();
    later();
    service.onCall = (name) => name === '/transactions/c' && stop.abort();
    expect(await sync()).toMatchObject({ isComplete: false, missing: 0 });
    expect(service.calls).toEqual(['/accounts', 'page 1', '/transactions/c']);
    expect((await books.progress()).completeAt).toBe(now);
  });
});

describe('the calls that the next one takes for what is not final', () => {
  it.each<[string, () => Transaction[], number]>([
    ['of nothing that is open', () => many('a', 250, 10), 0],
    ['of one on the first page: that page', () => [open('b', 1), ...many('a', 250, 10)], 1],
    ['of one far down: itself', () => [...many('a', 250, 10), open('b', 400)], 1],
    [
      'of five on the third page: three pages',
      () => [...many('a', 250, 10), ...Array.from({ length: 5 }, (_, n) => open(`b-${n}`, 400 + n))],
      3,
    ],
    [
      'of more than are read one by one: the pages down to the oldest',
      () => Array.from({ length: 501 }, (_, n) => open(`b-${n}`, 10 + n)),
      6,
    ],
  ])('%s', async (_, records, again) => {
    service.records = records();
    expect(await sync()).toMatchObject({ isComplete: true, again });
  });

  it('are as many as are then made', async () => {
    service.records = Array.from({ length: 501 }, (_, n) => open(`b-${n}`, 10 + n));
    const { again } = await sync();
    later();
    await sync();
    expect(service.calls.filter((name) => name !== '/accounts')).toHaveLength(again);
  });
});

it('of an interrupted first time that began before, the newest that was read counts', async () => {
  service.records = many('a', 250, 10);
  await books.setProgress({ walk: { page: 2, beganAt: now - 7 } });
  await sync();
  later();
  service.records = [...many('n', 30, 1), ...service.records];
  expect(await sync()).toMatchObject({ isComplete: true });
  expect((await books.counts()).transactions).toBe(280);
});

describe('a look at the balances', () => {
  const moved = (
    id: string,
    minutes: number,
    changed: number,
    more: Partial<Transaction> = {},
  ): Transaction =>
    over(id, minutes, {
      updated_at: new Date(now + changed).toISOString(),
      input_currency: 'EUR',
      input_amount: '10',
      paid_amount: '10',
      ...more,
    });

  it.each([
    // Dated by its creation, it may have moved the balance behind the look.
    ['changed since', 1, {}, 0],
    ['changed at that moment', 0, {}, 1],
    ['changed since, and moved nothing', 1, { state: 'approved', paid_amount: '0' }, 1],
  ])('with a payment that %s', async (_, changed, more, seen) => {
    service.records = [moved('m', 30, changed, more)];
    expect(await sync()).toMatchObject({ isComplete: true, added: 1 });
    expect(await books.seenBalances()).toHaveLength(seen);
    expect((await books.progress()).knownUntil).toBe(now);
  });

  it.each([
    ['at that moment', 0, 'EUR', 1],
    ['since', 1, 'EUR', 0],
    ['since, in another currency', 1, 'USD', 1],
  ])('does not count where a listener kept what moved it %s', async (_, ms, currency, seen) => {
    service.onCall = (name) => {
      if (name !== 'page 1') return;
      const created = new Date(now + ms).toISOString();
      const told = moved('m', 0, ms, { created_at: created, input_currency: currency });
      void books.keep([bookEntryOf(told, now) as never]);
    };
    expect(await sync()).toMatchObject({ isComplete: true });
    expect(await books.seenBalances()).toHaveLength(seen);
  });
});

it('says what came of a closed month since the time before, once', async () => {
  const created = at(600);
  const paid = (state: string): Transaction => ({
    ...over('a', 600, { state: 'received', input_currency: 'EUR', input_amount: '10', paid_amount: '10' }),
    updated_at: new Date(clock.now() - 5).toISOString(),
    recipients: [{ id: 'r-a', state: state as 'paid', input_currency: 'EUR', input_amount: '10' }],
  });
  service.records = [paid('processing')];
  expect((await sync()).corrections).toEqual([]);
  const { knownUntil = 0 } = await books.progress();
  await books.closeMonth({
    ...{ month: '2026-10', zone: 'UTC', from: created, to: created + 1, closedAt: 1, knownUntil },
    ...{ manifest: 'a'.repeat(64), moved: [] },
  });
  later();
  service.records = [paid('refunded')];
  // It is kept, and the books are not complete: the next time says it.
  service.total = 5;
  expect(await sync()).toMatchObject({ isComplete: false, corrections: [] });
  service.total = -1;
  later();
  const correction = { month: '2026-10', currency: 'EUR', movements: 1, amount: '10' };
  expect((await sync()).corrections).toEqual([correction]);
  expect(heard.filter((one) => one.includes('corrects')).map((one) => JSON.parse(one).as)).toEqual([
    'statement',
  ]);
  later();
  expect((await sync()).corrections).toEqual([]);
});
