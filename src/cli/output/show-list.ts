/**
 * Shows a list (decision 0018): a short one whole, a long one (--all, or a --limit of more than a page) as its pages come, in
 * every format, at the pace of whoever reads and in constant memory.
 */

import type { Said } from '../../core/next.ts';
import type { Seen } from '../../core/ports/seen.ts';
import { usage } from '../../core/problem.ts';
import {
  type Limits,
  type ListProgress,
  type ListRequest,
  readList,
  siftedNote,
} from '../../desk/lists/list-reader.ts';
import { thousands } from '../../desk/words/amount.ts';
import { maskData } from '../../desk/words/mask.ts';
import { type Result, result } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { createProgress } from '../terminal/progress.ts';
import type { View } from '../terminal/view.ts';
import { pacedOut } from './stream-out.ts';

export interface Listing<Row> extends ListRequest<Row> {
  view: View<Row>;
  /** Ids that a record teaches us. */
  seen?(row: Row): Seen[];
  /** For the words of the progress line: `transactions`. */
  what: string;
  /** What to say where nothing was found. */
  none?: string | undefined;
}

const ONE_PAGE = 100;
/** Ids of so many records are kept: the latest are asked about, and writing down 200,000 would take longer than reading them. */
const LEARNT = 1_000;
/** A query that needs all of them at once: so many take 230 MB. */
const MOST_AT_ONCE = 25_000;

export async function showList<Row>(context: Context, listing: Listing<Row>): Promise<Result> {
  const reader = await readList(context, listing);
  const learn = learner(context, listing);
  const shown = { ...listing, sift: reader.sift };
  const whole = await isShownWhole(context, listing.limits);
  return whole ? showWhole(context, shown, { reader, learn }) : showPages(context, shown, { reader, learn });
}

/** A page or less, and what a query must see as a whole. */
export async function isShownWhole({ globals }: Context, { limit }: Limits): Promise<boolean> {
  if (limit <= ONE_PAGE) return true;
  return globals.query !== undefined && (await import('../terminal/query.ts')).needsAll(globals.query);
}

/** @throws Problem (usage) where there are more than a query may hold */
export function checkHeld(count: number): void {
  if (count <= MOST_AT_ONCE) return;
  throw usage(
    `--query needs every record at once here, and there are more than ${thousands(MOST_AT_ONCE)}`,
    "a query of each record by itself, such as [*].id or [?state=='paid'].id, has no limit; nor has -o ndjson without --query",
  );
}

interface Parts<Row> {
  reader: Awaited<ReturnType<typeof readList<Row>>>;
  learn: (rows: readonly Row[]) => Promise<void>;
}

/** There is nothing to print before its end. A list that is known to be too long is not read to its end in vain. */
async function showWhole<Row>(
  context: Context,
  listing: Listing<Row>,
  { reader, learn }: Parts<Row>,
): Promise<Result> {
  const progress = createProgress(context, `reading ${listing.what}`);
  const found: Row[] = [];
  try {
    for await (const rows of reader.pages()) {
      for (const row of rows) found.push(row);
      const expected = expectedOf(reader.looked, listing);
      checkHeld(Math.max(found.length, listing.sift ? 0 : (expected ?? 0)));
      progress.tell(reader.looked.rows, expected);
      await learn(rows);
    }
  } finally {
    progress.stop();
  }
  return result(listing.view, found, { notes: notesOf(reader.looked, listing) });
}

function showPages<Row>(
  context: Context,
  { view, what, ...listing }: Listing<Row>,
  { reader, learn }: Parts<Row>,
): Promise<Result> {
  return printPages(context, {
    view,
    what,
    learn,
    pages: reader.pages(),
    looked: () => ({ rows: reader.looked.rows, expected: expectedOf(reader.looked, listing) }),
    notes: () => notesOf(reader.looked, listing),
  });
}

export interface PrintedPages<Row> {
  view: View<Row>;
  pages: AsyncIterable<Row[]>;
  /** What is read, in words, for the progress line. */
  what: string;
  /** How far the reading is. */
  looked(): { rows: number; expected: number | undefined };
  learn(rows: readonly Row[]): Promise<void>;
  notes(): Said[];
}

/** Pages of records as they come, in every format, at the pace of whoever reads. */
export async function printPages<Row>(
  context: Context,
  { view, pages: source, what, looked, learn, notes }: PrintedPages<Row>,
): Promise<Result> {
  const progress = createProgress(context, `reading ${what}`);
  try {
    const [{ openPages }, { renderingFor }] = await Promise.all([
      import('../terminal/pages.ts'),
      import('../terminal/rendering.ts'),
    ]);
    const pages = await openPages(view, renderingFor(context.world, context.globals));
    const out = pacedOut(context);
    for await (const rows of source) {
      progress.tell(looked().rows, looked().expected);
      const text = pages.page(maskData(rows, context.mask));
      if (text !== '' && !(await out(text))) return stopped(context, looked().rows);
      await learn(rows);
    }
    await out(pages.end());
    progress.stop();
    if (pages.dropped().length > 0)
      context.note(
        `(${pages.dropped().join(', ')} left out for want of room: a wider terminal, or --fields)`,
      );
    for (const note of notes()) context.note(note);
    return { done: true };
  } finally {
    progress.stop();
  }
}

/** Nobody reads any more (`| head`): they have what they wanted. Ctrl-C is another matter. */
function stopped(context: Context, found: number): Result {
  if (!context.world.interrupt.aborted) return { done: true };
  context.say(`remit: stopped after ${thousands(found)}`);
  return { done: true, exit: exitCodes.interrupted };
}

function expectedOf<Row>(
  { total }: ListProgress,
  { limits, sift }: Pick<Listing<Row>, 'limits' | 'sift'>,
): number | undefined {
  return total === undefined || sift ? total : Math.min(total, limits.limit);
}

const notesOf = <Row>(looked: ListProgress, { sift, none }: Pick<Listing<Row>, 'sift' | 'none'>): Said[] => [
  ...(sift ? [siftedNote(looked, sift.by)] : []),
  ...(none !== undefined && looked.found === 0 ? [none] : []),
];

function learner<Row>(context: Context, { seen }: Listing<Row>): (rows: readonly Row[]) => Promise<void> {
  let learnt = 0;
  return async (rows) => {
    if (seen === undefined || learnt >= LEARNT) return;
    learnt += rows.length;
    await context.remember(rows.flatMap(seen));
  };
}
