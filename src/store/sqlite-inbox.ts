/** The inbox in a file of its own, apart from the journal: bodies are big, and a full inbox must not stop money. */
import type { Inbox } from '../core/ports/inbox.ts';
import type { Database } from './driver.ts';
import type { StoreDependencies } from './open.ts';
import { createHandOver } from './sqlite-inbox/hand-over.ts';
import { createHold } from './sqlite-inbox/hold.ts';
import { createKeeping } from './sqlite-inbox/keeping.ts';
import { countBacklog, getDelivery, idsStartingWith, listDeliveries } from './sqlite-inbox/listing.ts';
import { createMerging } from './sqlite-inbox/merging.ts';
import { pruneDeliveries } from './sqlite-inbox/pruning.ts';
import { getRefusal, keepRefusals, listRefusals } from './sqlite-inbox/refusals.ts';
import { accountNumber, openInboxFile } from './sqlite-inbox/schema.ts';
import { createTail, knownEvents } from './sqlite-inbox/tail.ts';

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
  const tail = createTail(database, account);
  const merging = createMerging(tail);
  const keepNow = createKeeping(database, account, tail, options);
  const handOver = createHandOver(database, account, clock);
  const hold = createHold(path, name, () => handOver.free());
  return {
    inOrder: true,
    async keep(deliveries, { handOn }) {
      const keepings = keepNow(deliveries, { handOn });
      merging.later();
      return keepings;
    },
    claim: async (wanted) => handOver.claim(wanted),
    settle: async (owner, settlements) => handOver.settle(owner, settlements),
    requeue: async (ids) => handOver.requeue(ids),
    prune: (options) => pruneDeliveries(database, account, tail, options),
    ...reading(database, account),
    ...notes(database, account),
    hold: (by) => hold.take(by),
    async close() {
      merging.end();
      hold.letGo();
      database.close();
    },
  };
}

type Reading =
  | 'get'
  | 'startingWith'
  | 'list'
  | 'known'
  | 'webhooks'
  | 'backlog'
  | 'refuse'
  | 'refusals'
  | 'refusal';

function reading(database: Database, account: number): Pick<Inbox, Reading> {
  return {
    get: async (id) => getDelivery(database, account, id),
    startingWith: async (prefix, limit) => idsStartingWith(database, account, prefix, limit),
    list: async (filter, page) => listDeliveries(database, account, filter, page),
    known: async (eventPrints) => knownEvents(database, account, eventPrints),
    webhooks: async () =>
      database
        .all('SELECT webhook FROM webhooks WHERE account = ? ORDER BY webhook', account)
        .map(({ webhook }) => String(webhook)),
    backlog: async () => countBacklog(database, account),
    refuse: async (refusals) => keepRefusals(database, account, refusals),
    refusals: async (limit) => listRefusals(database, account, limit),
    refusal: async (id) => getRefusal(database, account, id),
  };
}

function notes(database: Database, account: number): Pick<Inbox, 'note' | 'setNote'> {
  return {
    async note(name) {
      const row = database.get('SELECT value FROM notes WHERE account = ? AND name = ?', account, name);
      return row && String(row.value);
    },
    async setNote(name, value) {
      database.run(
        'INSERT INTO notes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        account,
        name,
        value,
      );
    },
  };
}
