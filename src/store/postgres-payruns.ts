/**
 * Pay runs in PostgreSQL, for workers on several machines. Leases are by the server's clock, and fences are checked in the
 * transaction that writes the intent. Nothing outlives a transaction on its connection, so that PgBouncer may hand each transaction
 * to another one.
 */
import type { Intents } from '../core/ports/intents.ts';
import type { PayRuns } from '../core/ports/payruns.ts';
import type { StoreDependencies } from './intent-writes.ts';
import { postgresIntents } from './postgres-intents.ts';
import { createApproving } from './postgres-payruns/approving.ts';
import { rememberedNumbers, type Shared } from './postgres-payruns/connection.ts';
import { createDraft } from './postgres-payruns/drafts.ts';
import { createForgetting } from './postgres-payruns/forgetting.ts';
import { createPaying } from './postgres-payruns/paying.ts';
import { createRuns } from './postgres-payruns/runs.ts';
import { prepareTables } from './postgres-payruns/schema.ts';
import { createWindows } from './postgres-payruns/windows.ts';
import { openPool, type PostgresOptions } from './postgres-pool.ts';
import type { PostgresPool } from './postgres-queries.ts';

export interface PostgresPayRuns extends PayRuns {
  /** Makes the tables and triggers where they are missing, that of the intents too. @throws StoreError for those of another version */
  prepare(): Promise<void>;
}

export interface PostgresPayRunsOptions extends StoreDependencies {
  /** The table of the intents, named as `postgresIntents` has it. */
  table?: string | undefined;
  /** The address of the server for people. */
  name?: string | undefined;
}

/** @throws RangeError for a table whose name is no plain one */
export function postgresPayRuns(
  pool: PostgresPool,
  { clock, random, table = 'remit_intents', name = 'postgres://' }: PostgresPayRunsOptions,
): PostgresPayRuns {
  const intents = postgresIntents(pool, { clock, random, table });
  const shared: Shared = { pool, clock, random, table, numberOf: rememberedNumbers(pool) };
  return {
    isShared: true,
    prepare: () => prepareTables(pool, { name, intents: table, prepareIntents: () => intents.prepare() }),
    draft: (run) => createDraft(shared, run),
    ...createRuns(shared),
    ...createApproving(shared),
    ...createWindows(shared),
    ...createPaying(shared),
    ...createForgetting(shared),
  };
}

/** A store that several machines share. */
export interface PostgresStore {
  intents: Intents;
  payruns: PayRuns;
  close(): Promise<void>;
}

/** Opens and closes of intents have one each; the others are for leases, reading and what is heard. */
const CONNECTIONS = 6;

/** Makes the tables where they are missing. @throws StoreError: `unreachable`, `denied`, `newer`, and those of a database */
export async function openPostgresStore(
  options: PostgresOptions,
  { clock, random }: StoreDependencies,
): Promise<PostgresStore> {
  const { name, pool, close } = await openPool(options, { max: CONNECTIONS, holds: 'journal' });
  try {
    const payruns = postgresPayRuns(pool, { clock, random, name });
    await payruns.prepare();
    return { intents: postgresIntents(pool, { clock, random }), payruns, close };
  } catch (error) {
    await close();
    throw error;
  }
}
