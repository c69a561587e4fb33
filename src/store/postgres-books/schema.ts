/** The tables of books in PostgreSQL, in a schema of their own. Books of several accounts stand beside each other. */
import { StoreError } from '../../files/store-error.ts';
import type { OpenPool } from '../postgres-pool.ts';
import type { PostgresQueries } from '../postgres-queries.ts';
import { transaction } from '../postgres-transaction.ts';

/** The version of the tables: books of a greater one are of a later remit. */
const VERSION = 2;
/** Any number that nobody else takes: several may start at once. */
const LOCK = 7_736_481_025;

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS remit_books;
  CREATE TABLE remit_books.version (version integer NOT NULL);
  INSERT INTO remit_books.version VALUES (${VERSION});
  CREATE TABLE remit_books.accounts (
    account integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    progress text NOT NULL DEFAULT '{}',
    closings text NOT NULL DEFAULT '[]'
  );
  CREATE TABLE remit_books.entries (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    external_id text,
    state text NOT NULL,
    is_final boolean NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    heard_at bigint NOT NULL,
    recipients integer NOT NULL,
    body text NOT NULL,
    finds text NOT NULL,
    UNIQUE (account, id)
  );
  CREATE INDEX entries_created ON remit_books.entries (account, created_at, seq) INCLUDE (recipients, is_final);
  CREATE INDEX entries_open ON remit_books.entries (account, created_at) WHERE NOT is_final;
  CREATE TABLE remit_books.marks (
    account integer NOT NULL,
    seq bigint NOT NULL REFERENCES remit_books.entries ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    "of" text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    currency text NOT NULL,
    amount text,
    PRIMARY KEY (seq, kind, "of", at, currency)
  );
  CREATE INDEX marks_moved ON remit_books.marks (account, currency, at, seq, kind, "of") WHERE amount IS NOT NULL;
  CREATE TABLE remit_books.moved (
    account integer NOT NULL, currency text NOT NULL, day integer NOT NULL, amount numeric NOT NULL,
    PRIMARY KEY (account, currency, day)
  );
  CREATE TABLE remit_books.balances (
    account integer NOT NULL,
    currency text COLLATE "C" NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    amount text NOT NULL,
    unexplained text NOT NULL,
    PRIMARY KEY (account, currency, first_at)
  );
  CREATE TABLE remit_books.rates (
    account integer NOT NULL,
    day text COLLATE "C" NOT NULL,
    from_currency text NOT NULL,
    to_currency text NOT NULL,
    mid text NOT NULL,
    PRIMARY KEY (account, day, from_currency, to_currency)
  );`;

/** Version 1 kept one mark of a kind: a correction may come twice. It closed no months. */
const FROM_1 = `
  ALTER TABLE remit_books.accounts ADD COLUMN closings text NOT NULL DEFAULT '[]';
  ALTER TABLE remit_books.marks DROP CONSTRAINT marks_pkey, ADD PRIMARY KEY (seq, kind, "of", at, currency);
  UPDATE remit_books.version SET version = ${VERSION};`;

/** Undefined where there are no tables. @throws StoreError for those of another version of remit */
export async function versionOf(queries: PostgresQueries, name: string): Promise<number | undefined> {
  if ((await queries.query(IS_THERE)).rows.length === 0) return undefined;
  const version = Number((await queries.query('SELECT version FROM remit_books.version')).rows[0]?.version);
  if (version === VERSION || version === 1) return version;
  const detail = `its version is ${version}, and this program's is ${VERSION}`;
  throw new StoreError(version > VERSION ? 'newer' : 'older', name, detail, { holds: 'books' });
}

/** Read from the catalogue itself: a look-up by name may answer from before another one's commit. */
const IS_THERE = `SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'remit_books' AND c.relname = 'version'`;

/**
 * Makes the tables where `make` asks for it, and brings those of an older remit up to date. Changes nothing where nothing is to be
 * changed, so that a user without the right to make tables can work. False where there are none.
 */
export async function prepareTables({ pool, name }: OpenPool, make: boolean): Promise<boolean> {
  const version = await versionOf(pool, name);
  if (version === VERSION) return true;
  if (version === undefined && !make) return false;
  await transaction(pool, 'BEGIN', async (within) => {
    await within.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const now = await versionOf(within, name);
    if (now === undefined) {
      await within.query(TABLES);
      await indexTexts(within);
    } else if (now !== VERSION) await within.query(FROM_1);
  });
  return true;
}

/** Where the server has no pg_trgm, or we may not ask for it, the same is found by reading every text. */
async function indexTexts(within: PostgresQueries): Promise<void> {
  await within.query('SAVEPOINT texts');
  try {
    await within.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    const { rows } = await within.query(
      `SELECT quote_ident(n.nspname) AS place FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
       WHERE e.extname = 'pg_trgm'`,
    );
    const ops = `${rows[0]?.place}.gin_trgm_ops`;
    await within.query(`CREATE INDEX entries_finds ON remit_books.entries USING gin (finds ${ops})`);
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'unreachable') throw error;
    await within.query('ROLLBACK TO SAVEPOINT texts');
  }
}

/** The number of an account, which stands in each of its rows; undefined where nobody made its books and they are not to be made. */
export async function accountNumber(
  pool: PostgresQueries,
  account: string,
  make: boolean,
): Promise<number | undefined> {
  const find = () => pool.query('SELECT account FROM remit_books.accounts WHERE name = $1', [account]);
  const [known] = (await find()).rows;
  if (known === undefined && !make) return undefined;
  if (known === undefined)
    await pool.query('INSERT INTO remit_books.accounts (name) VALUES ($1) ON CONFLICT DO NOTHING', [account]);
  return Number((known ?? (await find()).rows[0])?.account);
}
