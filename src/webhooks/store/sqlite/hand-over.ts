/**
 * Tells who hands on what, and in which order (decision 0038). Each object with something waiting has a lane; an owner leases the
 * lane, not the delivery, so that nothing of an object overtakes. A lane is `ready`, or it is due later (`free_at`: the end of a
 * lease or of a pause). Each kind has an index of its own, so that many lanes behind a dead target cost a claim nothing.
 */
import type { Clock } from '../../../core/clock.ts';
import { invariant } from '../../../core/invariants.ts';
import type { Database, Row } from '../../../disk/driver.ts';
import type { ClaimedBatch, HandOverQueue, HandOverRecord, KeptDelivery } from '../port.ts';
import { bytesOfHex, KEPT, readKept } from './rows.ts';

/** Due is what the given clock says. */
export function claimDeliveries(
  database: Database,
  account: number,
  clock: Clock,
  { owner, limit, leaseMs, bytes = Number.POSITIVE_INFINITY }: Parameters<HandOverQueue['claim']>[0],
): ClaimedBatch {
  const now = clock.now();
  const nextInMs = nextLane(database, account, now);
  if (nextInMs !== 0) return { deliveries: [], nextInMs };
  return database.transaction(() => {
    database.run(WAKE, account, now);
    const deliveries: KeptDelivery[] = [];
    let left = bytes;
    for (const { first_seq } of database.all(READY, account, limit)) {
      if (left <= 0) break;
      const delivery = lease(database, Number(first_seq), owner, now + leaseMs);
      left -= delivery.body.length;
      deliveries.push(delivery);
    }
    return { deliveries, nextInMs: nextLane(database, account, now) };
  });
}

export function recordHandOvers(
  database: Database,
  account: number,
  clock: Clock,
  owner: string,
  records: readonly HandOverRecord[],
): void {
  if (records.length === 0) return;
  const now = clock.now();
  database.transaction(() => {
    for (const record of records) recordOne(database, account, owner, record, now);
  });
}

export const requeueDeliveries = (
  database: Database,
  account: number,
  clock: Clock,
  ids: readonly string[],
): number =>
  database.transaction(() => ids.filter((id) => requeueOne(database, account, id, clock.now())).length);

/** Removes every claim. */
export function freeLanes(database: Database, account: number): void {
  database.run(FREE_ALL, account);
}

const READY = 'SELECT first_seq FROM lanes WHERE account = ? AND ready = 1 ORDER BY first_seq LIMIT ?';
const WAKE = 'UPDATE lanes SET ready = 1 WHERE account = ? AND ready = 0 AND free_at <= ?';

/** 0 when something is due now; null when nothing waits. */
function nextLane(database: Database, account: number, now: number): number | null {
  if (database.get('SELECT 1 FROM lanes WHERE account = ? AND ready = 1 LIMIT 1', account)) return 0;
  const at = database.get(
    'SELECT min(free_at) AS at FROM lanes WHERE account = ? AND ready = 0',
    account,
  )?.at;
  return at === null || at === undefined ? null : Math.max(0, Number(at) - now);
}

function lease(database: Database, seq: number, owner: string, until: number): KeptDelivery {
  const row = database.get(
    `SELECT account, requeued, overtaken, ${KEPT} FROM deliveries JOIN contents USING (seq) WHERE seq = ?`,
    seq,
  );
  invariant(row?.state === 'waiting', 'a lane leads to a delivery that is here and waits');
  const claimed = database.run(
    'UPDATE lanes SET ready = 0, free_at = ?, owner = ?, claimed_seq = ? WHERE account = ? AND object_id = ?',
    until,
    owner,
    seq,
    row.account ?? 0,
    row.object_id ?? '',
  );
  invariant(claimed === 1, 'an object whose delivery is claimed has one lane, and it is leased');
  const delivery = readKept(row);
  return isOvertaken(database, row) ? { ...delivery, late: markLate(database, seq) } : delivery;
}

function markLate(database: Database, seq: number): true {
  database.run('UPDATE deliveries SET late = 1 WHERE seq = ?', seq);
  return true;
}

