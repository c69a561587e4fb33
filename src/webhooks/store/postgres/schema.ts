/** The tables of an inbox in PostgreSQL, in a schema of their own, and how they are brought to the newest version. */
import { StoreError } from '../../../disk/store-error.ts';
import type { InboxConnection, Queries } from './connection.ts';

/** One step per version, in order; a step that was released is never changed. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE remit_inbox.accounts (
    account integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE
  );
  CREATE TABLE remit_inbox.deliveries (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account integer NOT NULL,
    id uuid NOT NULL UNIQUE,
    received_at bigint NOT NULL,
    webhook text NOT NULL,
    event text NOT NULL,
    object_id text NOT NULL,
    transaction_id text,
    delivery_print bytea NOT NULL,
    event_print bytea NOT NULL,
    url text NOT NULL,
    state text NOT NULL,
    waiting boolean NOT NULL GENERATED ALWAYS AS (state = 'waiting') STORED,
    repeat boolean NOT NULL,
    recovered boolean NOT NULL,
    late boolean NOT NULL,
    requeued boolean NOT NULL DEFAULT false,
    handed boolean NOT NULL DEFAULT false,
    attempts integer NOT NULL DEFAULT 0,
    answer text,
    changed_at bigint NOT NULL
  );
  CREATE INDEX deliveries_time ON remit_inbox.deliveries (account, received_at, id);
  CREATE INDEX deliveries_event ON remit_inbox.deliveries (account, event, received_at, id);
  CREATE INDEX deliveries_state ON remit_inbox.deliveries (account, state, received_at, id);
  CREATE INDEX deliveries_transaction ON remit_inbox.deliveries (account, transaction_id, received_at, id)
    WHERE transaction_id IS NOT NULL;
  CREATE INDEX deliveries_object ON remit_inbox.deliveries (account, object_id, seq);
  CREATE INDEX deliveries_waiting ON remit_inbox.deliveries (account, object_id, seq) WHERE waiting;
  CREATE TABLE remit_inbox.overtaken (
    account integer NOT NULL, object_id text NOT NULL, by_seq bigint NOT NULL, PRIMARY KEY (account, object_id)
  );
  CREATE TABLE remit_inbox.contents (
    account integer NOT NULL, id uuid NOT NULL, headers text NOT NULL, body bytea NOT NULL, PRIMARY KEY (account, id)
  );
  ALTER TABLE remit_inbox.contents ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE TABLE remit_inbox.prints (
    account integer NOT NULL, kind smallint NOT NULL, print bytea NOT NULL, id uuid NOT NULL,
    PRIMARY KEY (account, kind, print)
  );
  CREATE TABLE remit_inbox.lanes (
    account integer NOT NULL, object_id text NOT NULL, first_seq bigint, ready boolean NOT NULL DEFAULT true,
    free_at timestamptz NOT NULL DEFAULT now(), owner text, claimed_seq bigint,
    PRIMARY KEY (account, object_id)
  );
  CREATE INDEX lanes_ready ON remit_inbox.lanes (account, first_seq) WHERE ready;
  CREATE INDEX lanes_later ON remit_inbox.lanes (account, free_at) WHERE NOT ready;
  CREATE TABLE remit_inbox.webhooks (
    account integer NOT NULL, webhook text NOT NULL, PRIMARY KEY (account, webhook)
  );
  CREATE TABLE remit_inbox.refusals (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account integer NOT NULL, id text NOT NULL,
    received_at bigint NOT NULL, peer text NOT NULL, url text NOT NULL, target text NOT NULL, headers text NOT NULL,
    body bytea NOT NULL, body_bytes bigint NOT NULL, cause text, message text
  );
  CREATE INDEX refusals_account ON remit_inbox.refusals (account, seq);
  CREATE TABLE remit_inbox.notes (
    account integer NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (account, name)
  );
  `,
];

/** Any number that is not in use: several listeners may start at once. */
const LOCK = 7_736_481_023;

/** Changes nothing where nothing is to be changed, so that a user without the right to make tables can work. */
export async function migrate(connection: InboxConnection): Promise<void> {
  if ((await versionOf(connection)) === MIGRATIONS.length) return;
  await connection.transaction(async (within) => {
    await within.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const version = await versionOf(within);
    if (version > MIGRATIONS.length) {
      throw new StoreError('newer', connection.name, `its version is ${version}`);
    }
    if (version === 0) await within.query(START);
    for (const step of MIGRATIONS.slice(version)) await within.query(step);
    await within.query('UPDATE remit_inbox.version SET version = $1', [MIGRATIONS.length]);
  });
}

const START = `
  CREATE SCHEMA IF NOT EXISTS remit_inbox;
  CREATE TABLE remit_inbox.version (version integer NOT NULL);
  INSERT INTO remit_inbox.version VALUES (0);`;

/** Read from the catalogue itself: a look-up by name may answer from before another listener's commit. */
const IS_THERE = `
  SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'remit_inbox' AND c.relname = 'version'`;

async function versionOf(connection: Queries): Promise<number> {
  const [there] = await connection.query(IS_THERE);
  if (!there) return 0;
  const [row] = await connection.query('SELECT version FROM remit_inbox.version');
  return Number(row?.version);
}

/** The number of an account, which stands in each of its rows. */
export async function accountNumber(connection: InboxConnection, name: string): Promise<number> {
  const find = () => connection.query('SELECT account FROM remit_inbox.accounts WHERE name = $1', [name]);
  const [known] = await find();
  if (known) return Number(known.account);
  await connection.query('INSERT INTO remit_inbox.accounts (name) VALUES ($1) ON CONFLICT DO NOTHING', [
    name,
  ]);
  return Number((await find())[0]?.account);
}
