import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { withoutPassword } from '../../src/disk/postgres-pool.ts';
import { StoreError } from '../../src/disk/store-error.ts';
import type { Inbox, KeptDelivery } from '../../src/webhooks/store/port.ts';
import { connect } from '../../src/webhooks/store/postgres/connection.ts';
import { openPostgresInbox } from '../../src/webhooks/store/postgres.ts';
import { keepIn, received, receivedMany } from '../support/inboxes.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { portOf } from '../support/servers.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

let seed = 0;
const open = (account: string, url = server.url): Promise<Inbox> =>
  openPostgresInbox({ url }, { account, random: seededRandom(++seed) });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('several listeners', () => {
  it('may be the first at the same moment', async () => {
    const own = server.url.replace(/postgres$/, 'fresh');
    const admin = await connect({ url: server.url });
    await admin.query('CREATE DATABASE fresh');
    const inboxes = await Promise.all(Array.from({ length: 4 }, () => open('one', own)));
    const one = received();
    const kept = await Promise.all(inboxes.map((inbox) => keepIn(inbox, [one], { handOn: true })));
    const outcomes = kept.flat().map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['duplicate', 'duplicate', 'duplicate', 'new']);
    expect(new Set(kept.flat().map(({ id }) => id)).size).toBe(1);
    await Promise.all(inboxes.map((inbox) => inbox.close()));
    await admin.close();
  });

  it('hand on each of 1,000 deliveries of 50 objects once, in the order of each object', async () => {
    const machines = [await open('many'), await open('many')];
    const objects = Array.from({ length: 50 }, (_, i) => `many-${i}`);
    const given = Array.from({ length: 1000 }, (_, i) => received({ objectId: objects[i % 50] ?? '' }));
    const kept = new Map<string, string[]>();
    const keeping = async (inbox: Inbox, own: typeof given) => {
      for (let i = 0; i < own.length; i += 32) await keepIn(inbox, own.slice(i, i + 32), { handOn: true });
    };
    const handed: { id: string; objectId: string }[] = [];
    let done = false;
    const handOn = async (inbox: Inbox, owner: string): Promise<number> => {
      let count = 0;
      for (;;) {
        const { deliveries, nextInMs } = await inbox.claim({ owner, limit: 20, leaseMs: 600_000 });
        handed.push(...deliveries.map(({ id, objectId }: KeptDelivery) => ({ id, objectId })));
        count += deliveries.length;
        await inbox.record(
          owner,
          deliveries.map(({ id }) => ({ id, outcome: 'handed_on', answer: '200' })),
        );
        if (deliveries.length === 0 && nextInMs === null && done) return count;
      }
    };
    const [a, b] = machines as [Inbox, Inbox];
    const intake = Promise.all([keeping(a, given.slice(0, 500)), keeping(b, given.slice(500))]).then(() => {
      done = true;
    });
    const counts = await Promise.all([handOn(a, 'a'), handOn(b, 'b'), intake.then(() => 0)]);
    expect(counts[0] + counts[1]).toBe(1000);
    for (const count of counts.slice(0, 2)) expect(count).toBeGreaterThan(50);
    expect(new Set(handed.map(({ id }) => id)).size).toBe(1000);
    const rows = await a.list({}, { limit: 2000 });
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['handed_on']));
    const admin = await connect({ url: server.url });
    for (const { id, object_id } of await admin.query(
      'SELECT id, object_id FROM remit_inbox.deliveries ORDER BY seq',
    )) {
      kept.set(String(object_id), [...(kept.get(String(object_id)) ?? []), String(id)]);
    }
    await admin.close();
    for (const objectId of objects) {
      expect(handed.filter((one) => one.objectId === objectId).map(({ id }) => id)).toEqual(
        kept.get(objectId),
      );
    }
    await a.close();
    await b.close();
  });

  it('keep crosswise what the other one keeps, without waiting in a circle', async () => {
    const machines = [await open('cross'), await open('cross')];
    const given = Array.from({ length: 200 }, (_, i) => received({ objectId: `cross-${i % 7}` }));
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const part = given.slice(i * 5, i * 5 + 100);
        const machine = machines[i % 2] as Inbox;
        return keepIn(machine, i % 3 ? part : [...part].reverse(), { handOn: true });
      }),
    );
    const news = all.flat().filter((one) => one?.outcome === 'new');
    expect(news).toHaveLength(195);
    await Promise.all(machines.map((inbox) => inbox.close()));
  });

  it('ask again for what another one is settling', async () => {
    const [a, b] = [await open('again'), await open('again')];
    const ids = (
      await keepIn(
        a,
        Array.from({ length: 30 }, (_, i) => received({ objectId: `o${i % 5}` })),
        { handOn: true },
      )
    ).map(({ id }) => id);
    for (let round = 0; round < 10; round++) {
      const { deliveries } = await a.claim({ owner: 'a', limit: 5, leaseMs: 600_000 });
      await Promise.all([
        a.record(
          'a',
          deliveries.map(({ id }) => ({ id, outcome: 'handed_on', answer: null })),
        ),
        b.requeue(ids.slice(round, round + 7)),
        keepIn(b, [received({ objectId: `o${round % 5}` })], { handOn: true }),
      ]);
    }
    for (;;) {
      const { deliveries, nextInMs } = await b.claim({ owner: 'b', limit: 5, leaseMs: 600_000 });
      await b.record(
        'b',
        deliveries.map(({ id }) => ({ id, outcome: 'handed_on', answer: null })),
      );
      if (nextInMs === null) break;
    }
    expect(await a.backlog()).toEqual({ waiting: 0, deadLetters: 0 });
    await a.close();
    await b.close();
  });
});

