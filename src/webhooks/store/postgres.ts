/** The inbox in PostgreSQL, for several listeners on several machines. The server's clock is the one that counts. */

import { isUuid } from '../../core/ids.ts';
import type { Random } from '../../core/random.ts';
import type { PostgresOptions } from '../../disk/postgres-pool.ts';
import { readRefusal } from './inbox-rows.ts';
import type { DeliveryReader, Inbox, Refusal, RefusalLog } from './port.ts';
import { connect, type InboxConnection } from './postgres/connection.ts';
import { createHandOver } from './postgres/hand-over.ts';
import { createKeeping, knownEvents } from './postgres/keeping.ts';
import { pruneDeliveries } from './postgres/pruning.ts';
import { KEPT, KEPT_FROM, LISTED, readKept, readListed } from './postgres/rows.ts';
import { accountNumber, migrate } from './postgres/schema.ts';

/** Reading deliveries. */
function createReading(connection: InboxConnection, account: number): DeliveryReader {
  return {
    async get(id) {
      if (!isUuid(id)) return undefined;
      const [row] = await connection.query(
        `SELECT ${KEPT} FROM ${KEPT_FROM} WHERE d.account = $1 AND d.id = $2`,
        [account, id],
      );
      return row && readKept(row);
    },
    async startingWith(prefix, limit) {
      const digits = prefix.toLowerCase().replaceAll('-', '');
      if (!/^[0-9a-f]{0,32}$/.test(digits)) return [];
      const rows = await connection.query(STARTING, [
        account,
        digits.padEnd(32, '0'),
        digits.padEnd(32, 'f'),
        limit,
      ]);
      return rows.map(({ id }) => String(id)).filter((id) => id.startsWith(prefix.toLowerCase()));
    },
    async endingWith(eight, limit) {
      if (!/^[0-9a-f]{8}$/i.test(eight)) return [];
      const rows = await connection.query(ENDING, [account, eight.toLowerCase(), limit]);
      return rows.map(({ id }) => String(id));
    },
    async list(filter, page) {
      const { conditions, values } = filtered(account, filter, page.after);
      const rows = await connection.query(
        `SELECT ${LISTED} FROM remit_inbox.deliveries d WHERE ${conditions}
         ORDER BY d.received_at DESC, d.id DESC LIMIT $${values.length + 1}`,
        [...values, page.limit],
      );
      return rows.map(readListed);
    },
    async count(filter) {
      const { conditions, values } = filtered(account, filter, undefined);
      const sql = `SELECT count(*) AS total FROM remit_inbox.deliveries d WHERE ${conditions}`;
      const [row] = await connection.query(sql, values);
      return Number(row?.total);
    },
    async webhooks() {
      const rows = await connection.query(
        'SELECT webhook FROM remit_inbox.webhooks WHERE account = $1 ORDER BY webhook COLLATE "C"',
        [account],
      );
      return rows.map(({ webhook }) => String(webhook));
    },
    async backlog() {
      const [row] = await connection.query(BACKLOG, [account]);
      return { waiting: Number(row?.waiting), deadLetters: Number(row?.dead_letters) };
    },
    async waitsSince() {
      const [row] = await connection.query(OLDEST, [account]);
      return row?.oldest === null || row?.oldest === undefined ? null : Number(row.oldest);
    },
  };
}

const STARTING = `
  SELECT id FROM remit_inbox.contents WHERE account = $1 AND id BETWEEN $2::uuid AND $3::uuid ORDER BY id LIMIT $4`;
const ENDING = `
  SELECT id FROM remit_inbox.contents WHERE account = $1 AND right(id::text, 8) = $2 ORDER BY id LIMIT $3`;
const OLDEST = `SELECT min(received_at) AS oldest FROM remit_inbox.deliveries WHERE account = $1 AND state = 'waiting'`;
const BACKLOG = `
  SELECT (SELECT count(*) FROM remit_inbox.deliveries WHERE account = $1 AND waiting) AS waiting,
    (SELECT count(*) FROM remit_inbox.deliveries WHERE account = $1 AND state = 'dead_letter') AS dead_letters`;

function filtered(
  account: number,
  { event, state, since, transactionId }: Parameters<DeliveryReader['list']>[0],
  after: Parameters<DeliveryReader['list']>[1]['after'],
): { conditions: string; values: unknown[] } {
  const values: unknown[] = [account];
  const conditions = ['d.account = $1'];
  const add = (sql: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${sql} $${values.length}`);
  };
  add('d.event =', event);
  add('d.state =', state);
  add('d.received_at >=', since);
  add('d.transaction_id =', transactionId);
  if (after) {
    values.push(after.receivedAt, after.id);
    conditions.push(`(d.received_at, d.id) < ($${values.length - 1}::bigint, $${values.length}::uuid)`);
  }
  return { conditions: conditions.join(' AND '), values };
}

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

function createInbox(connection: InboxConnection, account: number, random: Random): Inbox {
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

export function createRefusals(connection: InboxConnection, account: number): RefusalLog {
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
