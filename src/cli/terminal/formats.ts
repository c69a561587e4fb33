/** Result in, text out: table, text, json, ndjson, csv, yaml (PRODUCT rule 7). No format knows a resource. */
import type { Cell, Column, DetailLine, View } from '../view.ts';
import { escapeHostile, escapeLine } from './escape.ts';
import type { OutputFormat } from './format-names.ts';
import type { Paint } from './paint.ts';
import { paintState } from './paint.ts';

/** Raised when a member of JSON output changes its meaning or goes away. */
export const jsonVersion = 1;

export interface Rendering {
  format: OutputFormat;
  columns: number;
  paint: Paint;
  /** Escape what a terminal would obey. */
  isTerminal: boolean;
  fields?: readonly string[] | undefined;
  query?: string | undefined;
}

export interface Rendered {
  text: string;
  /** Columns left out for want of room. */
  dropped: string[];
}

/** A member that no column and no record has is a mistyped one. @throws Failure (usage) */
async function refuseUnknownFields<Row>(
  view: View<Row>,
  rows: readonly Row[],
  fields: readonly string[],
): Promise<void> {
  const names = new Set([...view.columns, ...(view.flat ?? [])].map(({ name }) => name));
  const unknown = fields.filter(
    (field) => !names.has(field) && rows.every((row) => memberAt(row, field) === undefined),
  );
  if (rows.length === 0 || unknown.length === 0) return;
  const { usage } = await import('../failure.ts');
  throw usage(
    `--fields: no ${view.kind} here has ${unknown.join(', ')}`,
    `columns: ${[...names].join(', ')}; or any member of the JSON output`,
  );
}

export async function render<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rendering: Rendering,
): Promise<Rendered> {
  if (rendering.query !== undefined) return plain(await queried(data, rendering), rendering);
  const rows = Array.isArray(data) ? (data as readonly Row[]) : [data as Row];
  if (rendering.fields !== undefined) await refuseUnknownFields(view, rows, rendering.fields);
  switch (rendering.format) {
    case 'table':
      return Array.isArray(data) ? table(view, rows, rendering) : details(view, data as Row, rendering);
    case 'text':
      return plain(textLines(view, rows, rendering), rendering);
    case 'csv':
      return plain(await csv(view, rows, rendering), rendering);
    case 'json':
      return plain(
        `${JSON.stringify(envelope(view, pick(data, rendering)), null, rendering.isTerminal ? 2 : 0)}\n`,
        rendering,
      );
    case 'ndjson':
      return plain(rows.map((row) => ndjsonLine(view.kind, pick(row, rendering))).join(''), rendering);
    case 'yaml': {
      const { stringify } = await import('yaml');
      return plain(stringify(envelope(view, pick(data, rendering))), rendering);
    }
  }
}

export const ndjsonLine = (kind: string, data: unknown): string =>
  `${JSON.stringify({ version: jsonVersion, kind, data })}\n`;

const envelope = <Row>(view: View<Row>, data: unknown) => ({ version: jsonVersion, kind: view.kind, data });

const plain = (text: string, { isTerminal }: Rendering): Rendered => ({
  text: isTerminal ? escapeHostile(text) : text,
  dropped: [],
});

async function queried(data: unknown, { query, format }: Rendering): Promise<string> {
  const { default: jmespath } = await import('jmespath');
  const { usage } = await import('../failure.ts');
  let found: unknown;
  try {
    found = jmespath.search(data, query ?? '@');
  } catch (error) {
    throw usage(`--query is not a JMESPath expression: ${(error as Error).message}`);
  }
  if (format === 'json' || format === 'ndjson') return `${JSON.stringify(found)}\n`;
  if (format === 'yaml') return (await import('yaml')).stringify(found);
  const lines = Array.isArray(found) ? found : [found];
  return lines.map((line) => `${scalar(line)}\n`).join('');
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `--fields id,state`: those members of each record, dotted for nested ones. */
function pick(data: unknown, { fields }: Rendering): unknown {
  if (fields === undefined) return data;
  if (Array.isArray(data)) return data.map((row) => pickRow(row, fields));
  return pickRow(data, fields);
}

function pickRow(row: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, memberAt(row, field) ?? null]));
}

export function memberAt(row: unknown, dotted: string): unknown {
  return dotted
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      row,
    );
}

function chosen<Row>(view: View<Row>, { fields }: Rendering): readonly Column<Row>[] {
  if (fields === undefined) return view.columns;
  return fields.map(
    (field) =>
      [...view.columns, ...(view.flat ?? [])].find(({ name }) => name === field) ?? {
        name: field,
        get: (row) => scalar(memberAt(row, field)),
      },
  );
}

