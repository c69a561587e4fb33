/** The XML of a workbook: its cells, its sheets and the list of its parts. It has values alone, and no formula. */

import { byWord } from '../core/by-word.ts';
import { decimalsOf } from '../core/currency.ts';
import { isDay } from '../core/zone.ts';
import { guard } from './csv-guard.ts';

type Cell = string | null | undefined;

/** A column as a sheet has it. */
export interface ValueColumn<Row> {
  name: string;
  get(row: Row): Cell;
  /** A number where its text is one. */
  right?: boolean;
  amount?: boolean;
  /** The name of the column with the amount's currency. */
  currency?: string;
  /** A date where its text is a day, or a time in UTC. */
  time?: boolean;
}
/** Columns, and those among which their currencies are. */
export interface ValueColumns<Row> {
  columns: readonly ValueColumn<Row>[];
  flat?: readonly ValueColumn<Row>[];
}

/** An amount has its own digits. One that begins with zeros is a text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** A spreadsheet keeps so many digits of a number and makes zeros of the others. */
export const MOST_DIGITS = 15;
/** Longer texts make a spreadsheet call the file broken. */
const MOST_CHARACTERS = 32_767;
const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('1899-12-30T00:00:00Z');
/** Spreadsheets count a 29 February 1900, which never was: days before March are another day in each. */
const FIRST_SAME = Date.parse('1900-03-01T00:00:00Z');

/** The places of the styles in `stylesXml`. */
const STYLE = { plain: 0, head: 1, time: 2, day: 3, quoted: 4, amount: 5 } as const;
const MOST_DECIMALS = MOST_DIGITS;

/** The cells that could not be kept as they are. */
export interface Changed {
  longNumbers: number;
  cutTexts: number;
}

/** A column with its letter, and the rule of its currency. */
export interface SheetColumn<Row> {
  column: ValueColumn<Row>;
  letter: string;
  currencyOf: ((row: Row) => Cell) | undefined;
}

export function sheetColumns<Row>(
  { columns: drawn, flat = [] }: ValueColumns<Row>,
  columns: readonly ValueColumn<Row>[],
): SheetColumn<Row>[] {
  return columns.map((column, index) => ({
    column,
    letter: letterOf(index),
    currencyOf: [...flat, ...drawn].find(({ name }) => name === column.currency)?.get,
  }));
}

/** `A`, `Z`, `AA`. */
function letterOf(index: number): string {
  const before = Math.floor(index / 26);
  return (before === 0 ? '' : letterOf(before - 1)) + String.fromCharCode(65 + (index % 26));
}

export const isNumberCell = <Row>({ amount, right }: ValueColumn<Row>, value: string): boolean =>
  (amount === true || right === true) && NUMBER.test(value);

/** @param at the number of the row in its sheet, from 1 */
export const rowXml = (cells: readonly string[], at: number): string =>
  `<row r="${at}">${cells.join('')}</row>`;

export function cellXml<Row>(
  { column, letter, currencyOf }: SheetColumn<Row>,
  row: Row,
  { at, changed }: { at: number; changed: Changed },
): string {
  const value = column.get(row);
  if (value === null || value === undefined || value === '') return '';
  const place = `${letter}${at}`;
  if (column.time) {
    const days = daysOf(value);
    if (days !== undefined) return numberXml(place, days, UTC_TIME.test(value) ? STYLE.time : STYLE.day);
  }
  if (!isNumberCell(column, value)) return textXml(place, value, changed);
  const decimals = value.split('.')[1] ?? '';
  if (digitsOf(value) > MOST_DIGITS) {
    changed.longNumbers++;
    return textXml(place, value, changed);
  }
  if (currencyOf === undefined) return numberXml(place, value, STYLE.plain);
  const places = Math.max(decimals.length, decimalsOf(currencyOf(row) ?? ''));
  return numberXml(place, value, STYLE.amount + Math.min(places, MOST_DECIMALS));
}

