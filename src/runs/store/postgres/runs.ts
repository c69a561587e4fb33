/** Runs, and what is read of them. */

import { SUM_KEY, SUMMED } from '../../../client/store/payrun-tables.ts';
import { isBeginning } from '../../../core/ids.ts';
import { invariant } from '../../../core/invariants.ts';
import type { PayRuns } from '../port.ts';
import { ROW_COLUMNS, RUN_COLUMNS, readRow, readRun } from '../records.ts';
import { HANDABLE, HOLDABLE } from '../sql.ts';
import { FOUND_SUM_KEY, FOUND_SUMS, readFoundSum, readSum } from '../sum-records.ts';
import { alone, atomically, exec, NOW_MS, query, readAtOnce, type Shared } from './connection.ts';
import { payeesOf } from './drafts.ts';

type Runs = Pick<
  PayRuns,
  | 'find'
  | 'list'
  | 'move'
  | 'hold'
  | 'sums'
  | 'found'
  | 'payees'
  | 'acceptBefore'
  | 'rows'
  | 'row'
  | 'cancelRows'
  | 'handOn'
  | 'takeBack'
  | 'keepRates'
  | 'keepChecked'
  | 'now'
>;

const SEQ = '(SELECT seq FROM remit_payruns WHERE id = $1)';
const SEEN = "state NOT IN ('draft', 'gone')";
const FIND = `SELECT ${RUN_COLUMNS} FROM remit_payruns WHERE base_url = $1 AND ${SEEN}`;
const LIST = `SELECT ${RUN_COLUMNS} FROM remit_payruns
  WHERE ${SEEN} AND ($1::text IS NULL OR base_url = $1) AND ($2::text[] IS NULL OR state = ANY ($2)) ORDER BY seq DESC LIMIT $3`;
const SUMS = `SELECT ${SUM_KEY}, ${SUMMED.map((name) => `sum(${name})::text AS ${name}`).join(', ')} FROM remit_payrun_sums
  WHERE run = ${SEQ} GROUP BY ${SUM_KEY} HAVING sum(rows) <> 0 ORDER BY ${SUM_KEY}`;
const FOUND = `SELECT ${FOUND_SUMS} FROM remit_payrun_rows WHERE run = ${SEQ} AND found IS NOT NULL
  GROUP BY ${FOUND_SUM_KEY} ORDER BY ${FOUND_SUM_KEY}`;
const ROW = `SELECT ${ROW_COLUMNS} FROM remit_payrun_rows WHERE run = ${SEQ} AND (key = $2 OR external_id = $2)
  ORDER BY key = $2 DESC LIMIT 1`;
const MOVE = `UPDATE remit_payruns SET state = $2, why = $3, updated_at = ${NOW_MS},
    approval = CASE WHEN $2 = 'planned' THEN NULL ELSE approval END
  WHERE id = $1 AND ${SEEN} AND state = ANY ($4::text[]) AND ($2 <> 'approved' OR rejection IS NULL)`;
const HOLD = `UPDATE remit_payruns SET hold = $2::text, updated_at = ${NOW_MS}
  WHERE id = $1 AND ${HOLDABLE} AND (hold IS NULL) = ($2::text IS NOT NULL)`;
/** A few at a time, so that none wait long for them. */
const CANCELLED_AT_ONCE = 2000;
const CANCEL = (which: string): string => `WITH cancelled AS MATERIALIZED (
    SELECT run, n FROM remit_payrun_rows WHERE run = ${SEQ} AND state = 'planned' ${which}
    ORDER BY n LIMIT ${CANCELLED_AT_ONCE} FOR UPDATE
  )
  UPDATE remit_payrun_rows r SET state = 'cancelled', updated_at = ${NOW_MS}
  FROM cancelled WHERE r.run = cancelled.run AND r.n = cancelled.n AND r.state = 'planned'`;

const NOT_FORGOTTEN = '(SELECT seq FROM remit_payruns WHERE id = $1 AND forgotten_at IS NULL)';
const HAND_ON = `UPDATE remit_payrun_rows r SET state = 'handed_on', updated_at = ${NOW_MS},
    handed = json_build_object('file', $4::text, 'as', given.handed_as, 'from', r.state)::text
  FROM unnest($2::bigint[], $3::text[]) AS given (n, handed_as)
  WHERE r.run = ${NOT_FORGOTTEN} AND r.n = given.n AND r.state IN (${HANDABLE})`;
const TAKE_BACK = `UPDATE remit_payrun_rows SET state = handed::json->>'from', handed = NULL, updated_at = ${NOW_MS}
  WHERE run = ${NOT_FORGOTTEN} AND n = ANY ($2::bigint[]) AND state = 'handed_on'`;

