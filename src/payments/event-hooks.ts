/** Events that a program can be told of, as records: ids and counts, and no names or accounts. */

import { isoTime } from '../core/clock.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from './desk.ts';
import type { happenedShape } from './shapes/machine.ts';

export type Happened = DataOf<typeof happenedShape>;
export type HookName = Happened['event'];
export type Facts = Pick<Happened, 'event' | 'of'> & Partial<Happened>;

/** Returns the record of an event, with where and when it happened. */
export async function happened(desk: Desk, { event, of, ...rest }: Facts): Promise<Happened> {
  const { name: profile, environment } = await desk.connection();
  return {
    event,
    at: isoTime(desk.clock.now()),
    command: desk.by.words,
    environment,
    profile,
    of,
    ...{ id: null, name: null, transaction_id: null, ending: null, why: null },
    ...{ count: null, amount: null, currency: null },
    ...rest,
  };
}
