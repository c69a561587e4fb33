/** What the handlers of `remit-cli/webhooks` remember, so that a delivery is taken once: in memory, in a file, and in a real PostgreSQL. */
import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteIntents } from '../../src/library/client.ts';
import {
  fetchWebhookHandler,
  memoryNonces,
  postgresNonces,
  StoreError,
  sqliteNonces,
} from '../../src/library/webhooks.ts';
import type { NonceStore, WebhookHandlerOptions } from '../../src/library/webhooks-types.ts';
import { openSqliteNonces } from '../../src/webhooks/store/sqlite-nonces.ts';
import { bundleProgram, firstLine, startProgram } from '../support/child-program.ts';
import { real } from '../support/clock.ts';
import { bodyOf, credentials, Heard, headersFor } from '../support/listening.ts';
import { generated } from '../support/long.ts';
import { openPool, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { gate } from '../support/servers.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';

const url = 'https://partner.example/hooks';
let server: PostgresServer;
let pools: pg.Pool[] = [];
beforeAll(async () => {
  server = await startPostgres();
  pools = [0, 1].map(() => openPool(server));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await server.stop();
});

const pool = (i: number) => pools[i] as pg.Pool;
const over = (nonces: NonceStore, onEvent: WebhookHandlerOptions['onEvent'] = () => {}) => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const handle = fetchWebhookHandler({ url, ...credentials, nonces, onEvent, onError });
  return {
    errors,
    async deliver(body: string, headers: Record<string, string>): Promise<string> {
      const answer = await handle(new Request(url, { method: 'POST', body, headers }));
      return `${answer.status} ${(await answer.text()).trim()}`;
    },
  };
};

describe.each<[string, () => NonceStore]>([
  ['memoryNonces', () => memoryNonces({ keep: 'all' })],
  ['sqliteNonces', () => sqliteNonces(temporaryStorePath())],
  ['postgresNonces', () => postgresNonces(pool(0))],
])('with %s', (name, make) => {
  const body = bodyOf(`r of ${name}`);

  it('a replay is answered as taken, and the handler is not called', async () => {
    const got = new Heard<unknown>();
    const { deliver } = over(make(), (event) => got.add(event));
    const headers = headersFor(url, body);
    expect(await deliver(body, headers)).toBe('200 taken');
    expect(await deliver(body, headers)).toBe('200 taken before');
    expect(await deliver(body, headersFor(url, body))).toBe('200 taken');
    expect(got.all).toHaveLength(2);
  });

  it('copies at the same moment call it once, and none is acknowledged before it is done', async () => {
    let calls = 0;
    const held = gate();
    const { deliver } = over(make(), () => {
      calls += 1;
      return held.passed;
    });
    const headers = headersFor(url, body);
    const answers: string[] = [];
    const all = Array.from({ length: 20 }, () => deliver(body, headers).then((one) => answers.push(one)));
    await deliver(body, { ...headers, 'authorization-key': 'wrong' });
    expect(answers).toEqual([]);
    held.open();
    await Promise.all(all);
    expect(calls).toBe(1);
    expect(answers.sort()).toEqual(['200 taken', ...Array(19).fill('200 taken before')]);
  });

  it('one that throws is answered 500 with its copies, and taken when it comes again', async () => {
    const failures = [new Error('the database is away')];
    const got: unknown[] = [];
    const { deliver, errors } = over(make(), async (event) => {
      const failure = failures.pop();
      if (failure) throw failure;
      got.push(event);
    });
    const headers = headersFor(url, body);
    const both = await Promise.all([deliver(body, headers), deliver(body, headers)]);
    expect(both).toEqual(Array(2).fill('500 not taken: send it again'));
    expect(errors[0]).toEqual(new Error('the database is away'));
    expect(await deliver(body, headers)).toBe('200 taken');
    expect(got).toHaveLength(1);
  });
});

