/** Tells which cells a record has in a table or a line, and what stands in them. */

import { escapeLine } from '../../core/escape.ts';
import { shortLocal, withLocal } from './local-time.ts';
import type { Cell, Column, View } from './view.ts';
import { cutBefore, cutTo, widthOf } from './width.ts';

export function memberAt(row: unknown, dotted: string): unknown {
  return dotted
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      row,
    );
}

export function scalar(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The view's columns, or those that were asked for: a column's name, or any member of the record. */
export function chosen<Row>(
  view: Pick<View<Row>, 'columns' | 'flat'>,
  fields: readonly string[] | undefined,
): readonly Column<Row>[] {
  if (fields === undefined) return view.columns;
  return fields.map(
    (field) =>
      [...view.columns, ...(view.flat ?? [])].find(({ name }) => name === field) ?? {
        name: field,
        get: (row) => scalar(memberAt(row, field)),
      },
  );
}

/** A member that no column and no record has is a mistyped one. @throws Problem (usage) */
export async function fieldChecker<Row>(
  view: View<Row>,
  fields: readonly string[] | undefined,
): Promise<(rows: readonly Row[]) => void> {
  if (fields === undefined) return () => {};
  const { usage } = await import('../../core/problem.ts');
  const columns = [...view.columns, ...(view.flat ?? [])].map(({ name }) => name);
  const members = new Set([...view.shape.members, ...(view.also ?? [])]);
  const names = new Set([...columns, ...members]);
  // Declared members are known from the start: one that this page's records lack may be in the next.
  return (rows) => {
    const unknown = fields.filter(
      (field) =>
        !names.has(field) && !members.has(field) && rows.every((row) => memberAt(row, field) === undefined),
    );
    if (rows.length === 0 || unknown.length === 0) return;
    throw usage(
      `--fields: no ${view.shape.kind} here has ${unknown.join(', ')}`,
      `columns: ${[...names].join(', ')}; or any member of the JSON output`,
    );
  };
}

export const cellText = (value: Cell): string =>
  value === null || value === undefined ? '' : escapeLine(value);

/** A person gets a time in their own zone. */
export const shownText = (value: Cell, zone: string | undefined): string => cellText(withLocal(value, zone));

export type CellOf<Row> = (column: Column<Row>, row: Row) => string;

/** The number of characters of an id that name it in a table, and wherever a command reads one. */
const SHORT_ID = 8;
const UUID_LENGTH = 36;

/** The text of a cell in a table: ids short, times local, to the minute. With `--fields` an id is whole. */
export const tableCell =
  <Row>({
    zone,
    fields,
  }: {
    zone?: string | undefined;
    fields?: readonly string[] | undefined;
  }): CellOf<Row> =>
  (column, row) => {
    const given = column.get(row);
    const value = given && column.brief && fields === undefined ? column.brief(given, row) : given;
    if (column.id && value?.length === UUID_LENGTH && fields === undefined)
      return cellText(value.slice(0, SHORT_ID));
    return cellText(column.time ? shortLocal(value, zone) : withLocal(value, zone));
  };

const DAY_LENGTH = '2026-11-21'.length;

/** A cell in the room that its column has: a time is cut to its day, an account before its end. */
export function cellIn<Row>({ time, keepsEnd }: Column<Row>, text: string, width: number): string {
  if (time && widthOf(text) > width) return text.slice(0, DAY_LENGTH);
  return keepsEnd === undefined ? cutTo(text, width) : cutBefore(text, width, keepsEnd);
}

export const headOf = <Row>(column: Column<Row>): string =>
  column.head ?? column.name.replaceAll('_', ' ').toUpperCase();
