/** Pay runs in PostgreSQL, where it is not there, is not ours, or is of another version. */
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { PostgresPool } from '../../src/disk/postgres-queries.ts';
import type { Lease, PayRun } from '../../src/runs/store/port.ts';
import { openPostgresStore, type PostgresStore, postgresPayRuns } from '../../src/runs/store/postgres.ts';
import { approved, BASE_URL, newIntent, newRow, newRows, newRun } from '../support/payrun-stores.ts';
import { openPool, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { standingClock } from '../support/stores.ts';

const LEASE = 3_600_000;
let server: PostgresServer;
let seeds = 0;
beforeAll(async () => {
  server = await startPostgres({ quick: false });
});
afterAll(() => server.stop());

const open = (url = server.url, password?: string) =>
  openPostgresStore({ url, password }, { clock: standingClock(), random: seededRandom(`store ${seeds++}`) });

describe('a store that several machines share', () => {
  let store: PostgresStore;
  let run: PayRun;
  let lease: Lease;
  let names = 0;
  beforeEach(async () => {
    store = await open();
    run = await approved(store.payruns, newRows(200), { name: `run ${names++}`, windowSize: 100 });
    const found = await store.payruns.take(run.id, 'w1', { after: -1, leaseMs: LEASE });
    if (!found) throw new Error('no window to take');
    lease = found;
  });
  afterEach(() => store.close());

  const states = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await store.payruns.sums(run.id)).reduce(
        (all, { state, rows }) => all.set(state, (all.get(state) ?? 0) + rows),
        new Map<string, number>(),
      ),
    );

  it('is made once by several who start at once', async () => {
    const admin = openPool(server, 1);
    await admin.query('CREATE DATABASE fresh');
    await admin.end();
    const url = server.url.replace(/postgres$/, 'fresh');
    const stores = await Promise.all([open(url), open(url), open(url)]);
    expect(await stores[0]?.payruns.list()).toEqual([]);
    for (const one of stores) await one.close();
  });

  it('goes on after the server was stopped and started; nothing is half written', async () => {
    const { payruns, intents } = store;
    const first = await Promise.all(newRows(20).map(({ n }) => payruns.open(lease, n, newIntent(n))));
    const halted = server.halt();
    const during = [
      ...Array.from({ length: 20 }, (_, i) => payruns.open(lease, 21 + i, newIntent(21 + i))),
      ...first.map((one, i) =>
        one === 'lost'
          ? Promise.reject(new Error('lost'))
          : payruns.close(lease, i + 1, one.opened.id, { state: 'applied' }, { transactionId: `t-${i}` }),
      ),
    ];
    const ended = await Promise.allSettled(during);
    await halted;
    const away = { name: 'StoreError', kind: 'unreachable' };
    await expect(payruns.open(lease, 50, newIntent(50))).rejects.toMatchObject(away);
    await expect(payruns.take(run.id, 'w2', { after: -1, leaseMs: 1 })).rejects.toMatchObject(away);
    await expect(payruns.sums(run.id)).rejects.toMatchObject(away);
    await server.start();
    // A COMMIT whose answer is lost may have been kept.
    for (const one of ended)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          name: 'StoreError',
          kind: expect.stringMatching(/^(?:unreachable|unsure)$/),
        });
    const rows = await payruns.rows(run.id);
    const sending = rows.filter(({ state }) => state !== 'planned');
    for (const { intentId = '', state } of sending)
      expect((await intents.get(intentId))?.state).toBe(state === 'created' ? 'applied' : 'open');
    expect(await intents.count({ command: 'batch run' })).toBe(sending.length);
    expect(sending.length).toBeGreaterThanOrEqual(20);
    expect((await states()).planned).toBe(200 - sending.length);
    const next = await payruns.open(lease, 60, newIntent(60));
    expect(next).toHaveProperty('opened');
    for (const [i, one] of first.entries())
      if (one !== 'lost')
        expect(await payruns.close(lease, i + 1, one.opened.id, { state: 'applied' }, {})).toBe('created');
  });

  it('pauses a run while many are opened in it: what comes after opens nothing', async () => {
    const { payruns } = store;
    const opening = newRows(90).map(({ n }) => payruns.open(lease, n, newIntent(n, { digest: `p-${n}` })));
    const paused = payruns.move(run.id, ['approved'], 'paused', 'the rate moved');
    const before = await Promise.all(opening);
    expect(await paused).toBe(true);
    const sending = before.filter((one) => one !== 'lost').length;
    expect((await states()).sending ?? 0).toBe(sending);
    expect(await payruns.open(lease, 91, newIntent(91))).toBe('lost');
  });

  it.each(['a hold', 'a rejection'])(
    '%s waits for a row that is being opened, and none is opened after it',
    async (which) => {
      const pool = openPool(server, 3);
      const [opening, free] = [once(), once()];
      const pause = () => {
        opening.resolve();
        return free.promise;
      };
      const dependencies = { clock: standingClock(), random: seededRandom(`slow ${seeds++}`) };
      const slow = postgresPayRuns(pausing(pool, /INSERT INTO remit_intents/, pause), dependencies);
      const opened = slow.open(lease, 1, newIntent(1));
      await opening.promise;
      const because = { by: 'ada', profile: 'acme', keyLast4: '3f2a', at: 1, because: 'a question' };
      let isStopped = false;
      const { payruns } = store;
      const stopped =
        which === 'a hold'
          ? payruns.hold(run.id, because)
          : payruns.reject(run.id, 'd1', { statement: undefined, rejection: because, why: 'no' });
      void stopped.then(() => {
        isStopped = true;
      });
      const waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      while (!isStopped && (await pool.query(waits)).rows.length === 0);
      expect(isStopped).toBe(false);
      free.resolve();
      expect(await opened).toHaveProperty('opened');
      expect(await stopped).toBe(which === 'a hold' ? true : 'rejected');
      expect(await payruns.open(lease, 2, newIntent(2))).toBe('lost');
      await pool.end();
    },
  );

  it('has what several workers and whoever watches write at once: sums are those of the rows', async () => {
    const { payruns } = store;
    const other = await open();
    const second = await other.payruns.take(run.id, 'w2', { after: -1, leaseMs: LEASE });
    if (!second) throw new Error('no window to take');
    const pay = async (by: PostgresStore, of: Lease, n: number) => {
      const one = await by.payruns.open(of, n, newIntent(n, { digest: `s-${n}` }));
      if (one === 'lost') throw new Error('lost');
      return by.payruns.close(of, n, one.opened.id, { state: 'applied' }, { transactionId: `t-${n}` });
    };
    const paid = newRows(200).map(({ n }) => pay(n <= 100 ? store : other, n <= 100 ? lease : second, n));
    const seen = newRows(200).map(({ externalId }) => ({ externalId, news: { state: 'paid' } as const }));
    const watching = [seen, [...seen].reverse()].map((some) =>
      payruns.observe(run.id, some, (from, to) => from === 'created' && to === 'paid'),
    );
    await Promise.all([...paid, ...watching]);
    await other.payruns.observe(run.id, seen, (from, to) => from === 'created' && to === 'paid');
    expect(await states()).toEqual({ paid: 200 });
    await other.close();
  });

  it('appends to no draft that somebody else began anew', async () => {
    const draft = await store.payruns.draft(newRun({ name: 'twice' }));
    await draft.append([newRow(1)]);
    const other = await open();
    await other.payruns.draft(newRun({ name: 'twice' }));
    await expect(draft.append([newRow(2)])).rejects.toMatchObject({ facts: { category: 'conflict' } });
    await other.close();
  });
});