describe('a server', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['ends', (socket) => socket.end()],
    ['breaks', (socket) => socket.destroy()],
  ])('that %s the connection is away', async (_, cut) => {
    const door = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => cut(socket));
    });
    const url = `postgres://remit@127.0.0.1:${await portOf(door)}/remit`;
    const opening = openPostgresInbox({ url }, { account: 'a', random: seededRandom(1) });
    expect(await failure(opening)).toMatchObject({ kind: 'unreachable' });
    door.close();
  });

  it.each(['/nowhere/ca.pem', tmpdir()])('with a certificate that cannot be read: %s', async (file) => {
    const url = `${server.url}?sslmode=verify-full&sslrootcert=${file}`;
    const opening = openPostgresInbox({ url }, { account: 'a', random: seededRandom(1) });
    expect(await failure(opening)).toMatchObject({ kind: 'unreadable' });
  });

  it('that stops and starts again loses nothing that was kept; meanwhile nothing is', async () => {
    const inbox = await open('outage');
    const [before, during, after] = [received(), received(), received()];
    const [kept] = await keepIn(inbox, [before], { handOn: true });
    await server.halt();
    const error = await failure(keepIn(inbox, [during], { handOn: true }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ kind: 'unreachable', path: withoutPassword(server.url) });
    expect(await failure(inbox.claim({ owner: 'a', limit: 1, leaseMs: 1 }))).toMatchObject({
      kind: 'unreachable',
    });
    expect(await failure(open('outage'))).toMatchObject({ kind: 'unreachable' });
    await server.start();
    expect((await keepIn(inbox, [before], { handOn: true }))[0]).toMatchObject({
      outcome: 'duplicate',
      id: kept?.id,
    });
    const again = await keepIn(inbox, [during, after], { handOn: true });
    expect(again.map(({ outcome }) => outcome)).toEqual(['new', 'new']);
    const { deliveries } = await inbox.claim({ owner: 'a', limit: 9, leaseMs: 60_000 });
    expect(deliveries.map(({ id }) => id)).toEqual([kept?.id, ...again.map(({ id }) => id)]);
    await inbox.close();
  });

  it('that stops in the middle of much leaves each batch whole or not at all', async () => {
    const inbox = await open('middle');
    const batches = Array.from({ length: 40 }, () => receivedMany(20));
    const underWay = batches.map((batch) => failure(keepIn(inbox, batch, { handOn: false })));
    await underWay[3];
    await server.halt();
    const errors = await Promise.all(underWay);
    await server.start();
    const known = await inbox.known(batches.flat().map(({ eventPrint }) => eventPrint));
    for (const [i, batch] of batches.entries()) {
      const here = batch.filter(({ eventPrint }) => known.has(eventPrint)).length;
      if (errors[i]) expect([0, batch.length]).toContain(here);
      else expect(here).toBe(batch.length);
    }
    expect(await inbox.list({}, { limit: 1000 })).toHaveLength(known.size);
    await inbox.close();
  });

  it('never has its password in what is said', async () => {
    const wrong = server.url.replace(server.password, 'wr%26ng-guess');
    const error = (await failure(open('x', wrong))) as StoreError;
    expect(error).toMatchObject({ kind: 'denied' });
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/wr(&|%26)ng-guess/);
    const missing = await failure(open('x', server.url.replace(/postgres$/, 'nowhere')));
    expect(missing).toMatchObject({ kind: 'denied' });
    expect((missing as StoreError).message).toContain('postgres://postgres:***@127.0.0.1');
    expect((missing as StoreError).message).not.toContain(server.password);
  });

  it('takes the password apart from the address', async () => {
    const url = server.url.replace(`:${server.password}`, '');
    const inbox = await openPostgresInbox(
      { url, password: server.password },
      { account: 'y', random: seededRandom(1) },
    );
    expect(await inbox.backlog()).toEqual({ waiting: 0, deadLetters: 0 });
    await inbox.close();
    const error = await failure(
      openPostgresInbox({ url, password: 'another one' }, { account: 'y', random: seededRandom(1) }),
    );
    expect(error).toMatchObject({ kind: 'denied' });
    expect((error as StoreError).message).not.toContain('another one');
  });

  it('of a newer version is left alone', async () => {
    const admin = await connect({ url: server.url });
    await admin.query('CREATE DATABASE later');
    const url = server.url.replace(/postgres$/, 'later');
    await (await open('z', url)).close();
    const there = await connect({ url });
    await there.query('UPDATE remit_inbox.version SET version = 99');
    expect(await failure(open('z', url))).toMatchObject({ kind: 'newer' });
    await there.close();
    await admin.close();
  });
});

it.each([
  ['postgres://u:p@h/d', 'postgres://u:***@h/d'],
  ['postgresql://u:p%40:x@h:1/d?sslmode=require', 'postgresql://u:***@h:1/d?sslmode=require'],
  ['postgres://u@h/d?password=x&a=b', 'postgres://u@h/d?password=***&a=b'],
  ['postgres://h/d', 'postgres://h/d'],
  ['postgres://u:p@ss@h/d', 'postgres://u:***@h/d'],
])('%s is said as %s', (url, said) => expect(withoutPassword(url)).toBe(said));
