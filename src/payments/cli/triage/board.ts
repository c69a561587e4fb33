/**
 * The board on a terminal: recipients under who must act, growing while it is read. The row that is chosen stays chosen,
 * whatever comes in above it. What is typed filters; the board is laid out again when the terminal changes its size.
 */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  type KeypressEvent,
  useEffect,
  useKeypress,
  usePagination,
  useRef,
  useState,
} from '@inquirer/core';
import { escapeLine } from '../../../core/escape.ts';
import type { Paint } from '../../../frame/terminal/paint.ts';
import type { Feed } from './feed.ts';
import { type BoardItem, drawer, emptyWords, itemsOf, keysOf, matching, titleOf } from './rows.ts';

/** Where the user was on leaving the board. */
export interface BoardPlace {
  /** The id of the row. */
  chosen: string | undefined;
  /** Undefined while nothing is filtered. */
  filter: string | undefined;
}

export interface BoardConfig {
  feed: Feed;
  paint: Paint;
  /** Returns the size of the terminal, as it is now. */
  size: () => { columns: number; lines: number };
  onResize: (listener: () => void) => () => void;
  /** Where to begin. */
  place: BoardPlace;
}

type Line = Parameters<Parameters<typeof useKeypress>[0]>[1];

/** The row to attend to, or none when the user leaves. */
export const board = createPrompt<BoardPlace, BoardConfig>((config, done) => {
  const { feed, paint, place } = config;
  const [, redraw] = useState(0);
  const [chosen, choose] = useState(place.chosen ?? '');
  const [filter, setFilter] = useState(place.filter);
  const over = useRef(false);
  const leave = (id?: string): void => {
    over.current = true;
    done({ chosen: id, filter });
  };
  useEffect((line) => {
    line.write(place.filter ?? '');
    const look = (): void => {
      // With nothing read there is no board: the caller says why.
      if (readNothing(feed)) leave();
      redraw((count) => count + 1);
    };
    const forgets = [feed.onChange(look), config.onResize(look)];
    if (readNothing(feed)) look();
    return () => {
      for (const forget of forgets) forget();
    };
  }, []);
  const { columns, lines } = config.size();
  const all = feed.rows();
  const rows = matching(all, filter ?? '');
  const found = rows.findIndex(({ id }) => id === chosen);
  const at = Math.max(0, found);
  const isFiltering = filter !== undefined;
  const title = titleOf(feed, columns, paint);
  const position = { at, rows: rows.length, all: all.length, isFiltering, isEnd: feed.ended() };
  const keys = paint.dim(keysOf(position, columns));
  // The rest of the screen: without the title, the heads, the filter, the keys and one free line.
  const pageSize = Math.max(4, lines - `${title}\n${keys}`.split('\n').length - 3);

  useKeypress((key, line) => {
    const to = moved(key, at, pageSize, rows.length);
    if (to !== undefined) choose(rows[to]?.id ?? '');
    else if (isEnterKey(key)) {
      if (rows.length > 0) leave(rows[at]?.id ?? undefined);
      else if (filter === undefined && feed.ended()) leave();
      else line.write(filter ?? '');
    } else if (isEscape(key) && filter === undefined) leave();
    else {
      const typed = typedAt(key, line, filter);
      if (typed === 'leave') leave();
      else if (typed === 'refresh') feed.refresh();
      else setFilter(typed.filter);
    }
  });

  const items = itemsOf(rows, emptyWords(feed));
  const drawn = drawer(rows, columns, paint);
  const page = usePagination<BoardItem>({
    items,
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
  const above = [title, drawn.head, page].join('\n');
  return isFiltering ? [`${above}\nfilter: ${escapeLine(filter)}`, keys] : `${above}\n${keys}`;
});

const readNothing = (feed: Feed): boolean => feed.failure() !== undefined && feed.rows().length === 0;

/** A letter that comes soon after Esc is heard as one with Alt, which the board has no use for. */
const isAlt = (key: KeypressEvent): boolean =>
  (key as { meta?: boolean }).meta === true && key.name.length === 1;
const isEscape = (key: KeypressEvent): boolean => key.name === 'escape' || isAlt(key);

/** The row that a key goes to; undefined for any other key. */
function moved(key: KeypressEvent, at: number, pageSize: number, rows: number): number | undefined {
  const within = (to: number): number => Math.min(Math.max(0, rows - 1), Math.max(0, to));
  if (isUpKey(key)) return within(at - 1);
  if (isDownKey(key)) return within(at + 1);
  if (key.name === 'pageup') return within(at - pageSize + 2);
  if (key.name === 'pagedown') return within(at + pageSize - 2);
  if (key.name === 'home') return 0;
  return key.name === 'end' ? within(rows - 1) : undefined;
}

/** Until something is filtered, q and r are keys; behind / and within a filter they are letters. */
function typedAt(
  key: KeypressEvent,
  line: Line,
  filter: string | undefined,
): 'leave' | 'refresh' | { filter: string | undefined } {
  const { name } = key;
  const typed = line.line;
  if (isAlt(key)) {
    line.clearLine(0);
    line.write(name);
    return { filter: name };
  }
  const isBegun = filter !== undefined;
  if (name === 'tab' || name === 'escape' || !isBegun) line.clearLine(0);
  if (name === 'tab') line.write(filter ?? '');
  if (name === 'tab') return { filter };
  if (name === 'escape') return { filter: undefined };
  if (isBegun) return { filter: typed === '' ? undefined : typed };
  if (typed === 'q') return 'leave';
  if (typed === 'r') return 'refresh';
  const begun = typed.replace(/^\//, '');
  line.write(begun);
  return { filter: typed === '' ? undefined : begun };
}
