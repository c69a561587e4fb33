/** Keys that took the place of others, as rows of a table, in SQLite and in PostgreSQL alike (decision 0072). */
import { canonicalBaseUrl, type KeyJoin } from '../../core/account.ts';
import { invariant } from '../../core/invariants.ts';
import type { Write } from '../../disk/commit-together.ts';
import type { Database } from '../../disk/driver.ts';
import type { KeyJoins } from './port.ts';

/** @param seq the type of a column that counts up by itself: in that order they were written */
export const joinsTable = (table: string, seq: string): string => `CREATE TABLE IF NOT EXISTS ${table} (
    seq ${seq} PRIMARY KEY,
    base_url TEXT NOT NULL,
    print TEXT NOT NULL,
    last4 TEXT NOT NULL,
    before_print TEXT NOT NULL,
    before_last4 TEXT NOT NULL,
    proven INTEGER NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (base_url, print, before_print)
  )`;

export const insertJoin = (table: string, mark: (n: number) => string): string => {
  const marks = [1, 2, 3, 4, 5, 6, 7].map(mark).join(', ');
  return `INSERT INTO ${table} (base_url, print, last4, before_print, before_last4, proven, at) VALUES (${marks})
    ON CONFLICT (base_url, print, before_print) DO UPDATE SET proven = 1 WHERE excluded.proven = 1`;
};

export function valuesOfJoin({ baseUrl, key, before, isProven, at }: KeyJoin): (string | number)[] {
  invariant(key.keyPrint !== before.keyPrint, 'no key takes the place of itself');
  const url = canonicalBaseUrl(baseUrl);
  return [url, key.keyPrint, key.keyLast4, before.keyPrint, before.keyLast4, isProven ? 1 : 0, at];
}

export const readJoin = (row: Readonly<Record<string, unknown>>): KeyJoin => ({
  baseUrl: String(row.base_url),
  key: { keyLast4: String(row.last4), keyPrint: String(row.print) },
  before: { keyLast4: String(row.before_last4), keyPrint: String(row.before_print) },
  isProven: Number(row.proven) === 1,
  at: Number(row.at),
});

export const KEY_JOINS = 'key_joins';

/** Makes its SQL when it is asked for: a bundler leaves out an unused store. */
export function sqliteKeyJoins(database: Database, write: Write): KeyJoins {
  const insert = insertJoin(KEY_JOINS, () => '?');
  return {
    join: (join) => write(() => void database.run(insert, ...valuesOfJoin(join))),
    joins: async () => database.all(`SELECT * FROM ${KEY_JOINS} ORDER BY seq`).map(readJoin),
  };
}
