/**
 * A list as text, page by page, the same bytes however it is divided: JSON is one document, CSV has its heading once, a table
 * keeps the columns and widths of its first page.
 */
import { stripVTControlCharacters } from 'node:util';
import { escapeHostile } from '../../desk/words/escape.ts';
import { cellText, chosen, fieldChecker, headOf, memberAt, shownText } from './cells.ts';
import { fitting, wrapWidth, wrapWords } from './fitting.ts';
import { paintState } from './paint.ts';
import type { Rendering } from './rendering.ts';
import type { TableColumn } from './table.ts';
import type { Column, View } from './view.ts';

/** Raised when a member of JSON output changes its meaning or goes away. */
export const jsonVersion = 1;

export interface Pages<Row> {
  page(rows: readonly Row[]): string;
  end(): string;
  /** Columns left out for want of room. */
  dropped(): string[];
}

export type Shape<Row> = Pick<Pages<Row>, 'page' | 'end'> & Partial<Pick<Pages<Row>, 'dropped'>>;

/**
 * With --query, for one that does not need the whole list (`needsAll`); it chooses instead of --fields. `page` throws Problem
 * (usage) for --fields that nothing has.
 */
export async function openPages<Row>(view: View<Row>, rendering: Rendering): Promise<Pages<Row>> {
  const isQueried = rendering.query !== undefined;
  const checkFields = await fieldChecker(view, isQueried ? undefined : rendering.fields);
  const shape = isQueried
    ? await (await import('./query.ts')).queryPages(rendering)
    : await shapeFor(view, rendering);
  let checked = false;
  const shown = (text: string): string =>
    rendering.isTerminal && (isQueried || rendering.format !== 'table') ? escapeHostile(text) : text;
  return {
    page(rows) {
      if (rows.length === 0) return '';
      if (!checked) checkFields(rows);
      checked = true;
      return shown(shape.page(rows));
    },
    end: () => shown(shape.end()),
    dropped: shape.dropped ?? (() => []),
  };
}

async function shapeFor<Row>(view: View<Row>, rendering: Rendering): Promise<Shape<Row>> {
  switch (rendering.format) {
    case 'table':
      return tablePages(view, rendering, await import('./table.ts'));
    case 'text':
      return textPages(view, rendering);
    case 'csv':
      return (await import('./csv.ts')).csvPages(view, rendering);
    case 'json':
      return jsonPages(view, rendering);
    case 'ndjson': {
      const head = `{"version":${jsonVersion},"kind":${JSON.stringify(view.kind)},"data":`;
      const line = (row: Row): string => `${head}${JSON.stringify(pickRow(view, row, rendering.fields))}}\n`;
      return { page: (rows) => rows.map(line).join(''), end: () => '' };
    }
    case 'yaml':
      return yamlPages(view, rendering, (await import('./yaml.ts')).yamlText);
  }
}

/** `--fields id,state`: those members of a record, dotted for nested ones; or what its column of that name shows. */
export function pickRow<Row>(view: View<Row>, row: Row, fields: readonly string[] | undefined): unknown {
  if (fields === undefined) return row;
  const shown = (name: string) =>
    [...view.columns, ...(view.flat ?? [])].find((column) => column.name === name)?.get(row);
  return Object.fromEntries(fields.map((field) => [field, memberAt(row, field) ?? shown(field) ?? null]));
}

function textPages<Row>(view: View<Row>, { fields }: Rendering): Shape<Row> {
  const columns = chosen(view, fields);
  const line = (row: Row): string => `${columns.map((column) => cellText(column.get(row))).join('\t')}\n`;
  return { page: (rows) => rows.map(line).join(''), end: () => '' };
}

/** Indented on a terminal, without a blank for machines. */
function jsonPages<Row>(view: View<Row>, { fields, isTerminal }: Rendering): Shape<Row> {
  const [head = '', tail = ''] = JSON.stringify(
    { version: jsonVersion, kind: view.kind, data: ['-'] },
    null,
    isTerminal ? 2 : 0,
  ).split(/\s*"-"\s*/);
  const line = isTerminal ? '\n    ' : '';
  const rowText = (row: Row): string => {
    const text = JSON.stringify(pickRow(view, row, fields), null, isTerminal ? 2 : 0);
    return line + (isTerminal ? text.replaceAll('\n', line) : text);
  };
  let begun = false;
  return {
    page(rows) {
      const before = begun ? ',' : head;
      begun = true;
      return before + rows.map(rowText).join(',');
    },
    end: () => `${begun ? '' : head}${begun && isTerminal ? '\n  ' : ''}${tail}\n`,
  };
}

function yamlPages<Row>(
  view: View<Row>,
  { fields }: Rendering,
  stringify: (value: unknown) => string,
): Shape<Row> {
  const top = { version: jsonVersion, kind: view.kind };
  let begun = false;
  return {
    page(rows) {
      const data = rows.map((row) => pickRow(view, row, fields));
      const text = stringify(begun ? { data } : { ...top, data });
      const shown = begun ? text.slice('data:\n'.length) : text;
      begun = true;
      return shown;
    },
    end: () => (begun ? '' : stringify({ ...top, data: [] })),
  };
}

function tablePages<Row>(
  view: View<Row>,
  rendering: Rendering,
  { drawTable, drawRows }: typeof import('./table.ts'),
): Shape<Row> {
  const { paint, zone, fields } = rendering;
  const room = { width: rendering.columns, zone };
  const all = chosen(view, fields);
  let first:
    | { columns: readonly Column<Row>[]; wrap: number; heads: TableColumn[]; widths: number[] }
    | undefined;
  const cellsOf = (columns: readonly Column<Row>[], wrap: number, rows: readonly Row[]): string[][] =>
    rows.map((row) =>
      columns.map((column) => {
        const value = shownText(column.get(row), zone);
        if (column.state) return paintState(paint, value);
        return column.wrap ? wrapWords(value, wrap) : value;
      }),
    );
  return {
    page(rows) {
      if (first === undefined) {
        const columns = fields === undefined ? fitting(all, rows, room) : all;
        const wrap = wrapWidth(columns, rows, room);
        const heads = columns.map((column) => ({ head: paint.bold(headOf(column)), right: column.right }));
        const { text, widths } = drawTable(heads, cellsOf(columns, wrap, rows));
        first = { columns, wrap, heads, widths };
        return `${text}\n`;
      }
      const { columns, wrap, heads, widths } = first;
      const cells = cellsOf(columns, wrap, rows);
      return `${drawRows(heads, cells, widthsFor(columns, cells, widths))}\n`;
    },
    end: () => (first === undefined ? `${paint.dim(view.empty ?? 'nothing found')}\n` : ''),
    dropped: () => all.filter((column) => first && !first.columns.includes(column)).map(({ name }) => name),
  };
}

/** Those of the first page; only words are cut to them, an id or an amount that is longer has the room it needs. */
function widthsFor<Row>(
  columns: readonly Column<Row>[],
  cells: readonly string[][],
  widths: readonly number[],
): number[] {
  return widths.map((width, index) => {
    const column = columns[index];
    const isWords = column !== undefined && !column.right && !/(?:^|_)id$/.test(column.name);
    if (isWords && !column.state && (column.priority ?? 0) > 0) return width;
    // A state is a word that must be read: its colour takes no room.
    return cells.reduce(
      (most, row) => Math.max(most, stripVTControlCharacters(row[index] ?? '').length),
      width,
    );
  });
}
