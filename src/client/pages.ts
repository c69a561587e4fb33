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

const DEFAULT_PER = 10;

/**
 * Follows `next_page` until it is null. Without an envelope it ends on a page shorter than asked for, or on one that
 * repeats the page before (a server that ignores `page` would otherwise be read for ever).
 */
export async function* pages<Item>(
  client: Client,
  operation: Operation<never, ListAnswer<Item>>,
  args: CallArguments<never> = {},
  /** Told with each page how many records the service says there are. */
  told?: (total: number) => void,
): AsyncGenerator<Item[], void, undefined> {
  const per = Number(args.query?.per ?? DEFAULT_PER);
  let page = Number(args.query?.page ?? 1);
  let before: string | undefined;
  for (;;) {
    const answer = await client.call(operation, { ...args, query: { ...args.query, page } });
    const total = answer.meta?.pagination?.total_count;
    if (typeof total === 'number') told?.(total);
    const fingerprint = endsOf(answer.object);
    if (answer.object.length > 0 && fingerprint === before) return;
    if (answer.object.length > 0) yield answer.object;
    const next = nextPage(answer, page, per);
    if (next === null) return;
    before = fingerprint;
    page = next;
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
