/** Reading deliveries, and deleting the old ones a part at a time. */
import { isUuid } from '../../core/ids.ts';
import type { Inbox } from '../../core/ports/inbox.ts';
import type { Asking, Connection } from './connection.ts';
import { KEPT, KEPT_FROM, LISTED, readKept, readListed } from './rows.ts';

type Reading = Pick<Inbox, 'get' | 'startingWith' | 'list' | 'webhooks' | 'backlog'>;

export function createReading(connection: Connection, account: number): Reading {
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
    async list(filter, page) {
      const { conditions, values } = filtered(account, filter, page.after);
      const rows = await connection.query(
        `SELECT ${LISTED} FROM remit_inbox.deliveries d WHERE ${conditions}
         ORDER BY d.received_at DESC, d.id DESC LIMIT $${values.length + 1}`,
        [...values, page.limit],
      );
      return rows.map(readListed);
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
  };
}

const STARTING = `
  SELECT id FROM remit_inbox.contents WHERE account = $1 AND id BETWEEN $2::uuid AND $3::uuid ORDER BY id LIMIT $4`;
const BACKLOG = `
  SELECT (SELECT count(*) FROM remit_inbox.deliveries WHERE account = $1 AND waiting) AS waiting,
    (SELECT count(*) FROM remit_inbox.deliveries WHERE account = $1 AND state = 'dead_letter') AS dead_letters`;

function filtered(
  account: number,
  { event, state, since, transactionId }: Parameters<Inbox['list']>[0],
  after: Parameters<Inbox['list']>[1]['after'],
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

const PART = 1000;

export async function pruneDeliveries(
  connection: Connection,
  account: number,
  { before, deadLetters, forget }: Parameters<Inbox['prune']>[0],
): Promise<number> {
  const states = ['kept', 'handed_on', ...(deadLetters ? ['dead_letter'] : [])];
  let gone = 0;
  for (;;) {
    const part = await connection.transaction(async (within) => {
      const rows = await within.query(PRUNE, [account, before, states, PART]);
      const ids = rows.map(({ id }) => id);
      await within.query('DELETE FROM remit_inbox.contents WHERE account = $1 AND id = ANY ($2)', [
        account,
        ids,
      ]);
      await remember(within, account, rows);
      if (forget) await forgetPrints(within, account, rows);
      return rows.length;
    });
    gone += part;
    if (part < PART) return gone;
  }
}

const PRUNE = `
  DELETE FROM remit_inbox.deliveries WHERE account = $1 AND state = ANY ($3) AND id IN (
    SELECT id FROM remit_inbox.deliveries WHERE account = $1 AND received_at < $2 AND state = ANY ($3)
    ORDER BY received_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  RETURNING id, object_id, seq, handed, ARRAY[delivery_print, event_print] AS prints`;

/** An event of which another delivery stays is known by that one from now on. */
async function forgetPrints(
  within: Asking,
  account: number,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const prints = rows.flatMap((row) => row.prints);
  await within.query(INHERIT, [account, ids, prints, [...new Set(rows.map(({ object_id }) => object_id))]]);
  await within.query(FORGET, [account, ids, prints]);
}

/**
 * The oldest. Whatever was not marked a repeat when it came stands for its event itself; what somebody else deletes just now is
 * passed over.
 */
const INHERIT = `
  UPDATE remit_inbox.prints SET id = heirs.id
  FROM (
    SELECT DISTINCT ON (event_print) event_print, id FROM (
      SELECT event_print, id, seq FROM remit_inbox.deliveries
      WHERE account = $1 AND object_id = ANY ($4::text[]) AND repeat AND event_print = ANY ($3::bytea[])
      FOR KEY SHARE SKIP LOCKED) AS stays
    ORDER BY event_print, seq) AS heirs
  WHERE prints.account = $1 AND prints.kind = 1 AND prints.print = heirs.event_print
    AND prints.id = ANY ($2::uuid[])`;
const FORGET = `
  DELETE FROM remit_inbox.prints
  WHERE account = $1 AND kind IN (0, 1) AND print = ANY ($3::bytea[]) AND id = ANY ($2::uuid[])`;

/** What was handed on, where an earlier one of the object stays, such as a dead letter. Nobody waits in a circle: see the orders. */
async function remember(
  within: Asking,
  account: number,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const handed = rows.filter((row) => row.handed === true);
  if (handed.length > 0) {
    const objectIds = handed.map(({ object_id }) => object_id);
    await within.query(OVERTAKE, [account, objectIds, handed.map(({ seq }) => seq)]);
  }
  await within.query(NOT_OVERTAKEN, [account, [...new Set(rows.map(({ object_id }) => object_id))]]);
}

const OVERTAKE = `
  INSERT INTO remit_inbox.overtaken (account, object_id, by_seq)
  SELECT $1, object_id, seq
  FROM (SELECT object_id, max(seq) AS seq FROM unnest($2::text[], $3::bigint[]) AS one (object_id, seq) GROUP BY object_id) AS gone
  WHERE EXISTS (
    SELECT 1 FROM remit_inbox.deliveries d WHERE d.account = $1 AND d.object_id = gone.object_id AND d.seq < gone.seq)
  ORDER BY object_id
  ON CONFLICT (account, object_id) DO UPDATE SET by_seq = greatest(overtaken.by_seq, excluded.by_seq)`;

/** The last one before it is gone as well. */
const NOT_OVERTAKEN = `
  DELETE FROM remit_inbox.overtaken WHERE account = $1 AND object_id IN (
    SELECT object_id FROM remit_inbox.overtaken o
    WHERE o.account = $1 AND o.object_id = ANY ($2) AND NOT EXISTS (
      SELECT 1 FROM remit_inbox.deliveries d
      WHERE d.account = $1 AND d.object_id = o.object_id AND d.seq < o.by_seq)
    FOR UPDATE SKIP LOCKED)`;
