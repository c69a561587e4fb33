/** Stores of books, for the suite that every one of them must pass, and the records that it keeps. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BookEntry, Books } from '../../src/books/store/port.ts';
import { openSqliteBooks } from '../../src/books/store/sqlite.ts';
import { type Database, openDatabase, readOnce } from '../../src/disk/driver.ts';

export interface KeptBooks {
  books: Books;
  /** The same, as another process has them. */
  other: Books;
  close(): Promise<void>;
}

/** Every store of books, for the tests of a file. */
export const bookStores: [string, () => Promise<KeptBooks>][] = [
  [
    'in memory',
    async () => {
      const books = await openSqliteBooks(':memory:');
      return { books, other: books, close: async () => books.close() };
    },
  ],
  [
    'in a file',
    async () => {
      const path = join(mkdtempSync(join(tmpdir(), 'remit-books-')), 'books.db');
      const [books, other] = [await openSqliteBooks(path), await openSqliteBooks(path)];
      return {
        books,
        other,
        async close() {
          await books.close();
          await other.close();
        },
      };
    },
  ],
];

export const DAY = 86_400_000;
/** When the first record was created. */
export const BEGAN = Date.UTC(2026, 0, 5);

/** The nth was created n minutes after the first. */
export function bookEntry(n: number, over: Partial<BookEntry> = {}): BookEntry {
  const id = `0000000${n.toString(16)}`.slice(-8);
  const createdAt = BEGAN + n * 60_000;
  const state = over.state ?? 'received';
  return {
    id,
    externalId: `wages-${n}`,
    state,
    isFinal: false,
    createdAt,
    changedAt: createdAt,
    heardAt: 1_000,
    recipients: 1,
    body: JSON.stringify({ id, state, n, at: over.changedAt ?? createdAt }),
    finds: [
      { kind: 'id', text: id },
      { kind: 'id', text: `wages-${n}` },
      { kind: 'name', text: n % 2 === 0 ? 'zoe obi' : 'bola ade' },
      { kind: 'account', text: `01234${String(n).padStart(5, '0')}` },
    ],
    marks: [],
    ...over,
  };
}

/** The file of books as it is, to be spoilt. */
export async function openBooksFile(path: string): Promise<Database> {
  const [row] = await readOnce(path, 'PRAGMA user_version');
  return openDatabase(path, { newest: Number(row?.user_version), steps: {} });
}
