/** One transaction on a connection of a pool: all or nothing, also where the answer to COMMIT is lost (decision 0046). */
import type { PostgresConnection, PostgresPool, PostgresQueries } from './postgres-queries.ts';
import { standing, UnsureError, wasAnswered } from './postgres-standing.ts';

/**
 * Does `work` in a transaction; its answer stands when this resolves. Where the answer to COMMIT is lost, the server
 * is asked by the id of the transaction, which came with the answer to `begin` and so took no round trip of its own.
 * @param unsure what to answer where it is unknown whether it stands
 * @throws UnsureError in its place; whatever else it throws, nothing stands
 */
export async function inTransaction<T>(
  pool: PostgresPool,
  begin: string,
  work: (within: PostgresQueries) => Promise<T>,
  unsure?: (value: T, error: Error) => T,
): Promise<T> {
  let id: string | undefined;
  let done: { value: T } | undefined;
  try {
    return await within(pool, `${begin}${LET_GO}${NOTE_ID}`, async (connection, begun) => {
      id = idIn(begun);
      done = { value: await work(connection) };
      return done.value;
    });
  } catch (error) {
    if (done === undefined || wasAnswered(error)) throw error;
    const stands = await standing(pool, id);
    if (stands === 'committed') return done.value;
    if (stands === 'aborted') throw error;
    const why = new UnsureError(pool.name, error);
    if (unsure === undefined) throw why;
    return unsure(done.value, why);
  }
}

/** One that writes nothing: whatever becomes of its COMMIT, there is nothing to ask about. */
export const reading = <T>(
  pool: PostgresPool,
  begin: string,
  work: (within: PostgresQueries) => Promise<T>,
): Promise<T> => within(pool, `${begin}${READ_ONLY}${LET_GO}`, work);

const READ_ONLY = '; SET LOCAL transaction_read_only = on';
/** A process that is stopped in the middle of a transaction would keep its rows from everybody else: the server ends it. */
const LET_GO = "; SET LOCAL idle_in_transaction_session_timeout = '10s'";
/**
 * The id as text, since a pool may read numbers of 64 bits in a way of its own. PostgreSQL 12 does not know the newer
 * name, `pg_current_xact_id`.
 */
const NOTE_ID = '; SELECT txid_current()::text AS id';

/** Reads the id from the last answer: for several statements that are sent together `pg` gives a list. */
function idIn(begun: unknown): string | undefined {
  const answers = [begun].flat() as { rows?: { id?: unknown }[] }[];
  const id = answers.at(-1)?.rows?.[0]?.id;
  return typeof id === 'string' ? id : undefined;
}

async function within<T>(
  pool: PostgresPool,
  begin: string,
  work: (connection: PostgresQueries, begun: unknown) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  /* A connection that breaks also fails the query that waits for it; without a listener Node would end the process. */
  connection.on('error', ignore);
  const value = await work(connection, await begun(connection, begin)).catch((error: unknown) =>
    rollBack(connection, error),
  );
  await connection.query('COMMIT').catch((error: unknown) => {
    if (wasAnswered(error)) return rollBack(connection, error);
    connection.release(error as Error);
    throw error;
  });
  connection.off('error', ignore);
  connection.release();
  return value;
}

const begun = (connection: PostgresConnection, begin: string): Promise<unknown> =>
  connection.query(begin).catch((error: unknown) => rollBack(connection, error));

const ignore = (): void => {};

/** A connection on which that fails is thrown away. @throws the error that it was called for */
async function rollBack(connection: PostgresConnection, cause: unknown): Promise<never> {
  try {
    await connection.query('ROLLBACK');
    connection.off('error', ignore);
    connection.release();
  } catch (error) {
    connection.release(error as Error);
  }
  throw cause;
}

/**
 * A server's statistics of our tables may be of another day, and by these it reads and sorts all
 * that waits for each claim. Every statement of ours has an index that fits, so it is told to use those.
 */
export const BEGIN_BY_INDEX = ['seqscan', 'bitmapscan', 'sort'].reduce(
  (sql, way) => `${sql}; SET LOCAL enable_${way} = off`,
  'BEGIN',
);
