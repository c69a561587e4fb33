/**
 * The board on a terminal: recipients under who must act, growing while it is read. The row that is chosen stays chosen,
 * whatever comes in above it.
 */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  useEffect,
  useKeypress,
  usePagination,
  useRef,
  useState,
} from '@inquirer/core';
import { acts, actWords } from '../../desk/cases/standing.ts';
import type { Story } from '../../desk/cases/story.ts';
import { headOf, tableCell } from '../terminal/cells.ts';
import { fitting } from '../terminal/fitting.ts';
import type { Paint } from '../terminal/paint.ts';
import { cutTo, padTo } from '../terminal/width.ts';
import { boardColumns } from '../views/triage.ts';
import type { Feed } from './feed.ts';

export interface BoardConfig {
  feed: Feed;
  paint: Paint;
  /** Size of the terminal. */
  columns: number;
  lines: number;
  /** The row to begin with. */
  chosen: string | undefined;
}

type Item = { heading: string } | { story: Story };

/** The id of a recipient, or undefined when nobody wants to go on. */
export const board = createPrompt<string | undefined, BoardConfig>((config, done) => {
  const { feed, paint } = config;
  const [, redraw] = useState(0);
  const [chosen, choose] = useState(config.chosen ?? '');
  const over = useRef(false);
  useEffect(() => {
    const look = (): void => {
      // With nothing read there is no board: whoever opened it says why.
      if (readNothing(feed)) {
        over.current = true;
        done(undefined);
      }
      redraw((count) => count + 1);
    };
    const forget = feed.onChange(look);
    if (readNothing(feed)) look();
    return forget;
  }, []);
  const rows = feed.rows();
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
  const pageSize = Math.max(4, config.lines - 6);

  useKeypress((key) => {
    const move = (to: number): void => choose(rows[Math.min(rows.length - 1, Math.max(0, to))]?.id ?? '');
    if (key.name === 'q' || key.name === 'escape' || (isEnterKey(key) && rows.length === 0 && feed.ended())) {
      over.current = true;
      done(undefined);
    } else if (isEnterKey(key)) {
      const id = rows[at]?.id;
      if (!id) return;
      over.current = true;
      done(id);
    } else if (isUpKey(key)) move(at - 1);
    else if (isDownKey(key)) move(at + 1);
    else if (key.name === 'pageup') move(at - pageSize + 2);
    else if (key.name === 'pagedown') move(at + pageSize - 2);
    else if (key.name === 'home') move(0);
    else if (key.name === 'end') move(rows.length - 1);
  });

  const items = itemsOf(rows);
  const drawn = drawer(rows, config);
  const page = usePagination<Item>({
    items: items.length > 0 ? items : [{ heading: emptyWords(feed) }],
    active: Math.max(
      0,
      items.findIndex((item) => 'story' in item && item.story === rows[at]),
    ),
    renderItem: ({ item, isActive }) =>
      'heading' in item ? paint.bold(item.heading) : drawn(item.story, isActive),
    pageSize,
    loop: false,
  });
  if (over.current) return '';
  return [
    `${paint.bold('Recipients that need somebody')}  ${paint.dim(feed.status())}`,
    drawn.head,
    page,
    paint.dim(keysOf(rows.length, feed.ended())),
  ].join('\n');
});

const readNothing = (feed: Feed): boolean => feed.failure() !== undefined && feed.rows().length === 0;

/** What was not read is never shown as empty. */
function emptyWords(feed: Feed): string {
  if (feed.failure() !== undefined) return 'none of those that were read';
  return feed.ended() ? 'no recipient needs anybody' : 'looking…';
}

/** Only what can be done: where nothing is listed, nothing can be looked at. */
function keysOf(rows: number, isEnd: boolean): string {
  if (rows > 0) return '↑↓ move · enter look at one · q end';
  return isEnd ? 'enter or q end' : 'q end';
}

function itemsOf(rows: readonly Story[]): Item[] {
  return acts.flatMap((act): Item[] => {
    const own = rows.filter(({ standing }) => standing.act === act);
    if (own.length === 0) return [];
    return [
      { heading: `${actWords[act].toUpperCase()} (${own.length})` },
      ...own.map((story) => ({ story })),
    ];
  });
}

type Drawer = ((story: Story, isActive: boolean) => string) & { head: string };

/** Columns that have room, each as wide as its widest cell. */
function drawer(rows: readonly Story[], { columns: width, paint }: BoardConfig): Drawer {
  const cell = tableCell<Story>({});
  const { columns, widths } = fitting(boardColumns, rows, { width: width - 3, cell });
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, index) => {
        const room = widths[index] ?? 0;
        return padTo(text, room, columns[index]?.right);
      })
      .join('  ')
      .trimEnd();
  const draw = (story: Story, isActive: boolean): string => {
    const text = line(columns.map((column, index) => cutTo(cell(column, story), widths[index] ?? 0)));
    return isActive ? paint.cyan(`❯ ${text}`) : `  ${text}`;
  };
  return Object.assign(draw, { head: paint.dim(`  ${line(columns.map(headOf))}`) });
}
