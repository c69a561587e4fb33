/** Reads a file of payments in any of its formats, in batches, so that a million rows need no more memory than a thousand. */

import { thousands } from '../../core/amount-words.ts';
import { byWord } from '../../core/by-word.ts';
import {
  type Batches,
  type Cells,
  type Fault,
  type FileRow,
  faultAt,
  fileProblem,
  isFault,
  wordsOfFile,
} from '../../tables/row.ts';
import { utf8Pieces } from '../../tables/utf8.ts';
import { peeked } from '../../tables/whole-text.ts';
import { type Columns, knownColumns, readHeader } from './columns.ts';
import type { FileFormat, ReadOptions } from './formats.ts';
import { splitName } from './split-name.ts';

/** Rows in the order of the file, or faults of single rows. @throws Problem for what is wrong with the file as a whole */
export async function* readRows(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): Batches {
  const { map = {}, defaults = {}, decimalComma = false } = options;
  const columns = await knownColumns(map);
  const source = utf8Pieces(bytes, options.name);
  try {
    const { first, pieces } = await peeked(source);
    const format = options.format ?? formatOf(options.name, first);
    const isTyped = format === 'csv' || format === 'yaml';
    for await (const batch of await rowsOf(format, pieces, { ...options, columns, map, defaults })) {
      refuseTooMany(batch, options);
      yield batch.map((one) => {
        if (isFault(one)) return one;
        const row = complete(one, defaults, { decimalComma: decimalComma && format === 'csv', isTyped });
        return isFault(row) ? row : divided(row, options);
      });
    }
  } finally {
    // A reader that refuses the heading never asks for the rest, and no other code closes the file. It is not waited for: a
    // terminal or a pipe that says nothing more would hold it up.
    source.return(undefined).catch(() => {});
  }
}

/** Keys and accounts of all rows are held against each other. */
const MOST_ROWS = 2_000_000;

/** @throws Problem */
function refuseTooMany(
  batch: readonly (FileRow | Fault)[],
  { name, mostRows = MOST_ROWS }: ReadOptions,
): void {
  const last = batch.at(-1);
  const n = last === undefined ? 0 : isFault(last) ? (last.row ?? 0) : last.n;
  if (n > mostRows)
    throw fileProblem(
      'too_many_rows',
      `${wordsOfFile(name)} has more than ${thousands(mostRows)} rows`,
      'divide it into several files',
    );
}

const EXTENSIONS: Readonly<Record<string, FileFormat>> = byWord({
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  xml: 'xml',
});

/** Goes by the extension, else by how the file begins. */
function formatOf(name: string, first: string): FileFormat {
  const [, extension = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const known = EXTENSIONS[extension];
  if (known !== undefined) return known;
  const text = first.trimStart();
  if (text.startsWith('<')) return 'xml';
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('{')) return 'ndjson';
  return /^(?:---\s|- )/.test(text) ? 'yaml' : 'csv';
}

interface Reading extends ReadOptions {
  columns: Columns;
  map: Cells;
  defaults: Cells;
}

/** A reader is loaded when a file is of its format. */
async function rowsOf(format: FileFormat, pieces: AsyncIterable<Buffer>, options: Reading): Promise<Batches> {
  switch (format) {
    case 'csv':
      return csvRows(pieces, options);
    case 'ndjson':
      return (await import('./json.ts')).readNdjson(pieces, options);
    case 'json':
      return (await import('./json.ts')).readJsonRows(pieces, options);
    case 'yaml':
      return (await import('./yaml.ts')).readYaml(pieces, options);
    case 'xml':
      return (await import('./pain.ts')).readPain(pieces, options);
  }
}

async function* csvRows(pieces: AsyncIterable<Buffer>, options: Reading): Batches {
  const [{ readCsv }, { OddLines }] = await Promise.all([
    import('../../tables/csv.ts'),
    import('./odd-lines.ts'),
  ]);
  const { name, columns, note, decimalComma = false } = options;
  const odd = new OddLines(columns, decimalComma);
  try {
    yield* readCsv(pieces, { name, odd, header: (record) => readHeader(record, columns, options) });
  } finally {
    for (const words of odd.notes()) note?.(words);
  }
}

const DECIMAL_COMMA = /^\s*\d+,\d+\s*$/;

function complete(
  row: FileRow,
  defaults: Cells,
  { decimalComma, isTyped }: { decimalComma: boolean; isTyped: boolean },
): FileRow | Fault {
  if (isTyped) row.isTyped = true;
  const cells = row.cells as Record<string, string>;
  for (const column in defaults) {
    if (cells[column] !== undefined || (column === 'sender' && hasInlineSender(cells))) continue;
    cells[column] = defaults[column] ?? '';
  }
  if (!decimalComma || cells.amount === undefined) return row;
  if (cells.amount.includes('.')) {
    const words = 'has a point, and the decimals of this file follow a comma';
    return faultAt(row, 'amount', 'thousands', words, 'such as 1250,50');
  }
  if (DECIMAL_COMMA.test(cells.amount)) cells.amount = cells.amount.replace(',', '.');
  return row;
}

/** The row with first and last name in place of the name of a person. */
function divided(row: FileRow, { splitName: way, onDivided }: ReadOptions): FileRow | Fault {
  const cells = row.cells as Record<string, string>;
  const { name } = cells;
  const kind = cells.recipient_type?.trim().toLowerCase() ?? 'person';
  if (way === undefined || name === undefined || kind !== 'person') return row;
  if (cells.first_name !== undefined || cells.last_name !== undefined)
    return faultAt(row, 'name', 'name_twice', 'stands beside a first or a last name', 'one of the two');
  const halves = splitName(name, way);
  if (typeof halves === 'string') {
    const right = `give this row a first_name and a last_name${way === 'last-first' ? ', or put a comma behind the last name' : ''}`;
    return faultAt(row, 'name', 'name_not_divided', halves, right);
  }
  delete cells.name;
  cells.first_name = halves.first;
  cells.last_name = halves.last;
  onDivided?.({ n: row.n, at: row.at, name, ...halves });
  return row;
}

function hasInlineSender(cells: Cells): boolean {
  for (const column in cells) if (column.startsWith('sender.')) return true;
  return false;
}
