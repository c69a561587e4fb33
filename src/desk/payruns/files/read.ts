/** Reads a file of payments in any of its formats, in batches, so that a million rows need no more memory than a thousand. */
import { knownColumns } from './columns.ts';
import { readCsv } from './csv.ts';
import type { ReadOptions } from './formats.ts';
import { type Batches, type Fault, type FileRow, faultAt, isFault } from './row.ts';
import { utf8Pieces } from './utf8.ts';

/** Rows in the order of the file, or faults of single rows. @throws Problem for what is wrong with the file as a whole */
export async function* readRows(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): Batches {
  const { name, map = {}, defaults = {}, decimalComma = false } = options;
  const columns = await knownColumns(map);
  const pieces = utf8Pieces(bytes, name);
  for await (const batch of readCsv(pieces, { name, columns, map, defaults }))
    yield batch.map((one) => (isFault(one) ? one : complete(one, defaults, decimalComma)));
}

const DECIMAL_COMMA = /^\s*\d+,\d+\s*$/;

function complete(
  row: FileRow,
  defaults: Readonly<Record<string, string>>,
  decimalComma: boolean,
): FileRow | Fault {
  const cells = row.cells as Record<string, string>;
  for (const column in defaults) {
    if (cells[column] !== undefined || (column === 'sender' && hasInlineSender(cells))) continue;
    cells[column] = defaults[column] ?? '';
  }
  if (!decimalComma || cells.amount === undefined) return row;
  if (cells.amount.includes('.'))
    return faultAt(
      row,
      'amount',
      'thousands',
      'has a point, and the decimals of this file follow a comma',
      'such as 1250,50',
    );
  if (DECIMAL_COMMA.test(cells.amount)) cells.amount = cells.amount.replace(',', '.');
  return row;
}

function hasInlineSender(cells: FileRow['cells']): boolean {
  for (const column in cells) if (column.startsWith('sender.')) return true;
  return false;
}
