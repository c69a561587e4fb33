/** Marks of the transactions of the books, their sums by day, and the balances that were seen. */

import { add, eq } from '../../../core/money.ts';
import type { Database } from '../../../disk/driver.ts';
import {
  DAY_MS,
  dayNumber,
  type MarkBooks,
  type Moved,
  rowBalance,
  rowMark,
  rowMovement,
  seenBalance,
} from '../book-marks.ts';
import { closingsWith, type HowKept, markChanges } from '../mark-changes.ts';
import type { BookProgress, DayRate, Mark, MonthClosing, NewMark } from '../port.ts';

const MARKS = `
  CREATE TABLE marks (
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    of TEXT NOT NULL,
    at INTEGER NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT,
    PRIMARY KEY (seq, kind, of, at, currency)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX marks_moved ON marks (currency, at, seq, kind, of) WHERE amount IS NOT NULL;`;

/** Version 3 kept one mark of a kind: a correction may come twice. */
export const MARKS_FROM_3 = `ALTER TABLE marks RENAME TO marks_3; DROP INDEX marks_moved; ${MARKS}
  INSERT INTO marks SELECT seq, kind, of, at, currency, amount FROM marks_3; DROP TABLE marks_3`;

export const MARKS_SCHEMA = `
  ${MARKS}
  CREATE TABLE moved (currency TEXT NOT NULL, day INTEGER NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (currency, day)) STRICT, WITHOUT ROWID;
  CREATE TABLE balances (
    currency TEXT NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    amount TEXT NOT NULL,
    unexplained TEXT NOT NULL,
    PRIMARY KEY (currency, first_at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE rates (
    day TEXT NOT NULL,
    from_currency TEXT NOT NULL,
    to_currency TEXT NOT NULL,
    mid TEXT NOT NULL,
    PRIMARY KEY (day, from_currency, to_currency)
  ) STRICT, WITHOUT ROWID;`;

export function writeMoved(database: Database, moved: Moved): void {
  for (const { currency, day, amount } of moved.sums()) {
    const stands = database.get('SELECT amount FROM moved WHERE currency = ? AND day = ?', currency, day);
    const sum = stands === undefined ? amount : add(String(stands.amount), amount);
    const sql = `INSERT INTO moved (currency, day, amount) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET amount = excluded.amount`;
    database.run(sql, currency, day, sum);
  }
}

const INSERT = 'INSERT INTO marks (seq, kind, of, at, currency, amount) VALUES (?, ?, ?, ?, ?, ?)';
const DELETE = 'DELETE FROM marks WHERE seq = ? AND kind = ? AND of = ? AND at = ? AND currency = ?';

export function keepMarks(database: Database, seq: number, marks: readonly NewMark[], how: HowKept): void {
  const standing = how.isNew
    ? []
    : database.all('SELECT kind, of, at, currency, amount FROM marks WHERE seq = ?', seq).map(rowMark);
  const { gone, made } = markChanges(standing, marks, how);
  for (const { kind, of, at, currency } of gone) database.run(DELETE, seq, kind, of, at, currency);
  for (const { kind, of, at, currency, amount } of made)
    database.run(INSERT, seq, kind, of, at, currency, amount ?? null);
}

const WITHIN = `m.amount IS NOT NULL AND m.currency = ? AND m.at >= ? AND m.at < ? AND (m.at, m.seq, m.kind, m.of) > (?, ?, ?, ?)
  ORDER BY m.at, m.seq, m.kind, m.of LIMIT ?`;
const COLUMNS = 'm.at, m.seq, m.kind, m.of, m.currency, m.amount';
const MOVEMENTS = `SELECT ${COLUMNS}, e.body FROM marks m JOIN entries e USING (seq) WHERE ${WITHIN}`;
const BRIEF = `SELECT ${COLUMNS}, '' AS body FROM marks m WHERE ${WITHIN}`;
/** The marks first: those of a time are fewer than the transactions of another. */
const OF_CREATED = `SELECT ${COLUMNS}, e.body FROM marks m CROSS JOIN entries e ON e.seq = m.seq WHERE e.created_at >= ? AND e.created_at < ? AND ${WITHIN}`;

