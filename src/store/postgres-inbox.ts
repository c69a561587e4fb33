/** The inbox in PostgreSQL, for several listeners on several machines. The server's clock is the one that counts. */
import type { Inbox } from '../core/ports/inbox.ts';
import type { Random } from '../core/random.ts';
import { type Connection, connect } from './postgres-inbox/connection.ts';
import { createHandOver } from './postgres-inbox/hand-over.ts';
import { createKeeping, knownEvents } from './postgres-inbox/keeping.ts';
import { pruneDeliveries } from './postgres-inbox/pruning.ts';
import { createReading } from './postgres-inbox/reading.ts';
import { createRefusals } from './postgres-inbox/refusals.ts';
import { accountNumber, migrate } from './postgres-inbox/schema.ts';
import type { PostgresOptions } from './postgres-pool.ts';

export interface PostgresInboxOptions {
  /** Base URL and a digest of the key: one database may serve several. */
  account: string;
  random: Random;
}

/**
 * Makes the tables where they are missing. @throws StoreError: `unreachable`, `denied`, `newer`, and those of a database. Later
 * ones do not end it: it connects again when it is asked again.
 */
export async function openPostgresInbox(
  options: PostgresOptions,
  { account: name, random }: PostgresInboxOptions,
): Promise<Inbox> {
  const connection = await connect(options);
  try {
    await migrate(connection);
    return createInbox(connection, await accountNumber(connection, name), random);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createInbox(connection: Connection, account: number, random: Random): Inbox {
  return {
    keep: createKeeping(connection, account, random),
    ...createHandOver(connection, account),
    ...createReading(connection, account),
    known: (eventPrints) => knownEvents(connection, account, eventPrints),
    ...createRefusals(connection, account),
    prune: (options) => pruneDeliveries(connection, account, options),
    giveBack: async () => 'by_server',
    async note(name) {
      const [row] = await connection.query(
        'SELECT value FROM remit_inbox.notes WHERE account = $1 AND name = $2',
        [account, name],
      );
      return row && String(row.value);
    },
    async setNote(name, value) {
      await connection.query(
        `INSERT INTO remit_inbox.notes VALUES ($1, $2, $3)
         ON CONFLICT (account, name) DO UPDATE SET value = excluded.value`,
        [account, name, value],
      );
    },
    hold: async () => ({ held: true }),
    close: () => connection.close(),
  };
}
