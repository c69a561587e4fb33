/** The books of the account at hand: a file of their own on this machine. */
import { existsSync } from 'node:fs';
import { said } from '../../core/next.ts';
import type { Books } from '../../core/ports/books.ts';
import { notFound, usage } from '../../core/problem.ts';
import { booksPath } from '../../profiles/paths.ts';
import type { Desk } from '../desk.ts';
import { accountOf } from '../webhooks/open-inbox.ts';
import { type Hider, withoutNames } from './hidden.ts';
import { forgetKey, keyOf, makeKey } from './key.ts';

export interface OpenedBooks {
  books: Books;
  path: string;
  /** The books are kept without names: what makes the hashes. @throws Problem (config): its key is not on this machine */
  hider: (() => Hider) | undefined;
}

/** Made where there are none. @throws StoreError */
export async function openBooks(desk: Desk): Promise<OpenedBooks> {
  const { books, path } = await openStored(desk);
  const { hiddenBy } = await books.progress();
  if (hiddenBy === undefined) return { books, path, hider: undefined };
  const account = await accountName(desk);
  let key: Hider | undefined;
  const hider = (): Hider => (key ??= keyOf(desk.machine.env, account, hiddenBy));
  return { books: withoutNames(books, hider), path, hider };
}

/** Looking makes none. */
export async function booksIfAny(desk: Desk): Promise<OpenedBooks | undefined> {
  return existsSync(await pathOf(desk)) ? openBooks(desk) : undefined;
}

/** @throws Problem (not found) where nobody made them yet */
export async function booksThatAre(desk: Desk): Promise<OpenedBooks> {
  const opened = await booksIfAny(desk);
  if (opened !== undefined) return opened;
  throw notFound('there are no books of this account yet', said`make them: ${{ do: 'sync_books' }}`);
}

/** Begun without names, they stay so. @throws Problem (usage) where there are records with names */
export async function openWithoutNames(desk: Desk): Promise<OpenedBooks> {
  const { books } = await openStored(desk);
  const progress = await books.progress();
  if (progress.hiddenBy === undefined) {
    if ((await books.counts()).transactions > 0)
      throw usage(
        'the books have names already: they cannot be kept without them from now on',
        said`begin anew: ${{ do: 'forget_books' }}, then this again`,
      );
    const { print } = makeKey(desk.machine.env, await accountName(desk));
    await books.setProgress({ ...progress, hiddenBy: print });
  }
  return openBooks(desk);
}

/** Records created before that moment, or all, and then the key too. Needs no key. How many there were. */
export async function forgetBooks(
  desk: Desk,
  createdBefore: number | undefined,
): Promise<{ forgotten: number; left: number } | undefined> {
  if (!existsSync(await pathOf(desk))) return undefined;
  const { books } = await openStored(desk);
  const forgotten = await books.forget(createdBefore);
  if (createdBefore === undefined) forgetKey(desk.machine.env, await accountName(desk));
  return { forgotten, left: (await books.counts()).transactions };
}

async function openStored(desk: Desk): Promise<Pick<OpenedBooks, 'books' | 'path'>> {
  const path = await pathOf(desk);
  const { openSqliteBooks } = await import('../../store/sqlite-books.ts');
  const books = await openSqliteBooks(path);
  desk.closing(() => books.close());
  return { books, path };
}

const accountName = async (desk: Desk): Promise<string> => accountOf(await desk.connection()).short;

async function pathOf(desk: Desk): Promise<string> {
  return booksPath(desk.machine.env, await accountName(desk));
}
