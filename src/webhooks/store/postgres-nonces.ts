/** Tells which deliveries were taken before, in a table of the caller's PostgreSQL, for all processes of a service. */
import { OptionError } from '../../core/check-options.ts';
import { onceMore } from '../../disk/postgres-standing.ts';
import { type PostgresNonces, UNFINISHED_SECONDS } from './nonces-port.ts';

/** The part of a pool of the package `pg` that is needed here. */
export interface QueryRunner {
  query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }>;
}

/**
 * Shared by all processes of a service. `owner` names one of them; no other has the same, and each claim has a name of its own: one that
 * was given to another is not released by who had it before, and one whose answer was lost is known again when it is asked for once more. @throws OptionError for a name that is no plain one
 */
export function noncesInPostgres(
  pool: QueryRunner,
  { owner, table = 'webhook_nonces' }: { owner: string; table?: string | undefined },
): PostgresNonces {
  if (!/^[a-z_][a-z0-9_]{0,62}(?:\.[a-z_][a-z0-9_]{0,62})?$/.test(table))
    throw new OptionError('invalid', 'table', `"${table}" is not a plain table name`);
  const claim = `
    INSERT INTO ${table} AS earlier (print, owner) VALUES ($1, $2)
    ON CONFLICT (print) DO UPDATE SET claimed_at = now(), owner = $2
    WHERE earlier.taken_at IS NULL AND (earlier.owner = $2 OR earlier.claimed_at < now() - interval '${UNFINISHED_SECONDS} seconds')`;
  const finish = `
    INSERT INTO ${table} (print, owner, taken_at) VALUES ($1, $2, now())
    ON CONFLICT (print) DO UPDATE SET taken_at = now()`;
  const release = `DELETE FROM ${table} WHERE print = $1 AND owner = $2 AND taken_at IS NULL`;
  const isTaken = `SELECT 1 FROM ${table} WHERE print = $1 AND taken_at IS NOT NULL`;
  const ready = once(() => prepareTable(pool, table));
  let claims = 0;
  /** Claims of ours that are neither finished nor released. */
  const ours = new Map<string, string>();
  return {
    prepare: ready,
    async claim(print) {
      await ready();
      const name = `${owner} ${++claims}`;
      // Repeating the claim changes nothing, so the first need not be looked up.
      const claimed = await onceMore(() => pool.query(claim, [print, name]));
      if (claimed.rowCount === 1) {
        ours.set(print, name);
        return 'new';
      }
      return (await pool.query(isTaken, [print])).rowCount === 1 ? 'taken' : 'under_way';
    },
    async finish(print) {
      await ready();
      await pool.query(finish, [print, ours.get(print) ?? owner]);
      ours.delete(print);
    },
    async release(print) {
      await ready();
      const name = ours.get(print);
      ours.delete(print);
      await onceMore(() => pool.query(release, [print, name ?? owner]));
    },
    async forget(before) {
      await ready();
      const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE claimed_at < $1`, [before]);
      return rowCount ?? 0;
    },
  };
}

/** Tells our locks from those of whatever else uses the database. */
const LOCKS = 1_919_249_002;

/**
 * Makes the table where it is missing. It is looked for first, since who may use a table need not have the right to make one; and it is
 * made under a lock, since of two who make the same table at once PostgreSQL refuses one.
 */
async function prepareTable(pool: QueryRunner, table: string): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [table]);
  if (rowCount === 1) return;
  await pool.query(`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(${LOCKS}, hashtext('${table}'));
    CREATE TABLE IF NOT EXISTS ${table} (
      print text PRIMARY KEY, owner text NOT NULL, claimed_at timestamptz NOT NULL DEFAULT now(), taken_at timestamptz
    );
  END $$`);
}

/** Done when it is first asked for; what failed is tried again by the next. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
