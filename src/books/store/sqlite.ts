/** The books in a file of their own, beside the journal: they can be thrown away, and what is about money cannot. */
import { statSync } from 'node:fs';
import { invariant } from '../../core/invariants.ts';
import { type Database, IN_MEMORY, openDatabase, type Versions } from '../../disk/driver.ts';
import { foundBy, Moved, refuseOtherwiseHidden } from './book-marks.ts';
import { closedUntil } from './mark-changes.ts';
import type { BookEntry, Books, StoredEntries } from './port.ts';
import { createFinding, foundOf } from './sqlite/finding.ts';
import {
  createMarks,
  keepMarks,
  MARKS_FROM_3,
  MARKS_SCHEMA,
  type RecordCounts,
  readClosings,
  readProgress,
  readTally,
  writeMoved,
  writeNote,
  writeProgress,
} from './sqlite/marks.ts';

const SCHEMA = `
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    external_id TEXT,
    state TEXT NOT NULL,
    is_final INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    heard_at INTEGER NOT NULL,
    recipients INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entries_created ON entries (created_at);
  CREATE INDEX entries_open ON entries (created_at) WHERE is_final = 0;
  CREATE VIRTUAL TABLE finds USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1, detail = 'full');
  INSERT INTO finds (finds, rank) VALUES ('secure-delete', 1);
  INSERT INTO finds (finds, rank) VALUES ('automerge', 16);
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${MARKS_SCHEMA}`;

/** Files of versions 1 and 2 were never published: they are refused. */
const VERSIONS: Versions = {
  newest: 4,
  holds: 'books',
  whole: SCHEMA,
  steps: { 3: (database) => database.exec(MARKS_FROM_3) },
};

const STANDS = 'SELECT seq, is_final, changed_at, heard_at, recipients, body FROM entries WHERE id = ?';
const COLUMNS = 'id, external_id, state, is_final, created_at, changed_at, heard_at, recipients, body';
/** Most are new: then the id is looked for once. */
const INSERT = `INSERT INTO entries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING seq`;
const UPDATE = `UPDATE entries SET external_id = ?, state = ?, is_final = ?, created_at = ?, changed_at = ?, heard_at = ?, recipients = ?, body = ?
  WHERE seq = ?`;
const HEARD = 'UPDATE entries SET heard_at = ? WHERE seq = ? AND heard_at < ?';
/**
 * A copy may lose its last second when the power fails, together with how far the copying was; a process that dies loses nothing.
 * Keys are random, so that pages of an index are written again and again, unless many are kept before they go to the file.
 */
const COPY = 'PRAGMA synchronous=NORMAL; PRAGMA cache_size=-12000; PRAGMA wal_autocheckpoint=4000';
const FORGOTTEN_AT_ONCE = 2_000;

/** @throws StoreError when it cannot be opened, read or written */
export async function openSqliteBooks(path: string): Promise<Books> {
  const database = await openDatabase(path, VERSIONS);
  database.exec(COPY);
  return {
    async keep(entries, progress) {
      return database.transaction(() => {
        const { hiddenBy, knownUntil } = readProgress(database);
        const closed = closedUntil(readClosings(database));
        refuseOtherwiseHidden(entries, hiddenBy, path);
        const kept: StoredEntries = { added: 0, changed: 0, older: 0 };
        const moved = new Moved();
        const found: Found[] = [];
        const tally = readTally(database);
        const keeping = { kept, moved, found, tally, knownUntil, closedUntil: closed };
        for (const entry of entries) keepOne(database, entry, keeping);
        keepFinds(database, found);
        writeMoved(database, moved);
        writeNote(database, 'tally', tally);
        if (progress) writeProgress(database, progress);
        return kept;
      });
    },
    progress: async () => readProgress(database),
    setProgress: async (progress) => database.transaction(() => writeProgress(database, progress)),
    ...createReading(database, path),
    ...createFinding(database),
    ...createMarks(database),
    forget: async (createdBefore) => forget(database, createdBefore),
    close: () => database.close(),
  };
}

function createReading(
  database: Database,
  path: string,
): Pick<Books, 'counts' | 'since' | 'open' | 'bodies' | 'created' | 'get' | 'entry'> {
  return {
    async counts() {
      const row = database.get(
        `SELECT (SELECT min(created_at) FROM entries) AS oldest, (SELECT max(created_at) FROM entries) AS newest,
          (SELECT count(*) FROM entries WHERE is_final = 0) AS open`,
      );
      invariant(row, 'a count has a row');
      return {
        ...readTally(database),
        open: Number(row.open),
        oldestAt: row.oldest === null ? undefined : Number(row.oldest),
        newestAt: row.newest === null ? undefined : Number(row.newest),
        bytes: bytesOf(path),
      };
    },
    since: async (createdAt) =>
      Number(database.get('SELECT count(*) AS rows FROM entries WHERE created_at >= ?', createdAt)?.rows),
    async open(heardBefore, limit) {
      const sql = `SELECT id, created_at, heard_at FROM entries WHERE is_final = 0 AND heard_at < ? ORDER BY created_at LIMIT ?`;
      return database.all(sql, heardBefore, limit).map((row) => ({
        id: String(row.id),
        createdAt: Number(row.created_at),
        heardAt: Number(row.heard_at),
      }));
    },
    async bodies(afterId, limit) {
      const found = database.all(
        'SELECT id, body FROM entries WHERE id > ? ORDER BY id LIMIT ?',
        afterId,
        limit,
      );
      return found.map(({ id, body }) => ({ id: String(id), body: String(body) }));
    },
    async created({ from, to, after = { createdAt: from, seq: -1 }, limit }) {
      const sql = `SELECT created_at, seq, id, body FROM entries WHERE created_at >= ? AND created_at < ? AND (created_at, seq) > (?, ?)
        ORDER BY created_at, seq LIMIT ?`;
      return database.all(sql, from, to, after.createdAt, after.seq, limit).map((row) => ({
        createdAt: Number(row.created_at),
        seq: Number(row.seq),
        id: String(row.id),
        body: String(row.body),
      }));
    },
    async get(id) {
      const row = database.get('SELECT body FROM entries WHERE id = ?', id);
      return row && String(row.body);
    },
    async entry(id) {
      const row = database.get('SELECT id, created_at, heard_at, body FROM entries WHERE id = ?', id);
      return row && foundOf(row);
    },
  };
}

