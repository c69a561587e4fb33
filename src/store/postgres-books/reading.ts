/** Reading and finding. A statement says by which way it is to go: a server that guesses reads every text of a big table. */
import { invariant } from '../../core/invariants.ts';
import type { Books, FoundEntry } from '../../core/ports/books.ts';
import type { PostgresQueries } from '../postgres-queries.ts';
import { reading } from '../postgres-transaction.ts';
import { type Row, rowsOf, type Shared } from './connection.ts';

const numberOrNone = (value: unknown): number | undefined => (value == null ? undefined : Number(value));

const foundOf = (row: Row): FoundEntry => ({
  id: String(row.id),
  createdAt: Number(row.created_at),
  heardAt: Number(row.heard_at),
  body: String(row.body),
});

const COUNTS = `SELECT count(*) AS transactions, COALESCE(sum(recipients), 0) AS recipients, count(*) FILTER (WHERE NOT is_final) AS open,
    min(created_at) AS oldest, max(created_at) AS newest,
    pg_total_relation_size('remit_books.entries') + pg_total_relation_size('remit_books.marks') AS bytes
  FROM remit_books.entries WHERE account = $1`;
const CREATED = `SELECT created_at, seq, id, body FROM remit_books.entries
  WHERE account = $1 AND created_at >= $2 AND created_at < $3 AND (created_at, seq) > ($4, $5) ORDER BY created_at, seq LIMIT $6`;
const FOUND = 'SELECT id, created_at, heard_at, body FROM remit_books.entries WHERE account = $1';

export function createReading({
  pool,
  account,
}: Shared): Pick<Books, 'counts' | 'since' | 'open' | 'bodies' | 'created' | 'get' | 'entry'> {
  return {
    async counts() {
      const [row] = await rowsOf(pool, COUNTS, [account]);
      invariant(row, 'a count has a row');
      return {
        transactions: Number(row.transactions),
        recipients: Number(row.recipients),
        open: Number(row.open),
        oldestAt: numberOrNone(row.oldest),
        newestAt: numberOrNone(row.newest),
        bytes: Number(row.bytes),
      };
    },
    async since(createdAt) {
      const sql = 'SELECT count(*) AS rows FROM remit_books.entries WHERE account = $1 AND created_at >= $2';
      // Where nothing bounds it, `createdAt` lies before all time, and 0 takes its place.
      return Number((await rowsOf(pool, sql, [account, Math.max(0, createdAt)]))[0]?.rows);
    },
    async open(heardBefore, limit) {
      const sql = `SELECT id, created_at, heard_at FROM remit_books.entries
        WHERE account = $1 AND NOT is_final AND heard_at < $2 ORDER BY created_at, seq LIMIT $3`;
      return (await rowsOf(pool, sql, [account, heardBefore, limit])).map((row) => ({
        id: String(row.id),
        createdAt: Number(row.created_at),
        heardAt: Number(row.heard_at),
      }));
    },
    async bodies(afterId, limit) {
      const sql =
        'SELECT id, body FROM remit_books.entries WHERE account = $1 AND id > $2 ORDER BY id LIMIT $3';
      const rows = await rowsOf(pool, sql, [account, afterId, limit]);
      return rows.map(({ id, body }) => ({ id: String(id), body: String(body) }));
    },
    async created({ from, to, after = { createdAt: from, seq: -1 }, limit }) {
      const values = [account, from, to, after.createdAt, after.seq, limit];
      return (await rowsOf(pool, CREATED, values)).map((row) => ({
        createdAt: Number(row.created_at),
        seq: Number(row.seq),
        id: String(row.id),
        body: String(row.body),
      }));
    },
    async get(id) {
      const [row] = await rowsOf(pool, `${FOUND} AND id = $2`, [account, id]);
      return row && String(row.body);
    },
    async entry(id) {
      const [row] = await rowsOf(pool, `${FOUND} AND id = $2`, [account, id]);
      return row && foundOf(row);
    },
  };
}

const FEW = 2_000;
const BY_TEXT = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off';
const BY_TIME =
  'SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexscan = on';

export function createFinding(shared: Shared): Pick<Books, 'find'> {
  const { account } = shared;
  return {
    find: (parts, { limit, from = 0, to = Number.MAX_SAFE_INTEGER, containing = [] }) => {
      invariant(
        parts.flat().every((part) => part.length >= 3),
        'a part has three characters or more',
      );
      const { where, values } = fitting(parts, 2);
      return reading(shared.pool, 'BEGIN', async (within) => {
        const ends = [from, to, limit, ...containing];
        const sql = (fits: string, at: number): string =>
          `${FOUND} AND ${fits} AND created_at >= $${at} AND created_at < $${at + 1}${containing.map((_, index) => ` AND strpos(body, $${at + 3 + index}) > 0`).join('')} ORDER BY created_at DESC, seq DESC LIMIT $${at + 2}`;
        const few =
          parts.length === 0
            ? undefined
            : await seqsOfFew(within, `account = $1 AND ${where}`, [account, ...values]);
        if (few !== undefined) {
          const rows = await rowsOf(within, sql('seq = ANY($2::bigint[])', 3), [account, few, ...ends]);
          return rows.map(foundOf);
        }
        // The newest of many entries are met soon on a walk along the times.
        await within.query(BY_TIME);
        const rows = await rowsOf(within, sql(where, values.length + 2), [account, ...values, ...ends]);
        return rows.map(foundOf);
      });
    },
  };
}

/** Undefined where there are many. */
async function seqsOfFew(
  within: PostgresQueries,
  where: string,
  values: unknown[],
): Promise<string[] | undefined> {
  await within.query(BY_TEXT);
  const sql = `SELECT seq FROM remit_books.entries WHERE ${where} LIMIT ${FEW + 1}`;
  const rows = await rowsOf(within, sql, values);
  await within.query('SET LOCAL enable_indexscan = on');
  return rows.length > FEW ? undefined : rows.map(({ seq }) => String(seq));
}

function fitting(parts: readonly (readonly string[])[], first: number): { where: string; values: string[] } {
  const values: string[] = [];
  const where = parts
    .map((spellings) => {
      const each = spellings.map((part) => {
        values.push(`%${part.replace(/[\\%_]/g, '\\$&')}%`);
        return `finds LIKE $${first + values.length - 1}`;
      });
      return `(${each.join(' OR ')})`;
    })
    .join(' AND ');
  return { where: where === '' ? 'true' : where, values };
}
