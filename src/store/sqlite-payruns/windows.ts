/** Who has which window of a run, and until when. */
import { invariant } from '../../core/invariants.ts';
import type { PayRunWindows, Taken } from '../../core/ports/payrun-windows.ts';
import type { Database } from '../driver.ts';
import { TO_DO } from '../payrun-outcomes.ts';
import { type PayRunDependencies, SEQ } from './dependencies.ts';

const WORKERS = `SELECT DISTINCT worker FROM payrun_windows WHERE run = ${SEQ} AND worker IS NOT NULL AND until > ?`;
const NEXT = `SELECT w."window" AS "window" FROM payrun_windows w
  WHERE w.run = ${SEQ} AND w."window" > ?
    AND (w.worker IS NULL OR w.until <= ? OR w.worker IN (SELECT value FROM json_each(?)))
    AND EXISTS (SELECT 1 FROM payrun_rows r INDEXED BY payrun_rows_state
      WHERE r.run = w.run AND r.state IN (${TO_DO.map((state) => `'${state}'`).join(', ')}) AND r.n BETWEEN w.first AND w.last)
  ORDER BY w."window" LIMIT 1`;
const FENCE = 'UPDATE payruns SET fence = fence + 1 WHERE id = ? RETURNING fence';
const TAKE = `UPDATE payrun_windows SET worker = ?, until = ?, fence = ? WHERE run = ${SEQ} AND "window" = ? AND fence < ?`;
const IS_TAKEN = `SELECT 1 FROM payrun_windows WHERE run = ${SEQ} AND worker IS NOT NULL AND worker <> ? AND until > ? LIMIT 1`;
const HELD = `WHERE run = ${SEQ} AND "window" = ? AND fence = ? AND worker IS NOT NULL`;

export function createWindows(database: Database, { clock, write }: PayRunDependencies): PayRunWindows {
  return {
    take: (id, worker, { after, leaseMs, isDead = () => false }) =>
      write(() => {
        const now = clock.now();
        const workers = database.all(WORKERS, id, now).map((row) => String(row.worker));
        const next = database.get(NEXT, id, after, now, JSON.stringify(workers.filter(isDead)));
        if (!next) return undefined;
        const window = Number(next.window);
        const fence = Number(database.get(FENCE, id)?.fence);
        const until = now + leaseMs;
        const taken = database.run(TAKE, worker, until, fence, id, window, fence);
        invariant(taken === 1, 'a fence is greater than any before it');
        return { runId: id, window, fence, until };
      }),
    isTaken: async (id, worker) => database.get(IS_TAKEN, id, worker, clock.now()) !== undefined,
    renew: (taken, leaseMs) =>
      write(() => {
        const until = clock.now() + leaseMs;
        const held = database.run(`UPDATE payrun_windows SET until = ? ${HELD}`, until, ...placeOf(taken));
        return held === 1 ? { ...taken, until } : undefined;
      }),
    async giveBack(taken) {
      const sql = `UPDATE payrun_windows SET worker = NULL, until = NULL ${HELD}`;
      await write(() => database.run(sql, ...placeOf(taken)));
    },
  };
}

const placeOf = ({ runId, window, fence }: Taken): [string, number, number] => [runId, window, fence];
