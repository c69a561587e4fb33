/**
 * The file of a sandbox on SQLite: one table, a row a record (decision 0031). The file is held by one process alone, from the first
 * look at it to the last; another kind of file is left as it is. Everything is in one transaction, opened by the first write after a commit.
 */

import { type Database, openDatabase, type Versions } from './driver.ts';
import { refuseForeign } from './foreign-file.ts';
import type { RecordDatabase, StoredRecord } from './record-database.ts';
import { StoreError } from './store-error.ts';

/** The tables whose rows are taken over as they are, and what they are called now. */
const TABLES = {
  senders: 'senders',
  transactions: 'transactions',
  recipients: 'recipients',
  payout_methods: 'payoutMethods',
  documents: 'documents',
  mandates: 'mandates',
  debits: 'debits',
  webhooks: 'webhooks',
  deliveries: 'deliveries',
  api_logs: 'apiLogs',
  webhook_logs: 'webhookLogs',
  postings: 'postings',
  tasks: 'tasks',
};
const GONE = ['pieces', 'nonces', 'payins', ...Object.keys(TABLES)];

const taking = (kind: string, body: string, from: string): string =>
  `INSERT INTO records (kind, body) SELECT '${kind}', ${body} FROM ${from} ORDER BY sequence;`;

/**
 * A file of version 1 had a table for each kind of record, with columns for what was looked up; `payins`, and the pieces that count
 * records, only repeated what the records say. A nonce was an id without a body.
 */
const recordsOfVersion1 = [
  taking(
    'pieces',
    `'{"name":' || json_quote(id) || ',"value":' || body || '}'`,
    `pieces WHERE id NOT IN ('sender_counts', 'transaction_counts', 'recipient_counts')`,
  ),
  ...Object.entries(TABLES).map(([table, kind]) => taking(kind, 'body', table)),
  taking('nonces', `'{"id":' || json_quote(id) || '}'`, 'nonces'),
  ...GONE.map((table) => `DROP TABLE ${table};`),
].join('\n');

/** Pages of the log before they go to the file itself: a page that changed often is written once. */
const CHECKPOINT_PAGES = 16_000;
const CACHE_KIB = 65_536;
const READ_AT_ONCE = 1_000;

export const SANDBOX_FILE = { what: 'data of a remit sandbox', kind: 0x72_6d_73_62 };

const TABLE =
  'CREATE TABLE records (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL) STRICT;';

/** @throws StoreError: `foreign` for a file that is something else, `newer`, `busy`, and the others of a file */
export async function openRecords(path: string): Promise<RecordDatabase> {
  refuseForeign(path, SANDBOX_FILE);
  const database = await openDatabase(path, versionsOf(path), {
    first: `PRAGMA locking_mode=EXCLUSIVE; PRAGMA application_id=${SANDBOX_FILE.kind}`,
  });
  database.exec(
    `PRAGMA secure_delete=OFF; PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}; PRAGMA cache_size=-${CACHE_KIB}`,
  );
  return recordDatabase(database);
}

const versionsOf = (path: string): Versions => ({
  newest: 2,
  holds: 'sandbox',
  steps: { 1: (database) => takeOver(database, path) },
  whole: TABLE,
});

/** The tables of version 1 become rows of one, all or none of them. */
function takeOver(database: Database, path: string): void {
  try {
    database.exec(`${TABLE}\n${recordsOfVersion1}`);
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'failed') throw error;
    const detail = `it is of version 1, and its records cannot be taken over: ${error.detail}`;
    throw new StoreError('corrupt', path, detail, { cause: error });
  }
}

function recordDatabase(database: Database): RecordDatabase {
  let open = false;
  const write = (sql: string, ...values: (string | number)[]) => {
    if (!open) database.exec('BEGIN IMMEDIATE');
    open = true;
    database.run(sql, ...values);
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
  return {
    all: () => everyRecord(database),
    put({ sequence, kind, body }) {
      const over = 'ON CONFLICT (sequence) DO UPDATE SET body = excluded.body';
      write(`INSERT INTO records (sequence, kind, body) VALUES (?, ?, ?) ${over}`, sequence, kind, body);
    },
    remove: (sequence) => write('DELETE FROM records WHERE sequence = ?', sequence),
    clear: () => write('DELETE FROM records'),
    commit: () => end('COMMIT'),
    rollback: undo,
    close() {
      undo();
      /* Statements not collected yet would hold the lock; and without a log the file is whole by itself. */
      database.exec('PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL');
      database.get('SELECT count(*) FROM sqlite_schema');
      database.close();
    },
  };
}

/** Read in parts: the rows of a large file are not all held at once. */
function* everyRecord(database: Database): Iterable<StoredRecord> {
  const next = `SELECT sequence, kind, body FROM records WHERE sequence > ? ORDER BY sequence LIMIT ${READ_AT_ONCE}`;
  for (let last = 0; ; ) {
    const records = database.all(next, last) as unknown as StoredRecord[];
    yield* records;
    const end = records.at(-1);
    if (!end) return;
    last = end.sequence;
  }
}
