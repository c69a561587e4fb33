/** Keeping deliveries: all of a batch in one transaction, one row each, in the order given. */
import { timeOrderedId } from '../../core/ids.ts';
import { invariant } from '../../core/invariants.ts';
import type { Keeping, NewDelivery } from '../../core/ports/inbox.ts';
import type { Database } from '../driver.ts';
import type { StoreDependencies } from '../open.ts';
import { withoutNul } from '../plain-text.ts';
import { bytesOf, idOf } from './rows.ts';

export function keepDeliveries(
  database: Database,
  account: number,
  given: readonly NewDelivery[],
  { clock, random }: StoreDependencies,
): Keeping[] {
  if (given.length === 0) return [];
  return database.transaction(() => {
    const now = clock.now();
    const last = database.get('SELECT last_id FROM accounts WHERE account = ?', account)?.last_id;
    let lastId = last ? idOf(last) : '';
    const keepings = given.map((delivery): Keeping => {
      const earlier = earlierId(database, account, delivery);
      if (earlier !== undefined) return { outcome: 'duplicate', id: earlier, repeat: false };
      const id = timeOrderedId(now, random, lastId);
      invariant(id > lastId, 'ids grow in the order in which deliveries are kept, whatever the clock says');
      const repeat = isKnown(database, account, delivery.eventPrint);
      insert(database, account, withoutNul(delivery), { id, repeat, now });
      lastId = id;
      return { outcome: 'new', id, repeat };
    });
    if (lastId !== '') database.run(SET_LAST_ID, bytesOf(lastId), account);
    const webhooks = new Set(given.map((delivery) => withoutNul(delivery).webhook));
    for (const webhook of webhooks) database.run(INSERT_WEBHOOK, account, webhook);
    return keepings;
  });
}

const SET_LAST_ID = 'UPDATE accounts SET last_id = ? WHERE account = ?';
const INSERT_WEBHOOK = 'INSERT INTO webhooks VALUES (?, ?) ON CONFLICT DO NOTHING';

function earlierId(database: Database, account: number, delivery: NewDelivery): string | undefined {
  const { eventPrint, deliveryPrint } = delivery;
  const row = database.get(EARLIER, account, bytesOf(eventPrint), bytesOf(deliveryPrint));
  return row && idOf(row.id);
}

/** The empty print stands for one that an earlier version of the file had forgotten (see packed-file.ts). */
const EARLIER = `SELECT id FROM prints WHERE account = ? AND event_print IN (?, x'') AND delivery_print = ?`;

const isKnown = (database: Database, account: number, eventPrint: string): boolean =>
  database.get(KNOWN, account, bytesOf(eventPrint)) !== undefined;

const KNOWN = 'SELECT 1 FROM prints WHERE account = ? AND event_print = ? LIMIT 1';

/** Which of these events were ever kept. */
export const knownEvents = (database: Database, account: number, prints: readonly string[]): Set<string> =>
  new Set(prints.filter((print) => isKnown(database, account, print)));

function insert(
  database: Database,
  account: number,
  delivery: NewDelivery,
  { id, repeat, now }: { id: string; repeat: boolean; now: number },
): void {
  const { objectId, handOn } = delivery;
  const idBytes = bytesOf(id);
  const eventPrint = bytesOf(delivery.eventPrint);
  const deliveryPrint = bytesOf(delivery.deliveryPrint);
  const row = database.get(
    INSERT,
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
  invariant(row?.seq !== undefined, 'a delivery that is kept has a row of its own');
  database.run(
    'INSERT INTO contents VALUES (?, ?, ?)',
    row.seq,
    JSON.stringify(delivery.headers),
    delivery.body,
  );
  database.run('INSERT INTO prints VALUES (?, ?, ?, ?)', account, eventPrint, deliveryPrint, idBytes);
  if (handOn) database.run(INSERT_LANE, account, objectId, row.seq);
}

const INSERT = `
  INSERT INTO deliveries (account, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
    event_print, url, state, repeat, recovered, late, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`;
/** A lane is there if, and only if, something of its object waits. */
const INSERT_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0) ON CONFLICT DO NOTHING`;
