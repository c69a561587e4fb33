/** Lists page by page (docs/wire.md 2), whatever the deployment's envelope. */

import type { Operation } from '../contract/operations/operation.ts';
import type { CallArguments, Client } from './client.ts';

export interface ListAnswer<Item> {
  object: Item[];
  meta?:
    | {
        pagination?:
          | { next_page?: number | null | undefined; total_count?: number | null | undefined }
          | null
          | undefined;
      }
    | null
    | undefined;
}

export interface Page<Item> {
  items: Item[];
  /** Counts from 1. */
  page: number;
  /** How many records there are, where the service says so. */
  total: number | undefined;
  /** Null at the end. */
  next: number | null;
}

type ListOf<Item> = Operation<never, ListAnswer<Item>>;

const DEFAULT_PER = 10;

/** One page: that of the query, or the first. */
export async function onePage<Item>(
  client: Client,
  operation: ListOf<Item>,
  args: CallArguments<never> = {},
): Promise<Page<Item>> {
  const page = Number(args.query?.page ?? 1);
  const answer = await client.call(operation, { ...args, query: { ...args.query, page } });
  const total = answer.meta?.pagination?.total_count ?? undefined;
  return {
    items: answer.object,
    page,
    total,
    next: nextPage(answer, page, Number(args.query?.per ?? DEFAULT_PER)),
  };
}

/**
 * Follows `next_page` until it is null. Without an envelope it ends on a page shorter than asked for, or on one that
 * repeats the page before (a server that ignores `page` would otherwise be read for ever).
 */
export async function* everyPage<Item>(
  client: Client,
  operation: ListOf<Item>,
  args: CallArguments<never> = {},
): AsyncGenerator<Page<Item>, void, undefined> {
  let before: string | undefined;
  for (let at: number | null = Number(args.query?.page ?? 1); at !== null; ) {
    const page: Page<Item> = await onePage(client, operation, {
      ...args,
      query: { ...args.query, page: at },
    });
    const fingerprint = endsOf(page.items);
    if (page.items.length > 0 && fingerprint === before) return;
    yield page;
    before = fingerprint;
    at = page.next;
  }
}

/** The records of each page. `told` hears with each how many the service says there are. */
export async function* pages<Item>(
  client: Client,
  operation: ListOf<Item>,
  args: CallArguments<never> = {},
  told?: (total: number) => void,
): AsyncGenerator<Item[], void, undefined> {
  for await (const { items, total } of everyPage(client, operation, args)) {
    if (total !== undefined) told?.(total);
    if (items.length > 0) yield items;
  }
}

/** Two pages that begin and end alike are the same page: writing out what is between would cost as much as printing it. */
const endsOf = <Item>(items: readonly Item[]): string =>
  JSON.stringify([items.length, items[0] ?? null, items.at(-1) ?? null]);

/** Null at the end. `page` counts from 1. */
export function nextPage<Item>(answer: ListAnswer<Item>, page: number, per: number): number | null {
  const envelope = answer.meta?.pagination;
  if (envelope && 'next_page' in envelope) {
    const next = envelope.next_page ?? null;
    return next !== null && next > page ? next : null;
  }
  return answer.object.length < per ? null : page + 1;
}

const REMEMBERED = 1_000;

/**
 * Recognises a record that a list shows twice. Returns a function that is true for a record that comes for
 * the first time. Records created while a list is read push the rest to later pages. So a page repeats the
 * end of the one before it, and never records from long before: the latest thousand ids are enough, however
 * long the list.
 */
export function firstSight<Item>(): (item: Item) => boolean {
  const latest = new Set<unknown>();
  return (item) => {
    const { id } = item as { id?: unknown };
    if (id === null || id === undefined) return true;
    if (latest.has(id)) return false;
    latest.add(id);
    if (latest.size > REMEMBERED) latest.delete(latest.values().next().value);
    return true;
  };
}
