/** Draws tables whose widths are known. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { takesPlaceEach, widthOf } from './width.ts';

export interface TableColumn {
  /** Undefined of all columns where a part came before. */
  head: string | undefined;
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

type Rows = readonly (readonly string[])[];

/**
 * Cells have no more room than their widths. cli-table3 spends more on a row than the whole rest of the program, so that it draws
 * the heading and what is not plain; a row of plain characters is padded here, to the same bytes.
 */
export function drawTable(
  columns: readonly TableColumn[],
  rows: Rows,
  widths: readonly number[] = naturalWidths(columns, rows),
): string {
  const hasHead = columns.some(({ head }) => head !== undefined);
  const lines = rows.map((row) => paddedLine(columns, row, widths) ?? drawn(columns, [row], widths, false));
  return [...(hasHead ? [drawn(columns, [], widths, true)] : []), ...lines].join('\n');
}

const naturalWidths = (columns: readonly TableColumn[], rows: Rows): number[] =>
  columns.map(({ head = '' }, index) =>
    Math.max(
      ...[head, ...rows.map((row) => row[index] ?? '')].map((cell) =>
        widthOf(stripVTControlCharacters(cell)),
      ),
    ),
  );

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
    if (!takesPlaceEach(seen) || seen.length > width) return undefined;
    const room = ' '.repeat(width - seen.length);
    line += `${index === 0 ? '' : PLAIN.middle}${columns[index]?.right ? room + cell : cell + room}`;
  }
  return line.trimEnd();
}

function drawn(
  columns: readonly TableColumn[],
  rows: Rows,
  widths: readonly number[],
  hasHead: boolean,
): string {
  const table = new Table({
    head: hasHead ? columns.map(({ head }) => head ?? '') : [],
    colAligns: columns.map(({ right }) => (right ? 'right' : 'left')),
    // A cell has one place at least.
    colWidths: widths.map((width) => Math.max(1, width)),
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
