/** The books of the account at hand: a file of their own on this machine. */
import { existsSync } from 'node:fs';
import { said } from '../../core/next.ts';
import type { Books } from '../../core/ports/books.ts';
import { notFound } from '../../core/problem.ts';
import { booksPath } from '../../profiles/paths.ts';
import type { Desk } from '../desk.ts';
import { accountOf } from '../webhooks/open-inbox.ts';

export interface OpenedBooks {
  books: Books;
  path: string;
}

/** Made where there are none. @throws StoreError */
export async function openBooks(desk: Desk): Promise<OpenedBooks> {
  const path = await pathOf(desk);
  const { openSqliteBooks } = await import('../../store/sqlite-books.ts');
  const books = await openSqliteBooks(path);
  desk.closing(() => books.close());
  return { books, path };
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

async function pathOf(desk: Desk): Promise<string> {
  return booksPath(desk.machine.env, accountOf(await desk.connection()).short);
}
