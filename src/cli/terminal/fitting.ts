/** Which columns have room on a terminal. What is left out goes by importance, and the caller says so. */

import { headOf, shownText } from './cells.ts';
import type { Column } from './view.ts';

/** Narrower than this, sentences are no longer read. */
const LEAST_WRAP = 20;
const GAP = 2;

export interface Room {
  width: number;
  zone: string | undefined;
}

/** A column is as wide as its widest cell. */
function widthOf<Row>(column: Column<Row>, rows: readonly Row[], { zone }: Room): number {
  return rows.reduce(
    (most, row) => Math.max(most, shownText(column.get(row), zone).length),
    headOf(column).length,
  );
}

export function fitting<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: Room,
): readonly Column<Row>[] {
  const widths = new Map(
    columns.map((column) => {
      const natural = widthOf(column, rows, room);
      return [column, (column.wrap ? Math.min(natural, LEAST_WRAP) : natural) + GAP];
    }),
  );
  const kept = [...columns];
  const total = () => kept.reduce((sum, column) => sum + (widths.get(column) ?? 0), -GAP);
  while (total() > room.width) {
    const least = kept.reduce((a, b) => ((b.priority ?? 0) >= (a.priority ?? 0) ? b : a));
    if ((least.priority ?? 0) === 0) break;
    kept.splice(kept.indexOf(least), 1);
  }
  // What was too wide may have taken a narrower one with it.
  const dropped = columns.filter((column) => !kept.includes(column));
  for (const column of dropped.sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0)))
    if (total() + (widths.get(column) ?? 0) <= room.width) kept.push(column);
  return columns.filter((column) => kept.includes(column));
}

/** What is left of the terminal for each column of sentences. */
export function wrapWidth<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: Room): number {
  const wrapped = columns.filter(({ wrap }) => wrap);
  const taken = columns.reduce(
    (sum, column) => sum + GAP + (column.wrap ? 0 : widthOf(column, rows, room)),
    -GAP,
  );
  return Math.max(LEAST_WRAP, Math.floor((room.width - taken) / Math.max(1, wrapped.length)));
}

/** Broken at blanks only: an id is never cut. */
export function wrapWords(value: string, width: number): string {
  const lines: string[] = [];
  for (const word of value.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else if (word !== '' || line === undefined) lines.push(word);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}
