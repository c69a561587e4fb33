/**
 * Which deliveries were taken before. A signature has no timestamp, so one that was valid once is valid for ever, unless its
 * nonce is remembered. Forgetting is therefore a choice of whoever runs this, never something that happens with time.
 */
export interface NonceStore {
  /** Durable when it resolves. False when it was here before: the delivery is a copy. Asked only after its signature verified. */
  claim(print: string): Promise<boolean>;
  /** The delivery was not taken after all: it may come again. */
  release(print: string): Promise<void>;
}

/** @param keep how many to remember; `all` grows with every delivery, a number forgets the oldest */
export function memoryNonces(options: { keep: number | 'all' }): NonceStore & { readonly size: number } {
  const keep = (options as typeof options | undefined)?.keep;
  if (keep !== 'all' && !(typeof keep === 'number' && Number.isInteger(keep) && keep > 0))
    throw new RangeError('keep is a whole number above 0, or "all"');
  const most = keep === 'all' ? Number.POSITIVE_INFINITY : keep;
  const prints = new Set<string>();
  return {
    get size() {
      return prints.size;
    },
    async claim(print) {
      if (prints.has(print)) return false;
      prints.add(print);
      if (prints.size > most) prints.delete(prints.values().next().value as string);
      return true;
    },
    async release(print) {
      prints.delete(print);
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

/** Shared by all processes of a service. @throws RangeError for a name that is no plain one */
export function postgresNonces(
  pool: QueryRunner,
  { table = 'webhook_nonces' }: { table?: string | undefined } = {},
): PostgresNonces {
  if (!/^[a-z_][a-z0-9_]{0,62}(?:\.[a-z_][a-z0-9_]{0,62})?$/.test(table))
    throw new RangeError(`"${table}" is not a plain table name`);
  const insert = `INSERT INTO ${table} (print) VALUES ($1) ON CONFLICT DO NOTHING`;
  return {
    async prepare() {
      await pool.query(
        `CREATE TABLE IF NOT EXISTS ${table} (print text PRIMARY KEY, claimed_at timestamptz NOT NULL DEFAULT now())`,
      );
    },
    claim: async (print) => (await pool.query(insert, [print])).rowCount === 1,
    async release(print) {
      await pool.query(`DELETE FROM ${table} WHERE print = $1`, [print]);
    },
    async forget(before) {
      const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE claimed_at < $1`, [before]);
      return rowCount ?? 0;
    },
  };
}
