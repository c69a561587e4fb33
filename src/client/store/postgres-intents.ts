/**
 * The journal of intents in PostgreSQL, for a service of several processes (decision 0046). The pool is the caller's, of the
 * package `pg`. A process that opens an intent locks its digest until the intent is committed: of two processes that want the
 * same payment at the same moment, the second sees the first.
 */
import { OptionError } from '../../core/check-options.ts';
import { uuid } from '../../core/ids.ts';
import { invariant } from '../../core/invariants.ts';
import { onceMore } from '../../disk/postgres-commit.ts';
import type { PostgresPool, PostgresQueries } from '../../disk/postgres-queries.ts';
import { inTransaction } from '../../disk/postgres-transaction.ts';
import {
  closableTo,
  INTENT_COLUMNS,
  RESULT_COLUMNS,
  readIntent,
  readStanding,
  STOPPED_RUN,
  valuesOf,
} from './intent-row.ts';
import type { StoreDependencies } from './intent-writes.ts';
import { insertJoin, joinsTable, readJoin, valuesOfJoin } from './key-joins.ts';
import {
  givenIdOf,
  type Intent,
  type IntentFilter,
  type Intents,
  type NewIntent,
  type Opening,
  REPEAT_WINDOW_MS,
} from './port.ts';

export interface PostgresIntents extends Intents {
  /** Makes the table and its indexes where they are missing. */
  prepare(): Promise<void>;
}

/** Tells our locks from those of whatever else uses the database. */
const LOCKS = 1_919_249_001;
/** Pay runs may be kept elsewhere, or be closed to this user of the database. */
const RUNS_ARE_READABLE = `SELECT has_table_privilege(to_regclass('remit_payruns'), 'SELECT')
  AND has_table_privilege(to_regclass('remit_payrun_rows'), 'SELECT') AS readable`;

/** @throws OptionError for a table whose name is no plain one */
export function intentsInPostgres(
  pool: PostgresPool,
  { clock, random, table = 'remit_intents' }: StoreDependencies & { table?: string | undefined },
): PostgresIntents {
  if (!/^[a-z_][a-z0-9_]{0,62}(?:\.[a-z_][a-z0-9_]{0,62})?$/.test(table))
    throw new OptionError('invalid', 'table', `"${table}" is not a plain table name`);
  const sql = statements(table);

  const get = async (id: string) => (await pool.query(sql.get, [id])).rows.map(readIntent)[0];
  return {
    async prepare() {
      await inTransaction(pool, 'BEGIN', async (within) => {
        await within.query(sql.lock, [LOCKS, table]);
        for (const statement of sql.create) await within.query(statement);
      });
    },
    open: (intent, judge) =>
      inTransaction(
        pool,
        'BEGIN',
        (within) => openWithin(within, { sql, clock, random }, intent, judge),
        // An intent that is refused was not written.
        (done, error) => ('opened' in done ? { unsure: done.opened, error } : done),
      ),
    async close(id, { state, resultId, note, emptySince }) {
      const values = [state, clock.now(), resultId ?? null, note ?? null, id, emptySince ?? null];
      // An intent that is closed twice in one way stands as it was closed first.
      const closed = (await onceMore(() => pool.query(sql.close, values))).rows.map(readStanding)[0];
      if (closed) invariant(closed.state === state, 'an intent is closed as it was told to be');
      const standing = closed ?? (await get(id));
      invariant(standing, `no intent ${id} to close`);
      invariant(standing.state !== 'open', 'what was closed is open no more');
      return standing;
    },
    async told(id) {
      const now = clock.now();
      const { rowCount } = await onceMore(() => pool.query(sql.told, [now, id, clock.uptime?.() ?? null]));
      invariant(rowCount === 1, `no intent ${id} to tell of`);
    },
    lastTold: async () => Number((await pool.query(sql.lastTold)).rows[0]?.last),
    async join(join) {
      await onceMore(() => pool.query(sql.join, valuesOfJoin(join)));
    },
    joins: async () => (await pool.query(sql.joins)).rows.map(readJoin),
    async rekey(id, digest) {
      invariant(digest !== '', 'an intent is known by its digest');
      await pool.query(sql.rekey, [digest, id]);
    },
    get,
    async isStopped(id) {
      const { rows } = await pool.query(RUNS_ARE_READABLE);
      return rows[0]?.readable === true && (await pool.query(sql.stopped, [id])).rows.length > 0;
    },
    async list({ limit = 100, ...filter } = {}) {
      const { where, values } = whereOf(table, filter);
      const text = `SELECT * FROM ${table} ${where} ORDER BY seq DESC LIMIT $${values.length + 1}`;
      return (await pool.query(text, [...values, limit])).rows.map(readIntent);
    },
    async count(filter = {}) {
      const { where, values } = whereOf(table, filter);
      return Number(
        (await pool.query(`SELECT count(*) AS total FROM ${table} ${where}`, values)).rows[0]?.total,
      );
    },
  };
}

