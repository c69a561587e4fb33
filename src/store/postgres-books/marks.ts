/** Marks of the transactions of the books, their sums by day, and the balances that were seen. */
import { add, eq } from '../../core/money.ts';
import type { Mark } from '../../core/ports/books.ts';
import {
  balanceOf,
  DAY_MS,
  dayOf,
  type MarkBooks,
  type Moved,
  markOf,
  movementOf,
  seenBalance,
} from '../book-marks.ts';
import { closingsWith, type MarkChanges } from '../mark-changes.ts';
import type { PostgresQueries } from '../postgres-queries.ts';
import { atomically, readClosings, readProgress, rowsOf, type Shared, writeClosings } from './connection.ts';

const DELETE = `DELETE FROM remit_books.marks m USING unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[])
  AS gone (seq, kind, "of", at, currency)
  WHERE m.seq = gone.seq AND m.kind = gone.kind AND m."of" = gone."of" AND m.at = gone.at AND m.currency = gone.currency`;
const INSERT = `INSERT INTO remit_books.marks (account, seq, kind, "of", at, currency, amount)
  SELECT $1, made.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[]) AS made`;

export async function writeMarks(
  within: PostgresQueries,
  account: number,
  changes: readonly (MarkChanges & { seq: string })[],
): Promise<void> {
  const gone = changes.flatMap(({ seq, gone }) => gone.map((mark) => ({ seq, ...mark })));
  const made = changes.flatMap(({ seq, made }) => made.map((mark) => ({ seq, ...mark })));
  if (gone.length > 0)
    await within.query(DELETE, [
      gone.map(({ seq }) => seq),
      gone.map(({ kind }) => kind),
      gone.map(({ of }) => of),
      gone.map(({ at }) => at),
      gone.map(({ currency }) => currency),
    ]);
  if (made.length > 0)
    await within.query(INSERT, [
      account,
      made.map(({ seq }) => seq),
      made.map(({ kind }) => kind),
      made.map(({ of }) => of),
      made.map(({ at }) => at),
      made.map(({ currency }) => currency),
      made.map(({ amount }) => amount ?? null),
    ]);
}

const MOVE = `INSERT INTO remit_books.moved AS kept (account, currency, day, amount)
  SELECT $1, given.* FROM unnest($2::text[], $3::integer[], $4::numeric[]) AS given
  ON CONFLICT (account, currency, day) DO UPDATE SET amount = kept.amount + excluded.amount`;

export async function writeMoved(within: PostgresQueries, account: number, moved: Moved): Promise<void> {
  const sums = moved.sums();
  if (sums.length === 0) return;
  const days = sums.map(({ day }) => day);
  await within.query(MOVE, [
    account,
    sums.map(({ currency }) => currency),
    days,
    sums.map(({ amount }) => amount),
  ]);
}

const WITHIN = `m.amount IS NOT NULL AND m.account = $1 AND m.currency = $2 AND m.at >= $3 AND m.at < $4
  AND (m.at, m.seq, m.kind, m."of") > ($5, $6, $7, $8) ORDER BY m.at, m.seq, m.kind, m."of" LIMIT $9`;
const COLUMNS = 'm.at, m.seq, m.kind, m."of", m.currency, m.amount';
const MOVEMENTS = `SELECT ${COLUMNS}, e.body FROM remit_books.marks m JOIN remit_books.entries e USING (seq) WHERE ${WITHIN}`;
const BRIEF = `SELECT ${COLUMNS}, '' AS body FROM remit_books.marks m WHERE ${WITHIN}`;
const MARKS = `SELECT e.id, ${COLUMNS} FROM remit_books.entries e JOIN remit_books.marks m USING (seq)
  WHERE e.account = $1 AND e.id = ANY($2::text[]) ORDER BY m.kind, m."of", m.at`;
const OF_CREATED = `SELECT ${COLUMNS}, e.body FROM remit_books.marks m JOIN remit_books.entries e USING (seq)
  WHERE e.created_at >= $10 AND e.created_at < $11 AND ${WITHIN}`;
const KEEP_RATES = `INSERT INTO remit_books.rates (account, day, from_currency, to_currency, mid)
  SELECT $1, given.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS given
  ON CONFLICT (account, day, from_currency, to_currency) DO UPDATE SET mid = excluded.mid`;

