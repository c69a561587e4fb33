/** A COMMIT whose answer is lost, in each store that PostgreSQL keeps: what stands is found out, and nothing is done twice. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Intents } from '../../src/client/store/port.ts';
import { intentsInPostgres } from '../../src/client/store/postgres-intents.ts';
import { seededRandom } from '../../src/core/random.ts';
import { inTransaction } from '../../src/disk/postgres-transaction.ts';
import { openPostgresStore, postgresPayRuns } from '../../src/runs/store/postgres.ts';
import { openPostgresInbox } from '../../src/webhooks/store/postgres.ts';
import { noncesInPostgres } from '../../src/webhooks/store/postgres-nonces.ts';
import { keepIn, received } from '../support/inboxes.ts';
import { ownDatabase } from '../support/one-postgres.ts';
import { approved, newIntent, newRows, planned } from '../support/payrun-stores.ts';
import { openPool, type PostgresDatabase } from '../support/postgres.ts';
import { type Losing, type Loss, type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { standingClock } from '../support/stores.ts';

let server: PostgresDatabase;
let proxy: PostgresProxy;
let admin: pg.Pool;
let seeds = 0;
beforeAll(async () => {
  server = await ownDatabase();
  proxy = await startPostgresProxy(server.url);
  admin = openPool(server, 2);
});
afterAll(async () => {
  await admin.end();
  await proxy.close();
  await server.stop();
});

const dependencies = () => ({ clock: standingClock(), random: seededRandom(`lost ${seeds++}`) });
const count = async (sql: string, values: unknown[] = []): Promise<number> =>
  Number((await admin.query(`SELECT count(*) AS all FROM ${sql}`, values)).rows[0]?.all);

interface Place {
  /** Something new to write, by one transaction or one statement. */
  next(): Promise<Item>;
  losing?: Losing;
  close(): Promise<unknown>;
}

interface Item {
  write(): Promise<unknown>;
  /** What it answers where nothing is lost. */
  says: unknown;
  /** What the same again answers where it stands already. */
  again: unknown;
  /** Where nobody can say whether it stands. */
  unsure: { said?: unknown; error?: unknown };
  /** How often it stands. */
  stands(): Promise<number>;
}

const UNSURE = { error: { name: 'StoreError', kind: 'unsure' } };
const LEASE = 3_600_000;

async function runs() {
  const direct = postgresPayRuns(admin, dependencies());
  await direct.prepare();
  return { direct, store: await openPostgresStore({ url: proxy.url }, dependencies()) };
}

const places: Record<string, () => Promise<Place>> = {
  async intents() {
    const pool = openPool(proxy, 2);
    await intentsInPostgres(admin, dependencies()).prepare();
    const intents: Intents = intentsInPostgres(pool, dependencies());
    return {
      async next() {
        const externalId = `intent-${seeds++}`;
        const intent = newIntent(1, { externalId, digest: externalId });
        return {
          write: () => intents.open(intent, ([earlier]) => earlier && 'earlier'),
          says: { opened: { state: 'open', externalId } },
          again: { refused: 'earlier' },
          unsure: { said: { unsure: { state: 'open', externalId }, error: UNSURE.error } },
          stands: () => count("remit_intents WHERE digest = $1 AND state = 'open'", [externalId]),
        };
      },
      close: () => pool.end(),
    };
  },
  async 'rows of a run that begin'() {
    const { direct, store } = await runs();
    const run = await approved(direct, newRows(9), { name: `begins ${seeds++}`, windowSize: 9 });
    const lease = await direct.take(run.id, 'w1', { after: -1, leaseMs: LEASE });
    if (lease === undefined) throw new Error('no window to take');
    let n = 0;
    return {
      async next() {
        const row = ++n;
        return {
          write: () => store.payruns.open(lease, row, newIntent(row)),
          says: { opened: { state: 'open' } },
          again: 'lost',
          unsure: UNSURE,
          stands: () =>
            count(
              `remit_payrun_rows r JOIN remit_intents i ON i.id = r.intent_id JOIN remit_payruns p ON p.seq = r.run
               WHERE p.id = $1 AND r.n = $2 AND r.state = 'sending' AND i.state = 'open'`,
              [run.id, row],
            ),
        };
      },
      close: () => store.close(),
    };
  },
  async 'runs that are approved'() {
    const { direct, store } = await runs();
    return {
      async next() {
        const { id } = await planned(direct, newRows(1), { name: `approved ${seeds++}` });
        const approval = { by: 'grace', profile: 'acme', keyLast4: '77aa', at: 1 };
        return {
          write: () => store.payruns.approve(id, 'd1', approval),
          says: 'approved',
          again: 'not_planned',
          unsure: UNSURE,
          stands: () => count("remit_payruns WHERE id = $1 AND state = 'approved'", [id]),
        };
      },
      close: () => store.close(),
    };
  },
  async 'the inbox'() {
    const inbox = await openPostgresInbox({ url: proxy.url }, { account: 'one', random: seededRandom('i') });
    return {
      async next() {
        const delivery = received();
        const { objectId } = delivery;
        return {
          write: () => keepIn(inbox, [delivery], { handOn: true }),
          says: [{ outcome: 'new' }],
          again: [{ outcome: 'duplicate' }],
          unsure: UNSURE,
          stands: () =>
            count("remit_inbox.deliveries WHERE object_id = $1 AND state = 'waiting'", [objectId]),
        };
      },
      close: () => inbox.close(),
    };
  },
  async nonces() {
    const pool = openPool(proxy, 2);
    await noncesInPostgres(admin, { owner: 'admin' }).prepare();
    const nonces = noncesInPostgres(pool, { owner: 'one' });
    const statement = /INSERT INTO webhook_nonces/;
    return {
      losing: { statement, question: statement },
      async next() {
        const print = `print ${seeds++}`;
        return {
          write: () => nonces.claim(print),
          says: 'new',
          again: 'under_way',
          unsure: { error: { code: 'ECONNRESET' } },
          stands: () => count('webhook_nonces WHERE print = $1 AND taken_at IS NULL', [print]),
        };
      },
      close: () => pool.end(),
    };
  },
};

