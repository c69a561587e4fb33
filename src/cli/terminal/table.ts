/** Tables for people: columns that do not fit are dropped from the least important, and said so by the caller. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';

export interface TableColumn {
  head: string;
  right?: boolean | undefined;
}

const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export interface Drawn {
  text: string;
  /** How wide each column came out, so that the next page is drawn alike. */
  widths: number[];
}

/** Every character takes one place on every terminal, so that its length is its width. */
const PLACE_EACH = /^[ -~]*$/;

/**
 * The lines of a later page, whose widths are known. cli-table3 spends more on a row than the whole rest of the program, so a row
 * of plain characters is padded here, to the same bytes; any other is drawn by cli-table3.
 */
export function drawRows(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
): string {
  return rows
    .map((row) => paddedLine(columns, row, widths) ?? drawTable(columns, [row], widths).text)
    .join('\n');
}

function paddedLine(
  columns: readonly TableColumn[],
  row: readonly string[],
  widths: readonly number[],
): string | undefined {
  let line = '';
  for (const [index, cell] of row.entries()) {
    const width = widths[index] ?? 0;
    const isPainted = cell.includes('\u001b');
    const seen = isPainted ? stripVTControlCharacters(cell) : cell;
    if (!PLACE_EACH.test(seen) || (isPainted && seen.length > width)) return undefined;
    const shown = seen.length > width ? `${cell.slice(0, width - 1)}…` : cell;
    const room = ' '.repeat(Math.max(0, width - seen.length));
    line += `${index === 0 ? '' : PLAIN.middle}${columns[index]?.right ? room + shown : shown + room}`;
  }
  return line.trimEnd();
}

/** With `widths` it is drawn without its heading, below a part that came before, and what is longer is cut with an ellipsis. */
export function drawTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  widths?: readonly number[],
): Drawn {
  const table = new Table({
    head: widths === undefined ? columns.map((column) => column.head) : [],
    colAligns: columns.map((column) => (column.right ? 'right' : 'left')),
    colWidths: widths === undefined ? [] : [...widths],
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const row of rows) table.push([...row]);
  const text = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
  // Filled in while the table is drawn; an empty column has no width, and a cell has one at least.
  const drawn = (table as unknown as { options: { colWidths: (number | undefined)[] } }).options.colWidths;
  return { text, widths: columns.map((_, index) => Math.max(1, drawn[index] ?? 1)) };
}
