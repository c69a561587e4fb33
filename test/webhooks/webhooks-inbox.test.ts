/** The inbox at the command line: what is in it, one of it whole, once more, what was missed, and less of it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bodyDigest } from '../../src/contract/signing.ts';
import { seededRandom } from '../../src/core/random.ts';
import { storeAccountOf } from '../../src/payments/shared-store.ts';
import { receivedFrom } from '../../src/webhooks/intake/receive.ts';
import type { Inbox, ReceivedDelivery } from '../../src/webhooks/store/port.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { baseUrl, credentials, payArgv, senderFlags, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { keepIn } from '../support/inboxes.ts';
import { portOf, shut } from '../support/servers.ts';

const bench = useBench();

const HOUR = 3_600_000;
const HOOK = 'http://127.0.0.1:9/hooks';

async function inInbox<T>(work: (inbox: Inbox) => Promise<T>, now = machine.ms): Promise<T> {
  const { id, short } = storeAccountOf({ baseUrl, credentials });
  const path = join(bench.dir, `remit-webhooks-${short}.db`);
  const inbox = await openSqliteInbox(path, {
    account: id,
    clock: { now: () => now },
    random: seededRandom(`${now}`),
  });
  try {
    return await work(inbox);
  } finally {
    await inbox.close();
  }
}

function received(
  event: string,
  id: string,
  { at = machine.ms, transaction = 't-1', n = 0 } = {},
): ReceivedDelivery {
  const delivery = { webhook: 'w-1', event, object: { id, transaction_id: transaction, state: 'error', n } };
  const body = Buffer.from(JSON.stringify(delivery));
  const genuine = { nonce: `nonce-${event}-${id}-${n}`, bodyDigest: bodyDigest(body) };
  return receivedFrom(delivery, genuine, {
    body,
    url: HOOK,
    headers: [
      ['Authorization-Key', credentials.key],
      ['Authorization-Nonce', 'made-up-nonce-12345678'],
      ['Authorization-Signature', 'f'.repeat(128)],
    ],
    receivedAt: at,
    recovered: false,
    late: false,
  });
}

const TX = '1f0c7c3e-8a4e-4b8e-9a55-1f0d7c0b9a11';

/** Five deliveries: three events, one of them given up, one an hour older. */
const fill = () =>
  inInbox(async (inbox) => {
    const now = machine.ms;
    await keepIn(inbox, [received('transaction.created', TX, { at: now - HOUR })], { handOn: false });
    const rows = [1, 2, 3].map((n) => received('recipient.error', `r-${n}`, { transaction: TX, n }));
    await keepIn(inbox, rows, { handOn: true });
    await keepIn(inbox, [received('recipient.paid_out', 'r-4', { at: now + 1_000 })], { handOn: false });
    const { deliveries } = await inbox.claim({ owner: 'me', limit: 10, leaseMs: 1_000 });
    const [first, second] = deliveries;
    await inbox.record('me', [
      { id: first?.id ?? '', outcome: 'dead_letter', answer: '500' },
      { id: second?.id ?? '', outcome: 'handed_on', answer: '200' },
      { id: deliveries[2]?.id ?? '', outcome: 'not_tried', answer: null },
    ]);
    await inbox.refuse([
      {
        id: '00000000-0000-7000-8000-0000000000aa',
        receivedAt: now,
        from: '203.0.113.9',
        url: HOOK,
        target: '/hooks?x=1',
        headers: [['Authorization-Signature', 'e'.repeat(128)]],
        body: Buffer.from('{"webhook":"w-1"}'),
        bodyBytes: 17,
        cause: 'url',
        message: 'the URL differs: http and https are exchanged',
      },
    ]);
  });

interface Row {
  id: string;
  event: string | null;
  state: string;
  object_id: string;
  answer: string | null;
}
const rows = async (...flags: string[]): Promise<Row[]> => {
  const run = await bench.run(['webhooks', 'events', '-o', 'json', ...flags]);
  const isCut = flags.includes('--limit');
  expect(run.stderr).toBe(isCut ? '2 of 5 deliveries. --limit 100 shows more, --all shows every one.\n' : '');
  expect(run.json<{ meta: object }>().meta).toMatchObject({ complete: !isCut });
  return run.data<Row[]>();
};

