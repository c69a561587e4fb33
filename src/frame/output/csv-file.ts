/** Rows as CSV for a file: the same whatever they are printed on, with personal data masked as everywhere. */
import type { FrameContext } from '../context.ts';
import { IN_CELLS } from '../terminal/format.ts';
import type { View } from '../terminal/view.ts';

export async function* csvOf<Row>(
  context: FrameContext,
  view: View<Row>,
  pages: AsyncIterable<Row[]> | Iterable<Row[]>,
): AsyncGenerator<string> {
  const [{ openPages }, { renderingFor }] = await Promise.all([
    import('../terminal/pages.ts'),
    import('../terminal/rendering.ts'),
  ]);
  const writer = await openPages(view, {
    ...renderingFor(context.process, context.globals),
    format: IN_CELLS,
    isTerminal: false,
    query: undefined,
    fields: undefined,
  });
  for await (const page of pages) yield writer.page(context.masked(page));
  yield writer.end();
}
