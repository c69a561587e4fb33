/** The inbox in a file of its own, apart from the journal (decision 0038): bodies are big, and a full inbox must not stop money. */

import type { StoreDependencies } from '../../client/store/intent-writes.ts';
import type { Database } from '../../disk/driver.ts';
import { readRefusal } from './inbox-rows.ts';
import type { DeliveryReader, Inbox, InboxNotes, Refusal, RefusalLog } from './port.ts';
import { claimDeliveries, freeLanes, recordForwards, requeueDeliveries } from './sqlite/forwards.ts';
import { createHold } from './sqlite/hold.ts';
import { keepDeliveries, knownEvents } from './sqlite/keeping.ts';
import {
  countBacklog,
  countDeliveries,
  getDelivery,
  idsEndingWith,
  idsStartingWith,
  listDeliveries,
  waitsSince,
} from './sqlite/listing.ts';
import { giveBack, pruneDeliveries } from './sqlite/pruning.ts';
import { accountNumber, openInboxFile } from './sqlite/schema.ts';

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
    record: async (owner, records) => recordForwards(database, account, clock, owner, records),
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
    waitsSince: async () => waitsSince(database, account),
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
      const row = database.get(NOTE, account, name);
      return row && String(row.value);
    },
    async setNote(name, value) {
      database.run(SET_NOTE, account, name, value);
    },
    async firstNote(name, value) {
      return database.transaction(() => {
        database.run(FIRST_NOTE, account, name, value);
        return String(database.get(NOTE, account, name)?.value);
      });
    },
  };
}

const NOTE = 'SELECT value FROM notes WHERE account = ? AND name = ?';
const FIRST_NOTE = 'INSERT INTO notes VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const SET_NOTE = 'INSERT INTO notes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value';

/** The latest refused requests, kept for people to look at. */
const KEPT_REFUSALS = 200;
const KEPT_BODY_BYTES = 65_536;

function keepRefusals(database: Database, account: number, refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return;
  database.transaction(() => {
    for (const refusal of refusals.slice(-KEPT_REFUSALS)) insert(database, account, refusal);
    database.run(DROP_OLDER, account, account, KEPT_REFUSALS);
  });
}

const DROP_OLDER = `
  DELETE FROM refusals WHERE account = ?
    AND seq <= (SELECT seq FROM refusals WHERE account = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`;

function insert(database: Database, account: number, refusal: Refusal): void {
  const { id, receivedAt, from, url, target, headers, body, bodyBytes, cause, message } = refusal;
  database.run(
    `INSERT INTO refusals (account, id, received_at, peer, url, target, headers, body, body_bytes, cause, message)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    account,
    id,
    receivedAt,
    from,
    url,
    target,
    JSON.stringify(headers),
    body.subarray(0, KEPT_BODY_BYTES),
    bodyBytes,
    cause,
    message,
  );
}

function listRefusals(database: Database, account: number, limit: number): Refusal[] {
  return database
    .all('SELECT * FROM refusals WHERE account = ? ORDER BY seq DESC LIMIT ?', account, limit)
    .map(readRefusal);
}
