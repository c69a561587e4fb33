/** `webhooks listen` as a process of its own, beside a sandbox that sends: what it says, hands on, catches up and leaves behind. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/intake/verify.ts';
import { senderFlags } from '../support/cli.ts';
import { bodyOf, headersFor, startHandler } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { type Program, runRemit, usePrograms } from '../support/program.ts';
import { portOf } from '../support/servers.ts';

const home = usePrograms();
const { env, remit } = home;
let handler: Awaited<ReturnType<typeof startHandler>> | undefined;
afterEach(async () => {
  await handler?.close();
  handler = undefined;
});

const sender = (id: string) => remit('sender', 'create', ...senderFlags(id));
const listOf = async (...argv: string[]) => JSON.parse((await remit(...argv, '-o', 'json')).stdout).data;

interface Line {
  kind: string;
  data: Record<string, unknown>;
}
const parse = (line: string): Line => JSON.parse(line) as Line;
const lines = (program: Program): Line[] => program.stdout().split('\n').slice(0, -1).map(parse);
const is =
  (kind: string, event = '') =>
  (line: string) =>
    line.includes(`"kind":"${kind}"`) && line.includes(event);

async function run(
  argv: string[],
  more: Record<string, string> = {},
): Promise<{ program: Program; ready: Record<string, string> }> {
  const program = home.start([...argv, '-o', 'ndjson'], more);
  return { program, ready: parse(await program.line(is('ready'))).data as Record<string, string> };
}
const sandbox = () => run(['sandbox', 'start', '--port', '0', '--clock', 'standing']);
const listen = (...argv: string[]) => run(['webhooks', 'listen', ...argv]);

async function stop(program: Program): Promise<void> {
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(0);
}

describe('the stream', () => {
  it('says ready, one event for each delivery, and stopped; registers itself and takes that away', async () => {
    await sandbox();
    const file = join(home.dir, 'ready.json');
    const { program, ready } = await listen('--ready-file', file);
    expect(lines(program)[0]?.kind).toBe('ready');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      url: ready.url,
      pid: program.process.pid,
    });
    expect(await listOf('webhooks', 'list')).toMatchObject([{ url: ready.registered, id: ready.webhook }]);
    await sender('customer-1');
    const { data } = parse(await program.line(is('event', 'sender.approved')));
    expect(data).toMatchObject({
      webhook: ready.webhook,
      event: 'sender.approved',
      object: { state: 'approved' },
      signature: 'valid',
      cause: null,
      duplicate: false,
      repeat: false,
      late: false,
      forward_status: null,
      latency_ms: null,
    });
    expect(data.body_b64).toBeNull();
    await stop(program);
    expect(lines(program).at(-1)).toMatchObject({
      kind: 'stopped',
      data: { reason: 'interrupt', received: 2, invalid: 0, handed_on: 2, waiting: 0 },
    });
    expect(existsSync(file)).toBe(false);
    expect(await listOf('webhooks', 'list')).toEqual([]);
    expect((await listOf('webhooks', 'events')).map(({ state }: { state: string }) => state)).toEqual([
      'handed_on',
      'handed_on',
    ]);
  });

  it('takes everything away and says that it stopped, also when one thing cannot be taken away', async () => {
    await sandbox();
    const file = join(home.dir, 'ready.json');
    const { program } = await listen('--ready-file', file);
    rmSync(file);
    mkdirSync(file);
    program.signal('SIGINT');
    const { code } = await program.ended;
    expect([code, program.stderr()]).toEqual([1, expect.stringContaining(file)]);
    expect(lines(program).at(-1)?.kind).toBe('stopped');
    expect(await listOf('webhooks', 'list')).toEqual([]);
    await stop((await listen()).program);
  });

  it('ends when its port is taken, and hands nothing on before it listens', async () => {
    await sandbox();
    const first = await listen('--no-register');
    const port = new URL(first.ready.url as string).port;
    const by = credentialsIn(home.dir);
    const url = `http://127.0.0.1:${port}/`;
    const other = join(home.dir, 'other.db');
    const second = await listen('--no-register', '--store', other, '--forward-to', 'http://127.0.0.1:1/');
    const at = `${second.ready.url}/`;
    const headers = headersFor(at, bodyOf('a'), { by });
    expect((await fetch(at, { method: 'POST', body: bodyOf('a'), headers })).status).toBe(200);
    await stop(second.program);
    const third = await runRemit(
      [
        'webhooks',
        'listen',
        '--no-register',
        '--no-catch-up',
        '--port',
        port,
        '--store',
        other,
        '-o',
        'ndjson',
      ],
      env(),
    );
    expect([third.code, third.stdout]).toEqual([78, '']);
    expect(third.stderr).toContain('the port is in use');
    expect(third.stderr).not.toContain('closed');
    expect((await fetch(url)).status).toBe(405);
    await stop(first.program);
  });

  it('verifies for the URL that it registered, whatever a sender says its host is', async () => {
    await sandbox();
    const { program, ready } = await listen();
    const by = credentialsIn(home.dir);
    const send = (signedFor: string, path = '') => {
      const headers = headersFor(signedFor, bodyOf('a'), { by });
      return fetch(`${ready.registered}${path}`, { method: 'POST', body: bodyOf('a'), headers });
    };
    expect((await send(`${ready.registered}x`, 'x')).status).toBe(401);
    expect((await send(ready.registered as string)).status).toBe(200);
    await stop(program);
  });

  it('names the cause of what does not verify, and does not end for it', async () => {
    await sandbox();
    const { program, ready } = await listen('--count', '2', '--reveal');
    const answer = await fetch(ready.url as string, { method: 'POST', body: bodyOf('x') });
    expect(answer.status).toBe(401);
    const { data } = parse(await program.line(is('event', 'invalid')));
    expect(data).toMatchObject({ signature: 'invalid', cause: 'missing_header', event: null, object: null });
    expect(Buffer.from(String(data.body_b64), 'base64').toString('utf8')).toBe(bodyOf('x'));
    await sender('customer-1');
    expect((await program.ended).code).toBe(0);
    expect(lines(program).at(-1)?.data).toMatchObject({ reason: 'count', received: 2, invalid: 1 });
    expect(await listOf('webhooks', 'events', '--state', 'invalid')).toHaveLength(1);
    const shown = await remit('webhooks', 'verify', String(data.id), '-o', 'json');
    expect([shown.code, JSON.parse(shown.stdout).data.verdict]).toEqual([7, 'MALFORMED']);
  });

  it('goes on with what was not printed, and never prints again what was', async () => {
    await sandbox();
    const first = await listen('--port', '0');
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    await stop(first.program);
    const printed = lines(first.program).flatMap(({ kind, data }) => (kind === 'event' ? [data.id] : []));
    expect((await remit('webhooks', 'replay', String(printed[0]))).code).toBe(0);
    const second = await listen();
    const { data } = parse(await second.program.line(is('event')));
    expect(data.id).toBe(printed[0]);
    await stop(second.program);
    expect(lines(second.program).filter(({ kind }) => kind === 'event')).toHaveLength(1);
  });
});

describe.runIf(isLong)('registration', () => {
  it('that was left by one that was killed is removed at the next start', async () => {
    await sandbox();
    const first = await listen();
    first.program.signal('SIGKILL');
    await first.program.ended;
    expect(await listOf('webhooks', 'list')).toHaveLength(1);
    const second = await listen();
    expect(await listOf('webhooks', 'list')).toMatchObject([{ url: second.ready.registered }]);
    await stop(second.program);
  });

  it('is of the events that are asked for; names that nobody knows are warned about', async () => {
    await sandbox();
    const { program } = await listen('--events', 'sender.approved,sender.praised', '--no-register');
    expect(program.stderr()).toContain('no event called sender.praised');
    await stop(program);
    const named = await listen('--events', 'sender.approved');
    expect(await listOf('webhooks', 'list')).toMatchObject([{ events: ['sender.approved'] }]);
    await stop(named.program);
  });
});

describe.runIf(isLong)('catching up', () => {
  it('fetches at the start what was missed while nobody listened, says when that was, and hands it on in order', async () => {
    const { ready: service } = await sandbox();
    const first = await listen('--port', '0');
    const port = new URL(first.ready.url as string).port;
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    first.program.signal('SIGKILL');
    await first.program.ended;
    await sender('customer-2');
    await remit('sandbox', 'clock', 'advance', '8h');
    const second = await listen('--port', port);
    const { data: gap } = parse(await second.program.line(is('gap')));
    expect(gap).toMatchObject({ missed: 2, recovered: 2, unrecoverable: 0 });
    expect(gap.events).toEqual({ 'sender.created': 1, 'sender.approved': 1 });
    const recovered = (line: string): boolean => is('event', '"recovered":true')(line);
    await second.program.line((line) => recovered(line) && line.includes('sender.approved'));
    // What was printed a moment before the kill may be printed again: that was not recorded yet.
    const events = lines(second.program).filter(({ kind, data }) => kind === 'event' && data.recovered);
    expect(events.map(({ data }) => [data.event, data.signature, data.recovered])).toEqual([
      ['sender.created', 'recovered', true],
      ['sender.approved', 'recovered', true],
    ]);
    expect(second.program.stderr()).toContain('2 deliveries were missed');
    await stop(second.program);
    expect(service.url).toContain('127.0.0.1');
  });
});

describe('handing on', () => {
  it('to a handler, byte for byte; the handler verifies it against the registered URL', async () => {
    await sandbox();
    handler = await startHandler();
    const { program, ready } = await listen('--forward-to', handler.to);
    await sender('customer-1');
    const [got] = await handler.got.count(2);
    const { key, secret } = credentialsIn(home.dir);
    const request = {
      rawBody: Buffer.from(got?.body ?? ''),
      url: ready.registered as string,
      headers: got?.headers ?? {},
    };
    expect(verifySignature(request, [{ key, secret }])).not.toBeNull();
    const { data } = parse(await program.line(is('event', 'sender.approved')));
    expect(data).toMatchObject({ forward_status: 204, state: 'handed_on', attempts: 1 });
    expect(typeof data.latency_ms).toBe('number');
    await stop(program);
  });

  it('signed again for the hop, where the handler knows only its own URL', async () => {
    await sandbox();
    handler = await startHandler();
    const { program } = await listen('--forward-to', handler.to, '--resign');
    await sender('customer-1');
    const [got] = await handler.got.count(1);
    const request = { rawBody: Buffer.from(got?.body ?? ''), url: handler.to, headers: got?.headers ?? {} };
    expect(verifySignature(request, [credentialsIn(home.dir)])).not.toBeNull();
    await stop(program);
  });

  it.runIf(isLong)(
    'again and again while the handler fails, one line for the beginning and one for the end',
    async () => {
      await sandbox();
      handler = await startHandler();
      let fails = true;
      handler.answers.status = () => (fails ? 500 : 200);
      const { program } = await listen('--forward-to', handler.to, '--events', 'sender.approved');
      await sender('customer-1');
      const { data } = parse(await program.line(is('event', 'sender.approved')));
      expect(data).toMatchObject({ forward_status: 500, state: 'waiting' });
      fails = false;
      const settled = parse(await program.line(is('settled')));
      expect(settled.data).toMatchObject({
        id: data.id,
        state: 'handed_on',
        attempts: 2,
        forward_status: 200,
      });
      await stop(program);
    },
  );

  it('to a program, without a shell and without our variables', async () => {
    await sandbox();
    const script = join(home.dir, 'on webhook.mjs');
    const seen = join(home.dir, 'seen.json');
    writeFileSync(
      script,
      `import { appendFileSync } from 'node:fs';
       let body = '';
       for await (const chunk of process.stdin) body += chunk;
       const ours = Object.keys(process.env).filter((name) => name.startsWith('REMIT_'));
       appendFileSync(${JSON.stringify(seen)}, JSON.stringify({ body: JSON.parse(body).event, ours, argv: process.argv.slice(2) }) + '\\n');
       console.log('printed by the program');`,
    );
    const { program } = await listen('--exec', `"${process.execPath}" "${script}" '$HOME;ls' a\\ b`);
    await sender('customer-1');
    await program.line(is('event', 'sender.approved'));
    const [first] = readFileSync(seen, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({ body: 'sender.created', ours: [], argv: ['$HOME;ls', 'a b'] });
    await stop(program);
    expect(program.stderr()).toContain('printed by the program');
    expect(program.stdout()).not.toContain('printed by the program');
  });

  it('only what fits --filter; the rest is kept', async () => {
    await sandbox();
    const { program } = await listen(
      '--filter',
      "object.external_id == 'customer-2' && event != 'sender.created'",
    );
    await sender('customer-1');
    await sender('customer-2');
    const { data } = parse(await program.line(is('event')));
    expect([data.event, (data.object as { external_id: string }).external_id]).toEqual([
      'sender.approved',
      'customer-2',
    ]);
    await stop(program);
    const states = (await listOf('webhooks', 'events')).map(({ state }: { state: string }) => state);
    expect(states.sort()).toEqual(['handed_on', 'kept', 'kept', 'kept']);
  });

  it('a handler that hangs does not stop it; a second Ctrl-C does', async () => {
    await sandbox();
    handler = await startHandler();
    handler.answers.held = new Promise(() => {});
    const { program } = await listen('--forward-to', handler.to);
    await sender('customer-1');
    await handler.got.count(1);
    program.signal('SIGINT');
    await program.line(() => true);
    await new Promise<void>((resolve) => {
      const again = (): void => {
        program.signal('SIGINT');
        resolve();
      };
      // The first one is being carried out once the port no longer answers.
      const look = (): void => void fetch(lines(program)[0]?.data.url as string).then(look, again);
      look();
    });
    expect((await program.ended).code).toBe(130);
  });
});

describe.runIf(isLong)('who may send, and how', () => {
  it('over TLS, to one path, verified for the public URL', async () => {
    await sandbox();
    const tls = join(import.meta.dirname, '..', 'fixtures', 'tls');
    const { program, ready } = await listen(
      ...['--no-register', '--tls-cert', join(tls, 'server.pem'), '--tls-key', join(tls, 'server-key.pem')],
      ...['--path', '/hooks', '--public-url', 'https://hooks.partner.example/in'],
    );
    expect(ready.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    const by = credentialsIn(home.dir);
    const body = bodyOf('r-1');
    const send = (path: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = headersFor('https://hooks.partner.example/in', body, { by });
        const options = { method: 'POST', headers, rejectUnauthorized: false };
        httpsRequest(`${ready.url}${path}`, options, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end(body);
      });
    expect(await send('/hooks?x=1')).toBe(200);
    expect(await send('/else')).toBe(404);
    expect(program.stderr()).not.toContain('Error');
    await stop(program);
  });

  it('not from everywhere, where --allow-from says so; and with the secrets of a rotation', async () => {
    await sandbox();
    const none = await listen('--no-register', '--allow-from', '203.0.113.0/24');
    expect((await fetch(none.ready.url as string, { method: 'POST' })).status).toBe(403);
    await stop(none.program);
    const old = join(home.dir, 'old-secrets.txt');
    writeFileSync(old, 'the-one-before\n\nanother-one-before\n');
    const { program, ready } = await listen('--no-register', '--secret-file', old);
    const { key, secret } = credentialsIn(home.dir);
    for (const one of [secret, 'the-one-before', 'another-one-before']) {
      const headers = headersFor(`${ready.url}/`, bodyOf('a'), { by: { key, secret: one } });
      expect((await fetch(`${ready.url}/`, { method: 'POST', body: bodyOf('a'), headers })).status).toBe(200);
    }
    await stop(program);
  });

  it('says that it is deaf when the public URL leads elsewhere, and that it is not when it leads here', async () => {
    await sandbox();
    const elsewhere = createServer((_, response) => response.end('somebody else'));
    const url = `http://127.0.0.1:${await portOf(elsewhere)}/hooks`;
    const { program } = await listen('--no-register', '--public-url', url);
    await program.says('NOT REACHABLE');
    expect(program.stderr()).toContain('another program answered 200');
    await stop(program);
    elsewhere.close();
    const free = await listen('--no-register');
    const port = new URL(free.ready.url as string).port;
    await stop(free.program);
    const here = await listen(
      '--no-register',
      '--port',
      port,
      '--public-url',
      `http://127.0.0.1:${port}/hooks`,
    );
    await stop(here.program);
    expect(here.program.stderr()).not.toContain('NOT REACHABLE');
  });

  it('production needs a public URL to register, and words that exclude each other are refused', async () => {
    const production = {
      REMIT_BASE_URL: 'https://api.example.com/v1',
      REMIT_API_KEY: 'key_prod_1',
      REMIT_API_SECRET: 'made-up',
    };
    const refused = async (...argv: string[]) =>
      (await runRemit(['webhooks', 'listen', ...argv], { ...env(), ...production })).code;
    expect(await refused('--register')).toBe(2);
    expect(await refused('--forward-to', 'http://127.0.0.1:1', '--exec', 'x')).toBe(2);
    expect(await refused('--resign')).toBe(2);
    expect(await refused('--forward-to', 'http://127.0.0.1:1', '--resign', '--forward-invalid')).toBe(2);
    expect(await refused('--allow-from', 'everywhere')).toBe(2);
    expect(await refused('--filter', 'object.[')).toBe(2);
    expect(await refused('--tls-cert', 'x')).toBe(2);
    expect(await refused('--exec', "node 'open")).toBe(2);
    expect(await refused('--store', 'postgres://me:pw@127.0.0.1/x')).toBe(2);
  });
});

describe('for people', () => {
  it('one line each, with whole ids where nobody looks at a terminal', async () => {
    await sandbox();
    const program = home.start(['webhooks', 'listen', '--count', '2']);
    await program.says('listening on');
    await sender('customer-1');
    expect(await program.line((line) => line.includes('verified'))).toMatch(
      /Z {2}verified {2}sender\.\w+ {2}[0-9a-f-]{36} {2}approved$/,
    );
    expect((await program.ended).code).toBe(0);
    expect(program.stderr()).toContain('stopped: 2 received');
  });
});

/** Of the sandbox's own profile, which keeps its secret in a file here. */
function credentialsIn(dir: string): { key: string; secret: string } {
  const { profiles } = JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8')) as {
    profiles: Record<string, { key: string }>;
  };
  const secrets = JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return { key: profiles.local?.key ?? '', secret: secrets.local ?? '' };
}
