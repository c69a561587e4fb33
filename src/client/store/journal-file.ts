/** The file of the local store: the journal of intents, the index of ids seen, and the tables of the pay runs. */

import type { PreparedPlans } from '../../agents/store/port.ts';
import { createPrepared, PREPARED_TABLE } from '../../agents/store/prepared.ts';
import type { Clock } from '../../core/clock.ts';
import { committedTogether, type Write } from '../../disk/commit-together.ts';
import { type Database, openDatabase, type Row } from '../../disk/driver.ts';
import { createLetThrough, LET_THROUGH_TABLE } from '../../payments/store/let-through.ts';
import type { PaymentsLetThrough } from '../../payments/store/let-through-port.ts';
import { PAYEES, PAYRUN_TABLES } from '../../runs/store/sqlite/schema.ts';
import type { IntentWrites, StoreDependencies } from './intent-writes.ts';
import { createJournal, intentWrites } from './journal.ts';
import { joinsTable, KEY_JOINS } from './key-joins.ts';
import type { Intents } from './port.ts';
import type { Seen, SeenIndex, SeenKind } from './seen-port.ts';

export interface JournalFile {
  intents: Intents;
  /** `Intents.lastTold` when the store was opened: what is told later was not told to whoever opened it. */
  lastTold: number;
  seen: SeenIndex;
  prepared: PreparedPlans;
  letThrough: PaymentsLetThrough;
  close(): void;
  /** For what else is kept in the same file. */
  parts: { database: Database; write: Write; intents: IntentWrites };
}

/**
 * A write asks the journal for intents that are not settled, and for those that may be the same payment: the length of the
 * journal must not make that slower. A filter by command reads no JSON. The requests that were made before for one recipient
 * are part of where it stands. `told_seq` is the order in which results were told.
 */
const TABLES = `
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
export const STORE_VERSION = 17;

/** Opens the file, or makes it. @throws StoreError when it cannot be opened, read or written */
export async function openJournalFile(
  path: string,
  { clock, random }: StoreDependencies,
): Promise<JournalFile> {
  const database = await openDatabase(path, {
    newest: STORE_VERSION,
    holds: 'journal',
    whole: TABLES,
    steps: {
      14: (database) => database.exec(PAYEES),
      15: (database) => database.exec(PREPARED_TABLE),
      16: (database) => database.exec(LET_THROUGH_TABLE),
    },
  });
  const write = committedTogether(database);
  const intents = intentWrites(database, { clock, random });
  const journal = createJournal(database, { clock, random }, write);
  return {
    intents: journal,
    lastTold: await journal.lastTold(),
    seen: createSeenIndex(database, clock),
    prepared: createPrepared(database, { clock, random }, write),
    letThrough: createLetThrough(database, { clock }, write),
    close: () => database.close(),
    parts: { database, write, intents },
  };
}

/**
 * The index of ids seen, on disk. Losing it costs time, never money. Adds the newly known members; keeps
 * those that an answer leaves out. The time at which an object was seen is kept to the hour, so that reading
 * the same again writes nothing.
 */
const UPSERT = `
  INSERT INTO seen (scope, id, kind, transaction_id, external_id, seen_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (scope, id) DO UPDATE SET
    kind = excluded.kind,
    transaction_id = COALESCE(excluded.transaction_id, transaction_id),
    external_id = COALESCE(excluded.external_id, external_id),
    seen_at = excluded.seen_at
  WHERE kind <> excluded.kind
    OR transaction_id IS NOT COALESCE(excluded.transaction_id, transaction_id)
    OR external_id IS NOT COALESCE(excluded.external_id, external_id)
    OR seen_at < excluded.seen_at - 3600000`;

/** Sorts after every character that an id has. */
const LAST = '\uffff';

function createSeenIndex(database: Database, clock: Clock): SeenIndex {
  return {
    remember(scope, seen) {
      if (seen.length === 0) return;
      database.transaction(() => {
        for (const { id, kind, transactionId, externalId } of seen) {
          database.run(UPSERT, scope, id, kind, transactionId ?? null, externalId ?? null, clock.now());
        }
      });
    },
    find: (scope, id) => read(database.get('SELECT * FROM seen WHERE scope = ? AND id = ?', scope, id)),
    startingWith(scope, prefix, limit) {
      const rows = database.all(
        'SELECT * FROM seen WHERE scope = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?',
        scope,
        prefix,
        prefix + LAST,
        limit,
      );
      return rows.map(read).filter((seen) => seen !== undefined);
    },
  };
}

function read(row: Row | undefined): Seen | undefined {
  if (!row) return undefined;
  return {
    kind: row.kind as SeenKind,
    id: String(row.id),
    ...(row.transaction_id === null ? {} : { transactionId: String(row.transaction_id) }),
    ...(row.external_id === null ? {} : { externalId: String(row.external_id) }),
  };
}
