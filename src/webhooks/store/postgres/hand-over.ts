/**
 * Tells who hands on what, and in which order, among several listeners. As in the embedded inbox each object with something waiting
 * has a lane, and an owner leases the lane. Claims skip what another one has locked; the server's clock decides what is due.
 */
import { isUuid } from '../../../core/ids.ts';
import { invariant } from '../../../core/invariants.ts';
import type { ClaimedBatch, HandOverQueue, HandOverRecord, KeptDelivery } from '../port.ts';
import type { InboxConnection, Queries } from './connection.ts';
import { lockLanes, NOW_MS } from './keeping.ts';
import { KEPT, KEPT_FROM, readKept } from './rows.ts';

export function createHandOver(connection: InboxConnection, account: number): HandOverQueue {
  /* While there is more, the last answer says what the next question would: until something is due, 0 for now. */
  let idleMs: number | null = null;
  return {
    async claim({ owner, limit, leaseMs, bytes }): Promise<ClaimedBatch> {
      if (idleMs !== 0) idleMs = await nextIn(connection, account);
      if (idleMs !== 0) return { deliveries: [], nextInMs: idleMs };
      idleMs = null;
      const lease = async (within: Queries): Promise<KeptDelivery[]> => {
        await within.query(WAKE, [account]);
        const leased = await within.query(LEASE, [account, limit, owner, leaseMs, bytes ?? null]);
        const deliveries = await fetch(
          within,
          leased.map(({ seq }) => String(seq)),
        );
        idleMs = await nextIn(within, account);
        return deliveries;
      };
      /* A lease that is lost in a crash is claimed once more: it is not worth a wait for the disk. */
      const deliveries = await connection.transaction(lease, { lost: true });
      return { deliveries, nextInMs: idleMs };
    },
    record: (owner, records) =>
      records.length === 0
        ? Promise.resolve()
        : connection.transaction((within) => recordAll(within, account, owner, records)),
    requeue: (ids) => connection.transaction((within) => requeueAll(within, account, ids.filter(isUuid))),
  };
}

/** 0 when something is due now; null when nothing waits. */
async function nextIn(asking: Queries, account: number): Promise<number | null> {
  const [row] = await asking.query(NEXT, [account]);
  const laterMs = typeof row?.ms === 'string' ? Math.max(0, Number(row.ms)) : null;
  return row?.ready === true ? 0 : laterMs;
}

const NEXT = `
  SELECT (SELECT true FROM remit_inbox.lanes WHERE account = $1 AND ready ORDER BY first_seq LIMIT 1) AS ready,
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
      LEFT JOIN remit_inbox.deliveries d ON d.seq = p.first_seq
      LEFT JOIN remit_inbox.contents c ON c.account = d.account AND c.id = d.id
  )
  UPDATE remit_inbox.lanes SET ready = false, free_at = now() + $4 * interval '1 millisecond', owner = $3,
    claimed_seq = first_seq
  FROM sized WHERE lanes.account = sized.account AND lanes.object_id = sized.object_id
    AND ($5::float8 IS NULL OR before IS NULL OR before < $5::float8)
  RETURNING claimed_seq AS seq`;

/** This is a statement of its own, so that it sees deliveries that were kept after the one before began. */
async function fetch(within: Queries, seqs: readonly string[]): Promise<KeptDelivery[]> {
  if (seqs.length === 0) return [];
  const rows = await within.query(FETCH, [seqs]);
  invariant(
    rows.length === seqs.length && rows.every(({ state }) => state === 'waiting'),
    'a lane leads to a delivery that is here and waits',
  );
  const overtaken = rows.filter((row) => row.overtaken === true);
  if (overtaken.length > 0) {
    const ids = overtaken.map(({ id }) => id);
    await within.query('UPDATE remit_inbox.deliveries SET late = true WHERE id = ANY ($1)', [ids]);
  }
  return rows.map((row) => ({ ...readKept(row), late: row.late === true || row.overtaken === true }));
}

/**
 * Looks a delivery up by what is unique: by the account, which nearly every row has, PostgreSQL might read all of them. Only one that was asked for
 * once more can have been overtaken: order is kept otherwise. `handed` stays when one is asked for once more; `overtaken` has those
 * that are deleted.
 */
const FETCH = `
  SELECT ${KEPT}, d.requeued AND NOT d.late AND (EXISTS (
    SELECT 1 FROM remit_inbox.deliveries later WHERE later.account = d.account AND later.object_id = d.object_id
      AND later.seq > d.seq AND later.handed
  ) OR EXISTS (
    SELECT 1 FROM remit_inbox.overtaken gone WHERE gone.account = d.account AND gone.object_id = d.object_id
      AND gone.by_seq > d.seq)) AS overtaken
  FROM ${KEPT_FROM} WHERE d.seq = ANY ($1::bigint[]) ORDER BY d.seq`;