const cases: [string, Loss, Losing, 'answered' | 'thrown' | 'unsure', stands: number][] = [
  ['the server did not get it', 'statement', {}, 'thrown', 0],
  ['its answer was lost', 'answer', {}, 'answered', 1],
  ['it is in progress while it is asked about', 'late', {}, 'answered', 1],
  ['its answer was lost, and nobody can ask', 'answer', { away: true }, 'unsure', 1],
  ['the server did not get it, and nobody can ask', 'statement', { away: true }, 'unsure', 0],
];

describe.each(Object.entries(places))('%s', (name, open) => {
  let place: Place;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());

  it.each(cases)('%s', async (_case, loss, losing, ends, stands) => {
    const item = await place.next();
    proxy.lose(loss, { ...place.losing, ...losing });
    const ended = await item.write().then(
      (said) => ({ said }),
      (error: Error) => ({ error }),
    );
    expect(proxy.calm()).toBe(true);
    // A claim is sent once more where it was lost: it has a name of its own.
    const isSentAgain = name === 'nonces' && ends === 'thrown';
    if (ends === 'answered' || isSentAgain) expect(ended).toMatchObject({ said: item.says });
    else if (ends === 'unsure') expect(ended).toMatchObject(item.unsure);
    else {
      expect(ended).toHaveProperty('error');
      expect(ended).not.toMatchObject(UNSURE);
    }
    const stood = isSentAgain ? 1 : stands;
    expect(await item.stands()).toBe(stood);
    expect(await item.write()).toMatchObject((stood ? item.again : item.says) as object);
    expect(await item.stands()).toBe(1);
  });
});

it('asks on a connection of its own: those of the pool may be dead, and nobody noticed', async () => {
  const pool = openPool(proxy, 6);
  await intentsInPostgres(admin, dependencies()).prepare();
  const idle = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
  for (const one of idle) one.release();
  proxy.lose('answer', { silent: true });
  const opened = await intentsInPostgres(pool, dependencies()).open(newIntent(1, { digest: 'silent' }));
  expect(opened).toMatchObject({ opened: { digest: 'silent' } });
  expect(proxy.calm()).toBe(true);
  await pool.end();
});

it('a wrapper that hides how its pool connects is asked for another connection', async () => {
  const pool = openPool(proxy, 6);
  const wrapped = {
    query: (text: string, values?: unknown[]) => pool.query(text, values),
    connect: () => pool.connect(),
  };
  proxy.lose('answer');
  const opened = await intentsInPostgres(wrapped, dependencies()).open(newIntent(1, { digest: 'wrapped' }));
  expect([opened, proxy.calm()]).toMatchObject([{ opened: { digest: 'wrapped' } }, true]);
  await pool.end();
});

it('what the server itself refuses at COMMIT is refused, and nobody is asked', async () => {
  const pool = openPool(proxy, 1);
  await admin.query(`CREATE TABLE deferred (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`);
  proxy.passed();
  const twice = inTransaction(pool, 'BEGIN', async (within) => {
    await within.query('INSERT INTO deferred VALUES (1), (1)');
  });
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  expect(proxy.passed().map((text) => text.split(' ')[0])).toEqual([
    'BEGIN;',
    'INSERT',
    'COMMIT',
    'ROLLBACK',
  ]);
  await pool.end();
});
