/** The tables of an inbox, and how its file is opened. */
import { invariant } from '../../../core/invariants.ts';
import { type Database, openDatabase, type Versions } from '../../../disk/driver.ts';

/**
 * Bodies are apart from what lists read. A print stays when its delivery is pruned: a copy of that one is still a duplicate. What a
 * commit costs is pages written, and each index over a random key is a page for each delivery: hence one for transactions and
 * objects alike, and one for what waits.
 */
const SCHEMA = `
  CREATE TABLE accounts (account INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last_id BLOB) STRICT;
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    id BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    event TEXT NOT NULL,
    object_id TEXT NOT NULL,
    transaction_id TEXT,
    delivery_print BLOB NOT NULL,
    event_print BLOB NOT NULL,
    url TEXT NOT NULL,
    state TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    recovered INTEGER NOT NULL,
    late INTEGER NOT NULL,
    requeued INTEGER NOT NULL DEFAULT 0,
    handed INTEGER NOT NULL DEFAULT 0,
    overtaken INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    answer TEXT,
    changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_id ON deliveries (account, id);
  CREATE INDEX deliveries_time ON deliveries (account, received_at, seq);
  CREATE INDEX deliveries_state ON deliveries (account, state, received_at, seq);
  CREATE INDEX deliveries_event ON deliveries (account, event, state, received_at, seq);
  CREATE INDEX deliveries_subject ON deliveries (account, coalesce(transaction_id, object_id), received_at, seq);
  CREATE INDEX deliveries_waiting ON deliveries (account, object_id, seq) WHERE state = 'waiting';
  CREATE TABLE contents (seq INTEGER PRIMARY KEY, headers TEXT NOT NULL, body BLOB NOT NULL) STRICT;
  CREATE TABLE prints (
    account INTEGER NOT NULL, event_print BLOB NOT NULL, delivery_print BLOB NOT NULL, id BLOB NOT NULL,
    PRIMARY KEY (account, event_print, delivery_print)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE lanes (
    account INTEGER NOT NULL, object_id TEXT NOT NULL, first_seq INTEGER NOT NULL,
    ready INTEGER NOT NULL, free_at INTEGER NOT NULL, owner TEXT, claimed_seq INTEGER,
    PRIMARY KEY (account, object_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX lanes_ready ON lanes (account, first_seq) WHERE ready = 1;
  CREATE INDEX lanes_later ON lanes (account, free_at) WHERE ready = 0;
  CREATE TABLE webhooks (
    account INTEGER NOT NULL, webhook TEXT NOT NULL, PRIMARY KEY (account, webhook)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE refusals (
    seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, id TEXT NOT NULL, received_at INTEGER NOT NULL,
    peer TEXT NOT NULL, url TEXT NOT NULL, target TEXT NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL,
    body_bytes INTEGER NOT NULL, cause TEXT, message TEXT
  ) STRICT;
  CREATE INDEX refusals_account ON refusals (account, seq);
  CREATE TABLE notes (
    account INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (account, name)
  ) STRICT, WITHOUT ROWID;`;

/** Files of versions 1 and 2 were never published: they are refused (decision 0038). */
const VERSIONS: Versions = { newest: 3, holds: 'inbox', whole: SCHEMA, steps: {} };

/** Prints and subjects are random keys, whose pages are read again and again. */
const CACHE_KIB = 16_384;

/** @throws StoreError when it cannot be opened, read or written */
export async function openInboxFile(path: string): Promise<Database> {
  const database = await openDatabase(path, VERSIONS);
  database.exec(`PRAGMA cache_size=-${CACHE_KIB}`);
  return database;
}

/** Its number, which stands in every row: a file may serve several accounts. */
export function accountNumber(database: Database, name: string): number {
  database.run('INSERT INTO accounts (name) VALUES (?) ON CONFLICT DO NOTHING', name);
  const account = database.get('SELECT account FROM accounts WHERE name = ?', name)?.account;
  invariant(account !== undefined, 'an account has a number once it was written');
  return Number(account);
}
