/**
 * Reading deliveries. Each combination of a filter names the index that begins with what is asked for and goes on in the order
 * of the list, so that a page costs the same however many deliveries there are.
 */

import type { Database } from '../../../disk/driver.ts';
import type { DeliveryFilter, DeliveryReader, HandOverState, KeptDelivery, ListedDelivery } from '../port.ts';
import { bytesOfHex, KEPT, LISTED, readKept, readListed, uuidOf } from './rows.ts';

type Value = string | number;
type Page = Parameters<DeliveryReader['list']>[1];
/** SQL with its values; a condition whose value is not given is left out. */
type Condition = readonly [sql: string, ...values: (Value | undefined)[]];

const STATES: readonly HandOverState[] = ['kept', 'waiting', 'handed_on', 'dead_letter'];
const NEWEST_FIRST = 'ORDER BY received_at DESC, seq DESC LIMIT ?';

export function listDeliveries(
  database: Database,
  account: number,
  filter: DeliveryFilter,
  { limit, after }: Page,
): ListedDelivery[] {
  const range: Condition[] = [['received_at >= ?', filter.since]];
  if (after)
    range.push(['(received_at, seq) < (?, ?)', after.receivedAt, seqFrom(database, account, after.id)]);
  const parts = walksFor(filter).map((walk) => walked(account, walk, range));
  const seqs = parts
    .map(({ from }) => `SELECT seq FROM (SELECT seq ${from} ${NEWEST_FIRST})`)
    .join(' UNION ALL ');
  const values = [...parts.flatMap((part) => [...part.values, limit]), limit];
  return database
    .all(`SELECT ${LISTED} FROM deliveries WHERE seq IN (${seqs}) ${NEWEST_FIRST}`, ...values)
    .map(readListed);
}

/** No delivery is on two walks. */
export function countDeliveries(database: Database, account: number, filter: DeliveryFilter): number {
  const parts = walksFor(filter).map((walk) => walked(account, walk, [['received_at >= ?', filter.since]]));
  const counts = parts.map(({ from }) => `(SELECT count(*) ${from})`).join(' + ');
  return Number(database.get(`SELECT ${counts} AS total`, ...parts.flatMap(({ values }) => values))?.total);
}

interface Walk {
  index: string;
  conditions: Condition[];
}

function walked(account: number, { index, conditions }: Walk, range: readonly Condition[]) {
  const given = [['account = ?', account] as Condition, ...conditions, ...range].filter(
    ([, value]) => value !== undefined,
  );
  return {
    from: `FROM deliveries INDEXED BY ${index} WHERE ${given.map(([sql]) => sql).join(' AND ')}`,
    values: given.flatMap(([, ...values]) => values as Value[]),
  };
}

/** Walks along an index. An event without a state is four of them: within one event the index goes by state. */
function walksFor({ event, state, transactionId }: DeliveryFilter): Walk[] {
  const conditions: Condition[] = [
    ['coalesce(transaction_id, object_id) = ?', transactionId],
    ['transaction_id = ?', transactionId],
    ['event = ?', event],
  ];
  const inState = (one: HandOverState | undefined): Condition[] => [...conditions, ['state = ?', one]];
  if (transactionId !== undefined) return [{ index: 'deliveries_subject', conditions: inState(state) }];
  if (event !== undefined) {
    const states = state === undefined ? STATES : [state];
    return states.map((one) => ({ index: 'deliveries_event', conditions: inState(one) }));
  }
  const index = state === undefined ? 'deliveries_time' : 'deliveries_state';
  return [{ index, conditions: inState(state) }];
}

/** Ids are in the order of `seq`: where the row itself is gone, the next one marks its place. */
function seqFrom(database: Database, account: number, id: string): number {
  const row = database.get(
    'SELECT seq FROM deliveries WHERE account = ? AND id >= ? ORDER BY id LIMIT 1',
    account,
    bytesOfHex(id),
  );
  return row ? Number(row.seq) : Number.MAX_SAFE_INTEGER;
}

export function getDelivery(database: Database, account: number, id: string): KeptDelivery | undefined {
  const row = database.get(
    `SELECT ${KEPT} FROM deliveries JOIN contents USING (seq) WHERE account = ? AND id = ?`,
    account,
    bytesOfHex(id),
  );
  return row && readKept(row);
}

export function idsEndingWith(database: Database, account: number, eight: string, limit: number): string[] {
  if (!/^[0-9a-f]{8}$/i.test(eight)) return [];
  const rows = database.all(
    'SELECT id FROM deliveries WHERE account = ? AND substr(id, 13) = ? ORDER BY id LIMIT ?',
    account,
    Buffer.from(eight, 'hex'),
    limit,
  );
  return rows.map(({ id }) => uuidOf(id));
}

export function idsStartingWith(
  database: Database,
  account: number,
  prefix: string,
  limit: number,
): string[] {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{0,32}$/.test(digits)) return [];
  const rows = database.all(
    'SELECT id FROM deliveries WHERE account = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?',
    account,
    bytesOfHex(digits.padEnd(32, '0')),
    bytesOfHex(digits.padEnd(32, 'f')),
    limit,
  );
  return rows.map(({ id }) => uuidOf(id)).filter((id) => id.startsWith(prefix.toLowerCase()));
}

export function countBacklog(database: Database, account: number): { waiting: number; deadLetters: number } {
  const row = database.get(BACKLOG, account);
  return { waiting: Number(row?.waiting), deadLetters: Number(row?.dead_letters) };
}

/** One look at the index, however many wait. */
export function waitsSince(database: Database, account: number): number | null {
  const oldest = database.get(OLDEST, account)?.oldest;
  return oldest === null || oldest === undefined ? null : Number(oldest);
}

const OLDEST = `SELECT min(received_at) AS oldest FROM deliveries INDEXED BY deliveries_state
  WHERE account = ? AND state = 'waiting'`;
const COUNTED = 'SELECT count(*) FROM deliveries INDEXED BY deliveries_state WHERE account = ?1 AND state =';
/** One question: what another process moves meanwhile is counted once. */
const BACKLOG = `SELECT (${COUNTED} 'waiting') AS waiting, (${COUNTED} 'dead_letter') AS dead_letters`;
