/** Result in, text out: table, text, json, ndjson, csv, yaml (PRODUCT rule 7). No format knows a resource. */
import type { DetailLine, View } from '../view.ts';
import { chosen, fieldChecker, headOf, scalar, shownText } from './cells.ts';
import { escapeHostile } from './escape.ts';
import { wrapWords } from './fitting.ts';
import { jsonVersion, openPages, pickRow } from './pages.ts';
import { paintState } from './paint.ts';
import type { Rendering } from './rendering.ts';

export interface Rendered {
  text: string;
  /** Columns left out for want of room. */
  dropped: string[];
}

export async function render<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rendering: Rendering,
): Promise<Rendered> {
  const { format, query, fields } = rendering;
  if (query !== undefined) return plain(await queried(data, rendering), rendering);
  if (Array.isArray(data)) return list(view, data as readonly Row[], rendering);
  const row = data as Row;
  if (format === 'text' || format === 'csv' || format === 'ndjson') return list(view, [row], rendering);
  (await fieldChecker(view, fields))([row]);
  if (format === 'table') return { text: details(view, row, rendering), dropped: [] };
  const whole = { version: jsonVersion, kind: view.kind, data: pickRow(view, row, fields) };
  if (format === 'yaml') return plain((await import('yaml')).stringify(whole), rendering);
  return plain(`${JSON.stringify(whole, null, rendering.isTerminal ? 2 : 0)}\n`, rendering);
}

export const ndjsonLine = (kind: string, data: unknown): string =>
  `${JSON.stringify({ version: jsonVersion, kind, data })}\n`;

async function list<Row>(view: View<Row>, rows: readonly Row[], rendering: Rendering): Promise<Rendered> {
  const pages = await openPages(view, rendering);
  return { text: pages.page(rows) + pages.end(), dropped: pages.dropped() };
}

const plain = (text: string, { isTerminal }: Rendering): Rendered => ({
  text: isTerminal ? escapeHostile(text) : text,
  dropped: [],
});

async function queried(data: unknown, { query, format }: Rendering): Promise<string> {
  const { default: jmespath } = await import('jmespath');
  const { usage } = await import('../failure.ts');
  let found: unknown;
  try {
    found = jmespath.search(data, query ?? '@');
  } catch (error) {
    throw usage(`--query is not a JMESPath expression: ${(error as Error).message}`);
  }
  if (format === 'json' || format === 'ndjson') return `${JSON.stringify(found)}\n`;
  if (format === 'yaml') return (await import('yaml')).stringify(found);
  const lines = Array.isArray(found) ? found : [found];
  return lines.map((line) => `${scalar(line)}\n`).join('');
}

/** Narrower than this, sentences are left to the terminal. */
const LEAST_ROOM = 24;

function details<Row>(
  view: View<Row>,
  row: Row,
  { paint, fields, zone, columns, isTerminal }: Rendering,
): string {
  const lines: readonly DetailLine[] =
    view.details && fields === undefined
      ? view.details(row)
      : chosen(view, fields).map(
          (column): DetailLine => [
            headOf(column).toLowerCase(),
            column.get(row),
            { state: column.state ?? false },
          ],
        );
  const shown = lines.filter(
    (line) => line === '' || (line[1] !== null && line[1] !== undefined && line[1] !== ''),
  );
  const width = Math.max(
    0,
    ...shown.map((line) => (line === '' ? 0 : line[0].length + (line[2]?.indent ? 2 : 0))),
  );
  return shown
    .map((line) => {
      if (line === '') return '\n';
      const [label, value, options] = line;
      const room = Math.max(LEAST_ROOM, columns - width - 2);
      const whole = shownText(value, zone);
      const text =
        options?.wrap && isTerminal
          ? wrapWords(whole, room).replaceAll('\n', `\n${' '.repeat(width + 2)}`)
          : whole;
      const name = `${options?.indent ? '  ' : ''}${label}`;
      return `${paint.dim(name.padEnd(width))}  ${options?.state ? paintState(paint, text) : text}\n`;
    })
    .join('');
}
