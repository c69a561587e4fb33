/** The file of the local store: the journal of intents, the index of ids seen, and what slices keep beside them. */

import type { Clock } from '../../core/clock.ts';
import { committedTogether, type Write } from '../../disk/commit-together.ts';
import { type Database, openDatabase, type Row } from '../../disk/driver.ts';
import type { IntentWrites, StoreDependencies } from './intent-writes.ts';
import { createJournal, intentWrites } from './journal.ts';
import type { Intents } from './port.ts';
import type { SeenIndex, SeenKind, SeenRecord } from './seen-port.ts';
import { MIGRATIONS, STORE_VERSION, TABLES } from './tables.ts';

export interface JournalFile {
  intents: Intents;
  /** `Intents.lastTold` when the store was opened: what is told later was not told to its user. */
  lastTold: number;
  seen: SeenIndex;
  close(): void;
  /** Returns what a slice keeps in the same file: made when it is first asked for, and once. */
  part<T>(make: (file: FileParts) => T): T;
}

/** The means to keep something in the file of the journal. */
export interface FileParts extends StoreDependencies {
  database: Database;
  write: Write;
  intents: IntentWrites;
}

/** Opens the file, or makes it. @throws StoreError when it cannot be opened, read or written */
export async function openJournalFile(
  path: string,
  { clock, random }: StoreDependencies,
): Promise<JournalFile> {
  const database = await openDatabase(path, {
    newest: STORE_VERSION,
    holds: 'journal',
    whole: TABLES,
    steps: MIGRATIONS,
  });
  const write = committedTogether(database);
  const intents = intentWrites(database, { clock, random });
  const made = new Map<unknown, unknown>();
  const journal = createJournal(database, { clock, random }, write);
  return {
    intents: journal,
    lastTold: await journal.lastTold(),
    seen: createSeenIndex(database, clock),
    close: () => database.close(),
    part<T>(make: (file: FileParts) => T): T {
      if (!made.has(make)) made.set(make, make({ database, write, intents, clock, random }));
      return made.get(make) as T;
    },
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

function read(row: Row | undefined): SeenRecord | undefined {
  if (!row) return undefined;
  return {
    kind: row.kind as SeenKind,
    id: String(row.id),
    ...(row.transaction_id === null ? {} : { transactionId: String(row.transaction_id) }),
    ...(row.external_id === null ? {} : { externalId: String(row.external_id) }),
  };
}
