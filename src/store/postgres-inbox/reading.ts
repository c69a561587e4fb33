/** Reading deliveries. */
import { isUuid } from '../../core/ids.ts';
import type { DeliveryReader } from '../../core/ports/inbox.ts';
import type { Connection } from './connection.ts';
import { KEPT, KEPT_FROM, LISTED, readKept, readListed } from './rows.ts';

export function createReading(connection: Connection, account: number): DeliveryReader {
  return {
    async get(id) {
      if (!isUuid(id)) return undefined;
      const [row] = await connection.query(
        `SELECT ${KEPT} FROM ${KEPT_FROM} WHERE d.account = $1 AND d.id = $2`,
        [account, id],
      );
      return row && readKept(row);
    },
    async startingWith(prefix, limit) {
      const digits = prefix.toLowerCase().replaceAll('-', '');
      if (!/^[0-9a-f]{0,32}$/.test(digits)) return [];
      const rows = await connection.query(STARTING, [
        account,
        digits.padEnd(32, '0'),
        digits.padEnd(32, 'f'),
        limit,
      ]);
      return rows.map(({ id }) => String(id)).filter((id) => id.startsWith(prefix.toLowerCase()));
    },
    async endingWith(eight, limit) {
      if (!/^[0-9a-f]{8}$/i.test(eight)) return [];
      const rows = await connection.query(ENDING, [account, eight.toLowerCase(), limit]);
      return rows.map(({ id }) => String(id));
    },
    async list(filter, page) {
      const { conditions, values } = filtered(account, filter, page.after);
      const rows = await connection.query(
        `SELECT ${LISTED} FROM remit_inbox.deliveries d WHERE ${conditions}
         ORDER BY d.received_at DESC, d.id DESC LIMIT $${values.length + 1}`,
        [...values, page.limit],
      );
      return rows.map(readListed);
    },
    async count(filter) {
      const { conditions, values } = filtered(account, filter, undefined);
      const sql = `SELECT count(*) AS total FROM remit_inbox.deliveries d WHERE ${conditions}`;
      const [row] = await connection.query(sql, values);
      return Number(row?.total);
    },
    async webhooks() {
      const rows = await connection.query(
        'SELECT webhook FROM remit_inbox.webhooks WHERE account = $1 ORDER BY webhook COLLATE "C"',
        [account],
      );
      return rows.map(({ webhook }) => String(webhook));
    },
    async backlog() {
      const [row] = await connection.query(BACKLOG, [account]);
      return { waiting: Number(row?.waiting), deadLetters: Number(row?.dead_letters) };
    },
    async waitsSince() {
      const [row] = await connection.query(OLDEST, [account]);
      return row?.oldest === null || row?.oldest === undefined ? null : Number(row.oldest);
    },
  };
}

const STARTING = `
  SELECT id FROM remit_inbox.contents WHERE account = $1 AND id BETWEEN $2::uuid AND $3::uuid ORDER BY id LIMIT $4`;
const ENDING = `
  SELECT id FROM remit_inbox.contents WHERE account = $1 AND right(id::text, 8) = $2 ORDER BY id LIMIT $3`;
const OLDEST = `SELECT min(received_at) AS oldest FROM remit_inbox.deliveries WHERE account = $1 AND state = 'waiting'`;
const BACKLOG = `
  SELECT (SELECT count(*) FROM remit_inbox.deliveries WHERE account = $1 AND waiting) AS waiting,
    (SELECT count(*) FROM remit_inbox.deliveries WHERE account = $1 AND state = 'dead_letter') AS dead_letters`;

function filtered(
  account: number,
  { event, state, since, transactionId }: Parameters<DeliveryReader['list']>[0],
  after: Parameters<DeliveryReader['list']>[1]['after'],
): { conditions: string; values: unknown[] } {
  const values: unknown[] = [account];
  const conditions = ['d.account = $1'];
  const add = (sql: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${sql} $${values.length}`);
  };
  add('d.event =', event);
  add('d.state =', state);
  add('d.received_at >=', since);
  add('d.transaction_id =', transactionId);
  if (after) {
    values.push(after.receivedAt, after.id);
    conditions.push(`(d.received_at, d.id) < ($${values.length - 1}::bigint, $${values.length}::uuid)`);
  }
  return { conditions: conditions.join(' AND '), values };
}