describe('what is forged', () => {
  it('however often leaves nothing in the store', async () => {
    const nonces = memoryNonces({ keep: 'all' });
    const { deliver } = over(nonces);
    const headers = headersFor(url, bodyOf('r-1'));
    const forged = Array.from({ length: generated(10_000) }, (_, i) => {
      const own = { ...headers, 'Authorization-Nonce': `forged-${i}` };
      return deliver(i % 2 ? bodyOf(`r-${i}`) : bodyOf('r-1'), own);
    });
    expect(new Set(await Promise.all(forged))).toEqual(new Set(['401 the signature does not verify']));
    expect(await deliver('{}', headersFor(url, '{}'))).toBe('400 signed, but not a delivery');
    expect(nonces.size).toBe(0);
  });
});

describe('memoryNonces', () => {
  it('forgets only what it was told to: the oldest', async () => {
    const nonces = memoryNonces({ keep: 3 });
    expect(await nonces.claim('at work')).toBe('new');
    for (const one of ['a', 'b', 'c', 'd']) {
      expect(await nonces.claim(one)).toBe('new');
      await nonces.finish(one);
    }
    expect(nonces.size).toBe(3);
    const again = await Promise.all(['d', 'c', 'b', 'at work'].map((one) => nonces.claim(one)));
    expect(again).toEqual(['taken', 'taken', 'taken', 'under_way']);
    expect(await nonces.claim('a')).toBe('new');
  });

  it.each([undefined, {}, { keep: 0 }, { keep: 1.5 }, { keep: -1 }, { keep: Number.NaN }, { keep: 'some' }])(
    'wants keep said, not %o',
    (options) => {
      expect(() => memoryNonces(options as { keep: 'all' })).toThrow(
        'keep is a whole number above 0, or "all"',
      );
    },
  );
});

describe('sqliteNonces', () => {
  it('opens nothing before it is needed, and remembers over a restart', async () => {
    const path = temporaryStorePath();
    const nonces = sqliteNonces(path);
    expect(existsSync(path)).toBe(false);
    await nonces.claim('done');
    await nonces.finish('done');
    await nonces.claim('failed');
    await nonces.release('failed');
    await nonces.end();
    const again = sqliteNonces(path);
    expect([await again.claim('done'), await again.claim('failed')]).toEqual(['taken', 'new']);
    expect(await again.forget(new Date(real.now() + 1))).toBe(2);
    expect(await again.claim('done')).toBe('new');
    await again.end();
  });

  it('gives each print to one of several processes, that start at once on no file at all', async () => {
    const path = temporaryStorePath();
    const module = new URL('../../src/library/webhooks.ts', import.meta.url).pathname;
    const program = await bundleProgram(`
      import { sqliteNonces } from ${JSON.stringify(module)};
      const nonces = sqliteNonces(process.argv[2]);
      const prints = Array.from({ length: 60 }, (_, i) => 'print-' + i);
      const claims = await Promise.all(prints.map((print) => nonces.claim(print)));
      console.log(JSON.stringify(prints.filter((_, i) => claims[i] === 'new')));
      await nonces.end();`);
    const lines = await Promise.all([0, 1, 2].map(() => firstLine(startProgram(program, path))));
    const taken: string[] = lines.flatMap((line) => JSON.parse(line));
    expect(taken.sort()).toEqual(Array.from({ length: 60 }, (_, i) => `print-${i}`).sort());
  });

  it('gives an unfinished one to the next after 30 s, and nobody else takes it away', async () => {
    const path = temporaryStorePath();
    const clock = standingClock();
    const open = (owner: string) => openSqliteNonces(path, { clock, owner });
    const [slow, quick] = [await open('slow'), await open('quick')];
    await slow.claim('a');
    await slow.claim('b');
    clock.advance(30_000);
    expect(await quick.claim('a')).toBe('under_way');
    clock.advance(1);
    expect([await quick.claim('a'), await quick.claim('b')]).toEqual(['new', 'new']);
    await slow.release('a');
    expect(await slow.claim('a')).toBe('under_way');
    await quick.finish('b');
    await slow.release('b');
    clock.advance(1e9);
    expect(await slow.claim('b')).toBe('taken');
    await Promise.all([slow.end(), quick.end()]);
  });

  it('leaves a file of another kind as it is', async () => {
    const path = temporaryStorePath();
    const journal = sqliteIntents(path);
    await journal.list();
    await journal.end();
    const before = readFileSync(path);
    const nonces = sqliteNonces(path);
    await expect(nonces.claim('one')).rejects.toMatchObject({ name: 'StoreError', kind: 'foreign' });
    await expect(nonces.claim('one')).rejects.toBeInstanceOf(StoreError);
    expect(readFileSync(path)).toEqual(before);
  });

  it.each([undefined, '', 5])('is not made for the path %o', (path) => {
    expect(() => sqliteNonces(path as string)).toThrow('path is missing');
  });
});

