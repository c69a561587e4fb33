/** The inbox in PostgreSQL, for several listeners on several machines. The server's clock is the one that counts. */

import type { Inbox, Refusal, RefusalLog } from '../core/ports/inbox.ts';
import type { Random } from '../core/random.ts';
import { readRefusal } from './inbox-rows.ts';
import { type Connection, connect } from './postgres-inbox/connection.ts';
import { createHandOver } from './postgres-inbox/hand-over.ts';
import { createKeeping, knownEvents } from './postgres-inbox/keeping.ts';
import { pruneDeliveries } from './postgres-inbox/pruning.ts';
import { createReading } from './postgres-inbox/reading.ts';
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
      const [row] = await connection.query(NOTE, [account, name]);
      return row && String(row.value);
    },
    async setNote(name, value) {
      await connection.query(
        `INSERT INTO remit_inbox.notes VALUES ($1, $2, $3)
         ON CONFLICT (account, name) DO UPDATE SET value = excluded.value`,
        [account, name, value],
      );
    },
    async firstNote(name, value) {
      await connection.query(FIRST_NOTE, [account, name, value]);
      const [row] = await connection.query(NOTE, [account, name]);
      return String(row?.value);
    },
    hold: async () => ({ held: true }),
    close: () => connection.close(),
  };
}

const NOTE = 'SELECT value FROM remit_inbox.notes WHERE account = $1 AND name = $2';
const FIRST_NOTE = 'INSERT INTO remit_inbox.notes VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

/** The latest refused requests, kept for people to look at. */
const KEPT_REFUSALS = 200;
const KEPT_BODY_BYTES = 65_536;
const NUL = /\0/g;

export function createRefusals(connection: Connection, account: number): RefusalLog {
  return {
    async refuse(refusals) {
      if (refusals.length === 0) return;
      await connection.transaction(async (within) => {
        for (const refusal of refusals.slice(-KEPT_REFUSALS))
          await within.query(INSERT, [account, ...columns(refusal)]);
        await within.query(DROP_OLDER, [account, KEPT_REFUSALS]);
      });
    },
    async refusals(limit) {
      const sql = 'SELECT * FROM remit_inbox.refusals WHERE account = $1 ORDER BY seq DESC LIMIT $2';
      return (await connection.query(sql, [account, limit])).map(readRefusal);
    },
  };
}

const INSERT = `
  INSERT INTO remit_inbox.refusals (account, id, received_at, peer, url, target, headers, body, body_bytes, cause, message)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
/** Another listener may be dropping the same ones. */
const DROP_OLDER = `
  DELETE FROM remit_inbox.refusals WHERE seq IN (
    SELECT seq FROM remit_inbox.refusals WHERE account = $1 AND seq <= (
      SELECT seq FROM remit_inbox.refusals WHERE account = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2)
    FOR UPDATE SKIP LOCKED)`;

/** These come from outside, and nothing proved them: no text has a NUL. */
function columns({
  id,
  receivedAt,
  from,
  url,
  target,
  headers,
  body,
  bodyBytes,
  cause,
  message,
}: Refusal): unknown[] {
  const kept = Buffer.from(body.subarray(0, KEPT_BODY_BYTES));
  const values = [
    id,
    receivedAt,
    from,
    url,
    target,
    JSON.stringify(headers),
    kept,
    bodyBytes,
    cause,
    message,
  ];
  return values.map((value) => (typeof value === 'string' ? value.replace(NUL, '\ufffd') : value));
}
