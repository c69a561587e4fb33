/**
 * Finds out whether a transaction stands whose COMMIT was not answered: asks the server on a new connection (decision
 * 0046).
 */

import type { PostgresClient, PostgresPool, PostgresQueries } from './postgres-queries.ts';
import { StoreError } from './store-error.ts';

/** It is unknown whether what was written stands. */
export class UnsureError extends StoreError {
  constructor(name = 'postgres://', cause: unknown) {
    super('unsure', name, (cause as Error).message, { cause });
  }
}

/**
 * True where the server itself said how the last statement ended. A socket has codes of other kinds; and with one of
 * class 08 or 57, with 40003, or with a panic, the server, or whatever stands before it, says that it breaks off, not
 * what it did.
 */
export function wasAnswered(error: unknown): boolean {
  if (error instanceof StoreError) return error.kind !== 'unreachable';
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return severity !== 'PANIC' && typeof code === 'string' && /^(?!08|57|40003)[0-9A-Z]{5}$/.test(code);
}

const TRIES = 3;
/** A quarter of a minute with the pauses: longer than the server lets a transaction stand idle whose COMMIT never came. */
const LOOKS = 150;
/** By their newer name, `pg_xact_status`, 12 does not know it. */
const STATUS = 'SELECT txid_status($1::bigint) AS status';
/** The server waits, so that no clock is needed here. */
const PAUSE = 'SELECT pg_sleep(0.1)';

/** Repeats idempotent work once after the connection failed. */
export async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || wasAnswered(error)) throw error;
    }
  }
}

type CommitStatus = 'committed' | 'aborted' | 'unknown';

/** `unknown` where no connection could be had, where it is still in progress in the end, and where the server knows no such transaction. */
export async function commitStatus(pool: PostgresPool, id: string | undefined): Promise<CommitStatus> {
  if (id === undefined) return 'unknown';
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await onNewConnection(pool, (connection) => statusOf(connection, id));
    } catch {
      // It broke off in its turn: nothing is known by that.
    }
  }
  return 'unknown';
}

async function statusOf(connection: PostgresQueries, id: string): Promise<CommitStatus> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const status = (await connection.query(STATUS, [id])).rows[0]?.status;
    if (status === 'committed' || status === 'aborted') return status;
    if (status !== 'in progress') return 'unknown';
    await connection.query(PAUSE);
  }
  return 'unknown';
}

const CONNECT_MS = 5000;
const ANSWER_MS = 15_000;

/**
 * A connection that is in no pool, and not open yet. Undefined where the pool hides how it connects. It hears its own errors: without a
 * listener they would end the process.
 */
export function newClient({ Client, options }: PostgresPool): PostgresClient | undefined {
  if (Client === undefined || options === undefined) return undefined;
  /* A spread leaves out the password, which pools hide when they are printed. */
  const { password } = options as { password?: unknown };
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS };
  const client: PostgresClient = new Client({ ...options, password, ...limits });
  client.on('error', () => {});
  return client;
}

/** Asks on a connection of its own: the connections of a pool may all be dead before anybody notices. */
async function onNewConnection<T>(
  pool: PostgresPool,
  ask: (connection: PostgresQueries) => Promise<T>,
): Promise<T> {
  const client = newClient(pool);
  if (client === undefined) return onPooled(pool, ask);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    /* The end of a connection that may be dead is not awaited. */
    client.end().catch(() => {});
  }
}

/** One on which the question fails is thrown away, so that the next is another. */
async function onPooled<T>(pool: PostgresPool, ask: (connection: PostgresQueries) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  const ignore = (): void => {};
  connection.on('error', ignore);
  try {
    const said = await ask(connection);
    connection.off('error', ignore);
    connection.release();
    return said;
  } catch (error) {
    connection.release(error as Error);
    throw error;
  }
}
