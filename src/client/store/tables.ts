/**
 * The tables of the journal's file. It holds what slices above keep beside the intents too: an intent and what it is about are
 * committed together, one version counts the tables of all, and the library makes the same file.
 */
import type { Database } from '../../disk/driver.ts';
import { joinsTable, KEY_JOINS } from './key-joins.ts';
import { PAYEES, PAYRUN_TABLES, STANDING } from './payrun-tables.ts';

/** Plans that an agent prepared. */
const PREPARED_TABLE = `
  CREATE TABLE prepared (
    seq INTEGER PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    base_url TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    plan TEXT NOT NULL,
    wish TEXT NOT NULL
  ) STRICT;
  CREATE TABLE prepared_alike (
    text TEXT NOT NULL,
    handle TEXT NOT NULL,
    PRIMARY KEY (text, handle)
  ) STRICT, WITHOUT ROWID;
`;

/** Payments that the gate let through. */
export const LET_THROUGH_TABLE = `
  CREATE TABLE let_through (
    seq INTEGER PRIMARY KEY,
    admission TEXT NOT NULL,
    profile TEXT NOT NULL,
    name TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX let_through_lately ON let_through (profile, at);
  CREATE INDEX let_through_admission ON let_through (admission);
`;

/**
 * A write asks the journal for intents that are not settled, and for those that may be the same payment: the length of the
 * journal must not make that slower. A filter by command reads no JSON. The requests that were made before for one recipient
 * are part of where it stands. `told_seq` is the order in which results were told.
 */
export const TABLES = `
  CREATE TABLE intents (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    about TEXT NOT NULL,
    request TEXT,
    result_id TEXT,
    note TEXT,
    told_at INTEGER,
    given_id TEXT,
    command TEXT,
    told_seq INTEGER,
    told_uptime INTEGER,
    empty_since INTEGER
  ) STRICT;
  CREATE INDEX intents_unsettled ON intents (seq) WHERE state IN ('open', 'unknown');
  CREATE INDEX intents_alike ON intents (digest, given_id);
  CREATE INDEX intents_subject ON intents (about ->> '$.subject') WHERE about ->> '$.subject' IS NOT NULL;
  CREATE INDEX intents_told ON intents (told_seq) WHERE told_seq IS NOT NULL;
  ${joinsTable(KEY_JOINS, 'INTEGER')};
  CREATE TABLE seen (
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    transaction_id TEXT,
    external_id TEXT,
    seen_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX seen_lately ON seen (scope, kind, seen_at);
  CREATE INDEX seen_by_external_id ON seen (scope, external_id) WHERE external_id IS NOT NULL;
  ${PAYRUN_TABLES}
  ${PREPARED_TABLE}
  ${LET_THROUGH_TABLE}
`;

/** The version of the file's tables. Files of versions before 14 were never published: they are refused. */
export const STORE_VERSION = 18;

/** The steps that bring a file of an earlier version on to the next. */
export const MIGRATIONS: Readonly<Record<number, (database: Database) => void>> = {
  14: (database) => database.exec(PAYEES),
  15: (database) => database.exec(PREPARED_TABLE),
  16: (database) => database.exec(LET_THROUGH_TABLE),
  17: (database) => database.exec(STANDING),
};
