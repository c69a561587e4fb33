/** Records one by one as they come, in the format that was asked for: nothing is held back until the end. */
import type { Context } from './context.ts';
import { maskData } from './terminal/mask.ts';
import type { View } from './view.ts';

/** JSON is a line per record; CSV has its heading once. */
export async function streamOf<Row>(context: Context, view: View<Row>): Promise<(row: Row) => Promise<void>> {
  const [{ render }, { paintFor }] = await Promise.all([
    import('./terminal/formats.ts'),
    import('./terminal/paint.ts'),
  ]);
  const { streams, globals } = context;
  const asked = globals.output ?? (streams.stdoutIsTerminal ? 'table' : 'text');
  const format = asked === 'json' ? 'ndjson' : asked === 'table' ? 'text' : asked;
  let printed = 0;
  return async (row) => {
    const { text } = await render(view, maskData(row, context.mask), {
      format,
      columns: streams.columns,
      paint: paintFor(false),
      isTerminal: streams.stdoutIsTerminal,
      fields: globals.fields,
      query: globals.query,
    });
    streams.out(shaped(text, asked, printed++ === 0));
  };
}

function shaped(text: string, asked: string, isFirst: boolean): string {
  if (asked === 'table') return text.replaceAll('\t', '  ');
  if (asked === 'yaml') return `---\n${text}`;
  return asked === 'csv' && !isFirst ? text.slice(text.indexOf('\n') + 1) : text;
}