/** Locks the digest: of two who want the same, the second sees the first. */
async function openWithin<Refusal>(
  within: PostgresQueries,
  { sql, clock, random }: StoreDependencies & { sql: ReturnType<typeof statements> },
  intent: NewIntent,
  judge?: (alike: readonly Intent[]) => Refusal | undefined,
): Promise<Opening<Refusal>> {
  await within.query(sql.lock, [LOCKS, intent.digest]);
  if (intent.subject !== undefined) await within.query(sql.lock, [LOCKS, intent.subject]);
  const now = clock.now();
  const values = [intent.digest, now - REPEAT_WINDOW_MS, givenIdOf(intent) ?? null];
  const { rows } = await within.query(sql.alike, values);
  const { subject, digest } = intent;
  const open = subject === undefined ? [] : (await within.query(sql.openAbout, [subject, digest])).rows;
  const refused = judge?.([...rows, ...open].map(readIntent));
  if (refused !== undefined) return { refused };
  const opened: Intent = { ...intent, id: uuid(random), state: 'open', createdAt: now, updatedAt: now };
  const kept = (await within.query(sql.insert, valuesOf(opened))).rows[0];
  invariant(
    kept?.state === 'open' && kept.request === intent.request && kept.digest === intent.digest,
    'an intent is in the journal, open and with the request that will be sent, before anything is sent',
  );
  return { opened };
}

function statements(table: string) {
  const index = table.replace('.', '_');
  const marks = INTENT_COLUMNS.map((_, at) => `$${at + 1}`).join(', ');
  return {
    create: [
      `CREATE TABLE IF NOT EXISTS ${table} (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text NOT NULL UNIQUE, profile text NOT NULL, digest text NOT NULL, state text NOT NULL,
        created_at bigint NOT NULL, updated_at bigint NOT NULL, about jsonb NOT NULL,
        request text, result_id text, note text, told_at bigint, given_id text, command text
      )`,
      `CREATE INDEX IF NOT EXISTS ${index}_subject ON ${table} ((about ->> 'subject'))
        WHERE about ->> 'subject' IS NOT NULL`,
      `CREATE INDEX IF NOT EXISTS ${index}_alike ON ${table} (digest, given_id)`,
      `CREATE INDEX IF NOT EXISTS ${index}_unsettled ON ${table} (seq) WHERE state IN ('open', 'unknown')`,
      `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS told_seq bigint, ADD COLUMN IF NOT EXISTS told_uptime bigint, ADD COLUMN IF NOT EXISTS empty_since bigint`,
      `CREATE INDEX IF NOT EXISTS ${index}_told ON ${table} (told_seq) WHERE told_seq IS NOT NULL`,
      joinsTable(`${table}_keys`, 'bigint GENERATED ALWAYS AS IDENTITY'),
    ],
    join: insertJoin(`${table}_keys`, (n) => `$${n}`),
    joins: `SELECT * FROM ${table}_keys ORDER BY seq`,
    lock: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
    alike: `SELECT * FROM ${table}
      WHERE digest = $1 AND ($3::text IS NULL OR given_id IS NULL OR given_id = $3) AND (state IN ('open', 'unknown') OR (state = 'applied' AND (told_at IS NULL OR told_at > $2)))
      ORDER BY seq DESC`,
    openAbout: `SELECT * FROM ${table}
      WHERE about ->> 'subject' = $1 AND state = 'open' AND digest <> $2 ORDER BY seq DESC`,
    insert: `INSERT INTO ${table} (${INTENT_COLUMNS.join(', ')}) VALUES (${marks}) RETURNING state, digest, request`,
    close: `UPDATE ${table}
      SET state = $1, updated_at = $2, result_id = COALESCE($3, result_id), note = COALESCE($4, note), empty_since = $6::bigint,
        request = CASE WHEN $1 = 'unknown' THEN request END
      WHERE id = $5 AND ${closableTo('$1')} RETURNING ${RESULT_COLUMNS}`,
    told: `UPDATE ${table} SET told_at = COALESCE(told_at, $1), told_uptime = COALESCE(told_uptime, $3::bigint),
      told_seq = COALESCE(told_seq, (SELECT COALESCE(max(told_seq), 0) + 1 FROM ${table} WHERE told_seq IS NOT NULL)) WHERE id = $2`,
    lastTold: `SELECT COALESCE(max(told_seq), 0) AS last FROM ${table} WHERE told_seq IS NOT NULL`,
    rekey: `UPDATE ${table} SET digest = $1 WHERE id = $2`,
    get: `SELECT * FROM ${table} WHERE id = $1`,
    stopped: `SELECT 1 FROM ${table} i, remit_payrun_rows w, remit_payruns r
      WHERE i.id = $1 AND w.external_id = i.given_id AND w.intent_id = i.id AND r.seq = w.run AND ${STOPPED_RUN}`,
  };
}

function whereOf(
  table: string,
  { after, states, digest, profile, subject, command, from, to, prefix }: IntentFilter,
) {
  const values: unknown[] = [];
  const terms: string[] = [];
  const term = (value: unknown, text: (mark: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    terms.push(text(`$${values.length}`));
  };
  term(states, (mark) => `state = ANY(${mark}::text[])`);
  term(after, (mark) => `seq > (SELECT seq FROM ${table} WHERE id = ${mark})`);
  term(digest, (mark) => `digest = ${mark}`);
  term(profile, (mark) => `profile = ${mark}`);
  term(subject, (mark) => `about ->> 'subject' = ${mark}`);
  term(from, (mark) => `created_at >= ${mark}`);
  term(to, (mark) => `created_at <= ${mark}`);
  term(prefix, (mark) => `starts_with(id, ${mark}::text)`);
  term(command, (mark) => `(command = ${mark} OR starts_with(command, ${mark} || ' '))`);
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}
