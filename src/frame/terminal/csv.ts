/** CSV: amounts stay numbers; any other cell is a text that no spreadsheet may run, and that stays one cell whatever is in it. */
import { stringify } from 'csv-stringify/sync';
import { guard } from '../../tables/csv-guard.ts';
import { chosen, scalar } from './cells.ts';
import type { PageWriter, Rendering } from './rendering.ts';
import type { Column, View } from './view.ts';

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
/**
 * A number below zero. Nothing says which values of a query are amounts, so one with a minus is taken for an
 * amount; a phone number has a plus.
 */
const BELOW_ZERO = /^-\d+(?:\.\d+)?$/;
const BYTE_ORDER_MARK = '\ufeff';

type Style = Pick<Rendering, 'spreadsheet'>;

/** The library quotes for its own line break alone; readers take any for one, and some split at a semicolon or a tab. */
const linesOf = (rows: string[][], { spreadsheet }: Style): string =>
  stringify(rows, {
    quoted_match: /[\r\n;\t\ufeff]/,
    ...(spreadsheet ? { record_delimiter: 'windows' } : {}),
  });

export const byteOrderMark = ({ spreadsheet }: Style): string => (spreadsheet ? BYTE_ORDER_MARK : '');

export function csvPages<Row>(view: View<Row>, rendering: Rendering): PageWriter<Row> {
  const { fields, spreadsheet } = rendering;
  const columns = apartIn(view, fields);
  const cell = (column: Column<Row>, row: Row): string => {
    const value = column.get(row) ?? '';
    return (column.amount || column.right) && PLAIN_NUMBER.test(value) ? value : guard(value, spreadsheet);
  };
  let begun = false;
  const heading = (): string => {
    if (begun) return '';
    begun = true;
    const names = columns.map(({ name }) => guard(name, spreadsheet));
    return byteOrderMark(rendering) + linesOf([names], rendering);
  };
  return {
    page: (rows) =>
      heading() +
      linesOf(
        rows.map((row) => columns.map((column) => cell(column, row))),
        rendering,
      ),
    end: heading,
  };
}

/** An amount that a table shows with its currency has a column for each, so that a sum needs no taking apart. Each column once. */
export function apartIn<Row>(
  view: Pick<View<Row>, 'columns' | 'flat'>,
  fields: readonly string[] | undefined,
): readonly Column<Row>[] {
  const flat = new Map((view.flat ?? []).map((one) => [one.name, one]));
  const wanted = fields === undefined ? (view.flat ?? view.columns) : chosen(view, fields);
  const columns = wanted.flatMap((one) =>
    (one.apart ?? [one]).flatMap((part) => {
      const name = typeof part === 'string' ? part : part.name;
      return flat.get(name) ?? (typeof part === 'string' ? [] : part);
    }),
  );
  return [...new Map(columns.map((one) => [one.name, one])).values()];
}

/** Returns the findings of a query as CSV: a line for each, a cell for each member of one that is a list itself. */
export function csvFound(found: unknown, style: Style): string {
  const cell = (value: unknown): string => {
    const text = scalar(value);
    return typeof value === 'number' || BELOW_ZERO.test(text) ? text : guard(text, style.spreadsheet);
  };
  const rows = (Array.isArray(found) ? found : [found]).map((row) =>
    (Array.isArray(row) && row.length > 0 ? row : [row]).map(cell),
  );
  return linesOf(rows, style);
}
