/** One thing by its id: an id that is none is refused before anything is sent, one that is not there is exit 6. */

import type { Argument, Input } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { ApiError } from '../../client/errors.ts';
import { type Operation, pathParameters } from '../../contract/operations/operation.ts';
import { isUuid } from '../../core/ids.ts';
import { notFound, usage } from '../../core/problem.ts';
import { asFailure } from '../problem-of.ts';

export const idArgument = (thing: string): Argument => ({ name: 'ID', summary: `the ${thing}’s id` });

/** @throws Failure (usage) */
export function readId(input: Input, thing: string, next: string): string {
  const id = input.args[0] ?? '';
  if (isUuid(id)) return id;
  throw usage(`"${id}" is not a ${thing}'s id`, next);
}

/** An id, or another name that the thing goes by. @throws Failure (usage) where it is empty */
export function readName(input: Input, next: string): string {
  const given = input.args[0] ?? '';
  if (given.trim() === '') throw usage('the ID is empty', next);
  return given;
}

/** `next` says where to look instead. @throws Failure (not found) */
export async function readOne<T>(
  context: Context,
  operation: Operation<never, { object: T }>,
  id: string,
  { thing, next }: { thing: string; next: string },
): Promise<T> {
  const [parameter = ''] = pathParameters(operation.path);
  const client = await context.client();
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

const isNotFound = (error: unknown): boolean => asFailure(error).facts.category === 'not_found';
