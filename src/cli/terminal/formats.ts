/** Result in, text out: table, text, json, ndjson, csv, yaml (docs/rules.md 7). No format knows a resource. */

import { escapeHostile } from '../../desk/words/escape.ts';
import { fieldChecker } from './cells.ts';
import { jsonVersion, openPages, pickRow, whole } from './pages.ts';
import { drawRecord } from './record.ts';
import type { Rendering } from './rendering.ts';
import type { ListMeta, View } from './view.ts';
import { loadWidths } from './width.ts';

export interface Rendered {
  text: string;
  /** The lines below it: columns for which there was no room, the zone of its times. */
  below: string[];
}

export async function render<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rendering: Rendering,
  meta?: ListMeta,
): Promise<Rendered> {
  const { format, query, fields } = rendering;
  if (query !== undefined) {
    const found = Array.isArray(data) ? data.map((row: Row) => whole(view, row)) : whole(view, data as Row);
    return plain(await (await import('./query.ts')).queried(found, rendering), rendering);
  }
  if (Array.isArray(data)) return list(view, data as readonly Row[], rendering, meta);
  if (format === 'text' || format === 'csv' || format === 'ndjson')
    return list(view, [data as Row], rendering);
  const row = whole(view, data as Row);
  (await fieldChecker(view, fields))([row]);
  if (format === 'table') {
    await loadWidths();
    return { text: drawRecord(view, row, rendering), below: [] };
  }
  const document = { version: jsonVersion, kind: view.kind, data: pickRow(view, row, fields) };
  if (format === 'yaml') return plain((await import('./yaml.ts')).yamlText(document), rendering);
  return plain(`${JSON.stringify(document, null, rendering.isTerminal ? 2 : 0)}\n`, rendering);
}

export const ndjsonLine = (kind: string, data: unknown): string =>
  `${JSON.stringify({ version: jsonVersion, kind, data })}\n`;

async function list<Row>(
  view: View<Row>,
  rows: readonly Row[],
  rendering: Rendering,
  meta?: ListMeta,
): Promise<Rendered> {
  const pages = await openPages(view, rendering);
  return { text: pages.page(rows) + pages.end(meta), below: pages.below() };
}

const plain = (text: string, { isTerminal }: Rendering): Rendered => ({
  text: isTerminal ? escapeHostile(text) : text,
  below: [],
});
