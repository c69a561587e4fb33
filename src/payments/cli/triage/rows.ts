/** The lines of the board: headings, rows with the columns that have room, and the line of keys. */

import { money } from '../../../core/amount-words.ts';
import { fold } from '../../../core/fold.ts';
import { cellIn, headOf, tableCell } from '../../../frame/terminal/cells.ts';
import { fitting } from '../../../frame/terminal/fitting.ts';
import type { Paint } from '../../../frame/terminal/paint.ts';
import { padTo } from '../../../frame/terminal/width.ts';
import { wrapLine } from '../../../frame/terminal/wrap.ts';
import { actWords, nextActs } from '../../cases/standing.ts';
import type { Troubled as Story } from '../../cases/triage.ts';
import { fullName, payoutAccountOf } from '../../words/person.ts';
import { reasonOf } from '../../words/reason.ts';
import { boardColumns } from '../views/triage.ts';
import type { Feed } from './feed.ts';

export type BoardItem = { heading: string } | { story: Story };

/**
 * Returns the rows that have every word of the filter in what the board shows of them: names, account,
 * amount, state, reason, ids, references.
 */
export function matching(rows: readonly Story[], filter: string): readonly Story[] {
  const words = fold(filter)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const { id, state, external_id: own, transaction_external_id: of, transaction_id: tx } = row;
    const details = row.payout_method?.details;
    const { requested_amount: amount, output_amount: output, output_currency: currency } = row;
    const text = fold(
      [
        ...[
          fullName(details),
          fullName(row.sender),
          payoutAccountOf(details),
          money(output, currency),
          amount,
        ],
        ...[id, state, reasonOf(row), own, of, tx, details?.reference],
      ].join('\n'),
    );
    return words.every((word) => text.includes(word));
  });
}

export function itemsOf(rows: readonly Story[], empty: string): BoardItem[] {
  if (rows.length === 0) return [{ heading: empty }];
  return nextActs.flatMap((act): BoardItem[] => {
    const own = rows.filter(({ standing }) => standing.act === act);
    if (own.length === 0) return [];
    const heading = `${actWords[act].toUpperCase()} (${own.length})`;
    return [{ heading }, ...own.map((story) => ({ story }))];
  });
}

/** Returns the words for a board without rows. Rows that were not read are never shown as empty. */
export function emptyWords(feed: Feed): string {
  const all = feed.rows().length;
  if (all > 0) return `no match among the ${all} listed`;
  if (feed.failure() !== undefined) return 'none of those that were read';
  return feed.ended() ? 'no recipient needs anyone' : 'looking…';
}

/** The title with how far the reading is, in lines that fit. */
export function titleOf(feed: Feed, width: number, paint: Paint): string {
  const title = 'Recipients that need someone';
  const status = feed.status();
  const isShort = title.length + 2 + status.length < width;
  return paint.bold(title) + (isShort ? '  ' : '\n') + paint.dim(wrapLine(status, width - 1));
}

export interface Position {
  at: number;
  rows: number;
  /** Without the filter. */
  all: number;
  isFiltering: boolean;
  isEnd: boolean;
}

/** Where the chosen row is, and only what can be done: where nothing is listed, nothing can be looked at. */
export function keysOf(position: Position, width: number): string {
  return partsOf(position).reduce((text, part) => {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    if (text === '') return part;
    return line.length + 3 + part.length < width ? `${text} · ${part}` : `${text}\n${part}`;
  }, '');
}

function partsOf({ at, rows, all, isFiltering, isEnd }: Position): string[] {
  const among = rows === all ? '' : ` (${all} in all)`;
  const move = rows > 0 ? [`${at + 1} of ${rows}${among}`, '↑↓ move', 'enter look at one'] : [];
  if (isFiltering) return [...move, 'esc clear the filter'];
  if (rows > 0) return [...move, 'type or / to filter', 'r refresh', 'q end'];
  return isEnd ? ['r refresh', 'enter or q end'] : ['q end'];
}

type Drawer = ((story: Story, isActive: boolean) => string) & { head: string };

/** Columns that have room, each as wide as its widest cell. */
export function drawer(rows: readonly Story[], width: number, paint: Paint): Drawer {
  const cell = tableCell<Story>({});
  const { columns, widths } = fitting(boardColumns, rows, { width: width - 3, cell });
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, index) => padTo(text, widths[index] ?? 0, columns[index]?.right))
      .join('  ')
      .trimEnd();
  const draw = (story: Story, isActive: boolean): string => {
    const text = line(
      columns.map((column, index) => cellIn(column, cell(column, story), widths[index] ?? 0)),
    );
    return isActive ? paint.cyan(`❯ ${text}`) : `  ${text}`;
  };
  return Object.assign(draw, { head: paint.dim(`  ${line(columns.map(headOf))}`) });
}