describe('webhooks events', () => {
  it('shows what was received, newest first, without asking the service', async () => {
    await fill();
    const run = await bench.run(['webhooks', 'events', '-o', 'table'], { columns: 200 });
    expect(run.requests).toEqual([]);
    const events = await rows();
    expect(events.map(({ event }) => event)).toEqual([
      'recipient.paid_out',
      'recipient.error',
      'recipient.error',
      'recipient.error',
      'transaction.created',
    ]);
    expect(run.stdout).toContain('dead_letter');
    expect(run.stdout).toContain('recipient.paid_out');
  });

  it.each([
    [['--event', 'recipient.error'], 3],
    [['--state', 'waiting'], 1],
    [['--state', 'dead_letter'], 1],
    [['--state', 'kept', '--event', 'recipient.paid_out'], 1],
    [['--tx', TX], 4],
    [['--tx', TX.toUpperCase(), '--event', 'transaction.created'], 1],
    [['--since', '30m'], 4],
    [['--since', '2h', '--state', 'kept'], 2],
    [['--limit', '2'], 2],
    [['--all'], 5],
    [['--state', 'invalid'], 1],
  ])('%j finds %i', async (flags, count) => {
    await fill();
    expect(await rows(...flags)).toHaveLength(count);
  });

  it('says what did not verify, and why', async () => {
    await fill();
    expect(await rows('--state', 'invalid')).toMatchObject([
      { event: null, state: 'invalid', answer: 'the URL differs: http and https are exchanged' },
    ]);
  });

  it('lists the names that there are, ours and those of the service', async () => {
    const ours = await bench.run(['webhooks', 'events', '--names', '-o', 'json']);
    expect(ours.data<unknown[]>()).toHaveLength(38);
    expect((await bench.run(['webhooks', 'events', '--names', '--remote'])).requests).toHaveLength(1);
    expect((await bench.run(['webhooks', 'events', '--remote'])).code).toBe(2);
  });

  it('an empty inbox is no error', async () => {
    const run = await bench.run(['webhooks', 'events', '-o', 'table']);
    expect([run.code, run.stdout]).toEqual([0, 'no deliveries in the inbox\n']);
  });
});

