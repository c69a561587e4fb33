/**
 * The books are brought up to date by what a listener of this account received, so that the service is asked
 * for less.
 */

import type { StoreError } from '../disk/store-error.ts';
import { type DeliveredSince, type Desk, note } from '../payments/desk.ts';
import { deliveredSince } from '../webhooks/in-inbox.ts';
import { inboxIfAny } from '../webhooks/open-inbox.ts';
import { concernsBooks, feedEvents } from './feed.ts';
import { eventFeed } from './live-feed.ts';
import { booksThatAre } from './open-books.ts';
import type { Books, StoredEntries } from './store/port.ts';

/** Several listeners have a clock each. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/**
 * Feeds the books with what the inbox received since that moment, by our clock: the newest first, since what
 * is older then changes nothing. An inbox that cannot be read costs only calls: then the service is asked.
 */
export async function feedFromInbox(
  desk: Desk,
  books: Books,
  { since, from: given }: { since: number; from?: DeliveredSince },
): Promise<StoredEntries> {
  const kept: StoredEntries = { added: 0, changed: 0, older: 0 };
  try {
    const from = given ?? (await ownInbox(desk));
    if (from === undefined) return kept;
    for await (const events of from(since - CLOCKS_DIFFER_MS, concernsBooks)) {
      if (desk.signal.aborted) return kept;
      const { added, changed } = await feedEvents(books, events);
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

async function ownInbox(desk: Desk): Promise<DeliveredSince | undefined> {
  const inbox = await inboxIfAny(desk);
  return inbox && ((since, concerns) => deliveredSince(inbox, since, concerns));
}

/** The books beside a listener: with what it receives, and with what came before it fed them. */
export async function listeningBooks(desk: Desk, onTrouble: (message: string) => void) {
  const { books } = await booksThatAre(desk);
  return {
    ...eventFeed(desk, books, onTrouble),
    async catchUp(from: DeliveredSince): Promise<void> {
      const { completeAt: since } = await books.progress();
      if (since !== undefined) await feedFromInbox(desk, books, { since, from });
    },
  };
}
