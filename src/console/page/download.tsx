/** The rows of a list as a CSV: masked as they are shown, and harmless in a spreadsheet. */
import { guard } from '../../core/csv-guard.ts';
import type { Row, TroubledRow } from '../wire.ts';
import { saveBlob } from './save.ts';

type Cell = string | null | undefined;
const COLUMNS: readonly (readonly [head: string, get: (row: Row & Partial<TroubledRow>) => Cell])[] = [
  ['reference', (row) => row.reference],
  ['to', (row) => row.to],
  ['from', (row) => row.from],
  ['account', (row) => row.account],
  ['amount', (row) => row.amount],
  ['state', (row) => row.state.word],
  ['who_must_act', (row) => row.heading],
  ['reason', (row) => row.reason],
  ['created_at', (row) => row.at],
  ['recipient_id', (row) => row.id],
  ['transaction_id', (row) => row.payment],
];

/** Columns that no row fills are left out. */
export function csvOf(rows: readonly Row[]): string {
  const shown = COLUMNS.filter(([, get]) => rows.some((row) => (get(row) ?? '') !== ''));
  const lines = rows.map((row) => shown.map(([, get]) => quoted(guard(get(row) ?? '', true))).join(','));
  return [shown.map(([head]) => head).join(','), ...lines, ''].join('\r\n');
}

const quoted = (text: string): string => (/[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The name of the file says what it is and of which day, and nothing of what is in it. */
export function Download({ rows, what }: { rows: readonly Row[]; what: 'search' | 'list' | 'triage' }) {
  const save = (): void => {
    // Spreadsheets take a file without this mark for one of another alphabet.
    const blob = new Blob(['\ufeff', csvOf(rows)], { type: 'text/csv;charset=utf-8' });
    saveBlob(`remit-${what}-${rows[0]?.at?.slice(0, 10) ?? 'empty'}.csv`, blob);
  };
  return (
    <button type="button" class="small" onClick={save}>
      Download {rows.length} {rows.length === 1 ? 'row' : 'rows'} as CSV
    </button>
  );
}
