/** Files that the page saves. The rows of a list are masked as they are shown, and harmless in a spreadsheet. */
import { guard } from '../../tables/csv-guard.ts';
import type { PayoutRow, QuestionOf, TroubledRow } from '../wire.ts';
import { base64Bytes } from './call.ts';
import { useAsked } from './loaded.ts';
import { Small, sentence } from './parts.tsx';

type Cell = string | null | undefined;
const COLUMNS: readonly (readonly [head: string, get: (row: PayoutRow & Partial<TroubledRow>) => Cell])[] = [
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
function sheetOf(rows: readonly PayoutRow[]): QuestionOf<'workbook'> {
  const shown = COLUMNS.filter(([, get]) => rows.some((row) => (get(row) ?? '') !== ''));
  return {
    columns: shown.map(([name]) => ({ name, time: name === 'created_at' })),
    rows: rows.map((row) => shown.map(([, get]) => get(row) ?? '')),
  };
}

export function saveCsv(name: string, { columns, rows }: QuestionOf<'workbook'>): void {
  const lines = rows.map((row) =>
    row.map((cell, at) => (columns[at]?.amount ? cell : quoted(guard(cell, true)))).join(','),
  );
  const text = [columns.map(({ name }) => name).join(','), ...lines, ''].join('\r\n');
  // Spreadsheets take a file without this mark for one of another alphabet.
  save(`${name}.csv`, 'text/csv;charset=utf-8', ['\ufeff', text]);
}

const quoted = (text: string): string => (/[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Hands a file to the browser, which puts it where downloads go. @param parts its bytes in base64, or texts */
export function save(name: string, type: string, parts: string | string[]): void {
  const blob = new Blob(typeof parts === 'string' ? [base64Bytes(parts)] : parts, { type });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The name of the file says what it is and of which day, and nothing of what is in it. */
export function Download({ rows, what }: { rows: readonly PayoutRow[]; what: 'search' | 'list' | 'triage' }) {
  const { now, ask } = useAsked('workbook');
  const name = `remit-${what}-${/^\d{4}-\d\d-\d\d/.exec(rows[0]?.at ?? '')?.[0] ?? 'undated'}`;
  const button = `Download ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} as`;
  const asXlsx = async (): Promise<void> => {
    const made = await ask(sheetOf(rows));
    if (made !== undefined) save(`${name}.xlsx`, XLSX, made.base64);
  };
  return (
    <span>
      <Small onClick={() => saveCsv(name, sheetOf(rows))}>{button} CSV</Small>{' '}
      <Small onClick={asXlsx} aria-label={`${button} XLSX`}>
        as XLSX
      </Small>{' '}
      <span role="status">{now.value.problem && sentence(now.value.problem.message)}</span>
    </span>
  );
}
