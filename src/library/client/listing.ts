/** A list as an iterator and as pages. A page has a hundred records where nobody says otherwise: the service's calls are counted. */
import { firstSight } from '../../client/first-sight.ts';
import { everyPage, type ListAnswer, onePage } from '../../client/pages.ts';
import { checkQuery } from '../../client/query.ts';
import type { Query } from '../../client/url.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import type * as Public from '../client-types.ts';
import type { Scope } from './scope.ts';

const PER = 100;

export function listing<Item>(
  { client }: Scope,
  operation: Operation<never, ListAnswer<Item>>,
  asked: object = {},
  options?: Public.CallOptions,
): Public.Listing<Item> {
  const query = { per: PER, ...asked } as Query;
  checkQuery(operation, query);

  /** Leaves out a record that comes again: one that is made meanwhile pushes the rest to later pages. */
  async function* pages(): AsyncGenerator<Public.Page<Item>, void, undefined> {
    const isNew = firstSight<Item>();
    for await (const page of everyPage(client(options), operation, { query }))
      yield { ...page, items: page.items.filter(isNew) };
  }

  return {
    pages,
    page: (number) => onePage(client(options), operation, { query: { ...query, page: number } }),
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
