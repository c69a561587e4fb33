/**
 * Which deliveries were taken before. A signature has no timestamp, so one that was valid once is valid for ever, unless its
 * nonce is remembered. Forgetting is therefore a choice of whoever runs this, never something that happens with time.
 */

/** Which deliveries were taken. A store of your own is asked only about what verified. */
export interface NonceStore {
  /**
   * Durable when it resolves: `new` for who may handle it. `taken` when it was handled before (answered 200), `under_way` when
   * somebody else is at it, who may yet fail (answered 503).
   */
  claim(print: string): Promise<'new' | 'taken' | 'under_way'>;
  /** It was handled: every copy is dropped from now on. */
  finish(print: string): Promise<void>;
  /** It was not handled after all: it may come again. */
  release(print: string): Promise<void>;
}

/** @param keep how many to remember; `all` grows with every delivery, a number forgets the oldest */
export function memoryNonces(options: { keep: number | 'all' }): NonceStore & { readonly size: number } {
  const keep = (options as typeof options | undefined)?.keep;
  if (keep !== 'all' && !(typeof keep === 'number' && Number.isInteger(keep) && keep > 0))
    throw new RangeError('keep is a whole number above 0, or "all"');
  const most = keep === 'all' ? Number.POSITIVE_INFINITY : keep;
  const taken = new Set<string>();
  const underWay = new Set<string>();
  return {
    get size() {
      return taken.size;
    },
    async claim(print) {
      if (taken.has(print)) return 'taken';
      if (underWay.has(print)) return 'under_way';
      underWay.add(print);
      return 'new';
    },
    async finish(print) {
      underWay.delete(print);
      taken.add(print);
      if (taken.size > most) taken.delete(taken.values().next().value as string);
    },
    async release(print) {
      underWay.delete(print);
    },
  };
}

/** As much of a pool of the package `pg` as is needed. */
export interface QueryRunner {
  query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }>;
}

export interface PostgresNonces extends NonceStore {
  /** Makes the table where it is missing. */
  prepare(): Promise<void>;
  /** Forgets what was claimed before; answers how many. After the secret was changed, say. */
  forget(before: Date): Promise<number>;
}

/**
 * Three times as long as the service waits for an answer. What was claimed and neither finished nor released by then is taken to
 * be in the hands of a process that died, and a copy of it is handled: twice, if that process is only slow. What was finished is never
 * taken again, whoever claimed it in between.
 */
const UNFINISHED_SECONDS = 30;

/**
 * Shared by all processes of a service. `owner` names one of them; no other has the same: a claim that was given to another is not
 * released by who had it before. @throws RangeError for a name that is no plain one
 */
export function postgresNonces(
  pool: QueryRunner,
  { owner, table = 'webhook_nonces' }: { owner: string; table?: string | undefined },
): PostgresNonces {
  if (!/^[a-z_][a-z0-9_]{0,62}(?:\.[a-z_][a-z0-9_]{0,62})?$/.test(table))
    throw new RangeError(`"${table}" is not a plain table name`);
  const claim = `
    INSERT INTO ${table} AS earlier (print, owner) VALUES ($1, $2)
    ON CONFLICT (print) DO UPDATE SET claimed_at = now(), owner = $2
    WHERE earlier.taken_at IS NULL AND earlier.claimed_at < now() - interval '${UNFINISHED_SECONDS} seconds'`;
  const finish = `
    INSERT INTO ${table} (print, owner, taken_at) VALUES ($1, $2, now())
    ON CONFLICT (print) DO UPDATE SET taken_at = now()`;
  const release = `DELETE FROM ${table} WHERE print = $1 AND owner = $2 AND taken_at IS NULL`;
  const isTaken = `SELECT 1 FROM ${table} WHERE print = $1 AND taken_at IS NOT NULL`;
  return {
    async prepare() {
      await pool.query(
        `CREATE TABLE IF NOT EXISTS ${table} (
          print text PRIMARY KEY, owner text NOT NULL, claimed_at timestamptz NOT NULL DEFAULT now(), taken_at timestamptz
        )`,
      );
    },
    async claim(print) {
      if ((await pool.query(claim, [print, owner])).rowCount === 1) return 'new';
      return (await pool.query(isTaken, [print])).rowCount === 1 ? 'taken' : 'under_way';
    },
    async finish(print) {
      await pool.query(finish, [print, owner]);
    },
    async release(print) {
      await pool.query(release, [print, owner]);
    },
    async forget(before) {
      const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE claimed_at < $1`, [before]);
      return rowCount ?? 0;
    },
  };
}