export function createRuns(shared: Shared): Runs {
  const { pool, numberOf } = shared;
  /** Locks the run; returns how many rows changed. */
  const change = async (id: string, sql: string, values: readonly unknown[]): Promise<number> => {
    const number = await numberOf(id);
    if (number === undefined) return 0;
    return atomically(pool, (within) => exec(within, sql, [id, ...values]), [number]);
  };
  return {
    async find(baseUrl, idOrName) {
      const exact = await query(pool, `${FIND} AND (name = $2 OR id = $2)`, [baseUrl, idOrName]);
      if (exact.length > 0 || !isBeginning(idOrName)) return exact.map(readRun);
      const sql = `${FIND} AND starts_with(id, $2) ORDER BY seq DESC`;
      return (await query(pool, sql, [baseUrl, idOrName.toLowerCase()])).map(readRun);
    },
    async list({ baseUrl, states, limit = 100 } = {}) {
      return (await query(pool, LIST, [baseUrl ?? null, states ?? null, limit])).map(readRun);
    },
    async move(id, from, to, why) {
      return (await alone(shared, id, (within) => exec(within, MOVE, [id, to, why ?? null, from]))) === 1;
    },
    async hold(id, hold) {
      const values = [id, hold === undefined ? null : JSON.stringify(hold)];
      return (await alone(shared, id, (within) => exec(within, HOLD, values))) === 1;
    },
    async sums(id) {
      const sums = (await query(pool, SUMS, [id])).map(readSum);
      invariant(
        sums.every(({ rows }) => rows > 0),
        'sums are those of rows',
      );
      return sums;
    },
    found: async (id) => (await query(pool, FOUND, [id])).map(readFoundSum),
    async payees({ id, account: { baseUrl } }, from, to) {
      const [kept] = await query(pool, 'SELECT seq FROM remit_payruns WHERE id = $1', [id]);
      return payeesOf(pool, { seq: String(kept?.seq), baseUrl, from, to });
    },
    rows: (id, filter = {}) => readRows(pool, id, filter),
    row: async (id, key) => (await query(pool, ROW, [id, key])).map(readRow)[0],
    async cancelRows(id, keys) {
      const sql = CANCEL(keys ? 'AND key = ANY ($2::text[])' : '');
      for (let cancelled = 0; ; ) {
        const some = await atomically(pool, (within) => exec(within, sql, keys ? [id, keys] : [id]));
        cancelled += some;
        if (some === 0) return cancelled;
      }
    },
    handOn: (id, rows, file) => change(id, HAND_ON, [rows.map(({ n }) => n), rows.map(({ as }) => as), file]),
    takeBack: (id, rows) => change(id, TAKE_BACK, [rows]),
    async keepRates(id, rates) {
      const sql = `UPDATE remit_payruns SET rates = $2, rates_at = ${NOW_MS} WHERE id = $1`;
      invariant((await exec(pool, sql, [id, rates])) === 1, `no run ${id} to keep rates for`);
    },
    async acceptBefore(id, rows) {
      await exec(pool, 'UPDATE remit_payruns SET accepted_before = $2 WHERE id = $1', [id, rows]);
    },
    async keepChecked(id) {
      await exec(pool, `UPDATE remit_payruns SET checked_at = ${NOW_MS} WHERE id = $1`, [id]);
    },
    async now() {
      return Number((await query(pool, `SELECT ${NOW_MS} AS now`))[0]?.now);
    },
  };
}

type Filter = NonNullable<Parameters<PayRuns['rows']>[1]>;

/** One walk along an index for each state: few refused of a million are found at once. */
function readRows(pool: Shared['pool'], id: string, { states, window, after = 0, limit = 1000 }: Filter) {
  const values: unknown[] = [id, after, limit];
  const mark = (value: unknown): string => `$${values.push(value)}`;
  const bound = (which: string, at: string): string =>
    `(SELECT ${which} FROM remit_payrun_windows WHERE run = ${SEQ} AND "window" = ${at})`;
  const at = window === undefined ? '' : mark(window);
  const within = at === '' ? '' : ` AND n BETWEEN ${bound('first', at)} AND ${bound('last', at)}`;
  const part = (state: string): string =>
    `(SELECT * FROM remit_payrun_rows WHERE run = ${SEQ} AND n > $2${within}${state} ORDER BY n LIMIT $3)`;
  const parts = states?.map((state) => part(` AND state = ${mark(state)}`)) ?? [part('')];
  if (parts.length === 0) return Promise.resolve([]);
  const sql = `SELECT ${ROW_COLUMNS} FROM (${parts.join(' UNION ALL ')}) AS found ORDER BY n LIMIT $3`;
  return readAtOnce(pool, async (queries) => (await query(queries, sql, values)).map(readRow));
}
