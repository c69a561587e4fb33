/** The books in PostgreSQL, for several machines (decision 0061): each may sync, and none puts back what another one read later. */
import type { Books } from '../core/ports/books.ts';
import {
  atomically,
  readProgress,
  type Shared,
  writeClosings,
  writeProgress,
} from './postgres-books/connection.ts';
import { createKeeping } from './postgres-books/keeping.ts';
import { createMarks } from './postgres-books/marks.ts';
import { createFinding, createReading } from './postgres-books/reading.ts';
import { accountNumber, prepareTables } from './postgres-books/schema.ts';
import { openPool, type PostgresOptions } from './postgres-pool.ts';

const CONNECTIONS = 4;
const FORGOTTEN_AT_ONCE = 2_000;

export interface PostgresBooksOptions {
  /** Base URL and a digest of the key: one database may serve several. */
  account: string;
  /** Tables and account are made where they are missing. */
  make: boolean;
}

/**
 * Undefined where there are no books of the account, and none are to be made. @throws StoreError: `unreachable`, `denied`, `newer`,
 * and those of a database
 */
export async function openPostgresBooks(
  options: PostgresOptions,
  { account: named, make }: PostgresBooksOptions,
): Promise<Books | undefined> {
  const opened = await openPool(options, { max: CONNECTIONS, holds: 'books' });
  const { pool, name, close } = opened;
  try {
    const isThere = await prepareTables(opened, make);
    const account = isThere ? await accountNumber(pool, named, make) : undefined;
    if (account !== undefined) return createBooks({ pool, name, account }, close);
    await close();
    return undefined;
  } catch (error) {
    await close();
    throw error;
  }
}

function createBooks(shared: Shared, close: () => Promise<void>): Books {
  const { pool, account } = shared;
  return {
    ...createKeeping(shared),
    ...createReading(shared),
    ...createFinding(shared),
    ...createMarks(shared),
    progress: () => readProgress(pool, account),
    setProgress: (progress) => writeProgress(pool, account, progress),
    forget: (createdBefore) => forget(shared, createdBefore),
    close,
  };
}

const FORGET = `DELETE FROM remit_books.entries WHERE seq IN
  (SELECT seq FROM remit_books.entries WHERE account = $1 AND created_at < $2 ORDER BY created_at LIMIT ${FORGOTTEN_AT_ONCE})`;

/** A few at a time, so that nobody waits long; their marks go with them. Then the server is asked to clear their places. */
async function forget(shared: Shared, createdBefore: number | undefined): Promise<number> {
  const { pool, account } = shared;
  let forgotten = 0;
  for (let some = FORGOTTEN_AT_ONCE; some === FORGOTTEN_AT_ONCE; forgotten += some) {
    const { rowCount } = await pool.query(FORGET, [account, createdBefore ?? Number.MAX_SAFE_INTEGER]);
    some = rowCount ?? 0;
  }
  await atomically(shared, async (within) => {
    const progress = await readProgress(within, account, 'FOR UPDATE');
    if (createdBefore === undefined)
      for (const table of ['moved', 'balances', 'rates'])
        await within.query(`DELETE FROM remit_books.${table} WHERE account = $1`, [account]);
    if (createdBefore === undefined) await writeClosings(within, account, []);
    const left = createdBefore === undefined ? {} : { ...progress, forgottenBefore: createdBefore };
    await writeProgress(within, account, left);
  });
  // A role that may not vacuum, or has no time for it, leaves that to the server's own vacuum.
  await pool.query('VACUUM remit_books.entries, remit_books.marks').catch(() => undefined);
  return forgotten;
}