export function createMarks(shared: Shared): MarkBooks {
  const { pool, account } = shared;
  return {
    async marks(ids) {
      const found = new Map<string, Mark[]>(ids.map((id) => [id, []]));
      for (const row of await rowsOf(pool, MARKS, [account, [...ids]]))
        found.get(String(row.id))?.push(markOf(row));
      return found;
    },
    async movements({ currency, from, to, limit, brief, created, after }) {
      const { at, seq, kind, of } = after ?? { at: from, seq: -1, kind: '', of: '' };
      const within = [account, currency, Math.max(from, at), to, at, seq, kind, of, limit];
      const rows =
        created === undefined
          ? await rowsOf(pool, brief ? BRIEF : MOVEMENTS, within)
          : await rowsOf(pool, OF_CREATED, [...within, created.from, created.to]);
      return rows.map(movementOf);
    },
    movedBefore: (currency, at) => movedBefore(pool, account, { currency, at }),
    closings: () => readClosings(pool, account),
    closeMonth: (closing, again = false) =>
      atomically(shared, async (within) => {
        // Nobody keeps a record meanwhile.
        await readProgress(within, account, 'FOR UPDATE');
        const closings = closingsWith(await readClosings(within, account), closing, again);
        if (closings === undefined) return false;
        for (const { currency, amount } of closing.moved)
          if (!eq(await movedBefore(within, account, { currency, at: closing.to }), amount)) return false;
        await writeClosings(within, account, closings);
        return true;
      }),
    seeBalances: (at, balances) =>
      atomically(shared, async (within) => {
        // The lock lets in one machine at a time.
        await readProgress(within, account, 'FOR UPDATE');
        for (const balance of balances) await seeBalance(within, account, { at, ...balance });
      }),
    async seenBalances() {
      const sql = 'SELECT * FROM remit_books.balances WHERE account = $1 ORDER BY currency, first_at';
      return (await rowsOf(pool, sql, [account])).map(balanceOf);
    },
    async keepRates(rates) {
      const latest = [...new Map(rates.map((one) => [`${one.day} ${one.from} ${one.to}`, one])).values()];
      const columns = (['day', 'from', 'to', 'mid'] as const).map((name) => latest.map((one) => one[name]));
      if (latest.length > 0) await pool.query(KEEP_RATES, [account, ...columns]);
    },
    async rates(firstDay, lastDay) {
      const sql = 'SELECT * FROM remit_books.rates WHERE account = $1 AND day >= $2 AND day <= $3';
      return (await rowsOf(pool, sql, [account, firstDay, lastDay])).map((row) => ({
        day: String(row.day),
        from: String(row.from_currency),
        to: String(row.to_currency),
        mid: String(row.mid),
      }));
    },
  };
}

const MOVED = `SELECT COALESCE(sum(amount), 0)::text AS amount FROM (
    SELECT amount FROM remit_books.moved WHERE account = $1 AND currency = $2 AND day < $3
    UNION ALL SELECT amount::numeric FROM remit_books.marks
      WHERE amount IS NOT NULL AND account = $1 AND currency = $2 AND at >= $4 AND at < $5
  ) AS all_of_them`;

/** Whole days as they were summed up, and of the last one the movements before the moment. */
async function movedBefore(
  queries: PostgresQueries,
  account: number,
  { currency, at }: { currency: string; at: number },
): Promise<string> {
  const day = dayOf(at);
  const [row] = await rowsOf(queries, MOVED, [account, currency, day, day * DAY_MS, at]);
  return add('0', String(row?.amount));
}

async function seeBalance(
  within: PostgresQueries,
  account: number,
  { at, currency, amount }: { at: number; currency: string; amount: string },
): Promise<void> {
  const moved = await movedBefore(within, account, { currency, at: Number.MAX_SAFE_INTEGER });
  const latest = `SELECT * FROM remit_books.balances WHERE account = $1 AND currency = $2 ORDER BY first_at DESC LIMIT 1`;
  const [row] = await rowsOf(within, latest, [account, currency]);
  const seen = seenBalance(row, { at, currency, amount, moved });
  if (seen === undefined) return;
  await within.query(
    `INSERT INTO remit_books.balances (account, currency, first_at, last_at, amount, unexplained) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account, currency, first_at) DO UPDATE SET last_at = excluded.last_at, amount = excluded.amount,
       unexplained = excluded.unexplained`,
    [account, currency, seen.firstAt, seen.lastAt, amount, seen.unexplained],
  );
}
