/** Arrivals are moved into the tables, the oldest first, each batch as a whole. */
import { setTimeout as pause } from 'node:timers/promises';
import { invariant } from '../../core/invariants.ts';
import type { Database, Row } from '../driver.ts';
import { type UnpackedDelivery, unpackBatch } from '../packing.ts';
import { withoutNul } from '../plain-text.ts';
import { type Arrival, readEntries } from './arrivals.ts';
import { bytesOf, LATE, RECOVERED, REPEAT } from './rows.ts';

/** Moved in one transaction, as many or as much: others wait for as long. */
const PART = 500;
const PART_BYTES = 4 * 1024 * 1024;
/** Between two parts: who waits for the file tries again now and then, and must find it free. */
const PAUSE_MS = 20;

/**
 * Within a transaction: batches of any account, until so many deliveries, or so many bytes of them, have been moved. How many they
 * were, 0 when none is left.
 */
export function unpackPart(database: Database, count = PART): number {
  let moved = 0;
  for (let bytes = 0; moved < count && bytes < PART_BYTES; ) {
    const row = database.get('SELECT * FROM arrivals ORDER BY last_seq LIMIT 1');
    if (!row) break;
    moved += unpackRow(database, row);
    bytes += (row.packed as Uint8Array).length;
    database.run('DELETE FROM arrivals WHERE last_seq = ?', row.last_seq ?? 0);
  }
  return moved;
}

/** All that are there now; what comes meanwhile is for the next time. */
export async function unpackAll(database: Database): Promise<void> {
  const last = database.get('SELECT max(last_seq) AS seq FROM arrivals')?.seq ?? null;
  if (last === null) return;
  const some = () => database.get('SELECT 1 FROM arrivals WHERE last_seq <= ? LIMIT 1', last) !== undefined;
  while (some()) {
    database.transaction(() => unpackPart(database));
    if (some()) await pause(PAUSE_MS);
  }
}

function unpackRow(database: Database, row: Row): number {
  const arrivals = readEntries(row);
  const deliveries = unpackBatch(row.packed as Uint8Array);
  // Each of them was acknowledged: none may go without a word. The row stays, since all of this is one transaction.
  invariant(
    deliveries.length === arrivals.length,
    `the inbox acknowledged ${arrivals.length} deliveries in one batch (${row.last_seq}) and holds ${deliveries.length} of them`,
  );
  const webhooks = new Set<string>();
  arrivals.forEach((arrival, i) => {
    const plain = withoutNul(deliveries[i] as UnpackedDelivery);
    insertRows(database, row, arrival, plain);
    webhooks.add(plain.webhook);
  });
  for (const webhook of webhooks) database.run(INSERT_WEBHOOK, row.account ?? 0, webhook);
  return arrivals.length;
}

function insertRows(
  database: Database,
  { account = 0, kept_at = 0, waiting }: Row,
  { seq, id, deliveryPrint, eventPrint, repeat }: Arrival,
  delivery: UnpackedDelivery,
): void {
  const { webhook, event, objectId, transactionId, url, receivedAt } = delivery;
  const marks = (repeat ? REPEAT : 0) | (delivery.recovered ? RECOVERED : 0) | (delivery.late ? LATE : 0);
  database.run(
    INSERT_DELIVERY,
    seq,
    account,
    bytesOf(id),
    receivedAt,
    webhook,
    event,
    objectId,
    transactionId,
    bytesOf(deliveryPrint),
    bytesOf(eventPrint),
    url,
    waiting ? 'waiting' : 'kept',
    marks,
    kept_at,
  );
  database.run('INSERT INTO contents VALUES (?, ?, ?)', seq, JSON.stringify(delivery.headers), delivery.body);
  if (waiting) database.run(INSERT_LANE, account, objectId, seq);
}

const INSERT_DELIVERY = `
  INSERT INTO deliveries (seq, account, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
    event_print, url, state, marks, attempts, answer, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, ?)`;
/** A lane is there if, and only if, something of its object waits. */
const INSERT_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0) ON CONFLICT DO NOTHING`;
const INSERT_WEBHOOK = 'INSERT INTO webhooks VALUES (?, ?) ON CONFLICT DO NOTHING';
