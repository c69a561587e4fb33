/**
 * Deliveries are kept: all of a batch in one transaction. Several listeners may keep the same one at the same moment, so the
 * prints decide who does. Everything is locked in one order, prints first, then lanes, each sorted: there is no deadlock.
 */
import { asBuffer } from '../../../core/bytes.ts';
import { timeOrderedId } from '../../../core/ids.ts';
import { invariant } from '../../../core/invariants.ts';
import type { Random } from '../../../core/random.ts';
import { StoreError } from '../../../disk/store-error.ts';
import { withoutNul } from '../inbox-rows.ts';
import type { DeliveryKeeper, NewDelivery, StoreResult } from '../port.ts';
import type { InboxConnection, Queries } from './connection.ts';

const DELIVERY = 0;
const EVENT = 1;

interface Fresh {
  id: string;
  repeat: boolean;
  delivery: NewDelivery;
}

export function createKeeping(
  connection: InboxConnection,
  account: number,
  random: Random,
): DeliveryKeeper['keep'] {
  const webhooks = new Set<string>();
  let lastId = '';
  return async (given) => {
    if (given.length === 0) return [];
    const deliveries = given.map(withoutNul);
    const result = await connection.transaction(async (within) => {
      const now = await serverTime(within);
      const wanted = new Map<string, Fresh>();
      for (const delivery of deliveries) {
        if (wanted.has(delivery.deliveryPrint)) continue;
        lastId = timeOrderedId(now, random, lastId);
        wanted.set(delivery.deliveryPrint, { id: lastId, repeat: false, delivery });
      }
      const earlier = await claimPrints(within, account, DELIVERY, prints(wanted.values(), 'deliveryPrint'));
      const fresh = [...wanted.values()].filter(({ delivery }) => !earlier.has(delivery.deliveryPrint));
      await markRepeats(within, account, fresh);
      const waiting = fresh.filter(({ delivery }) => delivery.handOn);
      const objectIds = waiting.map(({ delivery }) => delivery.objectId);
      await lockLanes(within, account, objectIds);
      await insertAll(within, account, fresh, now);
      const definitions = fresh.map(({ delivery }) => delivery.webhook);
      await remember(
        within,
        account,
        definitions.filter((one) => !webhooks.has(one)),
      );
      return keepingsOf(deliveries, wanted, earlier);
    });
    for (const { webhook } of deliveries) webhooks.add(webhook);
    return result;
  };
}

function keepingsOf(
  deliveries: readonly NewDelivery[],
  wanted: ReadonlyMap<string, Fresh>,
  earlier: ReadonlyMap<string, string>,
): StoreResult[] {
  const told = new Set(earlier.keys());
  return deliveries.map(({ deliveryPrint }) => {
    const { id, repeat = false } = wanted.get(deliveryPrint) ?? {};
    invariant(id !== undefined, 'every delivery that is kept has an id');
    if (told.has(deliveryPrint))
      return { outcome: 'duplicate', id: earlier.get(deliveryPrint) ?? id, repeat: false };
    told.add(deliveryPrint);
    return { outcome: 'new', id, repeat };
  });
}

/** Milliseconds since 1970 by the server's clock, which is the same for all listeners. */
export const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

async function serverTime(asking: Queries): Promise<number> {
  const [row] = await asking.query(`SELECT ${NOW_MS} AS now`);
  return Number(row?.now);
}

const prints = (fresh: Iterable<Fresh>, which: 'deliveryPrint' | 'eventPrint'): [string, string][] =>
  [...fresh].map(({ id, delivery }) => [delivery[which], id]);

/**
 * Returns the prints that were here before, with the earlier one's id. The others are ours now, for good once this
 * commits.
 */
async function claimPrints(
  within: Queries,
  account: number,
  kind: number,
  wanted: readonly [print: string, id: string][],
): Promise<Map<string, string>> {
  const firsts = new Map([...wanted].reverse());
  const values = [account, kind, [...firsts.keys()], [...firsts.values()]];
  const ours = new Set((await within.query(CLAIM_PRINTS, values)).map(({ print }) => String(print)));
  const others = [...firsts.keys()].filter((print) => !ours.has(print));
  if (others.length === 0) return new Map();
  const rows = await within.query(FIND_PRINTS, [account, kind, others]);
  if (rows.length < others.length) throw new StoreError('busy', within.name, 'some of it is being forgotten');
  return new Map(rows.map(({ print, id }) => [String(print), String(id)]));
}

const CLAIM_PRINTS = `
  INSERT INTO remit_inbox.prints (account, kind, print, id)
  SELECT $1, $2, decode(print, 'hex'), id FROM unnest($3::text[], $4::uuid[]) AS wanted (print, id)
  ORDER BY decode(print, 'hex') ON CONFLICT DO NOTHING RETURNING encode(print, 'hex') AS print`;
