/**
 * Pay runs in PostgreSQL, for workers on several machines. Leases are by the server's clock, and fences are checked in the
 * transaction that writes the intent. Nothing outlives a transaction on its connection, so that PgBouncer may hand each transaction
 * to another one. Without PgBouncer a worker has one session beside the pool, and loses its windows when that ends.
 */

import type { StoreDependencies } from '../../client/store/intent-writes.ts';
import type { Intents } from '../../client/store/port.ts';
import { intentsInPostgres } from '../../client/store/postgres-intents.ts';
import { invariant } from '../../core/invariants.ts';
import { openPool, type PostgresOptions } from '../../disk/postgres-pool.ts';
import type { PostgresPool } from '../../disk/postgres-queries.ts';
import { type PostgresSession, sessionAt, sessionIsGone } from '../../disk/postgres-session.ts';
import { TO_DO } from './outcomes.ts';
import { type Lease, type PayRuns, type PayRunWindows, ROW_STATES } from './port.ts';
import { createApproving } from './postgres/approving.ts';
import { atomically, exec, NOW_MS, query, rememberedNumbers, type Shared } from './postgres/connection.ts';
import { createDraft } from './postgres/drafts.ts';
import { createForgetting } from './postgres/forgetting.ts';
import { createPaying } from './postgres/paying.ts';
import { createRuns } from './postgres/runs.ts';
import { prepareTables } from './postgres/schema.ts';
import { renewInPostgres } from './renewing.ts';
import type { StoreFigures, StoreWatching } from './watching.ts';

/** The table has one row, with no other writer. */
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

/** Figures of the pay runs to monitor a worker, and a commit that shows that the server takes one. */
function createWatching(pool: PostgresPool, intents: string): StoreWatching {
  return {
    async commit() {
      await exec(pool, COMMIT);
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

export interface PostgresPayRuns extends PayRuns {
  /** Makes the tables and triggers where they are missing, that of the intents too. @throws StoreError for those of another version */
  prepare(): Promise<void>;
}

export interface PostgresPayRunsOptions extends StoreDependencies {
  /** The table of the intents, named as `postgresIntents` has it. */
  table?: string | undefined;
  /** The address of the server for people. */
  name?: string | undefined;
  /** Shows other machines that this process is alive; without it they wait for the end of its leases. */
  session?: PostgresSession | undefined;
}

/** @throws RangeError for a table whose name is no plain one */
export function postgresPayRuns(
  pool: PostgresPool,
  { clock, random, table = 'remit_intents', name = 'postgres://', session }: PostgresPayRunsOptions,
): PostgresPayRuns {
  const intents = intentsInPostgres(pool, { clock, random, table });
  const shared: Shared = { pool, clock, random, table, numberOf: rememberedNumbers(pool) };
  return {
    isShared: true,
    prepare: () => prepareTables(pool, { name, intents: table, prepareIntents: () => intents.prepare() }),
    draft: (run) => createDraft(shared, run),
    ...createRuns(shared),
    ...createApproving(shared),
    ...createWindows(shared, session),
    ...createPaying(shared),
    ...createForgetting(shared),
  };
}

/** A store that several machines share. */
export interface PostgresStore {
  intents: Intents;
  payruns: PayRuns;
  watching: StoreWatching;
  close(): Promise<void>;
}

/** Opens and closes of intents have one each; the others are for leases, reading and what is heard. */
const CONNECTIONS = 6;

/** Makes the tables where they are missing. @throws StoreError: `unreachable`, `denied`, `newer`, and those of a database */
export async function openPostgresStore(
  options: PostgresOptions,
  { clock, random }: StoreDependencies,
): Promise<PostgresStore> {
  const { name, pool, close: closePool } = await openPool(options, { max: CONNECTIONS, holds: 'journal' });
  const session = sessionAt(pool);
  const close = (): Promise<void> => {
    session.end();
    return closePool();
  };
  try {
    const payruns = postgresPayRuns(pool, { clock, random, name, session });
    await payruns.prepare();
    await renewInPostgres(pool);
    const watching = createWatching(pool, 'remit_intents');
    const intents = intentsInPostgres(pool, { clock, random });
    return { intents, payruns, watching, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const SEQ = '(SELECT seq FROM remit_payruns WHERE id = $1)';
const LATER = (mark: string): string => `clock_timestamp() + ${mark}::float8 * interval '1 millisecond'`;
/** A worker is kept with the session that it took the window by: `worker@session`. Earlier versions read the whole as its name. */
const NAME = "split_part(worker, '@', 1)";
/** @param isSeen this process has a session here itself, so that it sees those of others */
const WORKERS = (isSeen: boolean): string => `SELECT DISTINCT worker, ${NAME} AS name,
    ${isSeen ? sessionIsGone("split_part(worker, '@', 2)") : 'false'} AS gone FROM remit_payrun_windows
  WHERE run = ${SEQ} AND worker IS NOT NULL AND until > clock_timestamp()`;
/** One that another process locks is passed over. */
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
  WHERE run = ${SEQ} AND worker IS NOT NULL AND ${NAME} <> $2 AND until > clock_timestamp() LIMIT 1`;
const HELD = `WHERE run = ${SEQ} AND "window" = $2 AND fence = $3 AND worker IS NOT NULL`;

/** Tells who has which window of a run, and until when by the server's clock. */
export function createWindows({ pool, clock }: Shared, session?: PostgresSession): PayRunWindows {
  return {
    async take(id, worker, { after, leaseMs, isDead = () => false }) {
      const asked = clock.now();
      const own = await session?.name();
      const [taken] = await atomically(pool, async (within) => {
        const workers = await query(within, WORKERS(own !== undefined), [id]);
        const dead = workers.filter((row) => row.gone === true || isDead(String(row.name)));
        const values = [id, after, dead.map((row) => row.worker), `${worker}@${own ?? ''}`, leaseMs];
        return query(within, TAKE, values);
      });
      if (!taken) return undefined;
      const [window, fence] = [Number(taken.window), Number(taken.fence)];
      invariant(window > after && fence > 0, 'a window that is taken was asked for, and has a fence');
      return { runId: id, window, fence, until: asked + leaseMs };
    },
    isTaken: async (id, worker) => (await query(pool, IS_TAKEN, [id, worker])).length > 0,
    async renew(lease, leaseMs) {
      const asked = clock.now();
      // A session that broke is another one from now on.
      const own = (await session?.name()) ?? '';
      const sql = `UPDATE remit_payrun_windows SET until = ${LATER('$4')}, worker = ${NAME} || '@' || $5::text ${HELD}`;
      const held = await exec(pool, sql, [...placeOf(lease), leaseMs, own]);
      return held === 1 ? { ...lease, until: asked + leaseMs } : undefined;
    },
    async giveBack(lease) {
      await exec(pool, `UPDATE remit_payrun_windows SET worker = NULL, until = NULL ${HELD}`, placeOf(lease));
    },
  };
}

const placeOf = ({ runId, window, fence }: Lease): [string, number, number] => [runId, window, fence];
