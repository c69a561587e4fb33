/**
 * Who hands on what, and in which order, among several listeners. As in the embedded inbox each object with something waiting
 * has a lane, and an owner leases the lane. Claims skip what another one has locked; the server's clock decides what is due.
 */

import { isUuid } from '../../core/ids.ts';
import type { Claim, Inbox, KeptDelivery, Settlement } from '../../core/ports/inbox.ts';
import type { Asking, Connection } from './connection.ts';
import { lockLanes, serverTime } from './keeping.ts';
import { KEPT, KEPT_FROM, readKept } from './rows.ts';

export function createHandOver(
  connection: Connection,
  account: number,
): Pick<Inbox, 'claim' | 'settle' | 'requeue'> {
  return {
    async claim({ owner, limit, leaseMs, bytes }): Promise<Claim> {
      const idle = await nextIn(connection, account);
      if (idle !== 0) return { deliveries: [], nextInMs: idle };
      await connection.query(WAKE, [account]);
      const leased = await connection.query(LEASE, [account, limit, owner, leaseMs, bytes ?? null]);
      const deliveries = await fetch(
        connection,
        account,
        leased.map(({ seq }) => String(seq)),
      );
      return { deliveries, nextInMs: await nextIn(connection, account) };
    },
    settle: (owner, settlements) =>
      settlements.length === 0
        ? Promise.resolve()
        : connection.transaction((within) => settleAll(within, account, owner, settlements)),
    requeue: (ids) => connection.transaction((within) => requeueAll(within, account, ids.filter(isUuid))),
  };
}

/** 0 when something is due now; null when nothing waits. */
async function nextIn(asking: Asking, account: number): Promise<number | null> {
  const [row] = await asking.query(NEXT, [account]);
  if (row?.ready === true) return 0;
  return typeof row?.ms === 'string' ? Math.max(0, Number(row.ms)) : null;
}

const NEXT = `
  SELECT EXISTS (SELECT 1 FROM remit_inbox.lanes WHERE account = $1 AND ready) AS ready,
    (SELECT ceil(extract(epoch FROM min(free_at) - now()) * 1000)::text
      FROM remit_inbox.lanes WHERE account = $1 AND NOT ready) AS ms`;

const WAKE = `
  UPDATE remit_inbox.lanes SET ready = true WHERE account = $1 AND object_id IN (
    SELECT object_id FROM remit_inbox.lanes WHERE account = $1 AND NOT ready AND free_at <= now() FOR UPDATE SKIP LOCKED)`;

const LEASE = `
  WITH picked AS (
    SELECT account, object_id, first_seq FROM remit_inbox.lanes WHERE account = $1 AND ready
    ORDER BY first_seq LIMIT $2 FOR UPDATE SKIP LOCKED
  ),
  sized AS (
    SELECT p.account, p.object_id, sum(octet_length(c.body)) OVER (
      ORDER BY p.first_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM picked p
      LEFT JOIN remit_inbox.deliveries d ON d.account = p.account AND d.seq = p.first_seq
      LEFT JOIN remit_inbox.contents c ON c.account = d.account AND c.id = d.id
  )
  UPDATE remit_inbox.lanes SET ready = false, free_at = now() + $4 * interval '1 millisecond', owner = $3,
    claimed_seq = first_seq
  FROM sized WHERE lanes.account = sized.account AND lanes.object_id = sized.object_id
    AND ($5::float8 IS NULL OR before IS NULL OR before < $5::float8)
  RETURNING claimed_seq AS seq`;

/** A statement of its own: what was kept after the one before began must be seen. */
async function fetch(
  connection: Connection,
  account: number,
  seqs: readonly string[],
): Promise<KeptDelivery[]> {
  if (seqs.length === 0) return [];
  const rows = await connection.query(FETCH, [account, seqs]);
  const overtaken = rows.filter((row) => row.overtaken === true);
  if (overtaken.length > 0) {
    const ids = overtaken.map(({ id }) => id);
    await connection.query(
      'UPDATE remit_inbox.deliveries SET late = true WHERE account = $1 AND id = ANY ($2)',
      [account, ids],
    );
  }
  return rows.map((row) => ({ ...readKept(row), late: row.late === true || row.overtaken === true }));
}

/** Only one that was asked for once more can have been overtaken: order is kept otherwise. */
const FETCH = `
  SELECT ${KEPT}, d.requeued AND NOT d.late AND EXISTS (
    SELECT 1 FROM remit_inbox.deliveries later WHERE later.account = d.account AND later.object_id = d.object_id
      AND later.seq > d.seq AND later.state = 'handed_on') AS overtaken
  FROM ${KEPT_FROM} WHERE d.account = $1 AND d.seq = ANY ($2::bigint[]) ORDER BY d.seq`;

