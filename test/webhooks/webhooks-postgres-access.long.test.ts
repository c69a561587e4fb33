/** An inbox in PostgreSQL at the command line: how its password is given, that it is never shown, and the commands over it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyDigest } from '../../src/contract/signing.ts';
import { seededRandom } from '../../src/core/random.ts';
import { storeAccountOf } from '../../src/payments/shared-store.ts';
import { listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { receivedFrom } from '../../src/webhooks/intake/receive.ts';
import { openPostgresInbox } from '../../src/webhooks/store/postgres.ts';
import { credentials, senderFlags } from '../support/cli.ts';
import { real } from '../support/clock.ts';
import { keepIn } from '../support/inboxes.ts';
import { deliverTo, startHandler } from '../support/listening.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { runRemit, startRemit, temporaryHome } from '../support/program.ts';
import { keys, openTerminal } from '../support/terminal.ts';
import { TLS_FIXTURES } from '../support/tls.ts';

let server: PostgresServer;
let bare: string;
let env: Record<string, string>;
const home = temporaryHome();
const BASE = 'http://127.0.0.1:9/v1';
beforeAll(async () => {
  server = await startPostgres();
  bare = server.url.replace(`:${server.password}@`, '@');
});
beforeEach(() => {
  env = {
    REMIT_BASE_URL: BASE,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: home.dir,
    HOME: home.dir,
  };
});
afterAll(async () => {
  await server.stop();
  home.remove();
});

/** No output has the password in it, whatever happened. */
async function run(argv: string[], over: Record<string, string> = {}) {
  const done = await runRemit(argv, { ...env, ...over });
  expect(done.stdout + done.stderr).not.toContain(server.password);
  return done;
}
const events = ['webhooks', 'events', '-o', 'json'];
const hidden = (text: string) => !text.includes(server.password) && !text.includes('wr-ng-guess');

describe('the password', () => {
  it.each([
    ['in the address', () => server.url],
    ['in its query', () => `${bare}?password=${server.password}`],
    ['of the key in its query', () => `${bare}?sslmode=verify-full&sslpassword=${server.password}`],
  ])('is not taken from an argument: %s', async (_, store) => {
    const { code, stderr } = await run([...events, '--store', store()]);
    expect(code).toBe(2);
    expect(stderr).toContain('a password in an argument can be read by every process of this machine');
    expect(stderr).toContain('REMIT_STORE');
  });

  it('is taken from REMIT_STORE, a file, or what node-postgres reads', async () => {
    const file = join(home.dir, 'password');
    writeFileSync(file, `${server.password}\n`);
    const passFile = join(home.dir, 'pgpass');
    writeFileSync(
      passFile,
      `# here\nlocalhost:*:*:*:other\n127.0.0.1:*:*:po\\stgres:${server.password}\n127.0.0.1:*:*:*:last\n`,
    );
    chmodSync(passFile, 0o600);
    const ways: [string[], Record<string, string>][] = [
      [[], { REMIT_STORE: server.url }],
      [[], { REMIT_STORE: `${bare}?password=${server.password}` }],
      [['--store', bare, '--store-password-file', file], {}],
      [['--store-password-file', file], { REMIT_STORE: server.url.replace(server.password, 'wr-ng-guess') }],
      [['--store', bare], { PGPASSWORD: server.password }],
      [['--store', bare], { PGPASSFILE: passFile }],
    ];
    for (const [flags, over] of ways) {
      const { code, stdout, stderr } = await run([...events, ...flags], over);
      expect({ code, stderr, rows: JSON.parse(stdout).data }).toEqual({ code: 0, stderr: '', rows: [] });
    }
  });

  it('is asked for on a terminal, and not echoed', async () => {
    const terminal = openTerminal(['webhooks', 'events', '--store', bare], env);
    await terminal.sees('Password for postgres://postgres@127.0.0.1');
    terminal.types(server.password + keys.enter);
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw()).not.toContain(server.password);
    const wrong = openTerminal(['webhooks', 'events', '--store', bare], env);
    await wrong.answers('Password for', 'wr-ng-guess');
    expect(await wrong.exit).toBe(78);
    expect(wrong.raw()).not.toContain('wr-ng-guess');
  });

  it('that is wrong or missing is said in clear words', async () => {
    const store = server.url.replace(server.password, 'wr-ng-guess');
    for (const over of [{ REMIT_STORE: store }, { REMIT_STORE: bare }]) {
      for (const argv of [events, ['webhooks', 'listen', '--no-register', '--no-catch-up']]) {
        const { code, stdout, stderr } = await run(argv, { ...over, REMIT_DEBUG: '1' });
        expect(code).toBe(78);
        expect(hidden(stdout + stderr)).toBe(true);
        expect(stderr).toContain('does not let us in');
        expect(stderr).toContain('--store-password-file');
        expect(stderr).not.toMatch(/journal|defect/);
      }
    }
  });

  it('is in no answer about this machine', async () => {
    for (const argv of [['whoami'], ['doctor', '-o', 'json'], ['profiles', 'list'], ['history'], ['balance']])
      expect(hidden(JSON.stringify(await run(argv, { REMIT_STORE: server.url, REMIT_DEBUG: '1' })))).toBe(
        true,
      );
  });
});

