/** The rows of a comparison as they are printed and written to a file. */

import { csvOf } from '../../../frame/output/csv-file.ts';
import type { Context } from '../../../payments/cli/context.ts';
import type { ShownCase } from '../../reconcile/shown.ts';
import { caseView } from '../views/reconcile.ts';

const PAGE = 500;

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
  const { writePrivateFile } = await import('../../../frame/output/private-file.ts');
  await writePrivateFile(context.process, path, csvOf(context, caseView, pagesOf(rows)));
}