describe('postgresNonces', () => {
  it('makes its table when it is first needed, of many that start at once too', async () => {
    for (const table of ['first_need', 'second_need', 'third_need']) {
      const stores = Array.from({ length: 12 }, (_, i) => postgresNonces(pool(i % 2), { table }));
      const claims = await Promise.all(stores.map((store) => store.claim('one')));
      expect(claims.sort()).toEqual(['new', ...Array(11).fill('under_way')]);
    }
  });

  it('is used by who may not make tables, where it is there', async () => {
    const table = 'public.granted_nonces';
    await pool(0).query(`CREATE ROLE clerk LOGIN PASSWORD 'hush-hush'`);
    const clerk = openPool({ url: server.url.replace('//postgres:', '//clerk:') });
    await expect(postgresNonces(clerk, { table }).claim('one')).rejects.toThrow('permission denied');
    const nonces = postgresNonces(clerk, { table });
    await expect(nonces.claim('one')).rejects.toThrow('permission denied');
    await postgresNonces(pool(0), { table }).prepare();
    await pool(0).query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO clerk`);
    expect(await nonces.claim('one')).toBe('new');
    await nonces.finish('one');
    expect(await postgresNonces(clerk, { table }).claim('one')).toBe('taken');
    await clerk.end();
  });

  it('gives each print to one of two services, whoever asks when', async () => {
    const stores = pools.map((one) => postgresNonces(one));
    const prints = Array.from({ length: 400 }, (_, i) => `print-${i}`);
    const claimed = await Promise.all(
      prints.flatMap((print) =>
        stores.map(async (store) => ((await store.claim(print)) === 'new' ? print : '')),
      ),
    );
    expect(claimed.filter(Boolean).sort()).toEqual([...prints].sort());
    // Only the one that has it can.
    for (const store of stores) await store.release('print-7');
    expect(await stores[1]?.claim('print-7')).toBe('new');
  });

  it('forgets what was claimed before a time, when it is told to', async () => {
    const nonces = postgresNonces(pool(0), { table: 'public.own_nonces' });
    for (const one of ['old', 'new']) {
      await nonces.claim(one);
      await nonces.finish(one);
    }
    await pool(0).query(
      `UPDATE public.own_nonces SET claimed_at = now() - interval '1 day' WHERE print = 'old'`,
    );
    const { rows } = await pool(0).query(`SELECT now() - interval '1 hour' AS then`);
    expect(await nonces.forget(rows[0].then)).toBe(1);
    expect([await nonces.claim('old'), await nonces.claim('new')]).toEqual(['new', 'taken']);
  });

  it('puts a copy off that another process is at, and takes it once that one failed, died or is done', async () => {
    const calls: string[] = [];
    let end = (_: string | Error): void => {};
    const first = over(postgresNonces(pool(0)), async () => {
      calls.push('first');
      const how = await new Promise<string | Error>((resolve) => {
        end = resolve;
      });
      if (how instanceof Error) throw how;
    });
    const second = over(postgresNonces(pool(1)), () => calls.push('second'));
    const body = bodyOf('r of two processes');
    const begin = async (headers: Record<string, string>) => {
      const before = calls.length;
      const answer = first.deliver(body, headers);
      await expect.poll(() => calls.length).toBe(before + 1);
      return answer;
    };
    const put = '503 a copy is being handled: send it again';

    const failing = headersFor(url, body);
    const failed = begin(failing);
    await expect.poll(() => calls.length).toBe(1);
    expect(await second.deliver(body, failing)).toBe(put);
    end(new Error('no'));
    expect(await failed).toBe('500 not taken: send it again');
    expect(await second.deliver(body, failing)).toBe('200 taken');

    const done = headersFor(url, body);
    const finished = begin(done);
    await expect.poll(() => calls.length).toBe(3);
    expect(await second.deliver(body, done)).toBe(put);
    end('well');
    expect(await finished).toBe('200 taken');
    expect(await second.deliver(body, done)).toBe('200 taken before');

    const dying = headersFor(url, body);
    void begin(dying);
    await expect.poll(() => calls.length).toBe(4);
    await pool(0).query(
      `UPDATE webhook_nonces SET claimed_at = claimed_at - interval '31 seconds' WHERE taken_at IS NULL`,
    );
    expect(await second.deliver(body, dying)).toBe('200 taken');
    expect(await second.deliver(body, dying)).toBe('200 taken before');
    expect(calls).toEqual(['first', 'second', 'first', 'first', 'second']);
  });

  it('is not confused by one who comes late: what another finished stays finished, what another is at stays his', async () => {
    const [slow, quick] = [postgresNonces(pool(0)), postgresNonces(pool(1))];
    const age = () =>
      pool(0).query(`UPDATE webhook_nonces SET claimed_at = claimed_at - interval '31 seconds'`);
    const taken = 'taken over and finished';
    await slow.claim(taken);
    await age();
    expect(await quick.claim(taken)).toBe('new');
    await quick.finish(taken);
    await slow.release(taken);
    expect(await slow.claim(taken)).toBe('taken');
    const held = 'taken over and held';
    await slow.claim(held);
    await age();
    expect(await quick.claim(held)).toBe('new');
    await slow.release(held);
    expect(await slow.claim(held)).toBe('under_way');
    await slow.finish(held);
    await quick.release(held);
    expect(await quick.claim(held)).toBe('taken');
  });

  it('gives an unfinished one to one of those who ask at once, and a finished one to nobody', async () => {
    const stores = pools.map((one) => postgresNonces(one));
    await stores[0]?.claim('unfinished');
    await stores[0]?.claim('finished');
    await stores[0]?.finish('finished');
    await pool(0).query(`UPDATE webhook_nonces SET claimed_at = claimed_at - interval '1 year'`);
    const ask = (print: string) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => stores[i % 2]?.claim(print)));
    expect((await ask('unfinished')).sort()).toEqual(['new', ...Array(19).fill('under_way')]);
    expect(new Set(await ask('finished'))).toEqual(new Set(['taken']));
  });

  it.each(['', 'a b', 'x; DROP TABLE y', 'a.b.c', '"x"', 'X'])('takes no table called %o', (table) => {
    expect(() => postgresNonces(pool(0), { table })).toThrow('is not a plain table name');
  });

  it('that does not answer is a 500, and nothing was taken', async () => {
    const away = openPool({ url: 'postgres://nobody@127.0.0.1:9/none' });
    let calls = 0;
    const { deliver, errors } = over(postgresNonces(away), () => (calls += 1));
    expect(await deliver(bodyOf('r'), headersFor(url, bodyOf('r')))).toBe('500 not taken: send it again');
    expect([calls, errors.length]).toEqual([0, 1]);
    await away.end();
  });

  it('that is gone when the handler failed says both', async () => {
    const away: NonceStore = {
      claim: async () => 'new',
      finish: async () => {},
      release: () => Promise.reject(new Error('connection lost')),
    };
    const { deliver, errors } = over(away, () => Promise.reject(new Error('mine')));
    expect(await deliver(bodyOf('r'), headersFor(url, bodyOf('r')))).toBe('500 not taken: send it again');
    expect((errors[0] as AggregateError).errors).toEqual([new Error('mine'), new Error('connection lost')]);
  });

  it('that is gone when the handler was done is told, and the event is not asked for again', async () => {
    let tries = 0;
    const away: NonceStore = {
      claim: async () => 'new',
      finish: () => Promise.reject(new Error(`connection lost ${++tries}`)),
      release: async () => {},
    };
    const { deliver, errors } = over(away);
    expect(await deliver(bodyOf('r'), headersFor(url, bodyOf('r')))).toBe('200 taken');
    expect(errors).toEqual([new Error('connection lost 2')]);
  });
});
