/** Stores of pay runs, for the suite that every one of them must pass, and the runs that it makes. */
import type pg from 'pg';
import { createJournal, intentWrites } from '../../src/client/store/journal.ts';
import type { Intents, NewIntent } from '../../src/client/store/port.ts';
import { intentsInPostgres } from '../../src/client/store/postgres-intents.ts';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { seededRandom } from '../../src/core/random.ts';
import { committedTogether } from '../../src/disk/commit-together.ts';
import { type Database, openDatabase } from '../../src/disk/driver.ts';
import type { PostgresPool } from '../../src/disk/postgres-queries.ts';
import type { NewRow, NewRun, PayRun, PayRuns, RunDraft } from '../../src/runs/store/port.ts';
import { postgresPayRuns } from '../../src/runs/store/postgres.ts';
import { createPayRuns } from '../../src/runs/store/sqlite.ts';
import { usePostgres } from './one-postgres.ts';
import { openStore } from './open-store.ts';
import { openPool, type PostgresDatabase } from './postgres.ts';
import { memoryStore, type StandingClock, standingClock, temporaryStorePath } from './stores.ts';

export const BASE_URL = 'http://127.0.0.1:4010/v1';

export const newRun = (over: Partial<NewRun> = {}): NewRun => ({
  name: 'wages-2026-11',
  account: { baseUrl: BASE_URL, environment: 'sandbox', profile: 'acme', keyLast4: '3f2a' },
  maker: 'ada',
  windowSize: 4,
  ...over,
});

const CORRIDORS = [
  ['NGN::Bank', 'NGN', '5000'],
  ['GHS::Mobile', 'GHS', '120.50'],
  ['KES::Mobile', 'KES', '900'],
] as const;

/** A hash of an account, made up. */
export const printed = (n: number): string => n.toString(16).padStart(13, '0');

export function newRow(n: number, over: Partial<NewRow> = {}): NewRow {
  const [type, currency, amount] = CORRIDORS[n % 3] ?? CORRIDORS[0];
  return {
    n,
    key: `key-${n}`,
    externalId: `wages-2026-11-${n}`,
    type,
    amount,
    currency,
    inputCurrency: 'EUR',
    estimate: '3.17',
    content: `content-${n}`,
    account: printed(n),
    payee: printed(n),
    person: undefined,
    body: `{"n":${n}}`,
    ...over,
  };
}

export const newRows = (count: number, over: (n: number) => Partial<NewRow> = () => ({})): NewRow[] =>
  Array.from({ length: count }, (_, i) => newRow(i + 1, over(i + 1)));

export const newIntent = (n: number, over: Partial<NewIntent> = {}): NewIntent => ({
  command: 'batch run',
  operation: 'transactions.createAndFund',
  profile: 'acme',
  environment: 'sandbox',
  baseUrl: BASE_URL,
  keyLast4: '3f2a',
  digest: `digest-${n}`,
  externalId: `wages-2026-11-${n}`,
  summary: 'a row of wages-2026-11',
  request: `{"transaction":{"n":${n}}}`,
  ...over,
});

export async function planned(
  runs: PayRuns,
  rows: readonly NewRow[],
  over: Partial<NewRun> = {},
): Promise<PayRun> {
  const made = await (await drafted(runs, rows, over)).finish({ digest: 'd1', plan: '{}' });
  if (made.kind !== 'made') throw new Error('a run of that name stands');
  return made.run;
}

export async function drafted(
  runs: PayRuns,
  rows: readonly NewRow[],
  over: Partial<NewRun> = {},
): Promise<RunDraft> {
  const draft = await runs.draft(newRun(over));
  await draft.append(rows);
  return draft;
}

export async function approved(
  runs: PayRuns,
  rows: readonly NewRow[],
  over: Partial<NewRun> = {},
): Promise<PayRun> {
  const run = await planned(runs, rows, over);
  await runs.approve(run.id, 'd1', { by: 'grace', profile: 'acme', keyLast4: '77aa', at: 1 });
  return run;
}

export interface KeptRuns {
  runs: PayRuns;
  intents: Intents;
  /** The same, as another process has them. */
  other: PayRuns;
  otherIntents: Intents;
  /** Time goes by: leases run out. */
  pass(ms: number): Promise<void>;
  /** While it is so, no intent can be written. Undefined where nothing can be made to fail. */
  breakIntents?: (broken: boolean) => Promise<void>;
  /** So many commits since it was asked last. */
  commits?: () => number;
  close(): Promise<void>;
}

