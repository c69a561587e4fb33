/** The last steps of a closing: whatever stops it, a month is closed with its papers or is not closed, and nothing half stands there. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeMonth, finishClosing, type Paper } from '../../../src/books/closing/close.ts';
import { type ExaminedMonth, examineMonth } from '../../../src/books/closing/examine.ts';
import { verifyClosing } from '../../../src/books/closing/verify.ts';
import type { Books } from '../../../src/books/store/port.ts';
import { openSqliteBooks } from '../../../src/books/store/sqlite.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { bookEntry } from '../../support/book-stores.ts';
import { deskOver } from '../../support/desk.ts';

const DAY = 86_400_000;
const OCTOBER = Date.UTC(2026, 9, 1);
const NOVEMBER = Date.UTC(2026, 10, 1);
const NOW = NOVEMBER + DAY;

let desk: Desk;
let books: Books;
let month: ExaminedMonth;
let folder: string;

const debit = (id: string, at: number) => ({
  ...{ kind: 'debit' as const, of: id, at, laterAt: at },
  ...{ currency: 'EUR', amount: '-10' },
});
const payment = (n: number, at: number) =>
  bookEntry(n, {
    createdAt: at,
    changedAt: at,
    marks: [debit(`t-${n}`, at)],
    body: JSON.stringify({
      id: `t-${n}`,
      state: 'received',
      created_at: new Date(at).toISOString(),
      input_currency: 'EUR',
      input_amount: '10',
      paid_amount: '10',
      recipients: [{ id: `r-${n}`, state: 'processing', input_amount: '10', input_currency: 'EUR' }],
    }),
  });
const examined = (again = false) =>
  examineMonth(desk, books, {
    month: '2026-10',
    decisions: new Map(),
    again,
    reconciliation: {
      ledger: {
        name: 'ledger.csv',
        bytes: (async function* () {
          yield Buffer.from('reference,date,amount,currency\nW-1,2026-10-13,10,EUR\n');
        })(),
        map: {},
        use: undefined,
        decimalComma: false,
        currency: undefined,
        payments: undefined,
        dayOrder: undefined,
      },
      service: undefined,
      statements: [],
      days: 3,
    },
  });

beforeEach(async () => {
  desk = deskOver({
    transport: async () => {
      throw new Error('nobody is asked');
    },
    clock: { now: () => NOW, sleep: async () => {} } as never,
  });
  books = await openSqliteBooks(':memory:');
  await books.setProgress({ completeAt: OCTOBER, knownUntil: OCTOBER });
  await books.seeBalances(OCTOBER - 1, [{ currency: 'EUR', amount: '1000' }]);
  await books.keep([payment(1, OCTOBER + 12 * DAY)]);
  await books.setProgress({ completeAt: NOW, knownUntil: NOW });
  await books.seeBalances(NOW, [{ currency: 'EUR', amount: '990' }]);
  month = await examined();
  folder = join(mkdtempSync(join(tmpdir(), 'remit-close-')), 'closed', '2026-10');
});

const paper = (pieces: Paper['pieces'] = ['one line\n'], name = 'statement.csv'): Paper => ({
  name,
  what: 'the lines',
  pieces,
});
const close = (papers: readonly Paper[], over: object = {}) =>
  closeMonth(desk, books, month, { folder, papers, withOpen: false, again: false, ...over });
const isNothingLeft = (): boolean =>
  !existsSync(join(folder, '..')) || readdirSync(join(folder, '..')).length === 0;

describe('a closing', () => {
  it('makes the folders above its own, and proves itself', async () => {
    expect(month.open).toEqual([]);
    const made = await close([paper(), paper([new Uint8Array([0, 255]), 'x'], 'sources/1-bank.sta')]);
    const { digest, files } = await verifyClosing(folder);
    expect(digest).toBe(made.manifest);
    expect(files.map(({ name, state, bytes }) => [name, state, bytes])).toEqual([
      ['statement.csv', 'same', 9],
      ['sources/1-bank.sta', 'same', 3],
    ]);
    expect((await books.closings()).map(({ manifest }) => manifest)).toEqual([digest]);
  });

  it('makes folders and files for this user alone', async () => {
    await close([paper(), paper(['x'], 'sources/1-bank.sta')]);
    for (const name of ['', 'sources', 'statement.csv', 'sources/1-bank.sta', 'manifest.json', '..'])
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
  });

  it('touches nothing that is there', async () => {
    mkdirSync(`${folder}.part`, { recursive: true });
    await expect(close([paper()])).rejects.toMatchObject({ facts: { category: 'usage' } });
    expect(existsSync(`${folder}.part`)).toBe(true);
    mkdirSync(folder);
    await expect(close([paper()])).rejects.toThrow('is there already');
    expect([existsSync(folder), await books.closings()]).toEqual([true, []]);
  });

  it('is finished by its own papers alone', async () => {
    await close([paper()]);
    renameSync(folder, `${folder}.part`);
    expect(await finishClosing(books, '2026-09', folder)).toBeUndefined();
    expect(await finishClosing(await openSqliteBooks(':memory:'), '2026-10', folder)).toBeUndefined();
    const text = readFileSync(`${folder}.part/manifest.json`, 'utf8');
    writeFileSync(`${folder}.part/manifest.json`, `${text} `);
    expect(await finishClosing(books, '2026-10', folder)).toBeUndefined();
    rmSync(`${folder}.part/manifest.json`);
    expect(await finishClosing(books, '2026-10', folder)).toBeUndefined();
    writeFileSync(`${folder}.part/manifest.json`, text);
    expect((await finishClosing(books, '2026-10', folder))?.files).toBe(1);
  });

  it('leaves nothing where a paper cannot be made', async () => {
    const broken = async function* () {
      yield 'half';
      throw new Error('the disk is full');
    };
    await expect(close([paper(), paper(broken(), 'summary.csv')])).rejects.toThrow('the disk is full');
    expect([isNothingLeft(), await books.closings()]).toEqual([true, []]);
  });

  it('leaves nothing where somebody stops it', async () => {
    const stopped = new AbortController();
    const stopping = function* () {
      stopped.abort();
      yield 'whole';
    };
    desk = { ...desk, signal: stopped.signal };
    await expect(close([paper(stopping()), paper([], 'summary.csv')])).rejects.toMatchObject({
      facts: { category: 'interrupted' },
    });
    expect([isNothingLeft(), await books.closings()]).toEqual([true, []]);
  });

  it('leaves nothing where the books learn of a movement of the month meanwhile', async () => {
    const learning = async function* () {
      await books.keep([payment(2, OCTOBER + 20 * DAY)]);
      yield 'the lines of before';
    };
    await expect(close([paper(learning())])).rejects.toMatchObject({
      facts: { category: 'conflict', code: 'books_changed' },
    });
    expect([isNothingLeft(), await books.closings()]).toEqual([true, []]);
  });

  it('leaves nothing where another one closed the month meanwhile', async () => {
    const racing = async function* () {
      const other = { ...month, closedAt: 1, manifest: 'b'.repeat(64), moved: month.moved };
      await books.closeMonth(other);
      yield 'ours';
    };
    await expect(close([paper(racing())])).rejects.toMatchObject({ facts: { category: 'conflict' } });
    expect(isNothingLeft()).toBe(true);
    expect((await books.closings()).map(({ manifest }) => manifest)).toEqual(['b'.repeat(64)]);
  });

  it('keeps its papers where only their name is missing, and closing again gives it', async () => {
    const blocking = function* () {
      mkdirSync(join(folder, 'in the way'), { recursive: true });
      yield 'whole';
    };
    await expect(close([paper(blocking())])).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    expect(await books.closings()).toHaveLength(1);
    expect(await finishClosing(books, '2026-10', folder)).toBeUndefined();
    rmdirSync(join(folder, 'in the way'));
    rmdirSync(folder);
    const finished = await finishClosing(books, '2026-10', folder);
    expect(finished?.manifest).toBe((await verifyClosing(folder)).digest);
    expect(await finishClosing(books, '2026-10', folder)).toBeUndefined();
  });

  it('keeps its papers where nobody can tell whether the books know of it', async () => {
    const silent: Books = {
      ...books,
      closeMonth: async (closing) => {
        await books.closeMonth(closing);
        throw new Error('the connection is gone');
      },
      closings: async () => {
        throw new Error('the connection is gone');
      },
    };
    const closing = closeMonth(desk, silent, month, {
      folder,
      papers: [paper()],
      withOpen: false,
      again: false,
    });
    await expect(closing).rejects.toThrow('the connection is gone');
    expect((await finishClosing(books, '2026-10', folder))?.month).toBe('2026-10');
  });

  it('refuses what is open, whoever asks', async () => {
    month = {
      ...month,
      open: [{ paper: 'statement', what: 'x', currency: null, amount: null, day: null, case: null }],
    };
    await expect(close([paper()])).rejects.toMatchObject({ facts: { code: 'open_differences' } });
    expect((await close([paper()], { withOpen: true })).open).toBe(1);
  });
});

describe('a month', () => {
  it('is too early to close where no balance was seen since it ended', async () => {
    books = await openSqliteBooks(':memory:');
    await books.setProgress({ completeAt: NOW, knownUntil: NOW });
    await books.seeBalances(NOVEMBER - 1, [{ currency: 'EUR', amount: '1000' }]);
    await expect(examined()).rejects.toMatchObject({ facts: { category: 'pending' } });
    await books.seeBalances(NOVEMBER, [{ currency: 'EUR', amount: '1000' }]);
    await expect(examined()).resolves.toMatchObject({ month: '2026-10' });
  });
});

describe('what is open', () => {
  it('is money that left, an opening that nobody saw, and sums that do not lead to the balance', async () => {
    books = await openSqliteBooks(':memory:');
    await books.setProgress({ completeAt: NOW, knownUntil: NOW });
    await books.seeBalances(OCTOBER + DAY, [{ currency: 'EUR', amount: '1000' }]);
    await books.seeBalances(OCTOBER + 2 * DAY, [{ currency: 'EUR', amount: '900' }]);
    await books.seeBalances(NOW, [{ currency: 'EUR', amount: '900' }]);
    const { open } = await examined();
    expect(open.map(({ paper: of, what, amount, day }) => [of, what, amount, day])).toEqual([
      ['statement', 'nobody saw the opening balance', null, null],
      ['statement', 'money left, and no payment explains it', '-100', '2026-10-03'],
    ]);
    // The day is that of the zone, as everywhere in the papers.
    desk = { ...desk, zone: 'Pacific/Honolulu' };
    expect((await examined()).open.find(({ amount }) => amount === '-100')?.day).toBe('2026-10-02');
  });

  it('is a balance that payments moved, and that nobody saw by the end of the month; of others that nobody saw nothing is said', async () => {
    books = await openSqliteBooks(':memory:');
    await books.setProgress({ completeAt: NOW, knownUntil: NOW });
    await books.keep([payment(1, OCTOBER + 12 * DAY)]);
    for (const currency of ['EUR', 'USD'])
      await books.seeBalances(NOW, [{ currency, amount: currency === 'EUR' ? '990' : '0' }]);
    const { open } = await examined();
    expect(open.map(({ paper: of, what, currency }) => [of, what, currency])).toEqual([
      ['statement', 'nobody saw the opening balance', 'EUR'],
      ['in_flight', 'nobody saw the balance by the end of the month', 'EUR'],
    ]);
  });

  it('is a payment without a recipient that accounts for it', async () => {
    const at = OCTOBER + 5 * DAY;
    const lone = payment(7, at);
    await books.keep([
      {
        ...lone,
        body: lone.body.replace(
          '"input_amount":"10","input_currency"',
          '"input_amount":"4","input_currency"',
        ),
      },
    ]);
    await books.seeBalances(NOW + 1, [{ currency: 'EUR', amount: '980' }]);
    const { open } = await examined();
    expect(open).toMatchObject([{ paper: 'in_flight', amount: '-6', currency: 'EUR' }]);
  });
});
