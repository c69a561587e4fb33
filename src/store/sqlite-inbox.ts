/** The inbox in a file of its own, apart from the journal: bodies are big, and a full inbox must not stop money. */
import type { Inbox } from '../core/ports/inbox.ts';
import type { StoreDependencies } from './dependencies.ts';
import type { Database } from './driver.ts';
import { packBatch } from './packing.ts';
import { createArrivals } from './sqlite-inbox/arrivals.ts';
import { createHandOver } from './sqlite-inbox/hand-over.ts';
import { createHold } from './sqlite-inbox/hold.ts';
import { createKeeping, type KeepPacked } from './sqlite-inbox/keeping.ts';
import { countBacklog, getDelivery, idsStartingWith, listDeliveries } from './sqlite-inbox/listing.ts';
import { createMerging } from './sqlite-inbox/merging.ts';
import { pruneDeliveries } from './sqlite-inbox/pruning.ts';
import { getRefusal, keepRefusals, listRefusals } from './sqlite-inbox/refusals.ts';
import { accountNumber, openInboxFile } from './sqlite-inbox/schema.ts';
import { giveBack } from './sqlite-inbox/space.ts';
import { createTail, knownEvents } from './sqlite-inbox/tail.ts';
import { unpackAll } from './sqlite-inbox/unpacking.ts';

export interface SqliteInboxOptions extends StoreDependencies {
  /** Base URL and a digest of the key: a file may serve several. */
  account: string;
}

export interface SqliteInbox extends Inbox {
  /** `keep` for a batch that was packed in another thread. */
  keepPacked: KeepPacked;
}

/** Opens the file, or makes it; `:memory:` leaves none. @throws StoreError when it cannot be opened, read or written */
export async function openSqliteInbox(path: string, options: SqliteInboxOptions): Promise<SqliteInbox> {
  return createSqliteInbox(await openInboxFile(path), path, options);
}

export function createSqliteInbox(
  database: Database,
  path: string,
  options: SqliteInboxOptions,
): SqliteInbox {
  const { account: name, clock } = options;
  const account = accountNumber(database, name);
  const arrivals = createArrivals(database, account);
  const tail = createTail(database, account, arrivals);
  const merging = createMerging(database, { arrivals, tail });
  const keepNow = createKeeping(database, { arrivals, tail }, options);
  const handOver = createHandOver(database, { account, arrivals }, clock);
  const hold = createHold(path, name, () => handOver.free());
  const keepPacked: KeepPacked = (batch, options) => {
    merging.check();
    const keepings = keepNow(batch, options);
    merging.kept(keepings.length);
    return keepings;
  };
  return {
    inOrder: true,
    keep: async (deliveries, options) => keepPacked(packBatch(deliveries), options),
    keepPacked,
    claim: async (wanted) => handOver.claim(wanted),
    settle: async (owner, settlements) => handOver.settle(owner, settlements),
    async requeue(ids) {
      await unpackAll(database);
      return handOver.requeue(ids);
    },
    async prune(options) {
      await unpackAll(database);
      return pruneDeliveries(database, account, tail, options);
    },
    giveBack: () => giveBack(database, hold),
    ...reading(database, account),
    ...refusing(database, account),
    ...notes(database, account),
    hold: (by) => hold.take(by),
    async close() {
      merging.end();
      hold.letGo();
      try {
        merging.check();
      } finally {
        database.close();
      }
    },
  };
}

type Reading = 'get' | 'startingWith' | 'list' | 'known' | 'webhooks' | 'backlog';

/** Of what is there: also of what is packed still. */
function reading(database: Database, account: number): Pick<Inbox, Reading> {
  const unpacked =
    <A extends unknown[], R>(read: (...args: A) => R) =>
    async (...args: A): Promise<R> => {
      await unpackAll(database);
      return read(...args);
    };
  return {
    get: unpacked((id) => getDelivery(database, account, id)),
    startingWith: unpacked((prefix, limit) => idsStartingWith(database, account, prefix, limit)),
    list: unpacked((filter, page) => listDeliveries(database, account, filter, page)),
    known: unpacked((eventPrints) => knownEvents(database, account, eventPrints)),
    webhooks: unpacked(() => database.all(WEBHOOKS, account).map(({ webhook }) => String(webhook))),
    backlog: async () => countBacklog(database, account),
  };
}

const WEBHOOKS = 'SELECT webhook FROM webhooks WHERE account = ? ORDER BY webhook';

function refusing(database: Database, account: number): Pick<Inbox, 'refuse' | 'refusals' | 'refusal'> {
  return {
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