const FIND_PRINTS = `
  SELECT encode(print, 'hex') AS print, id FROM remit_inbox.prints
  WHERE account = $1 AND kind = $2 AND print IN (SELECT decode(one, 'hex') FROM unnest($3::text[]) AS one)`;

async function markRepeats(within: Queries, account: number, fresh: readonly Fresh[]): Promise<void> {
  if (fresh.length === 0) return;
  const seen = new Set((await claimPrints(within, account, EVENT, prints(fresh, 'eventPrint'))).keys());
  for (const one of fresh) {
    one.repeat = seen.has(one.delivery.eventPrint);
    seen.add(one.delivery.eventPrint);
  }
}

/**
 * A lane is locked before its deliveries get their place in the order, so that places are in the order of commits; a process
 * that deletes a lane as nothing waits any more has it alone.
 */
export async function lockLanes(
  within: Queries,
  account: number,
  objectIds: readonly string[],
): Promise<void> {
  if (objectIds.length === 0) return;
  await within.query(
    `INSERT INTO remit_inbox.lanes (account, object_id)
     SELECT $1, object_id FROM (SELECT DISTINCT object_id FROM unnest($2::text[]) AS object_id) AS wanted ORDER BY object_id
     ON CONFLICT (account, object_id) DO UPDATE SET object_id = excluded.object_id`,
    [account, objectIds],
  );
}

async function insertAll(
  within: Queries,
  account: number,
  fresh: readonly Fresh[],
  now: number,
): Promise<void> {
  if (fresh.length === 0) return;
  const column = <T>(pick: (one: Fresh) => T): T[] => fresh.map(pick);
  const rows = await within.query(INSERT, [
    account,
    column(({ delivery }) => (delivery.handOn ? 'waiting' : 'kept')),
    now,
    column(({ id }) => id),
    column(({ delivery }) => delivery.receivedAt),
    column(({ delivery }) => delivery.webhook),
    column(({ delivery }) => delivery.event),
    column(({ delivery }) => delivery.objectId),
    column(({ delivery }) => delivery.transactionId),
    column(({ delivery }) => delivery.deliveryPrint),
    column(({ delivery }) => delivery.eventPrint),
    column(({ delivery }) => delivery.url),
    column(({ repeat }) => repeat),
    column(({ delivery }) => delivery.recovered),
    column(({ delivery }) => delivery.late),
    column(({ delivery }) => JSON.stringify(delivery.headers)),
    column(({ delivery }) => asBuffer(delivery.body)),
  ]);
  invariant(Number(rows[0]?.kept) === fresh.length, 'a delivery that is kept has a row of its own');
}

/** Follows the order given: the places are drawn after the sort. */
const INSERT = `
  WITH given AS (
    SELECT * FROM unnest($4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
      $11::text[], $12::text[], $13::boolean[], $14::boolean[], $15::boolean[], $16::text[], $17::bytea[], $2::text[])
    WITH ORDINALITY AS given (id, received_at, webhook, event, object_id, transaction_id, delivery_print, event_print,
      url, repeat, recovered, late, headers, body, state, place)
  ), contents AS (
    INSERT INTO remit_inbox.contents (account, id, headers, body) SELECT $1, id, headers, body FROM given
  ), kept AS (
    INSERT INTO remit_inbox.deliveries (account, id, received_at, webhook, event, object_id, transaction_id,
      delivery_print, event_print, url, state, repeat, recovered, late, changed_at)
    SELECT $1, id, received_at, webhook, event, object_id, transaction_id, decode(delivery_print, 'hex'),
      decode(event_print, 'hex'), url, state, repeat, recovered, late, $3 FROM given ORDER BY place
    RETURNING object_id, state, seq
  ), led AS (
  UPDATE remit_inbox.lanes SET first_seq = firsts.seq
  FROM (SELECT object_id, min(seq) AS seq FROM kept WHERE state = 'waiting' GROUP BY object_id) AS firsts
  WHERE lanes.account = $1 AND lanes.object_id = ANY ($8) AND lanes.object_id = firsts.object_id
    AND lanes.first_seq IS NULL
  )
  SELECT count(*) AS kept FROM kept`;

async function remember(within: Queries, account: number, webhooks: readonly string[]): Promise<void> {
  if (webhooks.length === 0) return;
  await within.query(
    `INSERT INTO remit_inbox.webhooks SELECT $1, one FROM (SELECT DISTINCT unnest($2::text[]) AS one) AS new ORDER BY one
     ON CONFLICT DO NOTHING`,
    [account, webhooks],
  );
}

export async function knownEvents(
  connection: InboxConnection,
  account: number,
  eventPrints: readonly string[],
): Promise<Set<string>> {
  const rows = await connection.query(FIND_PRINTS, [account, EVENT, eventPrints]);
  return new Set(rows.map(({ print }) => String(print)));
}
