/** Flags that say which deliveries of the inbox are meant. */
import { parseDuration } from '../../../core/clock.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { readWhen } from '../../../payments/cli/flags/when.ts';
import { type DeliveryQuery, type ShownState, STATES } from '../../in-inbox.ts';

export const deliveryFlags = flags({
  event: { value: 'name', summary: 'only this event, such as recipient.error' },
  state: { value: 'state', summary: 'only in this state', choices: STATES },
  since: { value: 'date', summary: 'received since then: a day, a time, or an age: 2026-11-21, 2h, 3d' },
  tx: { value: 'id', summary: 'only of this transaction: its id or external id' },
});

export function readDeliveryQuery(input: Input<typeof deliveryFlags>): DeliveryQuery {
  const since = input.flags.since;
  if (since !== undefined) readWhen(since, 'since');
  return {
    event: input.flags.event,
    state: input.flags.state as ShownState | undefined,
    since,
    tx: input.flags.tx,
  };
}

/** `30d`, `12h`: a time before now, in milliseconds since 1970. @throws Problem (usage) */
export function before(text: string | undefined, now: number, flag = 'older-than'): number {
  const ms = text === undefined || /^\d+$/.test(text) ? null : parseDuration(text);
  if (ms === null) throw usage(`--${flag} ${text ?? ''} is not a length of time`, 'such as 30d or 12h');
  return now - ms;
}
