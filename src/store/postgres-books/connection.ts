/** The pool and the helpers that the parts of the books in PostgreSQL share. */
import type { BookProgress, Closing } from '../../core/ports/books.ts';
import { StoreError } from '../../files/store-error.ts';
import type { PostgresPool, PostgresQueries } from '../postgres-queries.ts';
import { transaction } from '../postgres-transaction.ts';

export interface Shared {
  pool: PostgresPool;
  /** The address without its password. */
  name: string;
  account: number;
}

export type Row = Record<string, unknown>;

export const rowsOf = async (queries: PostgresQueries, text: string, values: unknown[]): Promise<Row[]> =>
  (await queries.query(text, values)).rows;

const TRIES = 5;

/** Two that were in each other's way: nothing of the one that was broken off stands, and it is done again. */
export async function atomically<T>(
  { pool }: Pick<Shared, 'pool'>,
  work: (within: PostgresQueries) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction(pool, 'BEGIN', work);
    } catch (error) {
      if (tries === TRIES || !(error instanceof StoreError && error.kind === 'busy')) throw error;
    }
  }
}

const PROGRESS = 'SELECT progress FROM remit_books.accounts WHERE account = $1';

/** `FOR SHARE`: it stays as it is until the transaction ends. `FOR UPDATE`: and nobody else asks for that meanwhile. */
export async function readProgress(
  queries: PostgresQueries,
  account: number,
  lock: '' | 'FOR SHARE' | 'FOR UPDATE' = '',
): Promise<BookProgress> {
  const [row] = await rowsOf(queries, `${PROGRESS} ${lock}`, [account]);
  return JSON.parse(String(row?.progress ?? '{}')) as BookProgress;
}

export async function writeProgress(
  queries: PostgresQueries,
  account: number,
  progress: BookProgress,
): Promise<void> {
  const sql = 'UPDATE remit_books.accounts SET progress = $2 WHERE account = $1';
  await queries.query(sql, [account, JSON.stringify(progress)]);
}

/** Locked together with the progress: it is the same row. */
export async function readClosings(queries: PostgresQueries, account: number): Promise<Closing[]> {
  const sql = 'SELECT closings FROM remit_books.accounts WHERE account = $1';
  const [row] = await rowsOf(queries, sql, [account]);
  return JSON.parse(String(row?.closings ?? '[]')) as Closing[];
}

export async function writeClosings(
  queries: PostgresQueries,
  account: number,
  closings: readonly Closing[],
): Promise<void> {
  const sql = 'UPDATE remit_books.accounts SET closings = $2 WHERE account = $1';
  await queries.query(sql, [account, JSON.stringify(closings)]);
}