export function createMarks(database: Database): MarkBooks {
  return {
    async marks(ids) {
      const found = new Map<string, Mark[]>(ids.map((id) => [id, []]));
      const sql = `SELECT e.id, m.kind, m.of, m.at, m.currency, m.amount FROM json_each(?) j JOIN entries e ON e.id = j.value JOIN marks m USING (seq)`;
      for (const row of database.all(sql, JSON.stringify(ids))) found.get(String(row.id))?.push(rowMark(row));
      return found;
    },
    async movements({ currency, from, to, limit, brief, created, after }) {
      const { at, seq, kind, of } = after ?? { at: from, seq: -1, kind: '', of: '' };
      // From where the page before ended: with the beginning of the time as the bound, each page would go through all before it.
      const within = [currency, Math.max(from, at), to, at, seq, kind, of, limit];
      const rows =
        created === undefined
          ? database.all(brief ? BRIEF : MOVEMENTS, ...within)
          : database.all(OF_CREATED, created.from, created.to, ...within);
      return rows.map(rowMovement);
    },
    movedBefore: async (currency, at) => movedBefore(database, currency, at),
    closings: async () => readClosings(database),
    closeMonth: async (closing, again = false) =>
      database.transaction(() => {
        const closings = closingsWith(readClosings(database), closing, again);
        if (closings === undefined) return false;
        if (!closing.moved.every((one) => eq(movedBefore(database, one.currency, closing.to), one.amount)))
          return false;
        writeNote(database, 'closings', closings);
        return true;
      }),
    seeBalances: async (at, balances) =>
      database.transaction(() => {
        for (const balance of balances) seeBalance(database, at, balance);
      }),
    async seenBalances() {
      return database.all('SELECT * FROM balances ORDER BY currency, first_at').map(rowBalance);
    },
    keepRates: async (rates) =>
      database.transaction(() => {
        for (const rate of rates) keepRate(database, rate);
      }),
    async rates(firstDay, lastDay) {
      const rows = database.all('SELECT * FROM rates WHERE day >= ? AND day <= ?', firstDay, lastDay);
      return rows.map((row) => ({
        day: String(row.day),
        from: String(row.from_currency),
        to: String(row.to_currency),
        mid: String(row.mid),
      }));
    },
  };
}

/** Whole days as they were summed up, and of the last one the movements before the moment. */
function movedBefore(database: Database, currency: string, at: number): string {
  const day = dayNumber(at);
  const sums = database.all('SELECT amount FROM moved WHERE currency = ? AND day < ?', currency, day);
  const sql = 'SELECT amount FROM marks WHERE amount IS NOT NULL AND currency = ? AND at >= ? AND at < ?';
  const rest = day * DAY_MS === at ? [] : database.all(sql, currency, day * DAY_MS, at);
  return [...sums, ...rest].reduce((sum, { amount }) => add(sum, String(amount)), '0');
}

function seeBalance(
  database: Database,
  at: number,
  { currency, amount }: { currency: string; amount: string },
): void {
  const sql = 'SELECT * FROM balances WHERE currency = ? ORDER BY first_at DESC LIMIT 1';
  const moved = movedBefore(database, currency, Number.MAX_SAFE_INTEGER);
  const seen = seenBalance(database.get(sql, currency), { at, currency, amount, moved });
  if (seen === undefined) return;
  database.run(
    'INSERT OR REPLACE INTO balances (currency, first_at, last_at, amount, unexplained) VALUES (?, ?, ?, ?, ?)',
    currency,
    seen.firstAt,
    seen.lastAt,
    amount,
    seen.unexplained,
  );
}

function keepRate(database: Database, { day, from, to, mid }: DayRate): void {
  const sql = `INSERT INTO rates (day, from_currency, to_currency, mid) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET mid = excluded.mid`;
  database.run(sql, day, from, to, mid);
}

/**
 * Notes of the books on themselves: how far the copying is, and how many records there are. How many there
 * are: counting a million would take longer than finding one.
 */
export interface RecordCounts {
  transactions: number;
  recipients: number;
}

export const readProgress = (database: Database): BookProgress =>
  readNote<BookProgress>(database, 'progress') ?? {};
export const writeProgress = (database: Database, progress: BookProgress): void =>
  writeNote(database, 'progress', progress);
export const readClosings = (database: Database): MonthClosing[] => readNote(database, 'closings') ?? [];
export const readTally = (database: Database): RecordCounts =>
  readNote<RecordCounts>(database, 'tally') ?? { transactions: 0, recipients: 0 };

function readNote<Note>(database: Database, name: string): Note | undefined {
  const row = database.get('SELECT value FROM notes WHERE name = ?', name);
  return row && (JSON.parse(String(row.value)) as Note);
}

export function writeNote(database: Database, name: string, note: object): void {
  const sql = `INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`;
  database.run(sql, name, JSON.stringify(note));
}
