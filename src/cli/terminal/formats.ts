/** Result in, text out: table, text, json, ndjson, csv, yaml (docs/rules.md 7). No format knows a resource. */

import { escapeHostile } from '../../desk/words/escape.ts';
import { fieldChecker } from './cells.ts';
import { jsonVersion, openPages, pickRow } from './pages.ts';
import { drawRecord } from './record.ts';
import type { Rendering } from './rendering.ts';
import type { ListMeta, View } from './view.ts';

export interface Rendered {
  text: string;
  /** What is said below it: columns for which there was no room, the zone of its times. */
  below: string[];
}

export async function render<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rendering: Rendering,
  meta?: ListMeta,
): Promise<Rendered> {
  const { format, query, fields } = rendering;
  if (query !== undefined)
    return plain(await (await import('./query.ts')).queried(data, rendering), rendering);
  if (Array.isArray(data)) return list(view, data as readonly Row[], rendering, meta);
  const row = data as Row;
  if (format === 'text' || format === 'csv' || format === 'ndjson') return list(view, [row], rendering);
  (await fieldChecker(view, fields))([row]);
  if (format === 'table') return { text: drawRecord(view, row, rendering), below: [] };
  const whole = { version: jsonVersion, kind: view.kind, data: pickRow(view, row, fields) };
  if (format === 'yaml') return plain((await import('./yaml.ts')).yamlText(whole), rendering);
  return plain(`${JSON.stringify(whole, null, rendering.isTerminal ? 2 : 0)}\n`, rendering);
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
