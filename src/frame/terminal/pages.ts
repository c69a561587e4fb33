/**
 * A list as text, page by page, the same bytes however it is divided: JSON is one document, CSV has its heading once, a table
 * keeps the columns and widths of its first page.
 */

import { escapeHostile } from '../../core/escape.ts';
import { chosen, fieldChecker, memberAt, shownText } from './cells.ts';
import { formatInfo } from './format.ts';
import type { Pages, PageWriter, Rendering } from './rendering.ts';
import type { ListMeta, View } from './view.ts';

/** The words around a record: its kind, and the version of its shape. */
export const recordHead = <Row>({ shape: { version, kind } }: View<Row>) => ({ version, kind });

/**
 * With --query, for one that does not need the whole list (`needsAll`); it chooses instead of --fields. `page` throws Problem
 * (usage) for --fields that nothing has.
 */
export async function openPages<Row>(view: View<Row>, rendering: Rendering): Promise<Pages<Row>> {
  const isQueried = rendering.query !== undefined;
  const checkFields = await fieldChecker(view, isQueried ? undefined : rendering.fields);
  const writer = isQueried
    ? await (await import('./query.ts')).queryPages(rendering)
    : await writerFor(view, rendering);
  let checked = false;
  const shown = (text: string): string =>
    rendering.isTerminal && (isQueried || !formatInfo(rendering.format).isDrawn) ? escapeHostile(text) : text;
  return {
    page(rows) {
      if (rows.length === 0) return '';
      if (!checked) checkFields(rows);
      checked = true;
      return shown(writer.page(view.added === undefined ? rows : rows.map((row) => whole(view, row))));
    },
    end: (meta, notes) => shown(writer.end(meta, notes)),
    below: writer.below ?? (() => []),
  };
}

async function writerFor<Row>(view: View<Row>, rendering: Rendering): Promise<PageWriter<Row>> {
  switch (rendering.format) {
    case 'table':
      return (await import('./table-pages.ts')).openTable(view, rendering);
    case 'text':
      return textPages(view, rendering);
    case 'csv':
      return (await import('./csv.ts')).csvPages(view, rendering);
    case 'xlsx':
      return (await import('./xlsx.ts')).xlsxPages(view, rendering);
    case 'json':
      return jsonPages(view, rendering);
    case 'ndjson': {
      const head = `${JSON.stringify(recordHead(view)).slice(0, -1)},"data":`;
      const line = (row: Row): string => `${head}${JSON.stringify(pickRow(view, row, rendering.fields))}}\n`;
      return { page: (rows) => rows.map(line).join(''), end: () => '' };
    }
    case 'yaml':
      return yamlPages(view, rendering, (await import('./yaml.ts')).yamlText);
  }
}

/** A record with what its view adds to it. */
export const whole = <Row>(view: View<Row>, row: Row): Row =>
  view.added === undefined ? row : { ...row, ...view.added(row) };

/** `--fields id,state`: those members of a record, dotted for nested ones; or what its column of that name shows. */
export function pickRow<Row>(view: View<Row>, row: Row, fields: readonly string[] | undefined): unknown {
  if (fields === undefined) return row;
  const shown = (name: string) =>
    [...view.columns, ...(view.flat ?? [])].find((column) => column.name === name)?.get(row);
  return Object.fromEntries(fields.map((field) => [field, memberAt(row, field) ?? shown(field) ?? null]));
}

function textPages<Row>(view: View<Row>, { fields, asTable, zone }: Rendering): PageWriter<Row> {
  const columns = chosen(view, fields);
  const line = (row: Row): string =>
    `${columns.map((column) => shownText(column.get(row), asTable ? zone : undefined)).join('\t')}\n`;
  return { page: (rows) => rows.map(line).join(''), end: () => '' };
}

/** Indented on a terminal, without a blank for machines. */
function jsonPages<Row>(view: View<Row>, { fields, isTerminal }: Rendering): PageWriter<Row> {
  const around = (meta?: ListMeta): string[] =>
    JSON.stringify({ ...recordHead(view), data: ['-'], meta }, null, isTerminal ? 2 : 0).split(
      /(?<!\s)\s*"-"\s*/,
    );
  const [head = ''] = around();
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
    end(meta) {
      const [, tail = ''] = around(meta);
      return `${begun ? '' : head}${begun && isTerminal ? '\n  ' : ''}${tail}\n`;
    },
  };
}

function yamlPages<Row>(
  view: View<Row>,
  { fields }: Rendering,
  stringify: (value: unknown) => string,
): PageWriter<Row> {
  const top = recordHead(view);
  let begun = false;
  return {
    page(rows) {
      const data = rows.map((row) => pickRow(view, row, fields));
      const text = stringify(begun ? { data } : { ...top, data });
      const shown = begun ? text.slice('data:\n'.length) : text;
      begun = true;
      return shown;
    },
    end(meta) {
      const last = meta === undefined ? '' : stringify({ meta });
      return begun ? last : stringify({ ...top, data: [] }) + last;
    },
  };
}
