/** The books of the account at hand: a file of their own on this machine. */

import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { configProblem, notFound, usage } from '../core/problem.ts';
import { makeOwnFile, readOwnFile } from '../disk/own-file.ts';
import type { StoreError } from '../disk/store-error.ts';
import type { Desk } from '../payments/desk.ts';
import { storeAccountOf } from '../payments/shared-store.ts';
import { booksKeyPath, booksPath } from '../profiles/paths.ts';
import { type Hider, hiderOf, withoutNames } from './hidden.ts';
import type { Books } from './store/port.ts';

export interface OpenedBooks {
  books: Books;
  /** The file. */
  where: string;
  /** The books are kept without names: what makes the hashes. @throws Problem (config): its key is not on this machine */
  hider: (() => Hider) | undefined;
}

/** Made where there are none. @throws StoreError, Problem (usage) */
export async function openBooks(desk: Desk): Promise<OpenedBooks> {
  return withKey(desk, await made(desk));
}

/** Looking makes none. */
export async function booksIfAny(desk: Desk): Promise<OpenedBooks | undefined> {
  const stored = await openStored(desk, { make: false });
  return stored && withKey(desk, stored);
}

/** @throws Problem (not found) where there are none yet */
export async function booksThatAre(desk: Desk): Promise<OpenedBooks> {
  const opened = await booksIfAny(desk);
  if (opened !== undefined) return opened;
  throw notFound('there are no books of this account yet', hint`make them: ${{ do: 'sync_books' }}`);
}

/** Begun without names, they stay so. @throws Problem (usage) where there are records with names */
export async function openWithoutNames(desk: Desk): Promise<OpenedBooks> {
  const stored = await made(desk);
  const { books } = stored;
  const progress = await books.progress();
  if (progress.hiddenBy === undefined) {
    if ((await books.counts()).transactions > 0)
      throw usage(
        'the books have names already: they cannot be kept without them from now on',
        hint`begin anew: ${{ do: 'forget_books' }}, then this again`,
      );
    const { print } = makeKey(desk.machine.env, await accountName(desk));
    await books.setProgress({ ...progress, hiddenBy: print });
  }
  return withKey(desk, stored);
}

/** Records created before that moment, or all, and then the key too. Needs no key. How many there were. */
export async function forgetBooks(
  desk: Desk,
  createdBefore: number | undefined,
): Promise<ForgottenBooks | undefined> {
  try {
    const stored = await openStored(desk, { make: false });
    if (stored === undefined) return undefined;
    const forgotten = await stored.books.forget(createdBefore);
    if (createdBefore === undefined) forgetKey(desk.machine.env, await accountName(desk));
    return { forgotten, left: (await stored.books.counts()).transactions };
  } catch (error) {
    if (createdBefore !== undefined || !isDamaged(error)) throw error;
    return forgetFile(desk);
  }
}

/** How many there were; null where damaged books could not be counted. */
export interface ForgottenBooks {
  forgotten: number | null;
  left: number;
}

const isDamaged = (error: unknown): boolean => {
  if (!(error instanceof Error) || error.name !== 'StoreError') return false;
  const { kind } = error as StoreError;
  return ['corrupt', 'failed', 'older'].includes(kind);
};

/** The file and what SQLite keeps beside it. */
async function forgetFile(desk: Desk): Promise<ForgottenBooks> {
  const account = await accountName(desk);
  const path = booksPath(desk.machine.env, account);
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
  forgetKey(desk.machine.env, account);
  return { forgotten: null, left: 0 };
}

type Stored = Pick<OpenedBooks, 'books' | 'where'>;

async function withKey(desk: Desk, { books, where }: Stored): Promise<OpenedBooks> {
  const { hiddenBy } = await books.progress();
  if (hiddenBy === undefined) return { books, where, hider: undefined };
  const account = await accountName(desk);
  let key: Hider | undefined;
  const hider = (): Hider => (key ??= keyOf(desk.machine.env, account, hiddenBy));
  return { books: withoutNames(books, hider), where, hider };
}

async function made(desk: Desk): Promise<Stored> {
  const stored = await openStored(desk, { make: true });
  if (stored === undefined) throw new Error('books that are made are there');
  return stored;
}

async function openStored(desk: Desk, { make }: { make: boolean }): Promise<Stored | undefined> {
  const path = booksPath(desk.machine.env, await accountName(desk));
  if (!make && !existsSync(path)) return undefined;
  const { openSqliteBooks } = await import('./store/sqlite.ts');
  const books = await openSqliteBooks(path);
  desk.closing(() => books.close());
  return { books, where: path };
}

const accountName = async (desk: Desk): Promise<string> => storeAccountOf(await desk.connection()).short;

/**
 * The key of books without names: a small file of this user alone (0600), beside the settings. Made where
 * there is none.
 */
function makeKey(env: Env, account: string): Hider {
  makeOwnFile(booksKeyPath(env, account), Buffer.from(`${randomBytes(32).toString('hex')}\n`));
  return readKey(env, account) ?? missing(env, account);
}

/** The key with which these books were begun. @throws Problem (config) where it is not here, or another one is */
function keyOf(env: Env, account: string, print: string): Hider {
  const hider = readKey(env, account);
  return hider?.print === print ? hider : missing(env, account);
}

/** With the last record nothing is left that it could find. */
const forgetKey = (env: Env, account: string): void => rmSync(booksKeyPath(env, account), { force: true });

function readKey(env: Env, account: string): Hider | undefined {
  const text = readOwnFile(booksKeyPath(env, account))?.trim();
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? hiderOf(text) : undefined;
}

function missing(env: Env, account: string): never {
  throw configProblem(
    'books_key',
    'the books are kept without names, and the key that they were begun with is not on this machine',
    hint`put it back: ${booksKeyPath(env, account)}; without it begin anew: ${{ do: 'forget_books' }}, then ${{ do: 'sync_books' }}`,
  );
}
