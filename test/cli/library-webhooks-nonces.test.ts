/** What the handlers of `remit-cli/webhooks` remember, so that a delivery is taken once: in memory, and in a real PostgreSQL. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchWebhookHandler, memoryNonces, postgresNonces } from '../../src/cli/library/webhooks.ts';
import type { NonceStore, WebhookHandlerOptions } from '../../src/cli/library/webhooks-types.ts';
import { bodyOf, credentials, Heard, headersFor } from '../support/listening.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

const url = 'https://partner.example/hooks';
let server: PostgresServer;
let pools: pg.Pool[] = [];
beforeAll(async () => {
  server = await startPostgres();
  pools = [0, 1].map(() => new pg.Pool({ connectionString: server.url, max: 4 }));
  /* Its end does not wait for the connections: they hear that the server stops. */
  for (const one of pools) one.on('error', () => {});
  await postgresNonces(pools[0] as pg.Pool).prepare();
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
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { deliver } = over(make(), () => {
      calls += 1;
      return held;
    });
    const headers = headersFor(url, body);
    const answers: string[] = [];
    const all = Array.from({ length: 20 }, () => deliver(body, headers).then((one) => answers.push(one)));
    await deliver(body, { ...headers, 'authorization-key': 'wrong' });
    expect(answers).toEqual([]);
    finish();
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
  it('10,000 times leaves nothing in the store', async () => {
    const nonces = memoryNonces({ keep: 'all' });
    const { deliver } = over(nonces);
    const headers = headersFor(url, bodyOf('r-1'));
    const forged = Array.from({ length: 10_000 }, (_, i) => {
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
    for (const one of ['a', 'b', 'c', 'd']) expect(await nonces.claim(one)).toBe(true);
    expect(nonces.size).toBe(3);
    expect(await Promise.all(['d', 'c', 'b'].map((one) => nonces.claim(one)))).toEqual([false, false, false]);
    expect(await nonces.claim('a')).toBe(true);
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

describe('postgresNonces', () => {
  it('gives each print to one of two services, whoever asks when', async () => {
    const stores = pools.map((one) => postgresNonces(one));
    await Promise.all(stores.map((store) => store.prepare()));
    const prints = Array.from({ length: 400 }, (_, i) => `print-${i}`);
    const claimed = await Promise.all(
      prints.flatMap((print) => stores.map(async (store) => ((await store.claim(print)) ? print : ''))),
    );
    expect(claimed.filter(Boolean).sort()).toEqual([...prints].sort());
    await stores[0]?.release('print-7');
    expect(await stores[1]?.claim('print-7')).toBe(true);
  });

  it('forgets what was claimed before a time, when it is told to', async () => {
    const nonces = postgresNonces(pool(0), { table: 'public.own_nonces' });
    await nonces.prepare();
    await nonces.claim('old');
    await pool(0).query(`UPDATE public.own_nonces SET claimed_at = now() - interval '1 day'`);
    await nonces.claim('new');
    const { rows } = await pool(0).query(`SELECT now() - interval '1 hour' AS then`);
    expect(await nonces.forget(rows[0].then)).toBe(1);
    expect([await nonces.claim('old'), await nonces.claim('new')]).toEqual([true, false]);
  });

  it.each(['', 'a b', 'x; DROP TABLE y', 'a.b.c', '"x"', 'X'])('takes no table called %o', (table) => {
    expect(() => postgresNonces(pool(0), { table })).toThrow('is not a plain table name');
  });

  it('that does not answer is a 500, and nothing was taken', async () => {
    const away = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:9/none' });
    let calls = 0;
    const { deliver, errors } = over(postgresNonces(away), () => (calls += 1));
    expect(await deliver(bodyOf('r'), headersFor(url, bodyOf('r')))).toBe('500 not taken: send it again');
    expect([calls, errors.length]).toEqual([0, 1]);
    await away.end();
  });

  it('that is gone when the handler failed says both', async () => {
    const away = { claim: async () => true, release: () => Promise.reject(new Error('connection lost')) };
    const { deliver, errors } = over(away, () => Promise.reject(new Error('mine')));
    expect(await deliver(bodyOf('r'), headersFor(url, bodyOf('r')))).toBe('500 not taken: send it again');
    expect((errors[0] as AggregateError).errors).toEqual([new Error('mine'), new Error('connection lost')]);
  });
});
