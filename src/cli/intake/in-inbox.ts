/** Finding deliveries in the inbox: by id or its beginning, and by what they are about. */
import { parseDuration } from '../../core/clock.ts';
import { isUuid } from '../../core/ids.ts';
import type { DeliveryFilter, HandOverState, Inbox, KeptDelivery, Refusal } from '../../core/ports/inbox.ts';
import { type Flag, flagText, type Input } from '../command.ts';
import type { Context } from '../context.ts';
import { notFound, usage } from '../failure.ts';
import { instantOf, readWhen } from '../when.ts';

export const STATES = ['kept', 'waiting', 'handed_on', 'dead_letter', 'invalid'] as const;
export type ShownState = (typeof STATES)[number];

export interface Asked {
  event: string | undefined;
  state: ShownState | undefined;
  since: string | undefined;
  tx: string | undefined;
}

export const filterFlags: readonly Flag[] = [
  { flags: '--event <name>', summary: 'only this event, such as recipient.error' },
  { flags: '--state <state>', summary: 'only in this state of the hand-over', choices: STATES },
  {
    flags: '--since <date>',
    summary: 'received since then: a day, a time, or so long ago: 2026-11-21, 2h, 3d',
  },
  { flags: '--tx <id>', summary: 'only of this transaction: its id or external id' },
];

export function readAsked(input: Input): Asked {
  const since = flagText(input, 'since');
  if (since !== undefined) readWhen(since, 'since');
  return {
    event: flagText(input, 'event'),
    state: flagText(input, 'state') as ShownState | undefined,
    since,
    tx: flagText(input, 'tx'),
  };
}

/** Received is by our own clock; the service is asked only where an external id has to be looked up. */
export async function filterOf(
  context: Context,
  { event, state, since, tx }: Asked,
): Promise<DeliveryFilter> {
  return {
    event,
    state: state === 'invalid' ? undefined : (state as HandOverState | undefined),
    since:
      since === undefined ? undefined : instantOf(readWhen(since, 'since'), context.world.clock.now(), false),
    transactionId: tx === undefined ? undefined : await transactionIdOf(context, tx),
  };
}

async function transactionIdOf(context: Context, given: string): Promise<string> {
  if (isUuid(given)) return given.toLowerCase();
  const { findTransaction } = await import('../resolve.ts');
  const { transaction } = await findTransaction(context, given, 'read');
  return transaction.id ?? given;
}

export type Found = { kept: KeptDelivery; refused?: undefined } | { refused: Refusal; kept?: undefined };

const SHORTEST = 4;

/** @throws Failure: not found, or several that begin like this */
export async function findDelivery(inbox: Inbox, given: string): Promise<Found> {
  const id = given.toLowerCase();
  if (!/^[0-9a-f-]+$/.test(id) || id.length < SHORTEST)
    throw usage(`"${given}" is not a delivery's id`, 'remit webhooks events shows them');
  const exact = await exactly(inbox, id);
  if (exact) return exact;
  const refused = (await inbox.refusals(Number.MAX_SAFE_INTEGER)).filter((one) => one.id.startsWith(id));
  const all = [...(await inbox.startingWith(id, 5)), ...refused.map((one) => one.id)];
  const [only] = all;
  if (only === undefined)
    throw notFound(`no delivery ${given} in the inbox`, 'remit webhooks events shows what is there');
  if (all.length > 1) throw usage(`several deliveries begin with ${given}: ${all.join(', ')}`);
  return (
    (await exactly(inbox, only)) ?? Promise.reject(notFound(`no delivery ${given} in the inbox any more`))
  );
}

async function exactly(inbox: Inbox, id: string): Promise<Found | undefined> {
  if (!isUuid(id)) return undefined;
  const kept = await inbox.get(id);
  if (kept) return { kept };
  const refused = (await inbox.refusals(Number.MAX_SAFE_INTEGER)).find((one) => one.id === id);
  return refused && { refused };
}

/** `30d`, `12h`: a time before now, in milliseconds since 1970. @throws Failure (usage) */
export function before(text: string | undefined, now: number): number {
  const ms = text === undefined || /^\d+$/.test(text) ? null : parseDuration(text);
  if (ms === null) throw usage(`--older-than ${text ?? ''} is not a length of time`, 'such as 30d or 12h');
  return now - ms;
}

const PAGE = 100;

/** Newest first, page by page. */
export async function* deliveries(
  inbox: Inbox,
  filter: DeliveryFilter,
  limit: number,
): AsyncGenerator<Awaited<ReturnType<Inbox['list']>>> {
  let left = limit;
  let after: Parameters<Inbox['list']>[1]['after'];
  while (left > 0) {
    const rows = await inbox.list(filter, { limit: Math.min(PAGE, left), after });
    if (rows.length > 0) yield rows;
    if (rows.length < Math.min(PAGE, left)) return;
    left -= rows.length;
    after = rows.at(-1);
  }
}
