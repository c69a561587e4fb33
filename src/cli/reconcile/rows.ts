/** The rows of a comparison as they are printed and written to a file. */

import type { ShownCase } from '../../desk/reconcile/shown.ts';
import type { Context } from '../context.ts';
import { IN_CELLS } from '../terminal/format.ts';
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
