/**
 * Reading deliveries. Every combination of a filter reads as many rows as a page has from an index that begins with what is
 * asked for, and the unmerged tail; so a page costs the same however many there are.
 */
import type {
  DeliveryFilter,
  HandOverState,
  Inbox,
  KeptDelivery,
  ListedDelivery,
} from '../../core/ports/inbox.ts';
import type { Database } from '../driver.ts';
import { bytesOf, idOf, KEPT, LISTED, readKept, readListed } from './rows.ts';

type Value = string | number;
interface Part {
  sql: string;
  values: Value[];
}

const STATES: readonly HandOverState[] = ['kept', 'waiting', 'handed_on', 'dead_letter'];
const NEWEST_FIRST = 'ORDER BY received_at DESC, seq DESC LIMIT ?';

export function listDeliveries(
  database: Database,
  account: number,
  filter: DeliveryFilter,
  { limit, after }: Parameters<Inbox['list']>[1],
): ListedDelivery[] {
  const range = rangeOf(database, account, filter, after);
  const parts = partsOf(account, filter, range, limit);
  const seqs = parts.map(({ sql }) => `SELECT seq FROM (${sql})`).join(' UNION ALL ');
  const rows = database.all(
    `SELECT ${LISTED} FROM deliveries WHERE seq IN (${seqs}) ${NEWEST_FIRST}`,
    ...parts.flatMap(({ values }) => values),
    limit,
  );
  return rows.map(readListed);
}

/** From the given time on, and below the last row of the page before. */
function rangeOf(
  database: Database,
  account: number,
  { since }: DeliveryFilter,
  after: Parameters<Inbox['list']>[1]['after'],
): Part {
  const parts: Part[] = [];
  if (since !== undefined) parts.push({ sql: 'AND received_at >= ?', values: [since] });
  if (after !== undefined) {
    parts.push({
      sql: 'AND (received_at, seq) < (?, ?)',
      values: [after.receivedAt, seqFrom(database, account, after.id)],
    });
  }
  return { sql: parts.map(({ sql }) => sql).join(' '), values: parts.flatMap(({ values }) => values) };
}

/** Ids are in the order of `seq`: where the row itself is gone, the next one marks its place. */
function seqFrom(database: Database, account: number, id: string): number {
  const row = database.get(
    'SELECT seq FROM deliveries WHERE account = ? AND id >= ? ORDER BY id LIMIT 1',
    account,
    bytesOf(id),
  );
  return row ? Number(row.seq) : Number.MAX_SAFE_INTEGER;
}

function partsOf(account: number, filter: DeliveryFilter, range: Part, limit: number): Part[] {
  const { event, state, transactionId } = filter;
  const from = (source: string, condition: string, values: Value[]): Part => ({
    sql: `SELECT seq FROM deliveries ${source} WHERE ${condition} ${range.sql} ${NEWEST_FIRST}`,
    values: [...values, ...range.values, limit],
  });
  const rest = restOf(filter);
  if (transactionId !== undefined) {
    const subject = `seq IN (SELECT seq FROM by_subject WHERE account = ? AND subject = ?)${rest.sql}`;
    const unmerged = `seq > (SELECT keys_to FROM merged) AND account = ?${rest.sql}`;
    return [
      from('', subject, [account, transactionId, ...rest.values]),
      from('NOT INDEXED', unmerged, [account, ...rest.values]),
    ];
  }
  if (event !== undefined) {
    const states = state === undefined ? STATES : [state];
    const one = (each: HandOverState) => `account = ? AND event = ? AND state = '${each}'`;
    return states.map((each) => from('INDEXED BY deliveries_event', one(each), [account, event]));
  }
  if (state !== undefined) {
    return [from('INDEXED BY deliveries_state', `account = ? AND state = '${state}'`, [account])];
  }
  return [from('INDEXED BY deliveries_time', 'account = ?', [account])];
}

function restOf({ event, state, transactionId }: DeliveryFilter): Part {
  const asked: [string, string | undefined][] = [
    ['event', event],
    ['state', state],
    ['transaction_id', transactionId],
  ];
  const given = asked.filter((one): one is [string, string] => one[1] !== undefined);
  return {
    sql: given.map(([column]) => ` AND ${column} = ?`).join(''),
    values: given.map(([, value]) => value),
  };
}

export function getDelivery(database: Database, account: number, id: string): KeptDelivery | undefined {
  const row = database.get(
    `SELECT ${KEPT} FROM deliveries JOIN contents USING (seq) WHERE account = ? AND id = ?`,
    account,
    bytesOf(id),
  );
  return row && readKept(row);
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
    bytesOf(digits.padEnd(32, '0')),
    bytesOf(digits.padEnd(32, 'f')),
    limit,
  );
  return rows.map(({ id }) => idOf(id)).filter((id) => id.startsWith(prefix.toLowerCase()));
}

export function countBacklog(database: Database, account: number): { waiting: number; deadLetters: number } {
  const row = database.get(BACKLOG, account);
  return { waiting: Number(row?.waiting), deadLetters: Number(row?.dead_letters) };
}

const COUNTED = 'SELECT count(*) FROM deliveries INDEXED BY deliveries_state WHERE account = ?1 AND state =';
/** One question: what another process moves meanwhile is counted once. */
const BACKLOG = `
  SELECT (${COUNTED} 'waiting') + (SELECT coalesce(sum(waiting), 0) FROM arrivals WHERE account = ?1) AS waiting,
    (${COUNTED} 'dead_letter') AS dead_letters`;
