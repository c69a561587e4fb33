/** Who has which window of a run, and until when by the server's clock. */
import { invariant } from '../../core/invariants.ts';
import type { PayRunWindows, Taken } from '../../core/ports/payruns.ts';
import { TO_DO } from '../payrun-outcomes.ts';
import { atomically, query, run, type Shared } from './connection.ts';

const SEQ = '(SELECT seq FROM remit_payruns WHERE id = $1)';
const LATER = (mark: string): string => `clock_timestamp() + ${mark}::float8 * interval '1 millisecond'`;
const WORKERS = `SELECT DISTINCT worker FROM remit_payrun_windows
  WHERE run = ${SEQ} AND worker IS NOT NULL AND until > clock_timestamp()`;
/** One that somebody else looks at, or writes in, is passed over. */
const TAKE = `WITH next AS MATERIALIZED (
    SELECT w.run, w."window" FROM remit_payrun_windows w
    WHERE w.run = ${SEQ} AND w."window" > $2
      AND (w.worker IS NULL OR w.until <= clock_timestamp() OR w.worker = ANY ($3::text[]))
      AND EXISTS (SELECT 1 FROM remit_payrun_rows r
        WHERE r.run = w.run AND r.state IN (${TO_DO.map((state) => `'${state}'`).join(', ')})
          AND r.n BETWEEN w.first AND w.last)
    ORDER BY w."window" LIMIT 1 FOR UPDATE OF w SKIP LOCKED
  )
  UPDATE remit_payrun_windows w SET worker = $4, until = ${LATER('$5')}, fence = nextval('remit_payrun_fences')
  FROM next WHERE w.run = next.run AND w."window" = next."window" RETURNING w."window", w.fence`;
const IS_TAKEN = `SELECT 1 FROM remit_payrun_windows
  WHERE run = ${SEQ} AND worker IS NOT NULL AND worker <> $2 AND until > clock_timestamp() LIMIT 1`;
const HELD = `WHERE run = ${SEQ} AND "window" = $2 AND fence = $3 AND worker IS NOT NULL`;

export function createWindows({ pool, clock }: Shared): PayRunWindows {
  return {
    async take(id, worker, { after, leaseMs, isDead = () => false }) {
      const asked = clock.now();
      const [taken] = await atomically(pool, async (within) => {
        const workers = (await query(within, WORKERS, [id])).map((row) => String(row.worker));
        return query(within, TAKE, [id, after, workers.filter(isDead), worker, leaseMs]);
      });
      if (!taken) return undefined;
      const [window, fence] = [Number(taken.window), Number(taken.fence)];
      invariant(window > after && fence > 0, 'a window that is taken was asked for, and has a fence');
      return { runId: id, window, fence, until: asked + leaseMs };
    },
    isTaken: async (id, worker) => (await query(pool, IS_TAKEN, [id, worker])).length > 0,
    async renew(taken, leaseMs) {
      const asked = clock.now();
      const sql = `UPDATE remit_payrun_windows SET until = ${LATER('$4')} ${HELD}`;
      const held = await run(pool, sql, [...placeOf(taken), leaseMs]);
      return held === 1 ? { ...taken, until: asked + leaseMs } : undefined;
    },
    async giveBack(taken) {
      await run(pool, `UPDATE remit_payrun_windows SET worker = NULL, until = NULL ${HELD}`, placeOf(taken));
    },
  };
}

const placeOf = ({ runId, window, fence }: Taken): [string, number, number] => [runId, window, fence];
