/** Finding deliveries in the inbox: by id or its beginning, and by what they are about. */

import { isUuid } from '../core/ids.ts';
import { hint } from '../core/next.ts';
import { notFound, usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { instantOf, whenOf } from '../payments/lists/period.ts';
import type {
  DeliveryFilter,
  DeliveryReader,
  HandOverState,
  KeptDelivery,
  ListedDelivery,
  Refusal,
  RefusalLog,
} from './store/port.ts';

export const STATES = ['kept', 'waiting', 'handed_on', 'dead_letter', 'invalid'] as const;
export type ShownState = (typeof STATES)[number];

export interface DeliveryQuery {
  event: string | undefined;
  state: ShownState | undefined;
  /** A day, a time, or so long ago, as `whenOf` reads it. */
  since: string | undefined;
  tx: string | undefined;
}

/** Received is by our own clock; the service is asked only where an external id has to be looked up. */
export async function filterOf(
  desk: Desk,
  { event, state, since, tx }: DeliveryQuery,
): Promise<DeliveryFilter> {
  const when = since === undefined ? undefined : whenOf(since);
  return {
    event,
    state: state === 'invalid' ? undefined : (state as HandOverState | undefined),
    since:
      when === undefined
        ? undefined
        : instantOf(when, { now: desk.clock.now(), zone: desk.zone, toEnd: false }),
    transactionId: tx === undefined ? undefined : await transactionIdOf(desk, tx),
  };
}

async function transactionIdOf(desk: Desk, given: string): Promise<string> {
  if (isUuid(given)) return given.toLowerCase();
  const { findTransaction } = await import('../payments/lookup/transaction.ts');
  const { transaction } = await findTransaction(desk, given, 'read');
  return transaction.id ?? given;
}

export type InboxMatch = { kept: KeptDelivery; refused?: undefined } | { refused: Refusal; kept?: undefined };

const SHORTEST = 4;

/**
 * Returns the end of a delivery's id, which a table shows, and which names it: the id begins with its time,
 * which those of one minute share.
 */
export const idEnding = (id: string): string => id.slice(-8);

/** @throws Problem: not found, or several that begin like this */
export async function findDelivery(inbox: DeliveryReader & RefusalLog, given: string): Promise<InboxMatch> {
  const id = given.toLowerCase();
  if (!/^[0-9a-f-]+$/.test(id) || id.length < SHORTEST)
    throw usage(`"${given}" is not a delivery's id`, hint`${{ do: 'list_deliveries' }} shows them`);
  const exact = await exactly(inbox, id);
  if (exact) return exact;
  const refused = (await inbox.refusals(Number.MAX_SAFE_INTEGER)).map((one) => one.id);
  const ending = [...(await inbox.endingWith(id, 5)), ...refused.filter((one) => idEnding(one) === id)];
  const all =
    ending.length > 0
      ? ending
      : [...(await inbox.startingWith(id, 5)), ...refused.filter((one) => one.startsWith(id))];
  const [only] = all;
  if (only === undefined)
    throw notFound(
      `no delivery ${given} in the inbox`,
      hint`${{ do: 'list_deliveries' }} shows what is there`,
    );
  if (all.length > 1)
    throw usage(
      `several deliveries begin with ${given}: ${all.join(', ')}`,
      `an id begins with its time: its last eight characters name one, such as ${idEnding(only)}`,
    );
  return (
    (await exactly(inbox, only)) ?? Promise.reject(notFound(`no delivery ${given} in the inbox any more`))
  );
}

async function exactly(inbox: DeliveryReader & RefusalLog, id: string): Promise<InboxMatch | undefined> {
  if (!isUuid(id)) return undefined;
  const kept = await inbox.get(id);
  if (kept) return { kept };
  const refused = (await inbox.refusals(Number.MAX_SAFE_INTEGER)).find((one) => one.id === id);
  return refused && { refused };
}

const PAGE = 100;

/** Reads page by page, the newest first. */
export async function* eachDelivery(
  inbox: DeliveryReader,
  filter: DeliveryFilter,
  limit: number,
): AsyncGenerator<ListedDelivery[]> {
  let left = limit;
  let after: ListedDelivery | undefined;
  while (left > 0) {
    const rows = await inbox.list(filter, { limit: Math.min(PAGE, left), after });
    if (rows.length > 0) yield rows;
    if (rows.length < Math.min(PAGE, left)) return;
    left -= rows.length;
    after = rows.at(-1);
  }
}

/** Reads those since a moment whose events concern the caller, oldest first in each page; one that was pruned meanwhile is left out. */
export async function* deliveredSince(
  inbox: DeliveryReader,
  since: number,
  concerns: (event: string) => boolean,
): AsyncGenerator<KeptDelivery[]> {
  for await (const page of eachDelivery(inbox, { since }, Number.MAX_SAFE_INTEGER)) {
    const ids = page.flatMap(({ id, event }) => (concerns(event) ? [id] : []));
    const kept = await Promise.all(ids.reverse().map((id) => inbox.get(id)));
    yield kept.filter((one) => one !== undefined);
  }
}
