/** Deliveries are kept: all of a batch in one transaction, in the order given. */
import { timeOrderedId } from '../../core/ids.ts';
import type { Inbox, Keeping, ReceivedDelivery } from '../../core/ports/inbox.ts';
import type { Database } from '../driver.ts';
import type { StoreDependencies } from '../open.ts';
import { withoutNul } from '../plain-text.ts';
import { bytesOf, LATE, RECOVERED, REPEAT } from './rows.ts';
import type { Tail } from './tail.ts';

type Keep = (...given: Parameters<Inbox['keep']>) => Keeping[];

export function createKeeping(
  database: Database,
  account: number,
  tail: Tail,
  { clock, random }: StoreDependencies,
): Keep {
  const webhooks = new Set<string>();
  const insert = (delivery: ReceivedDelivery, repeat: boolean, handOn: boolean): string => {
    const { seq, after } = tail.next();
    const now = clock.now();
    const id = timeOrderedId(now, random, after);
    insertRows(database, { account, seq, id, now, repeat, handOn }, delivery);
    tail.add(seq, id, delivery);
    if (!webhooks.has(delivery.webhook)) {
      database.run(
        'INSERT INTO webhooks VALUES (?, ?) ON CONFLICT DO NOTHING',
        account,
        withoutNul(delivery).webhook,
      );
    }
    return id;
  };
  return (deliveries, { handOn }) => {
    if (deliveries.length === 0) return [];
    try {
      const keepings = database.transaction(() => {
        tail.refresh();
        tail.lookUp(deliveries);
        return deliveries.map((delivery): Keeping => {
          const earlier = tail.delivery(delivery.deliveryPrint);
          const repeat = tail.event(delivery.eventPrint);
          if (earlier !== undefined) return { outcome: 'duplicate', id: earlier, repeat: false };
          return { outcome: 'new', id: insert(delivery, repeat, handOn), repeat };
        });
      });
      for (const { webhook } of deliveries) webhooks.add(webhook);
      return keepings;
    } catch (error) {
      tail.doubt();
      throw error;
    }
  };
}

interface Place {
  account: number;
  seq: number;
  id: string;
  now: number;
  repeat: boolean;
  handOn: boolean;
}

function insertRows(database: Database, place: Place, delivery: ReceivedDelivery): void {
  const { account, seq, id, now, repeat, handOn } = place;
  const { webhook, event, objectId, transactionId, url, receivedAt } = withoutNul(delivery);
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
    bytesOf(delivery.deliveryPrint),
    bytesOf(delivery.eventPrint),
    url,
    handOn ? 'waiting' : 'kept',
    marks,
    now,
  );
  database.run('INSERT INTO contents VALUES (?, ?, ?)', seq, JSON.stringify(delivery.headers), delivery.body);
  if (handOn) database.run(INSERT_LANE, account, objectId, seq);
}

const INSERT_DELIVERY = `
  INSERT INTO deliveries (seq, account, id, received_at, webhook, event, object_id, transaction_id, delivery_print,
    event_print, url, state, marks, attempts, answer, changed_at, listed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, ?, 0)`;
/** A lane is there if, and only if, something of its object waits. */
const INSERT_LANE = `
  INSERT INTO lanes (account, object_id, first_seq, ready, free_at) VALUES (?, ?, ?, 1, 0) ON CONFLICT DO NOTHING`;
