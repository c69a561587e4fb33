/** The pool and the helpers that the parts of the pay runs in PostgreSQL share. */

import type { StoreDependencies } from '../../../client/store/intent-writes.ts';
import { InvariantError, invariant } from '../../../core/invariants.ts';
import type { PostgresPool, PostgresQueries } from '../../../disk/postgres-queries.ts';
import { BEGIN_BY_INDEX, inTransaction, reading } from '../../../disk/postgres-transaction.ts';
import { StoreError } from '../../../disk/store-error.ts';

export interface Shared extends StoreDependencies {
  pool: PostgresPool;
  /** The table of intents. */
  table: string;
  /** The number of a run, by its id: both never change. */
  numberOf(id: string): Promise<string | undefined>;
}

export type PgRow = Record<string, unknown>;

export { NOW_MS } from '../../../disk/postgres-queries.ts';

export const query = async (
  queries: PostgresQueries,
  text: string,
  values: readonly unknown[] = [],
): Promise<PgRow[]> => (await queries.query(text, [...values])).rows;

/** How many rows changed. */
export const exec = async (
  queries: PostgresQueries,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> => (await queries.query(text, [...values])).rowCount ?? 0;

export function rememberedNumbers(pool: PostgresPool): Shared['numberOf'] {
  const known = new Map<string, Promise<string | undefined>>();
  const ask = async (id: string): Promise<string | undefined> => {
    const [found] = await query(pool, 'SELECT seq FROM remit_payruns WHERE id = $1', [id]);
    return found && String(found.seq);
  };
  return (id) => {
    const number = known.get(id) ?? ask(id);
    known.set(id, number);
    /* A run that was not found, or could not be asked for, is asked for again. */
    const forget = (): boolean => known.delete(id);
    number.then((found) => found ?? forget(), forget);
    return number;
  };
}

/** Tells the locks of runs from those of whatever else uses the database. */
export const RUN_LOCKS = 1_919_249_002;
const TRIES = 5;

/**
 * A stop of a run waits for those who write for it, and they for those before them: none is passed by for ever. What is
 * asked afterwards sees what was committed before.
 */
const lockRuns = (runs: readonly string[]): string =>
  [...new Set(runs)]
    .sort()
    .map((run) => `; SELECT pg_advisory_xact_lock_shared(${RUN_LOCKS}, ${lockOf(run)})`)
    .join('');

export function lockOf(run: string): number {
  invariant(/^\d+$/.test(run), 'a run has a number');
  return Number(BigInt.asIntN(32, BigInt(run)));
}

/**
 * Two that were in each other's way: nothing of the one that was broken off stands, and it is done again.
 * @param runs numbers of those not to be stopped meanwhile
 */
export async function atomically<T>(
  pool: PostgresPool,
  work: (within: PostgresQueries) => Promise<T>,
  runs: readonly string[] = [],
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(pool, `${BEGIN_BY_INDEX}${lockRuns(runs)}`, work);
    } catch (error) {
      if (tries === TRIES || !wasInTheWay(error)) throw error;
    }
  }
}

/** Changes a run while no row of it is begun: who sends a row waits for who stops its run. Returns 0 where there is no such run. */
export async function alone(
  { pool, numberOf }: Shared,
  id: string,
  work: (within: PostgresQueries, number: string) => Promise<number>,
): Promise<number> {
  const number = await numberOf(id);
  if (number === undefined) return 0;
  return atomically(pool, async (within) => {
    await query(within, `SELECT pg_advisory_xact_lock(${RUN_LOCKS}, ${lockOf(number)})`);
    return work(within, number);
  });
}

/** Reads only, by the indexes that fit. */
export const readAtOnce = <T>(
  pool: PostgresPool,
  read: (within: PostgresQueries) => Promise<T>,
): Promise<T> => reading(pool, BEGIN_BY_INDEX, read);

const sqlState = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
};

const wasInTheWay = (error: unknown): boolean =>
  error instanceof StoreError ? error.kind === 'busy' : ['40001', '40P01'].includes(sqlState(error));

/**
 * The server said no, or we did: nothing of the group stands, and each can be done by itself. Where the way to the server is what
 * failed, what stands is unknown.
 */
export function isRolledBack(error: unknown): boolean {
  if (error instanceof StoreError)
    return !['unreachable', 'unsure', 'untrusted', 'denied'].includes(error.kind);
  return error instanceof InvariantError || /^(?!08|57)/.test(sqlState(error) || '08');
}
