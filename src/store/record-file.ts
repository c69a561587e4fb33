/**
 * The port for records on SQLite. The file is held by one process alone, from the first look at it to the last; another kind
 * of file is left as it is. Everything is in one transaction, opened by the first write after a commit.
 */
import type { RecordDatabase, RecordSpec, RecordTable, TableSpec } from '../core/ports/record-database.ts';
import { type Database, openDatabase, type Versions } from './driver.ts';
import { refuseForeign } from './foreign-file.ts';
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
