/** Several listeners, each a process of its own, over one real PostgreSQL: killed, cut off from it, and started again. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/webhooks/store/postgres/connection.ts';
import { credentials, deliverTo, type Handled, startHandler } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Program, runRemit, startRemit, temporaryHome } from '../support/program.ts';
import { gate } from '../support/servers.ts';

let server: PostgresServer;
const home = temporaryHome();
let handler: Awaited<ReturnType<typeof startHandler>>;
const running = new Set<Program>();

beforeAll(async () => {
  server = await startPostgres();
});
afterEach(async () => {
  for (const program of running) {
    program.signal('SIGKILL');
    await program.ended;
  }
  running.clear();
  await handler.close();
});
afterAll(async () => {
  await server.stop();
  home.remove();
});

/** An account of its own for each test: the database is one. */
const envOf = (key: string): Record<string, string> => ({
  REMIT_BASE_URL: 'http://127.0.0.1:9/v1',
  REMIT_API_KEY: key,
  REMIT_API_SECRET: credentials.secret,
  REMIT_CONFIG_DIR: home.dir,
  REMIT_STORE: server.url,
});

interface Listening {
  program: Program;
  url: string;
}

async function listen(env: Record<string, string>): Promise<Listening> {
  const flags = ['--no-register', '--no-catch-up', '-o', 'ndjson', '--forward-to', handler.to];
  const program = startRemit(['webhooks', 'listen', ...flags], env);
  running.add(program);
  const ready = JSON.parse(await program.line((line) => line.includes('"ready"')));
  expect(ready.data.inbox).toBe(server.url.replace(server.password, '***'));
  return { program, url: ready.data.url };
}

async function end({ program }: Listening): Promise<void> {
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(0);
  running.delete(program);
  expect(program.stdout() + program.stderr()).not.toContain(server.password);
}

interface Sent {
  id: string;
  n: number;
}
const bodyOf = ({ id, n }: Sent): string =>
  JSON.stringify({ webhook: 'w-1', event: 'recipient.error', object: { id, n } });
const sentIn = ({ body }: Handled): Sent => JSON.parse(body).object;
const deliveryId = ({ headers }: Handled): string => String(headers['remit-delivery-id']);

/** The status, 0 when nobody answers. */
const deliver = (key: string, to: Listening, sent: Sent, nonce = randomUUID()): Promise<number> =>
  deliverTo(to.url, bodyOf(sent), { by: { ...credentials, key }, nonce }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );

/** A connection that was kept for seconds may be closed under a request: then nothing was acknowledged either. */
const answered = (statuses: readonly number[]): Set<number> =>
  new Set(statuses.filter((status) => status !== 0));

/** As the service does: each object's in order, and again, under the same nonce, what was not acknowledged. */
async function deliverAll(
  key: string,
  { objects, each, from = 0 }: { objects: number; each: number; from?: number },
  toward: (i: number) => Listening,
): Promise<number[]> {
  const statuses: number[] = [];
  const one = async (object: number): Promise<void> => {
    for (let n = from; n < from + each; n++) {
      const nonce = randomUUID();
      let i = object + n;
      for (let status = 0; status !== 200; i++) {
        status = await deliver(key, toward(i), { id: `${key}-${object}`, n }, nonce);
        statuses.push(status);
      }
    }
  };
  await Promise.all(Array.from({ length: objects }, (_, object) => one(object)));
  return statuses;
}

/** Each object's, in the order in which they were first handed on. */
function orders(got: readonly Handled[]): Map<string, number[]> {
  const seen = new Set<string>();
  const all = new Map<string, number[]>();
  for (const one of got) {
    if (seen.has(deliveryId(one))) continue;
    seen.add(deliveryId(one));
    const { id, n } = sentIn(one);
    all.set(id, [...(all.get(id) ?? []), n]);
  }
  return all;
}
const counted = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const distinct = (got: readonly Handled[]): number => new Set(got.map(deliveryId)).size;

async function settled(key: string): Promise<void> {
  const env = envOf(key);
  for (;;) {
    const { stdout } = await runRemit(['webhooks', 'events', '--state', 'waiting', '-o', 'json'], env);
    if (JSON.parse(stdout).data.length === 0) return;
  }
}

it.runIf(isLong)(
  'two hand on 400 deliveries of 40 objects once each, in the order of each object',
  async () => {
    handler = await startHandler();
    const env = envOf('key_two');
    const both = [await listen(env), await listen(env)] as [Listening, Listening];
    const statuses = await deliverAll('key_two', { objects: 40, each: 10 }, (i) => both[i % 2] as Listening);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const got = await handler.got.count(400);
    for (const each of both) await end(each);
    expect(got).toHaveLength(400);
    expect(distinct(got)).toBe(400);
    expect([...orders(got).values()]).toEqual(Array(40).fill(counted(10)));
    const stopped = both.map(({ program }) => JSON.parse(program.stdout().trim().split('\n').at(-1) ?? ''));
    const shares = stopped.map(({ data }) => data.handed_on);
    expect(shares[0] + shares[1]).toBe(400);
    for (const share of shares) expect(share).toBeGreaterThan(20);
  },
);

it('what one had claimed when it was killed is handed on by the other, once its lease is over', async () => {
  handler = await startHandler();
  const key = 'key_kill';
  const env = envOf(key);
  const dying = await listen(env);
  const held = gate();
  handler.answers.held = held.passed;
  await deliverAll(key, { objects: 20, each: 3 }, () => dying);
  await handler.got.count(20);
  const heir = await listen(env);
  dying.program.signal('SIGKILL');
  await dying.program.ended;
  running.delete(dying.program);
  await deliverAll(key, { objects: 20, each: 2, from: 3 }, () => heir);
  expect(handler.got.all).toHaveLength(20);
  handler.answers.held = undefined;
  held.open();
  await endLeases(20);
  await handler.got.count(20 + 100);
  await settled(key);
  await end(heir);
  const got = handler.got.all;
  expect(distinct(got)).toBe(100);
  expect(got).toHaveLength(20 + 100);
  expect([...orders(got).values()]).toEqual(Array(20).fill(counted(5)));
});

/** The server's clock is its own: what it compares with it is moved instead. */
async function endLeases(expected: number): Promise<void> {
  const connection = await connect({ url: server.url });
  const sql = 'UPDATE remit_inbox.lanes SET free_at = now() WHERE owner IS NOT NULL RETURNING 1';
  expect(await connection.query(sql)).toHaveLength(expected);
  await connection.close();
}

it.runIf(isLong)('while the server is stopped it is 503, and afterwards all goes on by itself', async () => {
  handler = await startHandler();
  const key = 'key_outage';
  const env = envOf(key);
  const both = [await listen(env), await listen(env)] as [Listening, Listening];
  const sending = deliverAll(key, { objects: 20, each: 20 }, (i) => both[i % 2] as Listening);
  await handler.got.count(60);
  await server.halt();
  const away = await Promise.all(
    counted(20).map((n) => deliver(key, both[n % 2] as Listening, { id: 'away', n })),
  );
  expect(answered(away)).toEqual(new Set([503]));
  await server.start();
  const statuses = await sending;
  expect(answered(statuses)).toEqual(new Set([200, 503]));
  await handler.got.until((got) => distinct(got) === 400);
  await settled(key);
  for (const each of both) await end(each);
  const got = handler.got.all;
  expect(distinct(got)).toBe(400);
  expect([...orders(got).values()]).toEqual(Array(20).fill(counted(20)));
  for (const { program } of both) expect(program.stderr()).toContain('does not answer');
});
