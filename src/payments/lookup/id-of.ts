import { unsent } from '../../core/problem.ts';

/**
 * Returns the id of a record: a write must name its record.
 * @throws Problem (server) where the service answered a record without its id
 */
export function idOf({ id }: { id?: string | null | undefined }, thing: string): string {
  if (id) return id;
  throw unsent(
    'server',
    'no_id',
    `the service answered without the id of the ${thing}, so it cannot be named in a request`,
  );
}
