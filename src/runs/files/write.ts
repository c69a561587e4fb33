/**
 * Rows back into a file that reads again as the same rows. In CSV a text that a spreadsheet would run gets the guard that all CSV of
 * remit has (decision 0022), and reading takes it off again. Elsewhere cells stand by their columns, dots included.
 */

import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { usage } from '../../core/problem.ts';
import { guard } from '../../tables/csv-guard.ts';
import type { Cells } from '../../tables/row.ts';
import { METADATA, OWN_COLUMNS, SENDER } from './columns.ts';
import { guardKey, isKeyAt } from './odd-lines.ts';

const WRITTEN_FORMATS = ['csv', 'ndjson', 'json', 'yaml'] as const;
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

/** Tells which kind of file of payments is written: the one that was asked for, or CSV, which spreadsheets take. @throws Problem (usage) */
export function fileKindOf(asked?: string): WrittenFormat {
  if (asked === undefined) return 'csv';
  const kind = WRITTEN_FORMATS.find((one) => one === asked);
  if (kind === undefined)
    throw usage(`a file of payments is not written as ${asked}`, `-o ${WRITTEN_FORMATS.join(', ')}`);
  return kind;
}

/** A payment that was made, or is to be made, in the form in which the owner of a run keeps it. */
export interface WrittenRow {
  key: string;
  externalId?: string | undefined;
  body: TransactionWrite;
}

/** The cells that a row had, as far as they say something. */
export function rowCells({ key, externalId, body }: WrittenRow): Cells {
  const [recipient] = body.recipients;
  const method = recipient?.payout_method;
  const { id, external_id: reference, documents: _, metadata: __, ...fields } = body.sender;
  const isInline = Object.keys(fields).length > 0;
  const cells: Record<string, unknown> = {
    key,
    external_id: externalId,
    type: method?.type,
    recipient_type: recipient?.type,
    amount: recipient?.requested_amount,
    currency: recipient?.requested_currency,
    input_currency: body.input_currency,
    ...(isInline ? named(SENDER, { ...fields, external_id: reference }) : { sender: id ?? reference }),
    ...method?.details,
    ...named(METADATA, body.metadata ?? {}),
  };
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

const named = (prefix: string, members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [prefix + name, value]));

/** Returns the columns of all rows: those of a payment, then details as they come, then the sender's, then notes. */
export function columnsOf(rows: Iterable<Cells>): string[] {
  const found = new Set<string>();
  for (const cells of rows) for (const name in cells) if (cells[name] !== '') found.add(name);
  const place = (name: string): number => {
    const own = (OWN_COLUMNS as readonly string[]).indexOf(name);
    if (own >= 0) return own;
    return name.startsWith(METADATA) ? 102 : name.startsWith(SENDER) ? 101 : 100;
  };
  return [...found].sort((a, b) => place(a) - place(b));
}

interface Writing {
  /**
   * The columns to write. Where they are not given, they are those of all rows; `rows` is gone through twice
   * then.
   */
  columns?: readonly string[] | undefined;
  /** CSV for a spreadsheet: it keeps the zeros of codes, and knows the encoding. */
  spreadsheet?: boolean | undefined;
}

/** Yields pieces. */
export async function* writeRows(
  format: WrittenFormat,
  rows: Iterable<Cells>,
  { columns = columnsOf(rows), spreadsheet = false }: Writing = {},
): AsyncGenerator<string> {
  if (format === 'csv') yield* csvText(rows, columns, spreadsheet);
  else if (format === 'ndjson')
    for (const cells of rows) yield `${JSON.stringify(membersOf(cells, columns))}\n`;
  else yield* listText(format, rows, columns);
}

async function* csvText(
  rows: Iterable<Cells>,
  columns: readonly string[],
  spreadsheet: boolean,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync');
  // Readers take any line break, and some a semicolon or a tab, for an end.
  const line = (cells: readonly string[]): string => stringify([cells], { quoted_match: /[\r\n;\t|\ufeff]/ });
  yield (spreadsheet ? BYTE_ORDER_MARK : '') + line(columns.map((name) => guard(name, spreadsheet)));
  const cellOf = (cells: Cells, name: string, at: number): string => {
    const text = guard(cells[name] ?? '', spreadsheet);
    return isKeyAt(name, at) ? guardKey(text) : text;
  };
  for (const cells of rows) yield line(columns.map((name, at) => cellOf(cells, name, at)));
}

const BYTE_ORDER_MARK = '\ufeff';

async function* listText(
  format: 'json' | 'yaml',
  rows: Iterable<Cells>,
  columns: readonly string[],
): AsyncGenerator<string> {
  const all = [...rows].map((cells) => membersOf(cells, columns));
  if (format === 'json') {
    yield `${JSON.stringify(all, null, 2)}\n`;
    return;
  }
  const { stringify } = await import('yaml');
  // Quoted, so that no reader of YAML takes a code for a number.
  for (const cells of all)
    yield stringify([cells], { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 });
}

const membersOf = (cells: Cells, columns: readonly string[]): Cells =>
  Object.fromEntries(columns.flatMap((name) => (cells[name] ? [[name, cells[name]]] : [])));
