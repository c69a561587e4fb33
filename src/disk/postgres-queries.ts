/** The part of the package `pg` that is needed: a pool, a connection of it, and one that no pool has. */
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

/** A Client of the package `pg`. */
export interface PostgresClient extends PostgresQueries {
  /** The process of the server that serves this connection, as whoever answered the connection named it. */
  readonly processID?: number | null;
  connect(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

/** A Pool of the package `pg`. */
export interface PostgresPool extends PostgresQueries {
  connect(): Promise<PostgresConnection>;
  /** How the pool connects. A wrapper may hide both: then what has to be asked on a new connection is asked on one of the pool. */
  readonly options?: object;
  readonly Client?: new (options: object) => PostgresClient;
  /** The address of the server, for people. */
  readonly name?: string;
}

/** Milliseconds since 1970 by the server's clock, which is the same for all processes. */
export const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