describe('a server that insists on TLS', () => {
  let secure: PostgresServer;
  beforeAll(async () => {
    secure = await startPostgres({ tls: true });
  });
  afterAll(() => secure.stop());
  const root = encodeURIComponent(join(TLS_FIXTURES, 'ca.pem'));
  const ask = (query: string) => run(events, { REMIT_STORE: `${secure.url}${query}` });

  it('is reached where its certificate is verified', async () => {
    for (const mode of ['verify-full', 'require']) {
      const { code, stdout, stderr } = await ask(`?sslmode=${mode}&sslrootcert=${root}`);
      expect({ code, stderr, rows: JSON.parse(stdout).data }).toEqual({ code: 0, stderr: '', rows: [] });
    }
    const named = secure.url.replace('127.0.0.1', 'localhost');
    expect(
      (await run(events, { REMIT_STORE: `${named}?sslmode=verify-full&sslrootcert=${root}` })).code,
    ).toBe(0);
  });

  it('is not, with words for why, where it is not trusted or not asked for TLS', async () => {
    const stranger = await ask('?sslmode=require');
    expect([stranger.code, stranger.stderr]).toEqual([
      78,
      expect.stringMatching(/could not be verified .*certificate.*sslrootcert=FILE/s),
    ]);
    const open = await run(events, { REMIT_STORE: `${server.url}?sslmode=verify-full&sslrootcert=${root}` });
    expect([open.code, open.stderr]).toEqual([78, expect.stringContaining('does not support SSL')]);
    const plain = await ask('');
    expect([plain.code, plain.stderr]).toEqual([
      78,
      expect.stringMatching(/does not let us in.*no encryption/s),
    ]);
    const missing = await ask('?sslmode=verify-full&sslrootcert=/nowhere/ca.pem');
    expect([missing.code, missing.stderr]).toEqual([78, expect.stringContaining('/nowhere/ca.pem')]);
    expect(missing.stderr).not.toMatch(/journal|defect/);
  });
});

it.each([
  ['that is down', 'postgres://postgres@127.0.0.1:9/postgres', 75, 'does not answer'],
  ['of a name that there is not', 'postgres://postgres@nowhere.invalid/postgres', 75, 'does not answer'],
  ['without the database', '', 78, 'nowhere does not let us in'],
  ['that is no address', 'postgres://[', 2, 'the store is not a URL'],
])('a server %s: clear words', async (_, store, code, words) => {
  const over = { REMIT_STORE: store || server.url.replace(/postgres$/, 'nowhere') };
  const done = await run(events, { ...over, PGPASSWORD: server.password });
  expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(words)]);
  expect(done.stderr).not.toMatch(/journal|defect/);
  const json = await run([...events, '--error-format', 'json'], over);
  expect(hidden(json.stderr)).toBe(true);
});

