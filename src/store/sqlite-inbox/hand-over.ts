/**
 * Who hands on what, and in which order. Each object with something waiting has a lane; an owner leases the lane, not the
 * delivery, so that nothing of an object overtakes. A lane is `ready`, or it is due later (`free_at`: the end of a lease or of a
 * pause). Each kind has an index of its own, so that many lanes behind a dead target cost a claim nothing.
 */
import type { Clock } from '../../core/clock.ts';
import type { Claim, Inbox, KeptDelivery, Settlement } from '../../core/ports/inbox.ts';
import type { Database, Row } from '../driver.ts';
import type { Arrivals } from './arrivals.ts';
import { bytesOf, HANDED, KEPT, LATE, OVERTAKEN, REQUEUED, readKept } from './rows.ts';
import { unpackPart } from './unpacking.ts';

/** Unpacked for a claim at once: a target that is slow leaves the rest packed, and who keeps does not wait for long. */
const UNPACKED = 256;
const PARTS = 4;

interface HandOver {
  claim(options: Parameters<Inbox['claim']>[0]): Claim;
  settle(owner: string, settlements: readonly Settlement[]): void;
  requeue(ids: readonly string[]): number;
  /** Nobody has claimed anything any more. */
  free(): void;
}

export function createHandOver(
  database: Database,
  { account, arrivals }: { account: number; arrivals: Arrivals },
  clock: Clock,
): HandOver {
  const nextIn = (now: number): number | null => (arrivals.anyWaits() ? 0 : nextLane(database, account, now));
  const ready = (limit: number): number => database.all(READY, account, limit).length;
  return {
    claim({ owner, limit, leaseMs, bytes = Number.POSITIVE_INFINITY }) {
      const now = clock.now();
      const nextInMs = nextIn(now);
      if (nextInMs !== 0) return { deliveries: [], nextInMs };
      return database.transaction(() => {
        database.run(WAKE, account, now);
        for (let part = 0; part < PARTS && ready(limit) < limit && arrivals.anyWaits(); part++)
          unpackPart(database, UNPACKED);
        const deliveries: KeptDelivery[] = [];
        let left = bytes;
        for (const { first_seq } of database.all(READY, account, limit)) {
          if (left <= 0) break;
          const delivery = lease(database, Number(first_seq), owner, now + leaseMs);
          left -= delivery.body.length;
          deliveries.push(delivery);
        }
        return { deliveries, nextInMs: nextIn(now) };
      });
    },
    settle(owner, settlements) {
      if (settlements.length === 0) return;
      const now = clock.now();
      database.transaction(() => {
        for (const settlement of settlements) settleOne(database, account, owner, settlement, now);
      });
    },
    requeue: (ids) =>
      database.transaction(() => ids.filter((id) => requeueOne(database, account, id, clock.now())).length),
    free() {
      database.run(FREE_ALL, account);
    },
  };
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
    `SELECT account, ${KEPT} FROM deliveries JOIN contents USING (seq) WHERE seq = ?`,
    seq,
  ) as Row;
  database.run(
    'UPDATE lanes SET ready = 0, free_at = ?, owner = ?, claimed_seq = ? WHERE account = ? AND object_id = ?',
    until,
    owner,
    seq,
    row.account ?? 0,
    row.object_id ?? '',
  );
  const delivery = readKept(row);
  return isOvertaken(database, row) ? { ...delivery, late: markLate(database, seq) } : delivery;
}

function markLate(database: Database, seq: number): true {
  database.run(`UPDATE deliveries SET marks = marks | ${LATE} WHERE seq = ?`, seq);
  return true;
}

/** Only one that was asked for once more can have been: order is kept otherwise. */
function isOvertaken(database: Database, row: Row): boolean {
  const marks = Number(row.marks);
  if ((marks & REQUEUED) === 0 || (marks & LATE) !== 0) return false;
  if ((marks & OVERTAKEN) !== 0) return true;
  const { account = 0, object_id = '', transaction_id = null, seq = 0 } = row;
  const subject = transaction_id ?? object_id;
  return database.get(LATER_HANDED, account, subject, object_id, seq, account, object_id, seq) !== undefined;
}

const LATER_HANDED = `
  SELECT 1 FROM by_subject JOIN deliveries USING (seq)
    WHERE by_subject.account = ? AND subject = ? AND object_id = ? AND seq > ? AND marks & ${HANDED}
  UNION ALL
  SELECT 1 FROM deliveries
    WHERE seq > (SELECT keys_to FROM merged) AND account = ? AND object_id = ? AND seq > ? AND marks & ${HANDED}
  LIMIT 1`;

function settleOne(
  database: Database,
  account: number,
  owner: string,
  { id, outcome, answer, delayMs = 0 }: Settlement,
  now: number,
): void {
  const held = database.get(HELD, account, bytesOf(id), owner);
  if (!held) return;
  const { seq = 0, object_id = '' } = held;
  if (outcome === 'again') database.run(TRIED, answer, seq);
  if (outcome === 'handed_on' || outcome === 'dead_letter') {
    database.run(outcome === 'handed_on' ? HANDED_ON : DEAD_LETTER, answer, now, seq);
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
    marks = CASE WHEN marks & ${LATE} THEN marks ELSE marks | ${HANDED} END
  WHERE seq = ?`;
const DEAD_LETTER = `
  UPDATE deliveries SET state = 'dead_letter', attempts = attempts + 1, answer = ?, changed_at = ? WHERE seq = ?`;

function freeLane(database: Database, account: number, objectId: string, dueAt: number, now: number): void {
  const first = database.get(FIRST_WAITING, account, objectId)?.seq ?? null;
  if (first === null) {
    database.run('DELETE FROM lanes WHERE account = ? AND object_id = ?', account, objectId);
  } else {
    database.run(FREE, first, dueAt <= now ? 1 : 0, dueAt, account, objectId);
  }
}

const FIRST_WAITING = `
  SELECT min(seq) AS seq FROM deliveries INDEXED BY deliveries_lane
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
    bytesOf(id),
  );
  if (!row) return false;
  const { seq = 0, object_id = '' } = row;
  database.run(REQUEUE, now, seq);
  database.run(REQUEUE_LANE, account, object_id, seq, seq);
  return true;
}

const REQUEUE = `
  UPDATE deliveries SET marks = marks | ${REQUEUED}, attempts = 0,
    changed_at = CASE state WHEN 'waiting' THEN changed_at ELSE ? END, state = 'waiting'
  WHERE seq = ?`;
const REQUEUE_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0)
  ON CONFLICT DO UPDATE SET
    first_seq = min(first_seq, ?),
    ready = CASE WHEN owner IS NULL THEN 1 ELSE ready END`;
