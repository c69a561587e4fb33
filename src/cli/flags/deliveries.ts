/** Flags that say which deliveries of the inbox are meant. */
import { parseDuration } from '../../core/clock.ts';
import { usage } from '../../core/problem.ts';
import { type DeliveryQuery, type ShownState, STATES } from '../../desk/webhooks/in-inbox.ts';
import { type Flag, flagText, type Input } from './flag.ts';
import { readWhen } from './when.ts';

export const filterFlags: readonly Flag[] = [
  { flags: '--event <name>', summary: 'only this event, such as recipient.error' },
  { flags: '--state <state>', summary: 'only in this state', choices: STATES },
  {
    flags: '--since <date>',
    summary: 'received since then: a day, a time, or an age: 2026-11-21, 2h, 3d',
  },
  { flags: '--tx <id>', summary: 'only of this transaction: its id or external id' },
];

export function readDeliveryQuery(input: Input): DeliveryQuery {
  const since = flagText(input, 'since');
  if (since !== undefined) readWhen(since, 'since');
  return {
    event: flagText(input, 'event'),
    state: flagText(input, 'state') as ShownState | undefined,
    since,
    tx: flagText(input, 'tx'),
  };
}

/** `30d`, `12h`: a time before now, in milliseconds since 1970. @throws Problem (usage) */
export function before(text: string | undefined, now: number, flag = 'older-than'): number {
  const ms = text === undefined || /^\d+$/.test(text) ? null : parseDuration(text);
  if (ms === null) throw usage(`--${flag} ${text ?? ''} is not a length of time`, 'such as 30d or 12h');
  return now - ms;
}