describe('the commands', () => {
  const received = (id: string, receivedAt: number) => {
    const delivery = { webhook: 'w-1', event: 'recipient.error', object: { id, state: 'error' } };
    const body = Buffer.from(JSON.stringify(delivery));
    const genuine = { nonce: `nonce-of-${id}`, bodyDigest: bodyDigest(body) };
    const rest = {
      url: 'http://127.0.0.1:9/hooks',
      headers: [] as [string, string][],
      recovered: false,
      late: false,
    };
    return receivedFrom(delivery, genuine, { body, receivedAt, ...rest });
  };

  it('list, show, replay and prune', async () => {
    const account = storeAccountOf({ baseUrl: BASE, credentials }).id;
    const inbox = await openPostgresInbox({ url: server.url }, { account, random: seededRandom(4) });
    const now = real.now();
    const day = 86_400_000;
    await keepIn(inbox, [received('r-1', now - 30 * day)], { handOn: false });
    await keepIn(inbox, [received('r-2', now)], { handOn: true });
    await inbox.close();
    const over = { REMIT_STORE: server.url };
    const rows = async (...flags: string[]) =>
      JSON.parse((await run([...events, ...flags], over)).stdout).data as { id: string; object_id: string }[];
    const ids = async (...flags: string[]) => (await rows(...flags)).map(({ object_id }) => object_id);
    expect(await ids()).toEqual(['r-2', 'r-1']);
    expect(await ids('--state', 'waiting')).toEqual(['r-2']);
    expect(await ids('--since', '2d')).toEqual(['r-2']);
    const [, first] = await rows();
    const shown = await run(['webhooks', 'show', first?.id ?? '', '-o', 'json'], over);
    expect(shown.stdout).toContain('r-1');
    expect((await run(['webhooks', 'replay', first?.id ?? ''], over)).code).toBe(0);
    expect(await ids('--state', 'waiting')).toEqual(['r-2', 'r-1']);
    const handler = await startHandler();
    const sent = await run(['webhooks', 'replay', '--state', 'waiting', '--to', handler.to], over);
    expect([sent.code, handler.got.all.length]).toEqual([0, 2]);
    const prune = ['webhooks', 'prune', '--older-than', '20d', '--yes', '-o', 'json'];
    expect((await run(prune, over)).code).toBe(0);
    expect(await ids()).toEqual(['r-2', 'r-1']);
    const flags = ['--no-register', '--no-catch-up', '--count', '2', '--forward-to', handler.to];
    expect((await run(['webhooks', 'listen', ...flags], over)).code).toBe(0);
    expect((await run(prune, over)).code).toBe(0);
    expect(await ids()).toEqual(['r-2']);
    await handler.close();
  });

  it('fetch what was missed into it', async () => {
    const clock = { mode: 'running', machine: real } as const;
    const refusing = async () => ({ status: 500, headers: {}, body: '' });
    const sandbox = await createSandbox({ credentials, seed: 3, clock, transport: refusing });
    const service = await listen(sandbox, { port: 0 });
    const over = { REMIT_BASE_URL: service.url, REMIT_STORE: server.url };
    const hook = 'http://127.0.0.1:9/hooks';
    for (const argv of [
      ['webhooks', 'add', hook],
      ['sender', 'create', ...senderFlags('customer-1')],
    ])
      expect(await run(argv, over)).toMatchObject({ code: 0 });
    await sandbox.drain();
    const missed = await run(['webhooks', 'backfill', '--public-url', hook, '-o', 'json'], over);
    expect(missed.code).toBe(0);
    expect(JSON.parse(missed.stdout).data).toContainEqual(
      expect.objectContaining({ event: 'sender.approved', recovered: true }),
    );
    const { stdout } = await run(events, over);
    expect(JSON.parse(stdout).data).toHaveLength(JSON.parse(missed.stdout).data.length);
    await service.close();
    await sandbox.close();
  });

  it('a listener says where it keeps, without the password', async () => {
    const ready = join(home.dir, 'ready.json');
    const flags = ['--no-register', '--no-catch-up', '--ready-file', ready, '--count', '1', '-o', 'ndjson'];
    const program = startRemit(['webhooks', 'listen', ...flags], { ...env, REMIT_STORE: server.url });
    const { data } = JSON.parse(await program.line((line) => line.includes('"ready"')));
    expect(data.inbox).toBe(server.url.replace(server.password, '***'));
    const body = JSON.stringify({ webhook: 'w', event: 'sender.created', object: { id: 's-1' } });
    expect((await deliverTo(data.url, body, { by: credentials })).status).toBe(200);
    expect((await program.ended).code).toBe(0);
    expect(program.stdout() + program.stderr()).not.toContain(server.password);
  });
});