const cellText = (value: Cell): string => (value === null || value === undefined ? '' : escapeLine(value));

function textLines<Row>(view: View<Row>, rows: readonly Row[], rendering: Rendering): string {
  const columns = chosen(view, rendering);
  return rows.map((row) => `${columns.map((column) => cellText(column.get(row))).join('\t')}\n`).join('');
}

async function csv<Row>(view: View<Row>, rows: readonly Row[], rendering: Rendering): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const columns = rendering.fields === undefined ? (view.flat ?? view.columns) : chosen(view, rendering);
  const head = columns.map(({ name }) => name);
  // `escape_formulas`: a name that begins with = would run in a spreadsheet.
  return stringify([head, ...rows.map((row) => columns.map((column) => column.get(row) ?? ''))], {
    escape_formulas: true,
  });
}

async function table<Row>(view: View<Row>, rows: readonly Row[], rendering: Rendering): Promise<Rendered> {
  const { paint } = rendering;
  if (rows.length === 0) return { text: `${paint.dim(view.empty ?? 'nothing found')}\n`, dropped: [] };
  const { drawTable } = await import('./table.ts');
  const all = chosen(view, rendering);
  const columns = rendering.fields === undefined ? fitting(all, rows, rendering.columns) : all;
  const room = wrapWidth(columns, rows, rendering.columns);
  const dropped = all.filter((column) => !columns.includes(column)).map(({ name }) => name);
  const heads = columns.map((column) => ({ head: paint.bold(headOf(column)), right: column.right }));
  const cells = rows.map((row) =>
    columns.map((column) => {
      const value = cellText(column.get(row));
      if (column.state) return paintState(paint, value);
      return column.wrap ? wrapWords(value, room) : value;
    }),
  );
  return { text: `${drawTable(heads, cells)}\n`, dropped };
}

const headOf = <Row>(column: Column<Row>): string =>
  column.head ?? column.name.replaceAll('_', ' ').toUpperCase();

/** Narrower than this, sentences are no longer read. */
const LEAST_WRAP = 20;
const GAP = 2;

/** As wide as its widest cell. */
function widthOf<Row>(column: Column<Row>, rows: readonly Row[]): number {
  return rows.reduce((most, row) => Math.max(most, cellText(column.get(row)).length), headOf(column).length);
}

function fitting<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): readonly Column<Row>[] {
  const widths = new Map(
    columns.map((column) => {
      const natural = widthOf(column, rows);
      return [column, (column.wrap ? Math.min(natural, LEAST_WRAP) : natural) + GAP];
    }),
  );
  const kept = [...columns];
  const total = () => kept.reduce((sum, column) => sum + (widths.get(column) ?? 0), -2);
  while (total() > width) {
    const least = kept.reduce((a, b) => ((b.priority ?? 0) >= (a.priority ?? 0) ? b : a));
    if ((least.priority ?? 0) === 0) break;
    kept.splice(kept.indexOf(least), 1);
  }
  return kept;
}

/** What is left of the terminal for each column of sentences. */
function wrapWidth<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): number {
  const wrapped = columns.filter(({ wrap }) => wrap);
  const taken = columns.reduce((sum, column) => sum + GAP + (column.wrap ? 0 : widthOf(column, rows)), -GAP);
  return Math.max(LEAST_WRAP, Math.floor((width - taken) / Math.max(1, wrapped.length)));
}

/** Broken at blanks only: an id is never cut. */
function wrapWords(value: string, width: number): string {
  const lines: string[] = [];
  for (const word of value.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

function details<Row>(view: View<Row>, row: Row, rendering: Rendering): Rendered {
  const { paint } = rendering;
  const lines: readonly DetailLine[] =
    view.details && rendering.fields === undefined
      ? view.details(row)
      : chosen(view, rendering).map(
          (column): DetailLine => [
            headOf(column).toLowerCase(),
            column.get(row),
            { state: column.state ?? false },
          ],
        );
  const shown = lines.filter(
    (line) => line === '' || (line[1] !== null && line[1] !== undefined && line[1] !== ''),
  );
  const width = Math.max(
    0,
    ...shown.map((line) => (line === '' ? 0 : line[0].length + (line[2]?.indent ? 2 : 0))),
  );
  const text = shown.map((line) => detailText(line, width, paint)).join('');
  return { text, dropped: [] };
}

function detailText(line: DetailLine, width: number, paint: Paint): string {
  if (line === '') return '\n';
  const [label, value, options] = line;
  const shown = cellText(value);
  const name = `${options?.indent ? '  ' : ''}${label}`;
  return `${paint.dim(name.padEnd(width))}  ${options?.state ? paintState(paint, shown) : shown}\n`;
}
