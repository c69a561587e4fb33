/**
 * Tells which columns have room on a terminal, and how wide each is. Columns are taken in the order of what they mean to the reader
 * (`priority`, 0 first); one of words may be cut to its `least` width, so that a long name takes no other column away.
 */

import { type CellOf, headOf } from './cells.ts';
import type { Column } from './view.ts';
import { widthOf } from './width.ts';

/** Narrower than this, sentences are no longer read. */
const LEAST_WRAP = 20;
export const GAP = 2;
/** Names, references and reasons are told apart by so much of them. */
const READABLE = 24;

/** Narrower than its heading no column is. */
interface Need {
  least: number;
  natural: number;
}

export interface Fitted<Row> {
  columns: readonly Column<Row>[];
  /** The width of each of these columns. */
  widths: readonly number[];
  /** True where not even the columns that are always shown have room. */
  tooNarrow: boolean;
}

/** @param cell what stands in a column of a row */
export function fitting<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, cell }: { width: number; cell: CellOf<Row> },
): Fitted<Row> {
  const needs = new Map(columns.map((column) => [column, needOf(column, rows, cell)]));
  const needOfColumn = (column: Column<Row>): Need => needs.get(column) ?? { least: 0, natural: 0 };
  const byMeaning = [...columns].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  const taken = new Set<Column<Row>>();
  let room = width + GAP;
  for (const column of byMeaning) {
    const least = needOfColumn(column).least + GAP;
    if (least > room && (column.priority ?? 0) > 0) continue;
    taken.add(column);
    room -= least;
  }
  const tooNarrow = room < 0;
  const widths = new Map([...taken].map((column) => [column, needOfColumn(column).least]));
  // All of them to a readable width before any has more.
  for (const most of [READABLE, Number.POSITIVE_INFINITY])
    for (const column of byMeaning.filter((one) => taken.has(one))) {
      const now = widths.get(column) ?? 0;
      const more = Math.min(
        Math.max(0, Math.min(needOfColumn(column).natural, most) - now),
        Math.max(0, room),
      );
      widths.set(column, now + more);
      room -= more;
    }
  const shown = columns.filter((column) => taken.has(column));
  return { columns: shown, widths: shown.map((column) => widths.get(column) ?? 0), tooNarrow };
}

function needOf<Row>(column: Column<Row>, rows: readonly Row[], cell: CellOf<Row>): Need {
  const head = headOf(column).length;
  const natural = rows.reduce((most, row) => Math.max(most, widthOf(cell(column, row))), head);
  const least = column.least ?? (column.wrap ? LEAST_WRAP : natural);
  return { natural, least: Math.max(head, Math.min(natural, least)) };
}

/** `Hidden: name, account. Widen the terminal or use --fields`. */
export const hiddenWords = (names: readonly string[]): string =>
  `Hidden: ${names.join(', ')}. Widen the terminal or use --fields.`;
