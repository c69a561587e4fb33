/** The rows of a comparison as they are printed and written to a file: named, and with what was decided about them. */

import { casesOf, countLines } from '../../desk/reconcile/cases.ts';
import { caseNames, type Decisions } from '../../desk/reconcile/decisions.ts';
import { type Ending, isDifference } from '../../desk/reconcile/endings.ts';
import type { Reconciled } from '../../desk/reconcile/reconcile.ts';
import type { Context } from '../context.ts';
import { IN_CELLS } from '../terminal/format.ts';
import type { ShownCase } from '../views/reconcile.ts';
import { caseView } from '../views/reconcile.ts';

const PAGE = 500;

export function* shownCases(
  { found, period }: Reconciled,
  decisions: Decisions,
  wanted: (ending: Ending) => boolean,
  isOpenOnly = false,
): Generator<ShownCase> {
  const nameOf = caseNames();
  for (const matched of found)
    for (const one of casesOf(matched, period, wanted)) {
      const name = isDifference(one.ending) ? nameOf(one) : '';
      const decided = decisions.get(name);
      if (isOpenOnly && decided?.decision === 'accept') continue;
      yield { case: name, decision: decided?.decision ?? null, note: decided?.note ?? null, ...one };
    }
}

export interface Counts {
  /** Lines that are wanted. */
  wanted: number;
  differences: number;
  /** Differences that nobody accepted. */
  open: number;
  /** Decisions that no difference has. */
  strange: number;
  /** Lines that are near an end of the time, or go with one outside of it. */
  edges: number;
  /** Rows that are left out, and that another zone would put into the time. */
  justOutside: number;
}

/** Counts the cases: the words about all lines are known before the first line is printed. */
export function countCases(
  reconciled: Reconciled,
  decisions: Decisions,
  wanted: (ending: Ending) => boolean,
): Counts {
  const counts: Counts = { wanted: 0, differences: 0, open: 0, strange: 0, edges: 0, justOutside: 0 };
  for (const matched of reconciled.found) {
    const { byEnding, edges, justOutside } = countLines(matched, reconciled.period);
    counts.edges += edges;
    counts.justOutside += justOutside;
    for (const [ending, lines] of byEnding) {
      if (wanted(ending)) counts.wanted += lines;
      if (isDifference(ending)) counts.differences += lines;
    }
  }
  counts.open = counts.differences;
  if (decisions.size === 0) return counts;
  const left = new Set(decisions.keys());
  for (const one of shownCases(reconciled, decisions, isDifference)) {
    if (one.decision === 'accept') counts.open--;
    left.delete(one.case);
  }
  counts.strange = left.size;
  return counts;
}

export async function* pagesOf(rows: Iterable<ShownCase>): AsyncGenerator<ShownCase[]> {
  let page: ShownCase[] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The differences as CSV, in a new file that this user alone can read. @throws Problem (usage) where there is one of its name */
export async function writeExceptions(
  context: Context,
  path: string,
  rows: Iterable<ShownCase>,
): Promise<void> {
  const [{ openPages }, { renderingFor }, { writePrivateFile }] = await Promise.all([
    import('../terminal/pages.ts'),
    import('../terminal/rendering.ts'),
    import('../webhooks/private-file.ts'),
  ]);
  const rendering = { ...renderingFor(context.world, context.globals), format: IN_CELLS };
  const pages = await openPages(caseView, {
    ...rendering,
    isTerminal: false,
    query: undefined,
    fields: undefined,
  });
  async function* texts(): AsyncGenerator<string> {
    for await (const page of pagesOf(rows)) yield pages.page(context.masked(page));
    yield pages.end();
  }
  await writePrivateFile(context.world, path, texts());
}
