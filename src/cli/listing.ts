/** Lists are read page by page until there are enough; `--all` reads on to the end. */
import type { Client } from '../client/client.ts';
import { records } from '../client/pages.ts';
import type { Query } from '../client/url.ts';
import type { Operation } from '../contract/operations/operation.ts';
import { type Flag, flagOn, flagText, type Input } from './command.ts';
import { usage } from './failure.ts';

export const listFlags: readonly Flag[] = [
  { flags: '--limit <n>', summary: 'at most this many; 20 if you do not say' },
  { flags: '--all', summary: 'all of them' },
];
export const dateFlags: readonly Flag[] = [
  { flags: '--since <date>', summary: 'created on or after this day, YYYY-MM-DD' },
  { flags: '--until <date>', summary: 'created on or before this day, YYYY-MM-DD' },
];

export interface Limits {
  limit: number;
}

export function readLimits(input: Input): Limits {
  if (flagOn(input, 'all')) return { limit: Number.POSITIVE_INFINITY };
  const given = flagText(input, 'limit') ?? '20';
  if (!/^[1-9]\d{0,6}$/.test(given)) throw usage(`--limit ${given} is not a number of records`);
  return { limit: Number(given) };
}

export function readDates(input: Input): { created_at_from?: string; created_at_to?: string } {
  const day = (flag: string): string | undefined => {
    const text = flagText(input, flag);
    if (text === undefined) return undefined;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
      throw usage(`--${flag} ${text} is not a day`, 'write YYYY-MM-DD');
    return text;
  };
  const from = day('since');
  const to = day('until');
  return { ...(from ? { created_at_from: from } : {}), ...(to ? { created_at_to: to } : {}) };
}

interface ListAnswer<Item> {
  object: Item[];
  meta?: { pagination?: { next_page?: number | null | undefined } | null | undefined } | null | undefined;
}

export async function collect<Item>(
  client: Client,
  operation: Operation<never, ListAnswer<Item>>,
  query: Query,
  { limit }: Limits,
  keep?: (item: Item) => boolean | 'stop',
): Promise<Item[]> {
  const found: Item[] = [];
  const seen = new Set<unknown>();
  // What is sifted here comes in whole pages: of a log that our own reading makes longer, a page of one is always the same.
  const per = keep ? 100 : Math.min(limit, 100);
  for await (const item of records(client, operation, { query: { ...query, per } })) {
    const { id } = item as { id?: unknown };
    if (id != null && seen.has(id)) continue;
    seen.add(id);
    const kept = keep?.(item);
    if (kept === 'stop') break;
    if (kept === false) continue;
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
