/** A list as a table on a terminal: its columns and widths are those of its first page. */

import { escapeHostile } from '../../core/escape.ts';
import type { Look } from '../../core/look.ts';
import { type CellOf, cellIn, chosen, headOf, tableCell } from './cells.ts';
import { fitting, GAP, hiddenWords } from './fitting.ts';
import { paintState } from './paint.ts';
import { drawLines } from './record.ts';
import type { PageWriter, Rendering } from './rendering.ts';
import { drawTable, type TableColumn } from './table.ts';
import type { Column, View } from './view.ts';
import { loadWidths, widthOf } from './width.ts';
import { wrapLine } from './wrap.ts';

/** A heading above is no reason to make a line too long. */
const LEAST_WORD = 4;

interface Laid<Row> {
  columns: readonly Column<Row>[];
  widths: readonly number[];
  tooNarrow: boolean;
}

export async function openTable<Row>(view: View<Row>, rendering: Rendering): Promise<PageWriter<Row>> {
  await loadWidths();
  return tablePages(view, rendering);
}

function tablePages<Row>(view: View<Row>, rendering: Rendering): PageWriter<Row> {
  const { paint, fields } = rendering;
  // A column that was asked for by name is never left out.
  const all =
    fields === undefined ? view.columns : chosen(view, fields).map((one) => ({ ...one, priority: 0 }));
  const cell: CellOf<Row> = tableCell(rendering);
  let laid: Laid<Row> | undefined;
  return {
    page(rows) {
      const isFirst = laid === undefined;
      laid ??= fitting(all, rows, { width: rendering.columns, cell });
      if (laid.tooNarrow) return blocks(rows, all, rendering, isFirst);
      const { columns } = laid;
      const widths = widened(laid, rows, { cell, width: rendering.columns });
      const heads = columns.map(
        (column): TableColumn => ({
          head: isFirst ? paint.bold(headOf(column)) : undefined,
          right: column.right,
        }),
      );
      const cells = rows.map((row) =>
        columns.map((column, index) => {
          const look = column.look?.(row);
          return drawn(column, cell(column, row), { width: widths[index] ?? 0, look }, rendering);
        }),
      );
      return `${drawTable(heads, cells, widths)}\n`;
    },
    end: () => (laid === undefined ? `${paint.dim(escapeHostile(view.empty ?? 'nothing found'))}\n` : ''),
    below: () => (laid === undefined ? [] : wordsBelow(all, laid, rendering)),
  };
}

function drawn<Row>(
  column: Column<Row>,
  text: string,
  { width, look }: { width: number; look: Look | undefined },
  { paint }: Rendering,
): string {
  if (column.wrap) return wrapLine(text, width);
  return column.state ? paintState(paint, text, look ?? column.state(text)) : cellIn(column, text, width);
}

/**
 * Only words are cut to the widths of the first page: an id, a state or an amount that is longer has the room it needs, which
 * words give where the terminal has none.
 */
function widened<Row>(
  { columns, widths }: Laid<Row>,
  rows: readonly Row[],
  { cell, width: room }: { cell: CellOf<Row>; width: number },
): number[] {
  const needed = widths.map((width, index) => {
    const column = columns[index];
    if (column === undefined || column.wrap || column.least !== undefined) return width;
    return rows.reduce((most, row) => Math.max(most, widthOf(cell(column, row))), width);
  });
  let missing = needed.reduce((sum, width) => sum + width + GAP, -GAP) - room;
  return needed.map((width, index) => {
    const column = columns[index];
    const spare = column?.least === undefined ? 0 : Math.max(0, width - LEAST_WORD);
    const given = Math.min(spare, Math.max(0, missing));
    missing -= given;
    return width - given;
  });
}

/** Where a table has no room every record is a few lines of its own. */
function blocks<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  rendering: Rendering,
  isFirst: boolean,
): string {
  const block = (row: Row): string =>
    drawLines(
      columns.map((column) => [headOf(column).toLowerCase(), column.get(row), { state: column.state }]),
      rendering,
    );
  return (isFirst ? '' : '\n') + rows.map(block).join('\n');
}

function wordsBelow<Row>(
  all: readonly Column<Row>[],
  { columns, tooNarrow }: Laid<Row>,
  { zone }: Rendering,
): string[] {
  if (tooNarrow) return [];
  const hidden = all.filter((column) => !columns.includes(column)).map(({ name }) => name);
  const hasTimes = zone !== undefined && columns.some(({ time }) => time);
  return [
    ...(hasTimes ? [`Times are in the zone ${zone}.`] : []),
    ...(hidden.length > 0 ? [hiddenWords(hidden)] : []),
  ];
}
