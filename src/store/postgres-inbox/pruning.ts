/** Deletes what is old, a part at a time. */
import type { Inbox } from '../../core/ports/inbox.ts';
import type { Asking, Connection } from './connection.ts';

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
