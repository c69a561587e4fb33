/**
 * The tables of pay runs in PostgreSQL, beside the table of intents, and the triggers that keep their sums. Sums are kept in
 * several parts (`bucket`), by window: workers in different windows do not wait for each other.
 */

import { payeeColumns, SUM_KEY, SUMMED, standingColumns } from '../../../client/store/payrun-tables.ts';
import type { PostgresPool, PostgresQueries } from '../../../disk/postgres-queries.ts';
import { inTransaction } from '../../../disk/postgres-transaction.ts';
import { StoreError } from '../../../disk/store-error.ts';

/** Any number that no other takes: several may start at once. */
const LOCK = 7_736_481_024;
const BUCKETS = 32;

/** Tables of a greater version are of a later remit; those of one lower than 7 were never published. Both are refused. */
const VERSION = 9;

const KEY = `run, bucket, ${SUM_KEY}`;
const summed = SUMMED.join(', ');
const changes = (table: string, sign: '' | '-'): string =>
  `SELECT run, ("window" % ${BUCKETS})::smallint AS bucket, ${SUM_KEY}, ${sign}1 AS rows, ${sign}amount::numeric AS amount,
    ${sign}estimate::numeric AS estimate, ${sign}COALESCE(cost, 0)::numeric AS cost, ${sign}COALESCE(arrives, 0)::numeric AS arrives
   FROM ${table}`;
/** In one order, so that none wait in a circle. */
const trigger = (event: 'insert' | 'update', from: string, tables: string): string => `
  CREATE FUNCTION remit_payrun_rows_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO remit_payrun_sums AS kept (${KEY}, ${summed})
    SELECT ${KEY}, ${SUMMED.map((name) => `sum(${name})`).join(', ')} FROM (${from}) AS changed GROUP BY ${KEY}
    HAVING ${SUMMED.map((name) => `sum(${name}) <> 0`).join(' OR ')} ORDER BY ${KEY}
    ON CONFLICT (${KEY}) DO UPDATE SET ${SUMMED.map((name) => `${name} = kept.${name} + excluded.${name}`).join(', ')};
    RETURN NULL;
  END $$;
  CREATE TRIGGER remit_payrun_rows_${event} AFTER ${event} ON remit_payrun_rows REFERENCING ${tables}
  FOR EACH STATEMENT EXECUTE FUNCTION remit_payrun_rows_${event}();`;

/** The steps that bring an earlier version on to the next. */
const STEPS: Readonly<Record<number, string>> = {
  7: payeeColumns('remit_', 'bigint'),
  8: standingColumns('remit_', 'bigint'),
};
const stepsFrom = (version: number): string =>
  Object.entries(STEPS)
    .flatMap(([from, step]) => (Number(from) >= version ? [step] : []))
    .join('');
const TABLES = `
  CREATE TABLE remit_payrun_version (version integer NOT NULL);
  INSERT INTO remit_payrun_version VALUES (${VERSION});
  CREATE SEQUENCE remit_payrun_fences;
  CREATE TABLE remit_payruns (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    name text NOT NULL,
    base_url text NOT NULL,
    environment text NOT NULL,
    profile text NOT NULL,
    key_last4 text NOT NULL,
    maker text,
    window_size integer NOT NULL,
    digest text NOT NULL DEFAULT '',
    plan text NOT NULL DEFAULT '',
    rows bigint NOT NULL DEFAULT 0,
    state text NOT NULL,
    why text,
    approval text,
    rates text,
    rates_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    checked_at bigint,
    forgotten_at bigint,
    forget_owed smallint,
    accepted_before bigint,
    statements text,
    rejection text
  );
  CREATE UNIQUE INDEX remit_payruns_name ON remit_payruns (base_url, name) WHERE state NOT IN ('draft', 'gone');
  CREATE INDEX remit_payruns_unfinished ON remit_payruns (state) WHERE state IN ('draft', 'gone');
  CREATE TABLE remit_payrun_windows (
    run bigint NOT NULL,
    "window" integer NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    fence bigint NOT NULL DEFAULT 0,
    worker text,
    until timestamptz,
    PRIMARY KEY (run, "window")
  );
  CREATE TABLE remit_payrun_rows (
    run bigint NOT NULL,
    n bigint NOT NULL,
    "window" integer NOT NULL,
    state text NOT NULL DEFAULT 'planned',
    key text NOT NULL,
    external_id text NOT NULL,
    type text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    input_currency text NOT NULL,
    estimate bigint NOT NULL,
    content text NOT NULL,
    account bigint NOT NULL,
    intent_id text,
    tries integer NOT NULL DEFAULT 0,
    transaction_id text,
    recipient_id text,
    cost bigint,
    arrives bigint,
    code text,
    why text,
    updated_at bigint NOT NULL,
    body text NOT NULL,
    handed text,
    found text,
    PRIMARY KEY (run, n),
    UNIQUE (run, key),
    UNIQUE (run, external_id)
  );
  CREATE INDEX remit_payrun_rows_state ON remit_payrun_rows (run, state, n);
  CREATE INDEX remit_payrun_rows_account ON remit_payrun_rows (account);
  CREATE INDEX remit_payrun_rows_found ON remit_payrun_rows (run) WHERE found IS NOT NULL;
  CREATE TABLE remit_payrun_sums (
    run bigint NOT NULL,
    bucket smallint NOT NULL,
    state text NOT NULL,
    type text NOT NULL,
    currency text NOT NULL,
    input_currency text NOT NULL,
    rows bigint NOT NULL,
    amount numeric NOT NULL,
    estimate numeric NOT NULL,
    cost numeric NOT NULL,
    arrives numeric NOT NULL,
    PRIMARY KEY (${KEY})
  ) WITH (fillfactor = 50);
  ${stepsFrom(0)}
  ${trigger('insert', changes('added', ''), 'NEW TABLE AS added')}
  ${trigger('update', `${changes('added', '')} UNION ALL ${changes('removed', '-')}`, 'OLD TABLE AS removed NEW TABLE AS added')}
`;

/** Makes the tables where they are missing. Changes nothing where they are there, so that a user without the right to make tables can work. */
export async function prepareTables(
  pool: PostgresPool,
  { name, intents, prepareIntents }: { name: string; intents: string; prepareIntents: () => Promise<void> },
): Promise<void> {
  const there = await pool.query('SELECT to_regclass($1) IS NOT NULL AS there', [intents]);
  if (there.rows[0]?.there === true && (await versionOf(pool, name)) === VERSION) return;
  await prepareIntents();
  await inTransaction(pool, 'BEGIN', async (within) => {
    await within.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const version = await versionOf(within, name);
    if (version === undefined) await within.query(TABLES);
    else if (version < VERSION)
      await within.query(`${stepsFrom(version)}; UPDATE remit_payrun_version SET version = ${VERSION}`);
  });
}

/** Read from the catalogue itself: a look-up by name may answer from before another one's commit. */
const IS_THERE = `SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = 'remit_payrun_version' AND n.nspname = ANY (current_schemas(false))`;

/** Undefined where there are no tables. @throws StoreError for those of another version of remit */
async function versionOf(queries: PostgresQueries, name: string): Promise<number | undefined> {
  if ((await queries.query(IS_THERE)).rows.length === 0) return undefined;
  const version = Number((await queries.query('SELECT version FROM remit_payrun_version')).rows[0]?.version);
  if (version === VERSION || STEPS[version] !== undefined) return version;
  const detail = `its version is ${version}, and this program's is ${VERSION}`;
  throw new StoreError(version > VERSION ? 'newer' : 'older', name, detail, { holds: 'journal' });
}