/** Zeros at either end are no digits that could be lost. */
const digitsOf = (value: string): number =>
  (value.includes('.') ? value.replace(/(?<!0)0+$/, '') : value).replace(/^-?0?\.?0*/, '').replace('.', '')
    .length;

/** Days since the end of 1899, by the clock of UTC, as a spreadsheet counts. Undefined where it is no time, or an older one. */
function daysOf(value: string): number | undefined {
  const at = UTC_TIME.test(value) || isDay(value) ? Date.parse(value) : Number.NaN;
  return at >= FIRST_SAME ? (at - FIRST_DAY) / DAY_MS : undefined;
}

const numberXml = (place: string, value: string | number, style: number): string =>
  `<c r="${place}"${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`;

/** Marks a text that would be a formula if typed as a text, for users who edit its cell. */
export function textXml(place: string, value: string, changed: Changed, style?: number): string {
  const isCut = value.length > MOST_CHARACTERS;
  if (isCut) changed.cutTexts++;
  const text = isCut ? `${value.slice(0, MOST_CHARACTERS - 1)}…` : value;
  const shown = style ?? (guard(text, true) === text ? STYLE.plain : STYLE.quoted);
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${place}" t="inlineStr"${shown === 0 ? '' : ` s="${shown}"`}><is><t${space}>${escaped(text)}</t></is></c>`;
}

export const headXml = (texts: readonly string[], changed: Changed): string =>
  rowXml(
    texts.map((text, index) => textXml(`${letterOf(index)}1`, text, changed, STYLE.head)),
    1,
  );

const SPECIAL = /[<>&\r]/g;
const ENTITIES: Readonly<Record<string, string>> = byWord({
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '\r': '_x000D_',
});
/** XML cannot hold these. A workbook writes them as `_x0000_`, and a text that looks so with one more. */
const UNFIT = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}|_(?=x[\dA-Fa-f]{4}_)/gu;

const escaped = (text: string): string =>
  text
    .replace(UNFIT, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(SPECIAL, (one) => ENTITIES[one] ?? one);

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The heading stays in sight. @param widths in characters */
export const sheetHead = (widths: readonly number[]): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  `<cols>${widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')}</cols><sheetData>`;

export const SHEET_END = '</sheetData></worksheet>';

export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** Comes first in the archive: by it a program knows what the file is. */
export const ROOT_PART = [
  '_rels/.rels',
  `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
] as const;

/** The other parts, which name the sheets. */
export function lastParts(sheets: readonly string[]): (readonly [path: string, xml: string])[] {
  const each = (line: (name: string, number: number) => string): string =>
    sheets.map((name, index) => line(name, index + 1)).join('');
  const styles = sheets.length + 1;
  return [
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((name, number) => `<sheet name="${escaped(name)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((_, number) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}<Relationship Id="rId${styles}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', stylesXml()],
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>${each((_, number) => `<Override PartName="/${sheetPath(number)}" ContentType="${SHEET_TYPE}.worksheet+xml"/>`)}</Types>`,
    ],
  ];
}

/** Formats of our own have numbers from 164. Text has 49. */
function stylesXml(): string {
  const amounts = Array.from({ length: MOST_DECIMALS + 1 }, (_, places) =>
    places === 0 ? '#,##0' : `#,##0.${'0'.repeat(places)}`,
  );
  const formats = ['yyyy\\-mm\\-dd hh:mm:ss', 'yyyy\\-mm\\-dd', ...amounts];
  const style = (format: number, more = ''): string =>
    `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${more}/>`;
  const own = formats.map((_, index) => style(164 + index));
  const [time = '', day = '', ...rest] = own;
  const cells = [
    ...[style(0), '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>', time, day],
    ...[style(49, ' quotePrefix="1"'), ...rest],
  ];
  const font = (bold = ''): string => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">` +
    `${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('')}</numFmts>` +
    `<fonts count="2">${font()}${font('<b/>')}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}
