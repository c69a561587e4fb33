/**
 * A run without the persons that it is about, as in a file (`sqlite-payruns/forgetting.ts`). The server keeps bytes of what was there
 * until it clears them: in the tables until VACUUM, in its log and its backups as long as it keeps those.
 */

import { FORGOTTEN } from '../../../client/store/intent-writes.ts';
import { invariant } from '../../../core/invariants.ts';
import type { PostgresQueries } from '../../../disk/postgres-queries.ts';
import type { PayRuns } from '../port.ts';
import { EMPTIED, EMPTIED_AT_ONCE, OWED } from '../sql.ts';
import { atomically, exec, lockOf, NOW_MS, query, RUN_LOCKS, type Shared } from './connection.ts';

type Forgetting = Pick<PayRuns, 'lastChange' | 'forget' | 'clearForgotten'>;

const LAST_CHANGE = `SELECT greatest(p.updated_at, (SELECT max(r.updated_at) FROM remit_payrun_rows r WHERE r.run = p.seq)) AS at
  FROM remit_payruns p WHERE p.id = $1`;
const STANDS_IN_THE_WAY = `SELECT 1 FROM remit_payrun_sums WHERE run = $1 AND state = ANY ($2::text[])
  GROUP BY state HAVING sum(rows) > 0 LIMIT 1`;
const MARK = `UPDATE remit_payruns SET forgotten_at = COALESCE(forgotten_at, ${NOW_MS}), forget_owed = ${OWED.rows}, plan = $2,
    digest = '', why = NULL, statements = $3, rejection = NULL WHERE seq = $1`;
const NEXT_ROWS = `SELECT n, intent_id FROM remit_payrun_rows WHERE run = $1 AND n > $2 ORDER BY n LIMIT ${EMPTIED_AT_ONCE} FOR UPDATE`;
const EMPTY = `UPDATE remit_payrun_rows SET ${EMPTIED} WHERE run = $1 AND n > $2 AND n <= $3`;
const FORGET = (table: string): string => `
  UPDATE ${table} i SET request = NULL, note = NULL, digest = '${FORGOTTEN}',
    about = (i.about - 'payer') || '{"summary": "${FORGOTTEN}"}'::jsonb
  FROM (SELECT DISTINCT digest, given_id FROM ${table} WHERE id = ANY ($1::text[])) AS tries
  WHERE i.digest = tries.digest AND i.given_id IS NOT DISTINCT FROM tries.given_id AND i.state NOT IN ('open', 'unknown')`;

export function createForgetting({ pool, numberOf, table }: Shared): Forgetting {
  /** The last of the rows that were emptied; undefined where none is left. */
  async function emptySome(within: PostgresQueries, seq: string, after: number): Promise<number | undefined> {
    const rows = await query(within, NEXT_ROWS, [seq, after]);
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    const emptied = await exec(within, EMPTY, [seq, after, last.n]);
    invariant(emptied === rows.length, 'a row that is forgotten is emptied');
    const intents = rows.flatMap(({ intent_id: intent }) => (intent === null ? [] : [intent]));
    await query(within, FORGET(table), [intents]);
    return Number(last.n);
  }

  return {
    async lastChange(id) {
      return Number((await query(pool, LAST_CHANGE, [id]))[0]?.at);
    },
    async forget(id, { unless, plan, statements = [] }) {
      const seq = await numberOf(id);
      if (seq === undefined) return false;
      const isMarked = await atomically(pool, async (within) => {
        await query(within, `SELECT pg_advisory_xact_lock(${RUN_LOCKS}, ${lockOf(seq)})`);
        if ((await query(within, STANDS_IN_THE_WAY, [seq, unless])).length > 0) return false;
        return (await exec(within, MARK, [seq, plan, JSON.stringify(statements)])) === 1;
      });
      if (!isMarked) return false;
      for (let after: number | undefined = 0; after !== undefined; ) {
        const from: number = after;
        after = await atomically(pool, (within) => emptySome(within, seq, from));
      }
      await exec(pool, `UPDATE remit_payruns SET forget_owed = ${OWED.bytes} WHERE seq = $1`, [seq]);
      return true;
    },
    async clearForgotten() {
      const owed = await query(pool, 'SELECT seq FROM remit_payruns WHERE forget_owed = $1', [OWED.bytes]);
      if (owed.length === 0) return 'of_server';
      // A role that may not vacuum, or has no time for it, leaves that to the server's own vacuum.
      await pool.query(`VACUUM remit_payruns, remit_payrun_rows, ${table}`).catch(() => undefined);
      await exec(
        pool,
        'UPDATE remit_payruns SET forget_owed = NULL WHERE forget_owed = $1 AND seq = ANY ($2::bigint[])',
        [OWED.bytes, owed.map(({ seq }) => seq)],
      );
      return 'of_server';
    },
  };
}
