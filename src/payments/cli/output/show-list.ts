/**
 * Shows a list (decision 0018): a short one whole, a long one as its pages come, in every format, at the reader's pace
 * and in constant memory. How much of it is there is said: in words, and as `meta` in JSON.
 */

import { thousands } from '../../../core/amount-words.ts';
import type { Hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { pacedOut } from '../../../frame/output/stream-out.ts';
import { encodingOf } from '../../../frame/terminal/format.ts';
import { createProgress } from '../../../frame/terminal/progress.ts';
import type { TotalRows } from '../../../frame/terminal/rendering.ts';
import type { ListMeta, View } from '../../../frame/terminal/view.ts';
import type { Seen } from '../../desk.ts';
import { countWords } from '../../lists/count-words.ts';
import {
  isComplete,
  type Limits,
  type ListProgress,
  type ListRequest,
  readList,
} from '../../lists/list-reader.ts';
import type { Context } from '../context.ts';
import type { AskedLimit } from '../flags/listing.ts';
import { type Result, result } from '../result.ts';
import { limitsOf } from './limits.ts';

export interface Listing<Row> extends Omit<ListRequest<Row>, 'limits'> {
  limits: AskedLimit;
  view: View<Row>;
  /** Ids that a record teaches us. */
  seen?(row: Row): Seen[];
  /** The records in the plural: `transactions`. */
  what: string;
  /** The words for a list in which nothing was found. */
  none?: string | undefined;
  /** The facts that are known of the records from elsewhere. */
  beside?: { says: Hint; fill(rows: readonly Row[]): Promise<Row[]> } | undefined;
}

const ONE_PAGE = 100;
/** Ids of so many records are kept: the latest are asked about, and writing down 200,000 would take longer than reading them. */
const LEARNT = 1_000;
/** A query that needs all of them at once: so many take 230 MB. */
const MOST_AT_ONCE = 25_000;

export async function showList<Row>(
  context: Context,
  { limits: asked, ...listing }: Listing<Row>,
): Promise<Result> {
  const limits = limitsOf(context, asked);
  const reader = await readList(context, { ...listing, limits });
  const { looked, sift } = reader;
  const { view, what, none, beside } = listing;
  return printList(context, limits, {
    view,
    what,
    pages: beside === undefined ? reader.pages() : filled(reader.pages(), beside),
    looked: () => progressOf(looked, limits, sift !== undefined),
    learn: learner(context, listing),
    meta: () => metaOf(looked),
    notes: () => [
      ...countNotes(looked, what, sift !== undefined),
      ...(none !== undefined && looked.found === 0 ? [none] : []),
      ...(beside === undefined ? [] : [beside.says]),
    ],
  });
}

async function* filled<Row>(
  pages: AsyncIterable<Row[]>,
  { fill }: NonNullable<Listing<Row>['beside']>,
): AsyncGenerator<Row[]> {
  for await (const page of pages) yield await fill(page);
}

export interface RowsAtHand<Row> {
  view: View<Row>;
  what: string;
  /** All of them: they are read as far as the limit. */
  pages: AsyncIterable<Row[]>;
  /** How many there are, pages or not. */
  total: number;
  notes?: readonly Hint[];
  totals?: TotalRows;
}

/** A list that is kept on this machine: how many there are is known without reading them. */
export function printKept<Row>(
  context: Context,
  limits: Limits,
  { view, what, pages, total, notes = [], totals }: RowsAtHand<Row>,
): Promise<Result> {
  const looked: ListProgress = { rows: 0, found: 0, total, ended: 'end' };
  const counted = async function* (): AsyncGenerator<Row[]> {
    for await (const page of pages) {
      const room = limits.limit - looked.rows;
      looked.rows += Math.min(page.length, room);
      looked.found = looked.rows;
      if (looked.rows >= limits.limit) looked.ended = 'limit';
      yield page.length > room ? page.slice(0, room) : page;
      if (looked.ended === 'limit') return;
    }
  };
  return printList(context, limits, {
    view,
    what,
    pages: counted(),
    looked: () => progressOf(looked, limits, false),
    meta: () => metaOf(looked),
    notes: () => [...countNotes(looked, what, false), ...notes],
    totals,
  });
}

/** Yields the rows that are at hand, all at once. */
export async function* rowsAtOnce<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  if (rows.length > 0) yield rows;
}

const countNotes = (looked: ListProgress, what: string, sifted: boolean): Hint[] =>
  [countWords(looked, what, sifted)].filter((words) => words !== undefined);

