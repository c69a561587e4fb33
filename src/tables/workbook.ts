/** A workbook as it is written, sheet after sheet, in constant memory. Its bytes are a text with a character for each. */
import {
  type Changed,
  cellXml,
  headXml,
  lastParts,
  ROOT_PART,
  rowXml,
  SHEET_END,
  type SheetColumn,
  sheetColumns,
  sheetHead,
  sheetPath,
  type ValueColumn,
} from './xlsx-parts.ts';
import { openZip } from './zip.ts';

const NAMES_AND_VALUES = [12, 60];
const WIDTH = { least: 8, most: 60, time: 20 } as const;

export interface Workbook {
  begin<Row>(
    name: string,
    columns: readonly SheetColumn<Row>[],
    rows: readonly Row[],
    changed: Changed,
  ): string;
  add(xml: string): string;
  finish(): string;
  end(): string;
}

/** @param hear gets what is in the file, which its bytes do not show */
export function openBook(hear?: (text: string) => void): Workbook {
  const zip = openZip();
  const sheets: string[] = [];
  const bytes = (...parts: Buffer[]): string => Buffer.concat(parts).toString('latin1');
  const part = ([path, xml]: readonly [string, string]): string =>
    bytes(zip.begin(path), zip.add(xml), zip.finish());
  return {
    begin(name, columns, rows, changed) {
      const numbered = sheets.length === 0 || name === 'Totals' ? name : `${name} ${sheets.length + 1}`;
      const before = sheets.length === 0 ? part(ROOT_PART) : '';
      sheets.push(numbered);
      // A sheet without a width is called broken.
      const widths = columns.length === 0 ? NAMES_AND_VALUES : columns.map((column) => widthOf(column, rows));
      const heading = headXml(
        columns.map(({ column }) => column.name),
        changed,
      );
      return before + bytes(zip.begin(sheetPath(sheets.length)), zip.add(sheetHead(widths) + heading));
    },
    add(xml) {
      if (xml === '') return '';
      hear?.(xml);
      return bytes(zip.add(xml));
    },
    finish: () => bytes(zip.add(SHEET_END), zip.finish()),
    end: () => lastParts(sheets).map(part).join('') + bytes(zip.end()),
  };
}

export const sheetRow = <Row>(
  columns: readonly SheetColumn<Row>[],
  row: Row,
  where: { at: number; changed: Changed },
): string =>
  rowXml(
    columns.map((column) => cellXml(column, row, where)),
    where.at,
  );

/** The widths are those of the first rows: the others are not here yet. */
function widthOf<Row>({ column }: SheetColumn<Row>, rows: readonly Row[]): number {
  if (column.time) return WIDTH.time;
  const lengths = rows.map((row) => Math.ceil((column.get(row)?.length ?? 0) * (column.amount ? 1.3 : 1)));
  return Math.min(WIDTH.most, Math.max(WIDTH.least, column.name.length, ...lengths) + 2);
}

/** Rows are packed so many at a time. */
const AT_ONCE = 250;

/** A workbook of one sheet with these texts. @param name of the sheet, 31 characters at most */
export function workbookOf(
  name: string,
  columns: readonly Pick<ValueColumn<unknown>, 'name' | 'time'>[],
  rows: readonly (readonly string[])[],
): Buffer {
  const changed: Changed = { longNumbers: 0, cutTexts: 0 };
  const book = openBook();
  const valued = columns.map((one, index) => ({ ...one, get: (row: readonly string[]) => row[index] }));
  const sheet = sheetColumns({ columns: valued }, valued);
  const parts = [book.begin(name, sheet, rows, changed)];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    const xml = some.map((row, index) => sheetRow(sheet, row, { at: from + index + 2, changed }));
    parts.push(book.add(xml.join('')));
  }
  parts.push(book.finish(), book.end());
  return Buffer.from(parts.join(''), 'latin1');
}
