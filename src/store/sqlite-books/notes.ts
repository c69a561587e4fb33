/** Notes of the books on themselves: how far the copying is, and how many records there are. */
import type { BookProgress } from '../../core/ports/books.ts';
import type { Database } from '../driver.ts';

/** How many there are: counting a million would take longer than finding one. */
export interface Tally {
  transactions: number;
  recipients: number;
}

export const readProgress = (database: Database): BookProgress =>
  readNote<BookProgress>(database, 'progress') ?? {};
export const writeProgress = (database: Database, progress: BookProgress): void =>
  writeNote(database, 'progress', progress);
export const readTally = (database: Database): Tally =>
  readNote<Tally>(database, 'tally') ?? { transactions: 0, recipients: 0 };

function readNote<Note>(database: Database, name: string): Note | undefined {
  const row = database.get('SELECT value FROM notes WHERE name = ?', name);
  return row && (JSON.parse(String(row.value)) as Note);
}

export function writeNote(database: Database, name: string, note: object): void {
  const sql = `INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`;
  database.run(sql, name, JSON.stringify(note));
}
