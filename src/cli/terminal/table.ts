/** Tables for people: columns that do not fit are dropped from the least important, and said so by the caller. */
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

export function drawTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: columns.map((column) => column.head),
    colAligns: columns.map((column) => (column.right ? 'right' : 'left')),
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