const metaOf = (looked: ListProgress): ListMeta => ({
  complete: isComplete(looked),
  looked_at: looked.rows,
  total: looked.total ?? (looked.ended === 'end' ? looked.rows : null),
});

export interface PrintedList<Row> {
  view: View<Row>;
  pages: AsyncIterable<Row[]>;
  /** The records in the plural, for the progress line. */
  what: string;
  /** How far the reading is; `toPrint` is how many records there will be, where that is known. */
  looked(): { rows: number; expected: number | undefined; toPrint?: number | undefined };
  learn?(rows: readonly Row[]): Promise<void>;
  /** These two are asked for when the last page was taken. */
  meta(): ListMeta;
  notes(): Hint[];
  totals?: TotalRows | undefined;
}

export async function printList<Row>(
  context: Context,
  limits: Limits,
  listed: PrintedList<Row>,
): Promise<Result> {
  return (await isShownWhole(context, limits)) ? showWhole(context, listed) : printPages(context, listed);
}

/** A page or less, and what a query must see as a whole. */
async function isShownWhole({ globals }: Context, { limit }: Limits): Promise<boolean> {
  if (limit <= ONE_PAGE) return true;
  return (
    globals.query !== undefined && (await import('../../../frame/terminal/query.ts')).needsAll(globals.query)
  );
}

/** @throws Problem (usage) where there are more than a query may hold */
function checkHeld(count: number): void {
  if (count <= MOST_AT_ONCE) return;
  throw usage(
    `--query needs every record at once here, and there are more than ${thousands(MOST_AT_ONCE)}`,
    "a query that takes each record alone, such as [*].id or [?state=='paid'].id, has no limit; nor has -o ndjson without --query",
  );
}

/** There is nothing to print before its end. A list that is known to be too long is not read to its end in vain. */
async function showWhole<Row>(
  context: Context,
  { view, what, pages, looked, learn, meta, notes, totals }: PrintedList<Row>,
): Promise<Result> {
  const progress = createProgress(context, `reading ${what}`);
  const found: Row[] = [];
  try {
    for await (const rows of pages) {
      for (const row of rows) found.push(row);
      const { rows: read, expected, toPrint = 0 } = looked();
      checkHeld(Math.max(found.length, toPrint));
      progress.tell(read, expected);
      await learn?.(rows);
    }
  } finally {
    progress.stop();
  }
  return result(view, found, { notes: notes(), meta: meta(), totals });
}

/** Pages of records as they come, in every format, at the reader's pace. */
async function printPages<Row>(
  context: Context,
  { view, pages: source, what, looked, learn, meta, notes, totals }: PrintedList<Row>,
): Promise<Result> {
  const progress = createProgress(context, `reading ${what}`);
  try {
    const [{ openPages }, { renderingFor }] = await Promise.all([
      import('../../../frame/terminal/pages.ts'),
      import('../../../frame/terminal/rendering.ts'),
    ]);
    const rendering = renderingFor(context.process, context.globals);
    const pages = await openPages(view, { ...rendering, totals, hear: context.noteMasked });
    const out = pacedOut(context, encodingOf(context.globals));
    for await (const rows of source) {
      progress.tell(looked().rows, looked().expected);
      const text = pages.page(context.masked(rows));
      if (text !== '' && !(await out(text))) return stopped(context, looked().rows);
      context.noteMasked(text);
      await learn?.(rows);
    }
    const said = notes();
    await out(pages.end(meta(), said));
    progress.stop();
    for (const note of [...pages.below(), ...said]) context.note(note);
    return { done: true };
  } finally {
    progress.stop();
  }
}

/** The reader is gone (`| head`) and has what it wanted. Ctrl-C is another matter. */
function stopped(context: Context, found: number): Result {
  if (!context.process.interrupt.aborted) return { done: true };
  context.say(`remit: stopped after ${thousands(found)}`);
  return { done: true, exit: exitCodes.interrupted };
}

/** A filter of ours may find anything between none and all: then the whole of the list is the way to go. */
function progressOf({ rows, total }: ListProgress, { limit }: Limits, sifted: boolean) {
  const toPrint = total === undefined || sifted ? undefined : Math.min(total, limit);
  return { rows, expected: toPrint ?? total, toPrint };
}

function learner<Row>(
  context: Context,
  { seen }: Pick<Listing<Row>, 'seen'>,
): (rows: readonly Row[]) => Promise<void> {
  let learnt = 0;
  return async (rows) => {
    if (seen === undefined || learnt >= LEARNT) return;
    learnt += rows.length;
    await context.remember(rows.flatMap(seen));
  };
}
