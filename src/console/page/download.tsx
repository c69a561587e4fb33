/** Files that the page saves. The rows of a list are masked as they are shown, and harmless in a spreadsheet. */
import { useSignal } from '@preact/signals';
import { guard } from '../../core/csv-guard.ts';
import type { QuestionOf, Row, TroubledRow } from '../wire.ts';
import { bytesOf, call } from './call.ts';
import { problemOf } from './loaded.ts';
import { sentence } from './parts.tsx';

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
function sheetOf(rows: readonly Row[]): QuestionOf<'workbook'> {
  const shown = COLUMNS.filter(([, get]) => rows.some((row) => (get(row) ?? '') !== ''));
  return {
    columns: shown.map(([name]) => ({ name, time: name === 'created_at' })),
    rows: rows.map((row) => shown.map(([, get]) => get(row) ?? '')),
  };
}

function csvOf({ columns, rows }: QuestionOf<'workbook'>): string {
  const lines = rows.map((row) => row.map((cell) => quoted(guard(cell, true))).join(','));
  return [columns.map(({ name }) => name).join(','), ...lines, ''].join('\r\n');
}

const quoted = (text: string): string => (/[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Hands a file to the browser, which puts it where downloads go. @param parts its bytes in base64, or texts */
export function save(name: string, type: string, parts: string | string[]): void {
  const blob = new Blob(typeof parts === 'string' ? [bytesOf(parts)] : parts, { type });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The name of the file says what it is and of which day, and nothing of what is in it. */
export function Download({ rows, what }: { rows: readonly Row[]; what: 'search' | 'list' | 'triage' }) {
  const said = useSignal('');
  const name = `remit-${what}-${/^\d{4}-\d\d-\d\d/.exec(rows[0]?.at ?? '')?.[0] ?? 'undated'}`;
  const button = `Download ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} as`;
  const asCsv = (): void =>
    // Spreadsheets take a file without this mark for one of another alphabet.
    save(`${name}.csv`, 'text/csv;charset=utf-8', ['\ufeff', csvOf(sheetOf(rows))]);
  const asXlsx = async (): Promise<void> => {
    said.value = 'Making it…';
    try {
      save(`${name}.xlsx`, XLSX, (await call('workbook', sheetOf(rows))).base64);
      said.value = '';
    } catch (error) {
      said.value = sentence(problemOf(error).message);
    }
  };
  return (
    <span>
      <button type="button" class="small" onClick={asCsv}>
        {button} CSV
      </button>{' '}
      <button type="button" class="small" onClick={asXlsx} aria-label={`${button} XLSX`}>
        as XLSX
      </button>{' '}
      <span role="status">{said.value}</span>
    </span>
  );
}
