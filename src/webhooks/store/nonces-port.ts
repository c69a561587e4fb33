/**
 * Tells which deliveries were taken before. A signature has no timestamp, so one that was valid once is valid for ever, unless its
 * nonce is remembered. The operator therefore decides about forgetting; it never happens with time.
 */

/** Tells which deliveries were taken. A store of your own is asked only about what verified. */
export interface NonceStore {
  /**
   * Durable when it resolves: `new` for its handler. `taken` when it was handled before (answered 200), `under_way` when
   * another process handles it, and may fail (answered 503).
   */
  claim(print: string): Promise<'new' | 'taken' | 'under_way'>;
  /** It was handled: every copy is dropped from now on. */
  finish(print: string): Promise<void>;
  /** It was not handled after all: it may come again. */
  release(print: string): Promise<void>;
}

export interface PostgresNonces extends NonceStore {
  /** Makes the table where it is missing, as the first claim does. */
  prepare(): Promise<void>;
  /** Forgets what was claimed before; answers how many. After the secret was changed, say. */
  forget(before: Date): Promise<number>;
}

export interface SqliteNonces extends NonceStore {
  /** Forgets what was claimed before; answers how many. After the secret was changed, say. */
  forget(before: Date): Promise<number>;
  /** Closes the file. */
  end(): Promise<void>;
}

/**
 * Three times as long as the service waits for an answer. What was claimed and neither finished nor released by then is taken to
 * be in the hands of a process that died, and a copy of it is handled: twice, if that process is only slow. What was finished is never
 * taken again, even if claimed later.
 */
export const UNFINISHED_SECONDS = 30;
