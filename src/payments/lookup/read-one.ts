/** One thing by its id: one that is not there is not found. */

import { ApiError } from '../../client/errors.ts';
import type { SeenKind } from '../../client/store/seen-port.ts';
import { type Operation, pathParameters } from '../../contract/operations/operation.ts';
import { isUuid } from '../../core/ids.ts';
import type { Hint } from '../../core/next.ts';
import { notFound } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';
import { problemOf } from '../problem-of.ts';
import { fullId, type Use } from './transaction.ts';

/** `kind`: a short id stands for one that was seen. `next` says where to look instead. @throws Problem (not found) */
export async function readOne<T>(
  desk: Desk,
  operation: Operation<never, { object: T }>,
  given: string,
  { thing, next, kind, use = 'read' }: { thing: string; next: Hint; kind?: SeenKind; use?: Use },
): Promise<T> {
  const [parameter = ''] = pathParameters(operation.path);
  const [client, id] = await Promise.all([
    desk.client(),
    kind === undefined ? given : fullId(desk, given, kind, use),
  ]);
  if (!isUuid(id)) throw notFound(`no ${thing} ${given} that was seen here before`, next);
  try {
    return (await client.call(operation, { path: { [parameter]: id } })).object;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found')
      throw notFound(`no ${thing} ${id} on this account`, next);
    throw error;
  }
}

/** The second way where the first finds nothing; where neither does, what the first one said. */
export async function foundEither<T>(first: () => Promise<T>, second: () => Promise<T>): Promise<T> {
  try {
    return await first();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return second().catch((other: unknown) => {
      throw isNotFound(other) ? error : other;
    });
  }
}

const isNotFound = (error: unknown): boolean => problemOf(error).facts.category === 'not_found';
