/** What the parts of the pay runs in PostgreSQL share. */
import { InvariantError } from '../../core/invariants.ts';
import { StoreError } from '../../files/store-error.ts';
import type { StoreDependencies } from '../dependencies.ts';
import {
  BEGIN_BY_INDEX,
  type PostgresPool,
  type PostgresQueries,
  transaction,
} from '../postgres-transaction.ts';

export interface Shared extends StoreDependencies {
  pool: PostgresPool;
  /** The table of intents. */
  table: string;
}

export type Found = Record<string, unknown>;

/** Milliseconds since 1970 by the server's clock, which is the same for all workers. */
export const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export const query = async (
  queries: PostgresQueries,
  text: string,
  values: readonly unknown[] = [],
): Promise<Found[]> => (await queries.query(text, [...values])).rows;

/** How many rows changed. */
export const run = async (
  queries: PostgresQueries,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> => (await queries.query(text, [...values])).rowCount ?? 0;

/** Of thousands of rows few are wanted: without this an old guess of their number joins all of them. */
const BEGIN = `${BEGIN_BY_INDEX}; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`;
const TRIES = 5;

/** Two that were in each other's way: nothing of the one that was broken off stands, and it is done again. */
export async function atomically<T>(
  pool: PostgresPool,
  work: (within: PostgresQueries) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction(pool, BEGIN, work);
    } catch (error) {
      if (tries === TRIES || !wasInTheWay(error)) throw error;
    }
  }
}

const sqlState = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
};

const wasInTheWay = (error: unknown): boolean =>
  error instanceof StoreError ? error.kind === 'busy' : ['40001', '40P01'].includes(sqlState(error));

/**
 * The server said no, or we did: nothing of the group stands, and each can be done by itself. Where the way to the server is what
 * failed, nobody knows what stands.
 */
export function nothingStands(error: unknown): boolean {
  if (error instanceof StoreError) return !['unreachable', 'untrusted', 'denied'].includes(error.kind);
  return error instanceof InvariantError || /^(?!08|57)/.test(sqlState(error) || '08');
}