interface Found {
  seq: number;
  text: string;
  /** It stands there with another text. */
  isAgain: boolean;
}

/** All at the end: the index writes itself out before each statement that may have to be undone, and most others may. */
function keepFinds(database: Database, found: readonly Found[]): void {
  for (const { seq, text, isAgain } of found) {
    if (isAgain) database.run('DELETE FROM finds WHERE rowid = ?', seq);
    database.run('INSERT INTO finds (rowid, text) VALUES (?, ?)', seq, text);
  }
}

interface Keeping {
  kept: StoredEntries;
  moved: Moved;
  found: Found[];
  tally: RecordCounts;
  knownUntil: number | undefined;
  closedUntil: number;
}

function keepOne(database: Database, entry: BookEntry, { kept, found, tally, ...how }: Keeping): void {
  const { id, externalId = null, state, createdAt, changedAt, heardAt, recipients, body } = entry;
  const isFinal = entry.isFinal ? 1 : 0;
  const text = foundBy(entry.finds);
  const given = [id, externalId, state, isFinal, createdAt, changedAt, heardAt, recipients, body];
  const made = database.get(INSERT, ...given);
  if (made !== undefined) {
    const seq = Number(made.seq);
    found.push({ seq, text, isAgain: false });
    keepMarks(database, seq, entry.marks, { ...how, isNew: true });
    tally.transactions += 1;
    tally.recipients += recipients;
    kept.added += 1;
    return;
  }
  const stands = database.get(STANDS, id);
  invariant(stands, 'what could not be added is there');
  const seq = Number(stands.seq);
  if (stands.body === body) {
    database.run(HEARD, heardAt, seq, heardAt);
    return;
  }
  const standing = {
    isFinal: stands.is_final === 1,
    changedAt: Number(stands.changed_at),
    heardAt: Number(stands.heard_at),
  };
  if (!isNewer(entry, standing)) {
    kept.older += 1;
    return;
  }
  database.run(UPDATE, externalId, state, isFinal, createdAt, changedAt, heardAt, recipients, body, seq);
  tally.recipients += recipients - Number(stands.recipients);
  found.push({ seq, text, isAgain: true });
  keepMarks(database, seq, entry.marks, { ...how, isNew: false });
  kept.changed += 1;
}

type Age = Pick<BookEntry, 'isFinal' | 'changedAt' | 'heardAt'>;

/** Times of the service's clock; where that is silent by ours, and then nothing that was final is open again. */
function isNewer(entry: Age, standing: Age): boolean {
  if (entry.changedAt !== standing.changedAt) return entry.changedAt > standing.changedAt;
  if (standing.isFinal !== entry.isFinal) return entry.isFinal;
  return entry.heardAt >= standing.heardAt;
}

/** A few at a time, so that no wait for the file is long; then its free pages and its log are given back. */
function forget(database: Database, createdBefore: number | undefined): number {
  const before = createdBefore ?? Number.MAX_SAFE_INTEGER;
  let forgotten = 0;
  for (;;) {
    const some = database.transaction(() => {
      const rows = database.all(
        `SELECT seq, recipients FROM entries WHERE created_at < ? ORDER BY created_at LIMIT ${FORGOTTEN_AT_ONCE}`,
        before,
      );
      const tally = readTally(database);
      for (const { seq, recipients } of rows) {
        tally.transactions -= 1;
        tally.recipients -= Number(recipients);
        database.run('DELETE FROM finds WHERE rowid = ?', Number(seq));
        database.run('DELETE FROM marks WHERE seq = ?', Number(seq));
        database.run('DELETE FROM entries WHERE seq = ?', Number(seq));
      }
      writeNote(database, 'tally', tally);
      return rows.length;
    });
    forgotten += some;
    if (some < FORGOTTEN_AT_ONCE) break;
  }
  database.exec("INSERT INTO finds (finds) VALUES ('optimize')");
  database.transaction(() => {
    if (createdBefore === undefined)
      database.exec(
        "DELETE FROM moved; DELETE FROM balances; DELETE FROM rates; DELETE FROM notes WHERE name = 'closings'",
      );
    writeProgress(
      database,
      createdBefore === undefined ? {} : { ...readProgress(database), forgottenBefore: createdBefore },
    );
  });
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  return forgotten;
}

function bytesOf(path: string): number {
  if (path === IN_MEMORY) return 0;
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