function once(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Before each statement that fits, something else is awaited. */
function pausing(pool: pg.Pool, fits: RegExp, pause: () => Promise<void>): PostgresPool {
  const asked = async (text: string, ask: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> => {
    if (fits.test(text)) await pause();
    return ask();
  };
  return {
    query: (text, values) => asked(text, () => pool.query(text, values)),
    async connect() {
      const connection = await pool.connect();
      return {
        query: (text, values) => asked(text, () => connection.query(text, values)),
        release: (error) => connection.release(error),
        on: (event, listener) => connection.on(event, listener),
        off: (event, listener) => connection.off(event, listener),
      };
    },
  };
}

/** As PgBouncer does it in transaction mode: the next transaction has another connection, which remembers nothing of the last. */
function handingOut(pools: readonly pg.Pool[]): PostgresPool {
  let turn = 0;
  const next = async () => {
    const pool = pools[turn++ % pools.length];
    if (!pool) throw new Error('no pool');
    return pool.connect();
  };
  return {
    async query(text, values) {
      const connection = await next();
      try {
        return await connection.query(text, values);
      } finally {
        await connection.query('DISCARD ALL');
        connection.release();
      }
    },
    async connect() {
      const connection = await next();
      return {
        query: (text, values) => connection.query(text, values),
        release: (error) => void connection.query('DISCARD ALL').finally(() => connection.release(error)),
        on: (event, listener) => connection.on(event, listener),
        off: (event, listener) => connection.off(event, listener),
      };
    },
  };
}

it('nothing is left on a connection that the next transaction would need', async () => {
  const pools = [openPool(server, 2), openPool(server, 2), openPool(server, 2)];
  const dependencies = { clock: standingClock(), random: seededRandom('handed out') };
  const runs = postgresPayRuns(handingOut(pools), dependencies);
  await runs.prepare();
  const run = await approved(runs, newRows(40), { name: 'through a bouncer', windowSize: 20 });
  const lease = await runs.take(run.id, 'w1', { after: -1, leaseMs: LEASE });
  if (!lease) throw new Error('no window to take');
  const paid = newRows(20).map(async ({ n }) => {
    const one = await runs.open(lease, n, newIntent(n, { digest: `b-${n}` }));
    return one === 'lost' ? one : runs.close(lease, n, one.opened.id, { state: 'applied' }, {});
  });
  expect(new Set(await Promise.all(paid))).toEqual(new Set(['created']));
  expect(await runs.renew(lease, LEASE)).toBeDefined();
  expect(await runs.move(run.id, ['approved'], 'paused')).toBe(true);
  expect(await runs.rows(run.id, { states: ['created'] })).toHaveLength(20);
  for (const pool of pools) await pool.end();
});

describe('a store that is not for us', () => {
  it('does not let in who has another password, and does not show the one that was given', async () => {
    const refused = open(server.url.replace(server.password, 'not-the-password'));
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', kind: 'denied' });
    await expect(refused).rejects.not.toThrow('not-the-password');
  });

  it.each([
    [10, 'newer', 'newer version of remit'],
    [6, 'older', 'a version of remit before 0.1'],
  ])('of version %i is refused in words', async (version, kind, words) => {
    const name = `version_${version}`;
    const admin = openPool(server, 1);
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    const url = server.url.replace(/postgres$/, name);
    await (await open(url)).close();
    const pool = openPool({ url }, 1);
    await pool.query('UPDATE remit_payrun_version SET version = $1', [version]);
    await pool.end();
    await expect(open(url)).rejects.toMatchObject({ kind });
    await expect(open(url)).rejects.toThrow(words);
  });

  const NO_STANDING = 'ALTER TABLE remit_payrun_rows DROP COLUMN stands, DROP COLUMN elsewhere;';
  it.each([
    [8, NO_STANDING],
    [
      7,
      `${NO_STANDING} ALTER TABLE remit_payruns DROP COLUMN hold;
      ALTER TABLE remit_payrun_rows DROP COLUMN payee, DROP COLUMN person, DROP COLUMN holder;
      DROP INDEX remit_payrun_rows_key;`,
    ],
  ])('of version %i is brought on, and its runs are there', async (version, undo) => {
    const admin = openPool(server, 1);
    await admin.query(`CREATE DATABASE version_before_${version}`);
    await admin.end();
    const url = server.url.replace(/postgres$/, `version_before_${version}`);
    const first = await open(url);
    const details = { phone_number: '+254700000001', mobile_provider: 'mpesa' };
    const [asked, kind] = [{ requested_amount: '900', requested_currency: 'KES' }, 'KES::Mobile'];
    const body = JSON.stringify({ recipients: [{ ...asked, payout_method: { type: kind, details } }] });
    const run = await approved(
      first.payruns,
      newRows(2, () => ({ type: kind, body })),
    );
    await first.close();
    const pool = openPool({ url }, 1);
    await pool.query(`${undo} UPDATE remit_payrun_version SET version = ${version}`);
    await pool.end();
    const stores = await Promise.all([open(url), open(url)]);
    for (const { payruns } of stores) {
      expect(await payruns.find(BASE_URL, run.name)).toMatchObject([{ id: run.id, hold: undefined }]);
      expect(await payruns.rows(run.id)).toMatchObject([
        { key: 'key-1', holder: undefined, stands: undefined },
        { key: 'key-2' },
      ]);
    }
    const kept = openPool({ url }, 1);
    const { rows } = await kept.query('SELECT DISTINCT payee FROM remit_payrun_rows');
    // One of version 7 had no prints, and they are not known.
    expect(rows).toEqual([{ payee: version === 7 ? null : expect.stringMatching(/^\d{10,}$/) }]);
    await kept.end();
    for (const store of stores) await store.close();
  });

  it('whose user may not make tables works where they are there', async () => {
    const admin = openPool(server, 1);
    await admin.query("CREATE ROLE payer LOGIN PASSWORD 'made-up'");
    await admin.query('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO payer');
    await admin.query('GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO payer');
    await admin.end();
    const url = server.url.replace(`postgres:${server.password}`, 'payer');
    const store = await open(url, 'made-up');
    const run = await approved(store.payruns, newRows(2), { name: 'by payer' });
    const lease = await store.payruns.take(run.id, 'w1', { after: -1, leaseMs: LEASE });
    if (!lease) throw new Error('no window to take');
    expect(await store.payruns.open(lease, 1, newIntent(1))).toHaveProperty('opened');
    await store.close();
  });
});