async function settleAll(
  within: Asking,
  account: number,
  owner: string,
  settlements: readonly Settlement[],
): Promise<void> {
  const byId = new Map(settlements.filter(({ id }) => isUuid(id)).map((one) => [one.id.toLowerCase(), one]));
  const held = await within.query(HELD, [account, owner, [...byId.keys()]]);
  const done = held.map(({ id, object_id }) => ({ objectId: object_id, ...byId.get(String(id)) }));
  if (done.length === 0) return;
  const ids = done.map(({ id }) => id);
  const outcomes = done.map(({ outcome }) => outcome);
  const now = await serverTime(within);
  await within.query(SETTLE, [account, ids, outcomes, done.map(({ answer }) => answer ?? null), now]);
  const delays = done.map(({ outcome, delayMs = 0 }) => (outcome === 'again' ? delayMs : 0));
  await freeLanes(
    within,
    account,
    done.map(({ objectId }) => String(objectId)),
    delays,
  );
}

const HELD = `
  SELECT d.id, d.object_id FROM remit_inbox.lanes l
    JOIN remit_inbox.deliveries d ON d.account = l.account AND d.object_id = l.object_id AND d.seq = l.claimed_seq
  WHERE l.account = $1 AND l.owner = $2 AND d.id = ANY ($3::uuid[]) AND d.state = 'waiting'
  ORDER BY l.object_id FOR UPDATE OF l`;

const SETTLE = `
  UPDATE remit_inbox.deliveries SET
    state = CASE WHEN outcome IN ('handed_on', 'dead_letter') THEN outcome ELSE state END,
    changed_at = CASE WHEN outcome IN ('handed_on', 'dead_letter') THEN $5::bigint ELSE changed_at END,
    attempts = attempts + 1,
    answer = given.answer
  FROM unnest($2::uuid[], $3::text[], $4::text[]) AS given (id, outcome, answer)
  WHERE deliveries.account = $1 AND deliveries.id = given.id AND outcome <> 'not_tried'`;

/** They are locked. Those with nothing waiting go; the others are due after their pause. */
async function freeLanes(
  within: Asking,
  account: number,
  objectIds: readonly string[],
  delaysMs: readonly number[],
): Promise<void> {
  await within.query(FREE, [account, objectIds, delaysMs]);
  await within.query(
    'DELETE FROM remit_inbox.lanes WHERE account = $1 AND object_id = ANY ($2) AND first_seq IS NULL',
    [account, objectIds],
  );
}

const FIRST_WAITING = `
  (SELECT min(seq) FROM remit_inbox.deliveries d
    WHERE d.account = lanes.account AND d.object_id = lanes.object_id AND d.state = 'waiting')`;
const FREE = `
  UPDATE remit_inbox.lanes SET first_seq = ${FIRST_WAITING}, ready = delay_ms <= 0,
    free_at = now() + delay_ms * interval '1 millisecond', owner = NULL, claimed_seq = NULL
  FROM unnest($2::text[], $3::float8[]) AS given (object_id, delay_ms)
  WHERE lanes.account = $1 AND lanes.object_id = given.object_id`;

/** Attempts begin anew, and a pause is over; what is leased stays with its owner. */
async function requeueAll(within: Asking, account: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const found = await within.query(
    'SELECT DISTINCT object_id FROM remit_inbox.deliveries WHERE account = $1 AND id = ANY ($2::uuid[])',
    [account, ids],
  );
  const objectIds = found.map(({ object_id }) => String(object_id));
  await lockLanes(within, account, objectIds);
  const rows = await within.query(REQUEUE, [account, ids, await serverTime(within)]);
  await within.query(WAKE_REQUEUED, [account, objectIds]);
  await within.query(
    'DELETE FROM remit_inbox.lanes WHERE account = $1 AND object_id = ANY ($2) AND first_seq IS NULL',
    [account, objectIds],
  );
  return rows.length;
}

const REQUEUE = `
  UPDATE remit_inbox.deliveries SET requeued = true, attempts = 0, state = 'waiting',
    changed_at = CASE state WHEN 'waiting' THEN changed_at ELSE $3 END
  WHERE account = $1 AND id = ANY ($2::uuid[]) RETURNING id`;
const WAKE_REQUEUED = `
  UPDATE remit_inbox.lanes SET first_seq = ${FIRST_WAITING}, ready = ready OR owner IS NULL
  WHERE account = $1 AND object_id = ANY ($2)`;
