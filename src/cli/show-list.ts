/**
 * Shows a list: a short one whole, a long one (--all, or a --limit of more than a page) as its pages come, in every format, at
 * the pace of whoever reads and in constant memory.
 */

import type { Seen } from '../core/ports/seen.ts';
import { type Result, result } from './command.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { type ListRequest, type Looked, readList, siftedNote } from './list-reader.ts';
import { pacedOut } from './stream-out.ts';
import { maskData } from './terminal/mask.ts';
import { createProgress, type Progress, thousands } from './terminal/progress.ts';
import type { View } from './view.ts';

export interface Listing<Row> extends ListRequest<Row> {
  view: View<Row>;
  /** Ids that a record teaches us. */
  seen?(row: Row): Seen[];
  /** For the words of the progress line: `transactions`. */
  what: string;
}

const ONE_PAGE = 100;
/** Ids of so many records are kept: the latest are asked about, and writing down 200,000 would take longer than reading them. */
const LEARNT = 1_000;
const MANY = 10_000;

export async function showList<Row>(context: Context, listing: Listing<Row>): Promise<Result> {
  const reader = await readList(context, listing);
  const progress = createProgress(context, `reading ${listing.what}`);
  try {
    const learn = learner(context, listing);
    const whole = listing.limits.limit <= ONE_PAGE || context.globals.query !== undefined;
    return whole
      ? await showWhole(context, listing, { reader, progress, learn })
      : await showPages(context, listing, { reader, progress, learn });
  } finally {
    progress.stop();
  }
}

interface Parts<Row> {
  reader: Awaited<ReturnType<typeof readList<Row>>>;
  progress: Progress;
  learn: (rows: readonly Row[]) => Promise<void>;
}

/** --query looks at the whole list at once: there is nothing to print before its end. */
async function showWhole<Row>(
  context: Context,
  listing: Listing<Row>,
  { reader, progress, learn }: Parts<Row>,
): Promise<Result> {
  const found: Row[] = [];
  let said = false;
  for await (const rows of reader.pages()) {
    for (const row of rows) found.push(row);
    tell(progress, reader.looked, listing);
    if (!said && found.length >= MANY) {
      said = true;
      context.note(
        `--query needs every record at once: ${thousands(MANY)} are in memory by now; -o ndjson without --query keeps none`,
      );
    }
    await learn(rows);
  }
  return result(listing.view, found, { notes: notesOf(reader.looked, listing) });
}

async function showPages<Row>(
  context: Context,
  { view, ...listing }: Listing<Row>,
  { reader, progress, learn }: Parts<Row>,
): Promise<Result> {
  const [{ openPages }, { renderingFor }] = await Promise.all([
    import('./terminal/pages.ts'),
    import('./terminal/rendering.ts'),
  ]);
  const pages = await openPages(view, renderingFor(context.world, context.globals));
  const out = pacedOut(context);
  for await (const rows of reader.pages()) {
    tell(progress, reader.looked, listing);
    const text = pages.page(maskData(rows, context.mask));
    if (text !== '' && !(await out(text))) return stopped(context, reader.looked);
    await learn(rows);
  }
  await out(pages.end());
  progress.stop();
  if (pages.dropped().length > 0)
    context.note(`(${pages.dropped().join(', ')} left out for want of room: a wider terminal, or --fields)`);
  for (const note of notesOf(reader.looked, listing)) context.note(note);
  return { done: true };
}

/** Nobody reads any more (`| head`): they have what they wanted. Ctrl-C is another matter. */
function stopped(context: Context, { found }: Looked): Result {
  if (!context.world.interrupt.aborted) return { done: true };
  context.say(`remit: stopped after ${thousands(found)}`);
  return { done: true, exit: exitCodes.interrupted };
}

function tell<Row>(
  progress: Progress,
  { rows, total }: Looked,
  { limits, sift }: Pick<Listing<Row>, 'limits' | 'sift'>,
): void {
  const most = sift ? undefined : limits.limit;
  const expected = total === undefined ? undefined : Math.min(total, most ?? total);
  progress.tell(rows, expected);
}

const notesOf = <Row>(looked: Looked, { sift }: Pick<Listing<Row>, 'sift'>): string[] =>
  sift ? [siftedNote(looked, sift.by)] : [];

function learner<Row>(context: Context, { seen }: Listing<Row>): (rows: readonly Row[]) => Promise<void> {
  let learnt = 0;
  return async (rows) => {
    if (seen === undefined || learnt >= LEARNT) return;
    learnt += rows.length;
    await context.remember(rows.flatMap(seen));
  };
}
