/**
 * The port for records on SQLite. The file is held by one process alone, from the first look at it to the last; another kind
 * of file is left as it is. Everything is in one transaction, opened by the first write after a commit.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { RecordDatabase, RecordSpec, RecordTable, TableSpec } from '../core/ports/record-database.ts';
import { StoreError } from '../files/store-error.ts';
import { type Database, openDatabase, type Versions } from './driver.ts';
import { createTable } from './record-table.ts';

/** Pages of the log before they go to the file itself: ids are random, and a page that changed often is written once. */
const CHECKPOINT_PAGES = 16_000;
const CACHE_KIB = 65_536;

/** @throws StoreError: `foreign` for a file that is something else, `newer`, `busy`, and the others of a file */
export async function openRecords(path: string, spec: RecordSpec): Promise<RecordDatabase> {
  refuseForeign(path, spec);
  const database = await openDatabase(path, versionsOf(spec), {
    first: `PRAGMA locking_mode=EXCLUSIVE; PRAGMA application_id=${spec.kind}`,
  });
  database.exec(
    `PRAGMA secure_delete=OFF; PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}; PRAGMA cache_size=-${CACHE_KIB}`,
  );
  return recordDatabase(database, spec);
}

function recordDatabase(database: Database, { tables }: RecordSpec): RecordDatabase {
  let open = false;
  const writing = () => {
    if (open) return;
    database.exec('BEGIN IMMEDIATE');
    open = true;
  };
  const end = (sql: string) => {
    if (!open) return;
    open = false;
    database.exec(sql);
  };
  const undo = () => {
    try {
      end('ROLLBACK');
    } catch {
      /* A full disk may have rolled back already: then there is nothing left to undo. */
    }
  };
  const byName = new Map<string, RecordTable>(
    tables.map((table) => [table.name, createTable(database, table, writing)]),
  );
  return {
    table(name) {
      const found = byName.get(name);
      if (!found) throw new Error(`there is no table ${name}`);
      return found;
    },
    commit: () => end('COMMIT'),
    rollback: undo,
    close() {
      undo();
      /* Statements that nobody collected yet would hold the lock; and without a log the file is whole by itself. */
      database.exec('PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL');
      database.get('SELECT count(*) FROM sqlite_schema');
      database.close();
    },
  };
}

/** One version so far: those between add nothing. */
const versionsOf = ({ tables, version }: RecordSpec): Versions => ({
  newest: version,
  holds: 'sandbox',
  steps: {},
  whole: tables.map(tableSql).join('\n'),
});

function tableSql({ name, byId, columns, unique, indexed }: TableSpec): string {
  const own = Object.entries(columns).map(([column, type]) => `, ${column} ${type.toUpperCase()}`);
  return [
    `CREATE TABLE ${name} (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL${own.join('')}, body TEXT NOT NULL) STRICT;`,
    byId ? `CREATE UNIQUE INDEX ${name}_id ON ${name} (id);` : '',
    ...unique.map((column) => `CREATE UNIQUE INDEX ${name}_${column} ON ${name} (${column});`),
    ...indexed.map((column) => `CREATE INDEX ${name}_${column} ON ${name} (${column});`),
  ].join('\n');
}

const MAGIC = 'SQLite format 3\0';
const KIND_AT = 68;
const HEADER_BYTES = 100;

/** A queue is not waited for, and no link is followed. Windows has neither of the two flags. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Looked at before anything is opened: opening would change the file. An empty or missing one is a new one. */
function refuseForeign(path: string, { kind, what }: RecordSpec): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const length = readHeader(path, header);
  if (length === 0) return;
  const isSqlite = length === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC;
  if (isSqlite && header.readInt32BE(KIND_AT) === kind) return;
  throw new StoreError('foreign', path, `it is no ${what}`);
}

function readHeader(path: string, header: Buffer): number {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return readSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    /* Missing, or unreadable: opening it says so in its own words. */
    return 0;
  }
}
