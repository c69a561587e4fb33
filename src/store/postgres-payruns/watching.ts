/** Figures of the pay runs for whoever watches a worker, and a commit that shows that the server takes one. */
import { ROW_STATES } from '../../core/ports/payruns.ts';
import type { StoreFigures, StoreWatching } from '../../core/ports/store-watching.ts';
import type { PostgresPool } from '../postgres-queries.ts';
import { NOW_MS, query, run } from './connection.ts';

/** The table has one row, and nobody else writes it. */
const COMMIT = 'UPDATE remit_payrun_version SET version = version';
/** Sums are kept by triggers: rows are not counted one by one. */
const RECENT_MS = 31 * 86_400_000;
const ROWS = `SELECT json_object_agg(state, rows) FROM (
    SELECT s.state, sum(s.rows) AS rows FROM remit_payrun_sums s JOIN remit_payruns r ON r.seq = s.run
    WHERE r.base_url = $1 AND r.state IN ('approved', 'paused') AND r.created_at > ${NOW_MS} - ${RECENT_MS}
    GROUP BY s.state) AS summed`;
const PAUSED = "SELECT count(*) FROM remit_payruns WHERE base_url = $1 AND state = 'paused'";

const figuresOf = (intents: string): string => `WITH unsettled AS (
    SELECT count(*) AS total, min(created_at) AS oldest FROM ${intents}
    WHERE state IN ('open', 'unknown') AND about ->> 'baseUrl' = $1)
  SELECT (${ROWS}) AS rows, (${PAUSED}) AS paused, total, oldest FROM unsettled`;

export function createWatching(pool: PostgresPool, intents: string): StoreWatching {
  return {
    async commit() {
      await run(pool, COMMIT);
    },
    async figures(baseUrl) {
      const [found = {}] = await query(pool, figuresOf(intents), [baseUrl]);
      const { paused, total, oldest } = found;
      const rows = (found.rows ?? {}) as Record<string, number>;
      return {
        rows: Object.fromEntries(
          ROW_STATES.map((state) => [state, Number(rows[state] ?? 0)]),
        ) as StoreFigures['rows'],
        paused: Number(paused),
        unsettled: Number(total),
        oldestUnsettledAt: oldest === null || oldest === undefined ? null : Number(oldest),
      };
    },
  };
}
