/** Keeping deliveries: all of a batch in one transaction, one row each, in the order given. */

import type { StoreDependencies } from '../../../client/store/intent-writes.ts';
import { timeOrderedId } from '../../../core/ids.ts';
import { invariant } from '../../../core/invariants.ts';
import type { Database } from '../../../disk/driver.ts';
import { withoutNul } from '../inbox-rows.ts';
import type { NewDelivery, StoreResult } from '../port.ts';
import { bytesOfHex, uuidOf } from './rows.ts';

export function keepDeliveries(
  database: Database,
  account: number,
  given: readonly NewDelivery[],
  { clock, random }: StoreDependencies,
): StoreResult[] {
  if (given.length === 0) return [];
  return database.transaction(() => {
    const now = clock.now();
    const last = database.get(LAST, account);
    let lastId = last?.id ? uuidOf(last.id) : '';
    let seq = Number(last?.seq ?? 0);
    const webhooks = new Set<string>();
    const keepings = given.map((one): StoreResult => {
      const delivery = withoutNul(one);
      const { earlier, repeat } = lookUp(database, account, delivery);
      if (earlier !== undefined) return { outcome: 'duplicate', id: earlier, repeat: false };
      const id = timeOrderedId(now, random, lastId);
      invariant(id > lastId, 'ids grow in the order in which deliveries are kept, whatever the clock says');
      insert(database, account, delivery, { seq: ++seq, id, repeat, now });
      webhooks.add(delivery.webhook);
      lastId = id;
      return { outcome: 'new', id, repeat };
    });
    if (webhooks.size > 0) database.run(SET_LAST_ID, bytesOfHex(lastId), account);
    for (const webhook of webhooks) database.run(INSERT_WEBHOOK, account, webhook);
    return keepings;
  });
}

const LAST = 'SELECT last_id AS id, (SELECT max(seq) FROM deliveries) AS seq FROM accounts WHERE account = ?';
const SET_LAST_ID = 'UPDATE accounts SET last_id = ? WHERE account = ?';
const INSERT_WEBHOOK = 'INSERT INTO webhooks VALUES (?, ?) ON CONFLICT DO NOTHING';

/** The id of the same delivery, if it was here before; and whether its event was. */
function lookUp(
  database: Database,
  account: number,
  { eventPrint, deliveryPrint }: NewDelivery,
): { earlier: string | undefined; repeat: boolean } {
  const row = database.get(LOOK_UP, account, bytesOfHex(eventPrint), bytesOfHex(deliveryPrint));
  return { earlier: row?.id ? uuidOf(row.id) : undefined, repeat: row?.known === 1 };
}

const LOOK_UP = `
  SELECT (SELECT id FROM prints WHERE account = ?1 AND event_print = ?2 AND delivery_print = ?3) AS id,
    EXISTS (SELECT 1 FROM prints WHERE account = ?1 AND event_print = ?2) AS known`;

/** Tells which of these events were ever kept. */
export const knownEvents = (database: Database, account: number, prints: readonly string[]): Set<string> =>
  new Set(prints.filter((print) => database.get(KNOWN, account, bytesOfHex(print)) !== undefined));

const KNOWN = 'SELECT 1 FROM prints WHERE account = ? AND event_print = ? LIMIT 1';

function insert(
  database: Database,
  account: number,
  delivery: NewDelivery,
  { seq, id, repeat, now }: { seq: number; id: string; repeat: boolean; now: number },
): void {
  const { objectId, handOn } = delivery;
  const idBytes = bytesOfHex(id);
  const eventPrint = bytesOfHex(delivery.eventPrint);
  const deliveryPrint = bytesOfHex(delivery.deliveryPrint);
  const rows = database.run(
    INSERT,
    seq,
    account,
    idBytes,
    delivery.receivedAt,
    delivery.webhook,
    delivery.event,
    objectId,
    delivery.transactionId,
    deliveryPrint,
    eventPrint,
    delivery.url,
    handOn ? 'waiting' : 'kept',
    repeat ? 1 : 0,
    delivery.recovered ? 1 : 0,
    delivery.late ? 1 : 0,
    now,
  );
  invariant(rows === 1, 'a delivery that is kept has a row of its own');
  database.run('INSERT INTO contents VALUES (?, ?, ?)', seq, JSON.stringify(delivery.headers), delivery.body);
  database.run('INSERT INTO prints VALUES (?, ?, ?, ?)', account, eventPrint, deliveryPrint, idBytes);
  if (handOn) database.run(INSERT_LANE, account, objectId, seq);
}

const INSERT = `
  INSERT INTO deliveries (seq, account, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
    event_print, url, state, repeat, recovered, late, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** A lane is there if, and only if, something of its object waits. */
const INSERT_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0) ON CONFLICT DO NOTHING`;
