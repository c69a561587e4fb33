/**
 * The tables of an inbox, and how its file is opened.
 *
 * What costs is pages written at each commit. So what comes is kept as it came, a batch in one row (`arrivals`), and goes into
 * the tables later, many at once; and random keys (`prints`, `by_subject`) wait for a merge (`tail.ts`) of many more.
 */
import { type Database, openDatabase } from '../driver.ts';

/** One step per version, in order; a step that was released is never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE accounts (account INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
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
    marks INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    answer TEXT,
    changed_at INTEGER NOT NULL,
    listed INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_id ON deliveries (account, id);
  CREATE INDEX deliveries_time ON deliveries (account, received_at, seq);
  CREATE INDEX deliveries_open ON deliveries (account, state, received_at, seq)
    WHERE state = 'waiting' OR state = 'dead_letter';
  CREATE INDEX deliveries_done ON deliveries (account, state, received_at, seq)
    WHERE listed = 1 AND (state = 'kept' OR state = 'handed_on');
  CREATE INDEX deliveries_event ON deliveries (account, event, state, received_at, seq) WHERE listed = 1;
  CREATE INDEX deliveries_lane ON deliveries (account, object_id, seq) WHERE state = 'waiting';
  CREATE TABLE contents (seq INTEGER PRIMARY KEY, headers TEXT NOT NULL, body BLOB NOT NULL) STRICT;
  CREATE TABLE prints (
    account INTEGER NOT NULL, kind INTEGER NOT NULL, print BLOB NOT NULL, id BLOB NOT NULL,
    PRIMARY KEY (account, kind, print)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE by_subject (
    account INTEGER NOT NULL, subject TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (account, subject, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE merged (keys_to INTEGER NOT NULL, listed_to INTEGER NOT NULL) STRICT;
  INSERT INTO merged VALUES (0, 0);
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
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE arrivals (
    last_seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, kept_at INTEGER NOT NULL, waiting INTEGER NOT NULL,
    entries BLOB NOT NULL, packed BLOB NOT NULL
  ) STRICT;
  DROP INDEX deliveries_open;
  DROP INDEX deliveries_done;
  DROP INDEX deliveries_event;
  ALTER TABLE deliveries DROP COLUMN listed;
  ALTER TABLE merged DROP COLUMN listed_to;
  CREATE INDEX deliveries_state ON deliveries (account, state, received_at, seq);
  CREATE INDEX deliveries_event ON deliveries (account, event, state, received_at, seq);
  `,
];

/** Bodies of 1.5 kB pack better in large pages. */
const PAGE_BYTES = 16_384;
const CACHE_KIB = 16_384;

/** @throws StoreError when it cannot be opened, read or written */
export async function openInboxFile(path: string): Promise<Database> {
  const database = await openDatabase(path, MIGRATIONS, { first: `PRAGMA page_size=${PAGE_BYTES}` });
  database.exec(`PRAGMA cache_size=-${CACHE_KIB}`);
  return database;
}

/** Its number, which stands in every row: a file may serve several accounts. */
export function accountNumber(database: Database, name: string): number {
  const find = () => database.get('SELECT account FROM accounts WHERE name = ?', name)?.account;
  const known = find();
  if (known !== undefined) return Number(known);
  database.run('INSERT INTO accounts (name) VALUES (?) ON CONFLICT DO NOTHING', name);
  return Number(find());
}