describe('webhooks show', () => {
  it('shows one whole, nonce and signature cut short', async () => {
    await fill();
    const [{ id } = { id: '' }] = await rows('--state', 'dead_letter');
    const run = await bench.run(['webhooks', 'show', id, '-o', 'json']);
    const { data } = run.json<{ data: { headers: Record<string, string>; body: { event: string } } }>();
    expect(data.body.event).toBe('recipient.error');
    expect(data.headers['Authorization-Signature']).toBe('ffffffff…');
    expect(run.stdout).not.toContain('made-up-nonce-12345678');
    expect((await bench.run(['webhooks', 'show', id, '-o', 'table'], { columns: 100 })).stdout).toContain(
      'dead_letter',
    );
  });

  it('is found by what the table shows of its id, also among those of one minute', async () => {
    await fill();
    const ids = (await rows()).map(({ id }) => id);
    const table = (await bench.run(['webhooks', 'events', '-o', 'table'], { columns: 200 })).stdout;
    for (const id of ids) {
      const short = id.slice(-8);
      expect(table).toContain(short);
      expect((await bench.run(['webhooks', 'show', short, '-o', 'json'])).data<Row>().id).toBe(id);
    }
    const several = await bench.run(['webhooks', 'show', ids[1]?.slice(0, 8) ?? '']);
    expect(several.code).toBe(2);
    expect(several.stderr).toMatch(/its last eight characters name one, such as [0-9a-f]{8}/);
  });

  it('prints the body byte for byte, and saves all of it for a check', async () => {
    await fill();
    const [{ id } = { id: '' }] = await rows('--event', 'transaction.created');
    const raw = await bench.run(['webhooks', 'show', id, '--raw']);
    expect(JSON.parse(raw.stdout)).toMatchObject({ event: 'transaction.created' });
    const path = join(bench.dir, 'saved.json');
    expect((await bench.run(['webhooks', 'show', id, '--save', path])).code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toContain('f'.repeat(128));
    expect((await bench.run(['webhooks', 'show', id, '--save', path])).code).not.toBe(0);
  });

  it('shows as text what is nested deeper than anybody can read', async () => {
    const deep = Buffer.from(
      `{"webhook":"w","event":"e","object":{"id":"x","deep":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`,
    );
    await inInbox((inbox) => keepIn(inbox, [{ ...received('e', 'x'), body: deep }], { handOn: false }));
    const [{ id } = { id: '' }] = await rows();
    for (const format of ['json', 'table']) {
      const run = await bench.run(['webhooks', 'show', id, '-o', format]);
      expect([run.code, run.stdout.includes('[[[[')]).toEqual([0, true]);
    }
  });

  it('shows what did not verify, and knows what is not there', async () => {
    await fill();
    const invalid = await bench.run(['webhooks', 'show', '00000000-0000', '-o', 'json']);
    expect(invalid.data<Row>()).toMatchObject({ state: 'invalid' });
    expect((await bench.run(['webhooks', 'show', 'ffffffff'])).code).toBe(6);
    expect((await bench.run(['webhooks', 'show', 'nonsense'])).code).toBe(2);
  });
});

describe('webhooks replay', () => {
  it('lets dead letters wait again, under their id', async () => {
    await fill();
    const [dead] = await rows('--state', 'dead_letter');
    const run = await bench.run(['webhooks', 'replay', '--state', 'dead_letter', '-o', 'json']);
    expect(run.data<Row[]>()).toMatchObject([{ id: dead?.id, state: 'waiting' }]);
    expect(run.stderr).toContain('by the listener that runs');
    expect((await rows('--state', 'waiting')).map(({ id }) => id)).toContain(dead?.id);
  });

  it('sends them elsewhere, in order, and leaves their own hand-over alone', async () => {
    await fill();
    const got: string[] = [];
    const server = createServer(async (request, response) => {
      got.push(`${JSON.parse(await text(request)).object.id} ${request.headers['remit-delivery-id']}`);
      response.writeHead(got.length === 2 ? 500 : 204).end();
    });
    const to = `http://127.0.0.1:${await portOf(server)}/`;
    const { createNetworkTransport } = await import('../../src/client/network-transport.ts');
    const network = await createNetworkTransport();
    bench.intercept((request, next) => (request.url.startsWith(baseUrl) ? next : network.send)(request));
    const before = await rows('--event', 'recipient.error');
    const run = await bench.run(`webhooks replay --event recipient.error --to ${to} -o json`);
    expect(run.code).toBe(1);
    expect(run.data<Row[]>().map(({ state }) => state)).toEqual(['handed_on', 'failed', 'handed_on']);
    expect(got).toEqual([...before].reverse().map(({ id, object_id }) => `${object_id} ${id}`));
    expect(await rows('--event', 'recipient.error')).toEqual(before);
    await network.close();
    await shut(server);
  });

  it('wants to know what, and never replays what did not verify', async () => {
    await fill();
    for (const argv of [
      [],
      ['ffff', '--since', '2h'],
      ['--state', 'invalid'],
      ['00000000-0000-7000-8000-0000000000aa'],
      ['--state', 'kept', '--to', 'nowhere'],
    ])
      expect((await bench.run(['webhooks', 'replay', ...argv])).code).toBe(2);
  });
});

describe('webhooks prune', () => {
  it('deletes what is old and waits for nothing', async () => {
    await fill();
    const run = await bench.run(['webhooks', 'prune', '--older-than', '30m', '-o', 'json']);
    expect(run.data<object>()).toMatchObject({ pruned: 1, space: 'given_back' });
    expect(run.stderr).toBe('');
    expect(await rows()).toHaveLength(4);
    for (const age of ['30', 'soon', '']) {
      expect((await bench.run(['webhooks', 'prune', '--older-than', age])).code).toBe(2);
    }
    expect((await bench.run(['webhooks', 'prune'])).code).toBe(2);
  });

  it('says that the file stays large while a listener uses it', async () => {
    await fill();
    const prune = (age: string) => bench.run(['webhooks', 'prune', '--older-than', age, '-o', 'json']);
    await inInbox(async (inbox) => {
      await inbox.hold('a listener');
      const run = await prune('30m');
      expect([run.code, run.data<object>()]).toEqual([
        0,
        { pruned: 1, older_than: expect.any(String), space: 'in_use' },
      ]);
      expect(run.stderr).toMatch(/the file is in use.*run this again when no listener uses it/);
    });
    const later = await prune('30m');
    expect(later.data<object>()).toMatchObject({ pruned: 0, space: 'given_back' });
    expect(later.stderr).toBe('');
  });
});

describe('webhooks backfill', () => {
  const pay = async (externalId: string, account?: string) => {
    const made = await bench.run(payArgv(account, '--external-id', externalId));
    expect(made.code).toBe(0);
    return made.data<{ id: string }>().id;
  };

  it('fetches what was missed, in order, once, and says when that was', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['webhooks', 'add', HOOK]);
    await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/other', '--event', 'transaction.created']);
    const id = await pay('wages-1');
    await bench.sandbox.drain();
    const run = await bench.run(['webhooks', 'backfill', '--public-url', HOOK, '-o', 'json']);
    expect(run.code).toBe(0);
    const missed = run.data<{ event: string; recovered: boolean; happened_at: string }[]>();
    expect(missed.map(({ event }) => event)).toContain('transaction.paid_out');
    expect(missed.every(({ recovered }) => recovered)).toBe(true);
    expect(missed.map(({ happened_at: at }) => at)).toEqual(missed.map(({ happened_at: at }) => at).sort());
    expect(run.stderr).toContain(`${missed.length} deliveries were missed`);
    const events = await rows('--tx', id, '--all');
    expect(events.length).toBeGreaterThan(2);
    expect(events.every(({ state }) => state === 'waiting')).toBe(true);
    const again = await bench.run(['webhooks', 'backfill', '--public-url', HOOK, '-o', 'json']);
    expect(again.data<unknown[]>()).toEqual([]);
    const [{ id: first } = { id: '' }] = events;
    const shown = await bench.run(['webhooks', 'show', first, '-o', 'json']);
    expect(shown.data<{ recovered: boolean }>().recovered).toBe(true);
  });

  it('what it fetches carries a signature that a handler can verify', async () => {
    await bench.run(['webhooks', 'add', HOOK]);
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.sandbox.drain();
    await bench.run(['webhooks', 'backfill', '--public-url', HOOK]);
    const [{ id } = { id: '' }] = await rows();
    const path = join(bench.dir, 'recovered.json');
    await bench.run(['webhooks', 'show', id, '--save', path]);
    expect(existsSync(path)).toBe(true);
    const checked = await bench.run(['webhooks', 'verify', '--delivery', path, '-o', 'json']);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('VALID')]);
  });

  /** How many were missing. */
  const fetched = async (...flags: string[]): Promise<number> =>
    (await bench.run(['webhooks', 'backfill', '-o', 'json', ...flags])).data<unknown[]>().length;
  const twoSendersApart = async (ms: number): Promise<void> => {
    await bench.run(['webhooks', 'add', HOOK]);
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.sandbox.drain();
    await bench.sandbox.advance(ms);
    await bench.run(['sender', 'create', ...senderFlags('customer-2')]);
    await bench.sandbox.drain();
  };

  it('looks back as far as asked, and at the endpoint asked for', async () => {
    await twoSendersApart(26 * HOUR);
    const list = await bench.run(['webhooks', 'list', '-o', 'json']);
    const [hook] = list.data<{ id: string }[]>();
    expect(await fetched('--public-url', 'https://else.example/')).toBe(0);
    const recent = await fetched('--since', '1h', '--public-url', HOOK, '--no-hand-on');
    expect(recent).toBeGreaterThan(0);
    expect(await fetched('--since', '3d', '--webhook', hook?.id ?? '')).toBe(recent);
    expect(await fetched('--since', '3d', '--webhook', hook?.id ?? '')).toBe(0);
  });

  it('a look that begins late moves no mark over what was not looked at', async () => {
    await twoSendersApart(5 * HOUR);
    expect(await fetched('--public-url', HOOK, '--since', '2h')).toBe(2);
    expect(await fetched('--public-url', HOOK)).toBe(2);
    expect(await fetched('--public-url', HOOK)).toBe(0);
  });

  it('marks as late what happened before something that was handed on', async () => {
    await bench.run(['webhooks', 'add', HOOK]);
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.sandbox.drain();
    const log = await bench.run(['logs', 'webhooks', '--reveal', '-o', 'json']);
    const logged =
      log.data<{ metadata: { event: string; instance_id: string; request: { body: string } } }[]>();
    const approved = logged.find(({ metadata }) => metadata.event === 'sender.approved');
    const body = Buffer.from(approved?.metadata.request.body ?? '');
    await inInbox(async (inbox) => {
      const delivery = JSON.parse(body.toString('utf8'));
      const genuine = { nonce: 'came', bodyDigest: bodyDigest(body) };
      const came = receivedFrom(delivery, genuine, { ...received('x', 'y'), body });
      await keepIn(inbox, [came], { handOn: false });
    });
    await bench.run(['webhooks', 'backfill', '--public-url', HOOK]);
    const found = await rows();
    const created = found.find(({ event }) => event === 'sender.created');
    expect(created).toMatchObject({ late: true, recovered: true });
  });
});

