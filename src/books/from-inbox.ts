/**
 * The books are brought up to date by what a listener of this account received, so that the service is asked
 * for less.
 */

import type { StoreError } from '../disk/store-error.ts';
import { type Desk, note } from '../payments/desk.ts';
import type { Books, Kept } from '../payments/ports/books.ts';
import { deliveries } from '../webhooks/in-inbox.ts';
import { inboxIfAny } from '../webhooks/open-inbox.ts';
import type { Inbox } from '../webhooks/store/port.ts';
import { concernsBooks, feedEvents, type HeardEvent } from './feed.ts';

/** Several listeners have a clock each. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/**
 * Feeds the books with what the inbox received since that moment, by our clock: the newest first, since what
 * is older then changes nothing. An inbox that cannot be read costs only calls: then the service is asked.
 */
export async function feedFromInbox(
  desk: Desk,
  books: Books,
  { since, inbox: given }: { since: number; inbox?: Inbox },
): Promise<Kept> {
  const kept: Kept = { added: 0, changed: 0, older: 0 };
  try {
    const inbox = given ?? (await inboxIfAny(desk));
    if (inbox === undefined) return kept;
    const filter = { since: since - CLOCKS_DIFFER_MS };
    for await (const page of deliveries(inbox, filter, Number.MAX_SAFE_INTEGER)) {
      if (desk.signal.aborted) return kept;
      const ids = page.flatMap(({ id, event }) => (concernsBooks(event) ? [id] : []));
      const { added, changed } = await feedEvents(books, await eventsOf(inbox, ids.reverse()));
      kept.added += added;
      kept.changed += changed;
    }
  } catch (error) {
    if (!isOfInbox(error)) throw error;
    note(desk, `the inbox of webhooks could not be read, so the service is asked: ${error.message}`);
  }
  return kept;
}

const isOfInbox = (error: unknown): error is StoreError =>
  error instanceof Error && error.name === 'StoreError' && (error as StoreError).holds !== 'books';

/** One that was pruned meanwhile says nothing. */
async function eventsOf(inbox: Inbox, ids: readonly string[]): Promise<HeardEvent[]> {
  const kept = await Promise.all(ids.map((id) => inbox.get(id)));
  return kept.filter((one) => one !== undefined);
}
