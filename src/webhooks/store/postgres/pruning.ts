/** Deletes what is old, a part at a time: each is found in an index that goes on from the part before. */
import { invariant } from '../../../core/invariants.ts';
import type { InboxUpkeep } from '../port.ts';
import type { InboxConnection, Queries } from './connection.ts';

const PART = 1000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

type Place = [receivedAt: number, id: string];

export async function pruneDeliveries(
  connection: InboxConnection,
  account: number,
  { before, deadLetters, forget }: Parameters<InboxUpkeep['prune']>[0],
): Promise<number> {
  const states = ['kept', 'handed_on', ...(deadLetters ? ['dead_letter'] : [])];
  let gone = 0;
  for (let place: Place = [-1, NO_ID]; ; ) {
    const part = await connection.transaction(async (within) => {
      const old = await within.query(OLD, [account, before, states, PART, ...place]);
      await deleteAll(within, account, { ids: old.map(({ id }) => id), forget });
      return old;
    });
    gone += part.length;
    const last = part.at(-1);
    if (part.length < PART || !last) return gone;
    place = [Number(last.received_at), String(last.id)];
  }
}

async function deleteAll(
  within: Queries,
  account: number,
  { ids, forget }: { ids: readonly unknown[]; forget: boolean },
): Promise<void> {
  const rows = await within.query(DELETE, [ids]);
  invariant(
    rows.length === ids.length && rows.every(({ waiting }) => waiting === false),
    'what waits to be handed on is never deleted, and what is counted as gone is gone',
  );
  await within.query('DELETE FROM remit_inbox.contents WHERE account = $1 AND id = ANY ($2)', [account, ids]);
  await remember(within, account, rows);
  if (forget) await forgetPrints(within, account, rows);
}

/** Follows the order of an index, and on from the part before: what stays, and what has just been deleted, is not read again. */
const OLD = `
  SELECT id, received_at FROM remit_inbox.deliveries
  WHERE account = $1 AND received_at < $2 AND state = ANY ($3) AND (received_at, id) > ($5::bigint, $6::uuid)
  ORDER BY received_at, id LIMIT $4 FOR UPDATE SKIP LOCKED`;
/** Apart from the search: with it, a server that knows nothing about the table yet searches again for each row. */
const DELETE = `
  DELETE FROM remit_inbox.deliveries WHERE id = ANY ($1::uuid[])
  RETURNING id, object_id, seq, waiting, handed, ARRAY[delivery_print, event_print] AS prints`;

/** An event of which another delivery stays is known by that one from now on. */
async function forgetPrints(
  within: Queries,
  account: number,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const prints = rows.flatMap((row) => row.prints);
  await within.query(INHERIT, [account, ids, prints, [...new Set(rows.map(({ object_id }) => object_id))]]);
  await within.query(FORGET, [account, ids, prints]);
}

/**
 * The oldest. Whatever was not marked a repeat when it came stands for its event itself; one that another process deletes is
 * passed over.
 */
const INHERIT = `
  UPDATE remit_inbox.prints SET id = heirs.id
  FROM (
    SELECT DISTINCT ON (event_print) event_print, stays.id
    FROM unnest($4::text[]) AS gone (object_id) CROSS JOIN LATERAL (
      SELECT d.event_print, d.id, d.seq FROM remit_inbox.deliveries d
      WHERE d.account = $1 AND d.object_id = gone.object_id AND d.repeat AND d.event_print = ANY ($3::bytea[])
      ORDER BY d.seq FOR KEY SHARE SKIP LOCKED) AS stays
    ORDER BY event_print, stays.seq) AS heirs
  WHERE prints.account = $1 AND prints.kind = 1 AND prints.print = heirs.event_print
    AND prints.print = ANY ($3::bytea[]) AND prints.id = ANY ($2::uuid[])`;
const FORGET = `
  DELETE FROM remit_inbox.prints
  WHERE account = $1 AND kind IN (0, 1) AND print = ANY ($3::bytea[]) AND id = ANY ($2::uuid[])`;

/**
 * Remembers the pruned deliveries that were handed on, where an earlier one of the object stays, such as a dead
 * letter. The order of locks prevents a deadlock.
 */
async function remember(
  within: Queries,
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
