/** Connections of the inbox to PostgreSQL. */
import { openPool, type PostgresOptions } from '../../../disk/postgres-pool.ts';
import { BEGIN_BY_INDEX, inTransaction } from '../../../disk/postgres-transaction.ts';

type Row = Record<string, unknown>;

export interface Queries {
  /** The address without its password. */
  name: string;
  /** Numbers are `$1`, `$2`, … */
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface InboxConnection extends Queries {
  /**
   * All or nothing, and on the disk when it resolves, unless it may be `lost` in a crash of the server.
   */
  transaction<T>(work: (within: Queries) => Promise<T>, options?: { lost?: boolean }): Promise<T>;
  close(): Promise<void>;
}

const CONNECTIONS = 4;

export async function connect(options: PostgresOptions): Promise<InboxConnection> {
  const { name, pool, close } = await openPool(options, { max: CONNECTIONS, holds: 'inbox' });
  return {
    name,
    query: async (sql, values = []) => (await pool.query(sql, [...values])).rows ?? [],
    transaction: (work, { lost = false } = {}) =>
      inTransaction(pool, lost ? BEGIN_QUICKLY : BEGIN_BY_INDEX, (within) =>
        work({ name, query: async (sql, values = []) => (await within.query(sql, [...values])).rows }),
      ),
    close,
  };
}

const BEGIN_QUICKLY = `${BEGIN_BY_INDEX}; SET LOCAL synchronous_commit = off`;
