/** Result in, text out, or the bytes of a file (docs/rules.md 7). No format knows a resource. */

import { escapeHostile } from '../../core/escape.ts';
import type { Hint } from '../../core/next.ts';
import type { Shape } from '../shape.ts';
import { fieldChecker } from './cells.ts';
import { formatInfo } from './format.ts';
import { openPages, pickRow, recordHead, whole } from './pages.ts';
import { drawRecord } from './record.ts';
import type { Rendering } from './rendering.ts';
import type { ListMeta, View } from './view.ts';
import { loadWidths } from './width.ts';

/** Facts and sentences about a list, for a format that has a place for them. */
interface About {
  meta?: ListMeta | undefined;
  notes?: readonly Hint[] | undefined;
}

export interface Rendered {
  text: string;
  /** The lines below it: columns for which there was no room, the zone of its times. */
  below: string[];
}

export async function render<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rendering: Rendering,
  about: About = {},
): Promise<Rendered> {
  const { format, query, fields } = rendering;
  if (query !== undefined) {
    const found = Array.isArray(data) ? data.map((row: Row) => whole(view, row)) : whole(view, data as Row);
    return plain(await (await import('./query.ts')).queried(found, rendering), rendering);
  }
  if (Array.isArray(data)) return list(view, data as readonly Row[], rendering, about);
  const { isByLine, isDrawn, isYaml } = formatInfo(format);
  if (isByLine) return list(view, [data as Row], rendering);
  const row = whole(view, data as Row);
  (await fieldChecker(view, fields))([row]);
  if (isDrawn) {
    await loadWidths();
    return { text: drawRecord(view, row, rendering), below: [] };
  }
  const document = { ...recordHead(view), data: pickRow(view, row, fields) };
  if (isYaml) return plain((await import('./yaml.ts')).yamlText(document), rendering);
  return plain(`${JSON.stringify(document, null, rendering.isTerminal ? 2 : 0)}\n`, rendering);
}

export const ndjsonLine = ({ version, kind }: Shape, data: unknown): string =>
  `${JSON.stringify({ version, kind, data })}\n`;

async function list<Row>(
  view: View<Row>,
  rows: readonly Row[],
  rendering: Rendering,
  { meta, notes }: About = {},
): Promise<Rendered> {
  const pages = await openPages(view, rendering);
  return { text: pages.page(rows) + pages.end(meta, notes), below: pages.below() };
}

const plain = (text: string, { isTerminal }: Rendering): Rendered => ({
  text: isTerminal ? escapeHostile(text) : text,
  below: [],
});
