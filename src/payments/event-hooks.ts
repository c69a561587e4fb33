/** Events that a program can be notified of, as records: ids and counts, and no names or accounts. */

import { isoTime } from '../core/clock.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from './desk.ts';
import type { happenedShape } from './shapes/machine.ts';

export type HookEvent = DataOf<typeof happenedShape>;
export type HookName = HookEvent['event'];
export type HookFacts = Pick<HookEvent, 'event' | 'of'> & Partial<HookEvent>;

/** Returns the record of an event, with where and when it happened. */
export async function hookEvent(desk: Desk, { event, of, ...rest }: HookFacts): Promise<HookEvent> {
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
