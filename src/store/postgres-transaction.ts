/** One transaction on a connection of a pool of the package `pg`: all or nothing. */
export interface PostgresQueries {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

export interface PostgresConnection extends PostgresQueries {
  release(error?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** A Pool of the package `pg`, as much of it as is needed. */
export interface PostgresPool extends PostgresQueries {
  connect(): Promise<PostgresConnection>;
}

export async function transaction<T>(
  pool: Pick<PostgresPool, 'connect'>,
  begin: string,
  work: (within: PostgresQueries) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  /* A connection that breaks also fails the query that waits for it; without a listener Node would end the process. */
  connection.on('error', ignore);
  try {
    await connection.query(begin);
    const result = await work(connection);
    await connection.query('COMMIT');
    connection.off('error', ignore);
    connection.release();
    return result;
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

const ignore = (): void => {};

/** A connection on which that fails is thrown away. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  try {
    await connection.query('ROLLBACK');
    connection.off('error', ignore);
    connection.release();
  } catch (error) {
    connection.release(error as Error);
  }
}

/**
 * Nobody knows when a server last looked at how much is in our tables, and with guesses of another day it reads and sorts all
 * that waits for each claim. Every statement of ours has an index that fits, so it is told to use those.
 */
export const BEGIN_BY_INDEX = ['seqscan', 'bitmapscan', 'sort'].reduce(
  (sql, way) => `${sql}; SET LOCAL enable_${way} = off`,
  'BEGIN',
);
