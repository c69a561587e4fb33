/** `webhooks listen` hands on what it takes: to a handler, to a program, signed again, over TLS. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/webhooks/intake/verify.ts';
import { credentialsIn, is, lines, parse, useListening } from '../support/listen-runs.ts';
import { bodyOf, headersFor } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { portOf } from '../support/servers.ts';

const { home, env, sender, listOf, sandbox, listen, stop, handlerFor } = useListening();

describe('handing on', () => {
  it('to a handler, byte for byte; the handler verifies it against the registered URL', async () => {
    await sandbox();
    const handler = await handlerFor();
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

  it('to a handler that verifies and refuses: --resign is named, once', async () => {
    await sandbox();
    const handler = await handlerFor();
    handler.answers.status = () => 401;
    const { program } = await listen('--forward-to', handler.to);
    await sender('customer-1');
    await program.line(is('event', 'sender.created'));
    await handler.got.count(2);
    await stop(program);
    expect(program.stderr().match(/--resign/g)).toHaveLength(1);
    expect(program.stderr()).toContain(`${handler.to} answered 401`);
  });

  it.runIf(isLong)('signed again for the hop, where the handler knows only its own URL', async () => {
    await sandbox();
    const handler = await handlerFor();
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
      const handler = await handlerFor();
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

  it.runIf(isLong)('only what fits --filter; the rest is kept', async () => {
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

  it.runIf(isLong)('a handler that hangs does not stop it; a second Ctrl-C does', async () => {
    await sandbox();
    const handler = await handlerFor();
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