const sqliteMakers: [string, () => Promise<KeptRuns>][] = [
  [
    'in memory',
    async () => {
      const clock = standingClock();
      const store = await memoryStore(clock, seededRandom(7));
      const runs = await store.payruns();
      return {
        runs,
        intents: store.intents,
        other: runs,
        otherIntents: store.intents,
        pass: async (ms) => clock.advance(ms),
        close: async () => store.close(),
      };
    },
  ],
  ['on disk', onDisk],
];

async function onDisk(): Promise<KeptRuns> {
  const clock: StandingClock = standingClock();
  const path = temporaryStorePath();
  const store = await openStore(path, { clock, random: seededRandom(8) });
  const database = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
  const third = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
  let commits = 0;
  const counted: Database = {
    ...database,
    transaction(work) {
      commits++;
      return database.transaction(work);
    },
  };
  const write = committedTogether(counted);
  const dependencies = { clock, random: seededRandom(7) };
  return {
    runs: createPayRuns(counted, { ...dependencies, intents: intentWrites(counted, dependencies), write }),
    intents: createJournal(counted, dependencies, write),
    other: await store.payruns(),
    otherIntents: store.intents,
    pass: async (ms) => clock.advance(ms),
    async breakIntents(broken) {
      third.exec(
        broken
          ? "CREATE TRIGGER broken BEFORE INSERT ON intents BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END"
          : 'DROP TRIGGER broken',
      );
    },
    commits() {
      const since = commits;
      commits = 0;
      return since;
    },
    async close() {
      for (const one of [third, database, store]) one.close();
    },
  };
}

/** In one schema for each database, which each leaves empty. `remit` opens the server as users do. */
export const postgresMaker = (database: () => Pick<PostgresDatabase, 'url'>) => {
  let pools: readonly [pg.Pool, pg.Pool] | undefined;
  return async (): Promise<KeptRuns & { pool: pg.Pool }> => {
    pools ??= [openPool(database(), 6), openPool(database(), 6)];
    const [pool] = pools;
    const clock = standingClock();
    let commits = 0;
    const [one, two] = pools.map((each, i) => {
      const counted = i === 0 ? countingCommits(each, () => commits++) : each;
      const dependencies = { clock, random: seededRandom(7 + i) };
      return {
        runs: postgresPayRuns(counted, dependencies),
        intents: intentsInPostgres(counted, dependencies),
      };
    });
    if (!one || !two) throw new Error('two pools are two processes');
    await Promise.all([one.runs.prepare(), two.runs.prepare()]);
    return {
      pool,
      runs: one.runs,
      intents: one.intents,
      other: two.runs,
      otherIntents: two.intents,
      async pass(ms) {
        clock.advance(ms);
        await pool.query("UPDATE remit_payrun_windows SET until = until - $1 * interval '1 millisecond'", [
          ms,
        ]);
        await pool.query('UPDATE remit_payruns SET created_at = created_at - $1', [ms]);
      },
      async breakIntents(broken) {
        await pool.query(
          broken
            ? `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'broken on purpose'; END $$;
               CREATE TRIGGER broken BEFORE INSERT ON remit_intents FOR EACH ROW EXECUTE FUNCTION broken()`
            : 'DROP FUNCTION broken CASCADE',
        );
      },
      commits() {
        const since = commits;
        commits = 0;
        return since;
      },
      close: () => empty(pool),
    };
  };
};

/** All but the version of the tables; what counts begins anew. */
async function empty(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename <> 'remit_payrun_version'`,
  );
  await pool.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY`);
  await pool.query('ALTER SEQUENCE remit_payrun_fences RESTART');
}

/** Every store of pay runs, for one suite over all of them. PostgreSQL is started before the file's tests, and stopped after them. */
export const everyStore = (): [string, () => Promise<KeptRuns>][] => [
  ...sqliteMakers,
  ['in PostgreSQL', postgresMaker(usePostgres())],
];

function countingCommits(pool: pg.Pool, count: () => void): PostgresPool {
  return {
    query: (text, values) => pool.query(text, values),
    async connect() {
      const connection = await pool.connect();
      return {
        query(text, values) {
          if (text === 'COMMIT') count();
          return connection.query(text, values);
        },
        release: (error) => connection.release(error),
        on: (event, listener) => connection.on(event, listener),
        off: (event, listener) => connection.off(event, listener),
      };
    },
  };
}
