/** The inbox in a file of its own, apart from the journal (decision 0039): bodies are big, and a full inbox must not stop money. */
import type { DeliveryReader, Inbox, InboxNotes, RefusalLog } from '../core/ports/inbox.ts';
import type { StoreDependencies } from './dependencies.ts';
import type { Database } from './driver.ts';
import { claimDeliveries, freeLanes, recordHandOvers, requeueDeliveries } from './sqlite-inbox/hand-over.ts';
import { createHold } from './sqlite-inbox/hold.ts';
import { keepDeliveries, knownEvents } from './sqlite-inbox/keeping.ts';
import {
  countBacklog,
  countDeliveries,
  getDelivery,
  idsEndingWith,
  idsStartingWith,
  listDeliveries,
} from './sqlite-inbox/listing.ts';
import { pruneDeliveries } from './sqlite-inbox/pruning.ts';
import { keepRefusals, listRefusals } from './sqlite-inbox/refusals.ts';
import { accountNumber, openInboxFile } from './sqlite-inbox/schema.ts';
import { giveBack } from './sqlite-inbox/space.ts';

export interface SqliteInboxOptions extends StoreDependencies {
  /** Base URL and a digest of the key: a file may serve several. */
  account: string;
}

/** Opens the file, or makes it; `:memory:` leaves none. @throws StoreError when it cannot be opened, read or written */
export async function openSqliteInbox(path: string, options: SqliteInboxOptions): Promise<Inbox> {
  return createSqliteInbox(await openInboxFile(path), path, options);
}

export function createSqliteInbox(database: Database, path: string, options: SqliteInboxOptions): Inbox {
  const { account: name, clock } = options;
  const account = accountNumber(database, name);
  const hold = createHold(path, name, () => freeLanes(database, account));
  return {
    keep: async (deliveries) => keepDeliveries(database, account, deliveries, options),
    known: async (eventPrints) => knownEvents(database, account, eventPrints),
    claim: async (wanted) => claimDeliveries(database, account, clock, wanted),
    record: async (owner, records) => recordHandOvers(database, account, clock, owner, records),
    requeue: async (ids) => requeueDeliveries(database, account, clock, ids),
    ...reading(database, account),
    ...refusing(database, account),
    ...notes(database, account),
    prune: (options) => pruneDeliveries(database, account, options),
    giveBack: () => giveBack(database, hold),
    hold: (by) => hold.take(by),
    async close() {
      hold.letGo();
      database.close();
    },
  };
}

function reading(database: Database, account: number): DeliveryReader {
  return {
    get: async (id) => getDelivery(database, account, id),
    startingWith: async (prefix, limit) => idsStartingWith(database, account, prefix, limit),
    endingWith: async (eight, limit) => idsEndingWith(database, account, eight, limit),
    list: async (filter, page) => listDeliveries(database, account, filter, page),
    count: async (filter) => countDeliveries(database, account, filter),
    webhooks: async () => database.all(WEBHOOKS, account).map(({ webhook }) => String(webhook)),
    backlog: async () => countBacklog(database, account),
  };
}

const WEBHOOKS = 'SELECT webhook FROM webhooks WHERE account = ? ORDER BY webhook';

function refusing(database: Database, account: number): RefusalLog {
  return {
    refuse: async (refusals) => keepRefusals(database, account, refusals),
    refusals: async (limit) => listRefusals(database, account, limit),
  };
}

function notes(database: Database, account: number): InboxNotes {
  return {
    async note(name) {
      const row = database.get('SELECT value FROM notes WHERE account = ? AND name = ?', account, name);
      return row && String(row.value);
    },
    async setNote(name, value) {
      database.run(SET_NOTE, account, name, value);
    },
  };
}

const SET_NOTE = 'INSERT INTO notes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';