/** Only one that was asked for once more can have been: order is kept otherwise. */
function isOvertaken(database: Database, { account = 0, object_id = '', seq = 0, ...row }: Row): boolean {
  if (row.requeued === 0 || row.late === 1) return false;
  const subject = row.transaction_id ?? object_id;
  return row.overtaken === 1 || database.get(LATER_HANDED, account, subject, object_id, seq) !== undefined;
}

const LATER_HANDED = `
  SELECT 1 FROM deliveries INDEXED BY deliveries_subject
  WHERE account = ? AND coalesce(transaction_id, object_id) = ? AND object_id = ? AND seq > ? AND handed = 1 LIMIT 1`;

function recordOne(
  database: Database,
  account: number,
  owner: string,
  { id, outcome, answer, delayMs = 0 }: HandOverRecord,
  now: number,
): void {
  const held = database.get(HELD, account, bytesOfHex(id), owner);
  if (!held) return;
  const { seq = 0, object_id = '' } = held;
  if (outcome === 'again') database.run(TRIED, answer, seq);
  if (outcome === 'handed_on' || outcome === 'dead_letter') {
    const ended = database.run(outcome === 'handed_on' ? HANDED_ON : DEAD_LETTER, answer, now, seq);
    invariant(ended === 1, 'a hand-over is recorded once, on a delivery that waits');
  }
  freeLane(database, account, String(object_id), outcome === 'again' ? now + delayMs : now, now);
}

const HELD = `
  SELECT deliveries.seq AS seq, deliveries.object_id AS object_id FROM deliveries
    JOIN lanes ON lanes.account = deliveries.account AND lanes.object_id = deliveries.object_id
  WHERE deliveries.account = ? AND id = ? AND state = 'waiting' AND owner = ? AND claimed_seq = deliveries.seq`;
const TRIED = 'UPDATE deliveries SET attempts = attempts + 1, answer = ? WHERE seq = ?';
const HANDED_ON = `
  UPDATE deliveries SET state = 'handed_on', attempts = attempts + 1, answer = ?, changed_at = ?,
    handed = handed OR NOT late
  WHERE seq = ? AND state = 'waiting'`;
const DEAD_LETTER = `
  UPDATE deliveries SET state = 'dead_letter', attempts = attempts + 1, answer = ?, changed_at = ?
  WHERE seq = ? AND state = 'waiting'`;

function freeLane(database: Database, account: number, objectId: string, dueAt: number, now: number): void {
  const first = database.get(FIRST_WAITING, account, objectId)?.seq ?? null;
  if (first === null) {
    database.run('DELETE FROM lanes WHERE account = ? AND object_id = ?', account, objectId);
  } else {
    database.run(FREE, first, dueAt <= now ? 1 : 0, dueAt, account, objectId);
  }
}

const FIRST_WAITING = `
  SELECT min(seq) AS seq FROM deliveries INDEXED BY deliveries_waiting
  WHERE account = ? AND object_id = ? AND state = 'waiting'`;
const FREE = `
  UPDATE lanes SET first_seq = ?, ready = ?, free_at = ?, owner = NULL, claimed_seq = NULL
  WHERE account = ? AND object_id = ?`;

const FREE_ALL = `
  UPDATE lanes SET ready = 1, free_at = 0, owner = NULL, claimed_seq = NULL
  WHERE account = ? AND owner IS NOT NULL`;

/** Attempts begin anew, and a pause is over; what is leased stays with its owner. */
function requeueOne(database: Database, account: number, id: string, now: number): boolean {
  const row = database.get(
    'SELECT seq, object_id FROM deliveries WHERE account = ? AND id = ?',
    account,
    bytesOfHex(id),
  );
  if (!row) return false;
  const { seq = 0, object_id = '' } = row;
  const waiting = database.run(REQUEUE, now, seq);
  const lanes = database.run(REQUEUE_LANE, account, object_id, seq, seq);
  invariant(waiting === 1 && lanes === 1, 'what is asked for once more waits, and its object has a lane');
  return true;
}

const REQUEUE = `
  UPDATE deliveries SET requeued = 1, attempts = 0,
    changed_at = CASE state WHEN 'waiting' THEN changed_at ELSE ? END, state = 'waiting'
  WHERE seq = ?`;
const REQUEUE_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0)
  ON CONFLICT DO UPDATE SET
    first_seq = min(first_seq, ?),
    ready = CASE WHEN owner IS NULL THEN 1 ELSE ready END`;