describe('the log of a service', () => {
  it.each([
    ['gives fewer a page than asked for', true],
    ['says nothing about pages', false],
  ])('that %s is read to its end', async (_, envelope) => {
    await bench.run(['webhooks', 'add', HOOK]);
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    for (const n of [2, 3]) await bench.run(['sender', 'create', ...senderFlags(`customer-${n}`)]);
    await bench.sandbox.drain();
    const asked: string[] = [];
    bench.intercept(async (request, next) => {
      const url = new URL(request.url);
      if (!url.pathname.endsWith('/logs/webhooks')) return next(request);
      asked.push(url.search);
      // Two a page, and a filter that knows days only.
      expect(url.searchParams.get('created_at_from')).toMatch(/^\d{4}-\d\d-\d\d$/);
      const whole = await next({
        ...request,
        ...(await signedFor(`${url.origin}${url.pathname}?per=100`)),
      });
      const { object } = JSON.parse(whole.body);
      const page = Number(url.searchParams.get('page'));
      const part = object.slice((page - 1) * 2, page * 2);
      const meta = {
        pagination: { current_page: page, next_page: page * 2 < object.length ? page + 1 : null },
      };
      return { ...whole, body: JSON.stringify(envelope ? { object: part, meta } : { object: part }) };
    });
    const run = await bench.run(['webhooks', 'backfill', '--public-url', HOOK, '-o', 'json']);
    expect(run.data<unknown[]>()).toHaveLength(6);
    expect(asked).toHaveLength(envelope ? 3 : 4);
  });

  let signings = 0;
  const signedFor = async (url: string) => {
    const { signedHeaders } = await import('../../src/contract/signing.ts');
    const nonce = `made-up-${++signings}`;
    return { url, headers: signedHeaders(credentials, { nonce, method: 'GET', url }) };
  };
});

describe('a listener in a container', () => {
  it('removes the registration of an earlier life that had its own name and number', async () => {
    const stale = {
      webhook: {
        url: 'http://127.0.0.1:9/stale',
        events: ['sender.approved'],
        metadata: { remit_listen: { host: hostname(), pid: process.pid } },
      },
    };
    const made = await bench.run(['api', 'webhooks.create', '--data', JSON.stringify(stale)]);
    expect(made.code).toBe(0);
    const stop = new AbortController();
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (request.method === 'POST' && request.url.endsWith('/webhooks')) stop.abort('SIGINT');
      return answer;
    });
    const run = await bench.run(['webhooks', 'listen', '--no-catch-up'], { interrupt: stop.signal });
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringContaining('left behind: http://127.0.0.1:9/stale'),
    ]);
    const left = await bench.run(['webhooks', 'list', '-o', 'json']);
    expect(left.data<unknown[]>()).toEqual([]);
  });
});