async function recordAll(
  within: Queries,
  account: number,
  owner: string,
  records: readonly HandOverRecord[],
): Promise<void> {
  const byId = new Map(records.filter(({ id }) => isUuid(id)).map((one) => [one.id.toLowerCase(), one]));
  const held = await within.query(HELD, [account, owner, [...byId.keys()]]);
  const done = held.map(({ id, object_id }) => ({ objectId: object_id, ...byId.get(String(id)) }));
  if (done.length === 0) return;
  const outcomes = done.map(({ outcome }) => outcome);
  const answers = done.map(({ answer }) => answer ?? null);
  const recorded = await within.query(RECORD, [done.map(({ id }) => id), outcomes, answers]);
  const tried = outcomes.filter((outcome) => outcome !== 'not_tried');
  invariant(recorded.length === tried.length, 'every hand-over of a claimed delivery is recorded, once');
  const delays = done.map(({ outcome, delayMs = 0 }) => (outcome === 'again' ? delayMs : 0));
  await within.query(FREE, [account, done.map(({ objectId }) => String(objectId)), delays]);
}

/** One look-up for each, in the order in which lanes are locked. What is claimed waits: only its record changes that. */
const HELD = `
  WITH asked AS MATERIALIZED (
    SELECT id, object_id, seq FROM remit_inbox.deliveries WHERE id = ANY ($3::uuid[]) ORDER BY object_id
  )
  SELECT asked.id, asked.object_id FROM asked CROSS JOIN LATERAL (
    SELECT 1 FROM remit_inbox.lanes l
    WHERE l.account = $1 AND l.object_id = asked.object_id AND l.claimed_seq = asked.seq AND l.owner = $2 FOR UPDATE
  ) AS held`;

/** A delivery that was late says nothing about what is newer: it leaves `handed` as it was. */
const RECORD = `
  UPDATE remit_inbox.deliveries SET
    handed = handed OR (outcome = 'handed_on' AND NOT late),
    state = CASE WHEN outcome IN ('handed_on', 'dead_letter') THEN outcome ELSE state END,
    changed_at = CASE WHEN outcome IN ('handed_on', 'dead_letter') THEN ${NOW_MS} ELSE changed_at END,
    attempts = attempts + 1,
    answer = given.answer
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (id, outcome, answer)
  WHERE deliveries.id = ANY ($1) AND deliveries.id = given.id AND outcome <> 'not_tried' AND state = 'waiting'
  RETURNING deliveries.id`;

const FIRST_WAITING = (objectId: string): string => `
  (SELECT seq FROM remit_inbox.deliveries d
    WHERE d.account = $1 AND d.object_id = ${objectId} AND d.waiting ORDER BY seq LIMIT 1)`;

/** Deletes the locked lanes in which nothing waits, and makes the others due after their pause. */
const FREE = `
  WITH given AS MATERIALIZED (
    SELECT object_id, delay_ms, ${FIRST_WAITING('one.object_id')} AS seq
    FROM unnest($2::text[], $3::float8[]) AS one (object_id, delay_ms)
  ), gone AS (
    DELETE FROM remit_inbox.lanes USING given
    WHERE lanes.account = $1 AND lanes.object_id = ANY ($2) AND lanes.object_id = given.object_id AND given.seq IS NULL
  )
  UPDATE remit_inbox.lanes SET first_seq = given.seq, ready = delay_ms <= 0,
    free_at = now() + delay_ms * interval '1 millisecond', owner = NULL, claimed_seq = NULL
  FROM given
  WHERE lanes.account = $1 AND lanes.object_id = ANY ($2) AND lanes.object_id = given.object_id AND given.seq IS NOT NULL`;

/** Attempts begin anew, and a pause is over; what is leased stays with its owner. */
async function requeueAll(within: Queries, account: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const found = await within.query(
    'SELECT DISTINCT object_id FROM remit_inbox.deliveries WHERE account = $1 AND id = ANY ($2::uuid[])',
    [account, ids],
  );
  const objectIds = found.map(({ object_id }) => String(object_id));
  await lockLanes(within, account, objectIds);
  const rows = await within.query(REQUEUE, [account, ids]);
  await within.query(WAKE_REQUEUED, [account, objectIds]);
  invariant(
    rows.every(({ state }) => state === 'waiting'),
    'what is asked for once more waits',
  );
  await within.query(
    'DELETE FROM remit_inbox.lanes WHERE account = $1 AND object_id = ANY ($2) AND first_seq IS NULL',
    [account, objectIds],
  );
  return rows.length;
}

const REQUEUE = `
  UPDATE remit_inbox.deliveries SET requeued = true, attempts = 0, state = 'waiting',
    changed_at = CASE state WHEN 'waiting' THEN changed_at ELSE ${NOW_MS} END
  WHERE account = $1 AND id = ANY ($2::uuid[]) RETURNING id, state`;
const WAKE_REQUEUED = `
  UPDATE remit_inbox.lanes SET first_seq = ${FIRST_WAITING('lanes.object_id')}, ready = ready OR owner IS NULL
  WHERE account = $1 AND object_id = ANY ($2)`;
