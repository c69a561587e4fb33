/** `webhooks sign` and `send`: which key signs, what is printed, and what reaches a handler. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventInfo, eventNames } from '../../src/contract/events.ts';
import { verify } from '../../src/contract/signing.ts';
import { readDeliveryFile } from '../../src/webhooks/intake/delivery-file.ts';
import {
  type Bench,
  createArgv,
  createBench,
  credentials,
  noAccount,
  type Run,
  senderFlags,
  words,
} from '../support/cli.ts';
import { runRemit, temporaryHome } from '../support/program.ts';
import { portOf } from '../support/servers.ts';
import { TLS_FIXTURES } from '../support/tls.ts';

const URL_SIGNED = 'https://partner.example/hooks?team=a%20b';

interface Taken {
  method: string;
  path: string;
  raw: Record<string, string>;
  body: string;
}

let bench: Bench;
let server: Server;
let to: string;
let answer = 200;
const taken: Taken[] = [];

beforeAll(async () => {
  bench = await createBench();
  server = createServer(async (request, response) => {
    const body = await text(request);
    const raw = Object.fromEntries(
      request.rawHeaders.flatMap((name, at) => (at % 2 ? [] : [[name, request.rawHeaders[at + 1] ?? '']])),
    );
    taken.push({ method: request.method ?? '', path: request.url ?? '', raw, body });
    response.writeHead(answer, { location: '/elsewhere' }).end('seen\u001b[31m');
  });
  to = `http://127.0.0.1:${await portOf(server)}/in?x=1`;
  const login = await bench.run(
    [
      ...words('login --profile live --base-url https://api.example.com/v1 --environment production'),
      ...words('--key key_live_11aa --secret-stdin --no-check --no-keychain'),
    ],
    { stdin: 'the-secret-of-live', env: noAccount },
  );
  expect(login.code).toBe(0);
});
afterAll(async () => {
  server.close();
  await bench.close();
});

const testKey = (): { key: string; secret: string } =>
  JSON.parse(readFileSync(join(bench.dir, 'webhook-test-key.json'), 'utf8'));
const inProduction = { env: { ...noAccount, REMIT_PROFILE: 'live' } };

interface Signed {
  url: string;
  headers: Record<string, string>;
  body: string;
}
const sign = (...args: string[]): Promise<Run> =>
  bench.run(['webhooks', 'sign', '--url', URL_SIGNED, '-o', 'json', ...args]);
const dataOf = (run: Run): Signed => {
  const { data } = run.json<{ data: { url: string; header_lines: string[]; raw_body: string } }>();
  const pairs = data.header_lines.map((line) => line.split(': '));
  return { url: data.url, headers: Object.fromEntries(pairs), body: data.raw_body };
};
const fits = ({ url, headers, body }: Signed, secret: string): boolean =>
  verify(
    secret,
    { nonce: headers['Authorization-Nonce'] ?? '', method: 'POST', url, body },
    headers['Authorization-Signature'] ?? '',
  );

describe('sign', () => {
  it('signs any event of the sandbox with a test key that is made once, without an account', async () => {
    const nobody = { env: { ...noAccount, REMIT_CONFIG_DIR: `${bench.dir}/empty` } };
    const args = ['webhooks', 'sign', '--event', 'sender.created', '--url', URL_SIGNED, '-o', 'json'];
    const alone = await bench.run(args, nobody);
    expect(alone.code).toBe(0);
    for (const event of eventNames.filter((name) => eventInfo(name).sandbox)) {
      const run = await sign('--event', event);
      expect(run.code, run.stderr).toBe(0);
      expect(fits(dataOf(run), testKey().secret)).toBe(true);
      expect(JSON.parse(dataOf(run).body)).toMatchObject({
        event,
        object: { id: expect.stringMatching(/^7e57da7a/) },
      });
      expect(run.stdout + run.stderr).not.toContain(testKey().secret);
    }
    expect(dataOf(alone).headers['Authorization-Key']).not.toBe(testKey().key);
  });

  it('is taken by verify, by the file and by its parts', async () => {
    const run = await sign('--event', 'recipient.error', '--save', 'made.json');
    expect(run.code).toBe(0);
    expect(run.stdout).not.toMatch(/[0-9a-f]{128}/);
    expect(statSync(join(bench.dir, 'made.json')).mode & 0o777).toBe(0o600);
    const check = ['webhooks', 'verify', '--delivery', 'made.json'];
    expect((await bench.run([...check, '--test-key'])).stdout).toMatch(/^VALID\trecipient\.error/);
    const wrong = await bench.run([...check, '-o', 'json']);
    expect(wrong.json().data).toMatchObject({
      verdict: 'INVALID',
      cause: 'other_profile_key',
      message: expect.stringContaining('the test key of this machine'),
    });
    const again = await sign('--event', 'recipient.error', '--save', 'made.json');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('is there already');
  });

  it('takes what the service has, digit for digit, and the part that the event is about', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-17')]);
    const made = await bench.run(createArgv(undefined, '--sender', 'customer-17', '--external-id', 'inv-1'));
    expect(made.code).toBe(0);
    const data = made.data<{ id: string; recipients: { id: string }[]; sender: { id: string } }>();
    const ids = {
      'transaction.paid_out': data.id,
      'recipient.error': data.recipients[0]?.id,
      'sender.created': data.sender.id,
    };
    for (const [event, id] of Object.entries(ids)) {
      const run = await sign('--event', event, '--tx', 'inv-1');
      const { object } = JSON.parse(dataOf(run).body);
      expect(object.id).toBe(id);
      expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
      if (event === 'transaction.paid_out') expect(typeof object.input_amount).toBe('number');
    }
    expect((await sign('--event', 'payin_method.pending', '--tx', 'inv-1')).code).toBe(6);
    expect((await sign('--event', 'transaction.paid_out', '--tx', 'nobody-7')).code).toBe(6);
  });

  it('takes an object, or a whole body byte for byte', async () => {
    const whole = '{ "webhook":"w", "event":"sender.created","object":{"id":"s","amount":12.50} }\n';
    const run = await bench.run(['webhooks', 'sign', '--url', URL_SIGNED, '--data', '-', '-o', 'json'], {
      stdin: whole,
    });
    expect(dataOf(run).body).toBe(whole);
    writeFileSync(join(bench.dir, 'object.json'), '{"id":"s","amount":12.50}');
    const object = await sign('--data', 'object.json', '--event', 'something.else');
    expect(dataOf(object).body).toMatch(/"event":"something\.else","object":\{"id":"s","amount":12\.50\}\}$/);
    expect(fits(dataOf(object), testKey().secret)).toBe(true);
  });

  it('never prints what a real secret signed: it goes to a private file', async () => {
    expect((await sign('--event', 'recipient.error', '--as-profile')).code).toBe(2);
    const run = await sign('--event', 'recipient.error', '--as-profile', '--save', 'real.json');
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^sandbox · environment · key …7f3c$/m);
    const { headers, body, url } = readDeliveryFile(readFileSync(join(bench.dir, 'real.json'), 'utf8'));
    const whole = { url, headers: Object.fromEntries(headers), body: Buffer.from(body).toString() };
    expect(fits(whole, credentials.secret)).toBe(true);
    for (const name of ['Authorization-Nonce', 'Authorization-Signature'])
      expect(run.stdout + run.stderr).not.toContain(whole.headers[name]);
    expect((await bench.run(['webhooks', 'verify', '--delivery', 'real.json'])).code).toBe(0);
  });

  it('in production needs --live and somebody to ask', async () => {
    const args = words(
      `webhooks sign --event recipient.error --url ${URL_SIGNED} --as-profile --save never.json`,
    );
    for (const more of [
      [],
      ['--yes'],
      ['--live=live'],
      ['--live=live', '--yes'],
      ['--live=other', '--yes'],
    ]) {
      const run = await bench.run([...args, ...more], inProduction);
      expect(run.code, more.join(' ')).toBe(2);
      expect(run.stderr).toMatch(/^production · live · key …11aa$/m);
    }
    expect(
      (await bench.run([...args, '--no-input', '--live=live'], { ...inProduction, tty: true })).code,
    ).toBe(2);
    expect(() => statSync(join(bench.dir, 'never.json'))).toThrow('ENOENT');
  });

  it('on a terminal it asks, and Enter means No', async () => {
    const args = ['webhooks', 'sign', '--event', 'recipient.error', '--url', URL_SIGNED, '--as-profile'];
    const live = ['--save', 'asked.json', '--live=live', '--yes'];
    const no = await bench.run([...args, ...live], { ...inProduction, tty: true, stdin: '\r' });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('Sign it with the production secret?');
    expect(() => statSync(join(bench.dir, 'asked.json'))).toThrow('ENOENT');
    const yes = await bench.run([...args, ...live], { ...inProduction, tty: true, stdin: 'live\r' });
    expect(yes.code).toBe(0);
    expect(yes.stdout + yes.stderr).not.toMatch(/[0-9a-f]{128}|the-secret-of-live/);
    const { headers, body } = readDeliveryFile(readFileSync(join(bench.dir, 'asked.json'), 'utf8'));
    expect(Object.fromEntries(headers)).toMatchObject({ 'Authorization-Key': 'key_live_11aa' });
    expect(JSON.parse(Buffer.from(body).toString()).object.id).toMatch(/^7e57da7a-/);
  });

  it('says what is missing', async () => {
    writeFileSync(join(bench.dir, 'list.json'), '[1]');
    for (const args of [
      ['--url', URL_SIGNED],
      ['--url', 'nowhere', '--event', 'sender.created'],
      ['--event', 'sender.created'],
      ['--url', URL_SIGNED, '--event', 'sender.craeted'],
      ['--url', URL_SIGNED, '--event', 'transaction_request.created'],
      ['--url', URL_SIGNED, '--event', 'sender.created', '--tx', 'a', '--data', 'b'],
      ['--url', URL_SIGNED, '--data', 'object.json'],
      ['--url', URL_SIGNED, '--event', 'sender.created', '--data', 'list.json'],
    ]) {
      const run = await bench.run(['webhooks', 'sign', ...args]);
      expect(run.code, args.join(' ')).toBe(2);
      expect(run.stdout).toBe('');
    }
  });

  it('a test key that others can read is refused', async () => {
    const dir = join(bench.dir, 'open');
    const env = { REMIT_CONFIG_DIR: dir };
    const args = ['webhooks', 'sign', '--event', 'sender.created', '--url', URL_SIGNED];
    expect((await bench.run(args, { env })).code).toBe(0);
    const { chmodSync } = await import('node:fs');
    chmodSync(join(dir, 'webhook-test-key.json'), 0o644);
    expect((await bench.run(args, { env })).code).toBe(78);
    chmodSync(join(dir, 'webhook-test-key.json'), 0o600);
    writeFileSync(join(dir, 'webhook-test-key.json'), '{}');
    expect((await bench.run(args, { env })).stderr).toContain('not a test key any more');
  });
});

describe('send', () => {
  const send = async (...args: string[]): Promise<{ run: Run; arrived: Taken[] }> => {
    taken.length = 0;
    const run = await bench.run(['webhooks', 'send', '--to', to, '-o', 'json', ...args]);
    expect(run.stdout + run.stderr).not.toMatch(/[0-9a-f]{128}/);
    return { run, arrived: [...taken] };
  };
  const rightlySigned = ({ raw, body }: Taken, url = to): boolean =>
    fits({ url, headers: raw, body }, testKey().secret);

  it('posts it as the service does, and says what was answered', async () => {
    const { run, arrived } = await send('--event', 'recipient.error');
    expect(run.code).toBe(0);
    expect(run.json().data).toMatchObject([{ nr: 1, event: 'recipient.error', status: 200 }]);
    expect(arrived).toMatchObject([
      { method: 'POST', path: '/in?x=1', raw: { 'Content-Type': 'application/json' } },
    ]);
    expect(arrived.map((one) => rightlySigned(one))).toEqual([true]);
    const shown = await bench.run(['webhooks', 'send', '--to', to, '--event', 'recipient.error'], {
      tty: true,
    });
    expect(shown.stdout).not.toContain('\u001b[31m');
  });

  it('several times, each under its own nonce, or all under one', async () => {
    const nonces = (arrived: Taken[]): number =>
      new Set(arrived.map(({ raw }) => raw['Authorization-Nonce'])).size;
    const own = await send('--event', 'sender.created', '--times', '3');
    expect([own.arrived.length, nonces(own.arrived)]).toEqual([3, 3]);
    const same = await send('--event', 'sender.created', '--times', '3', '--nonce', 'again');
    expect([same.arrived.length, nonces(same.arrived)]).toEqual([3, 1]);
    expect(new Set(own.arrived.map(({ body }) => body)).size).toBe(1);
  });

  it('for another URL, or with a signature that is wrong', async () => {
    const other = await send('--event', 'sender.created', '--url', URL_SIGNED);
    expect(other.arrived.map((one) => rightlySigned(one, URL_SIGNED))).toEqual([true]);
    const bad = await send('--event', 'sender.created', '--bad-signature');
    expect(bad.arrived.map((one) => rightlySigned(one))).toEqual([false]);
    expect(bad.arrived[0]?.raw['Authorization-Signature']).toMatch(/^[0-9a-f]{128}$/);
    expect(bad.run.stderr).toContain('does not verify');
  });

  it('follows no redirect, and ends by what was answered', async () => {
    answer = 302;
    const redirected = await send('--event', 'sender.created');
    answer = 500;
    const broken = await send('--event', 'sender.created', '--times', '2');
    answer = 200;
    expect([redirected.run.code, redirected.arrived.length]).toEqual([1, 1]);
    expect(redirected.run.stderr).toContain('redirect');
    expect([broken.run.code, broken.arrived.length]).toEqual([1, 2]);
    const nobody = await bench.run('webhooks send --to http://127.0.0.1:9/ --event sender.created');
    expect(nobody.code).toBe(75);
    expect(nobody.stdout).toContain('nothing listens there');
  });

  it('to an endpoint whose certificate a private authority signed, when that is named', async () => {
    const pem = (name: string) => readFileSync(join(TLS_FIXTURES, name), 'utf8');
    const secure = createTlsServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, (_, response) =>
      response.writeHead(200).end(),
    );
    const to = `https://127.0.0.1:${await portOf(secure)}/`;
    const argv = ['webhooks', 'send', '--to', to, '--event', 'sender.created'];
    const home = temporaryHome();
    const env = { REMIT_CONFIG_DIR: home.dir, HOME: home.dir };
    const stranger = await runRemit(argv, env);
    expect([stranger.code, stranger.stdout]).toEqual([
      75,
      expect.stringMatching(/certificate is not trusted.*NODE_EXTRA_CA_CERTS=FILE/s),
    ]);
    const named = await runRemit(argv, { ...env, NODE_EXTRA_CA_CERTS: join(TLS_FIXTURES, 'ca.pem') });
    expect([named.code, named.stderr]).toEqual([0, expect.not.stringContaining('certificate')]);
    secure.close();
    home.remove();
  });

  it('with the profile’s secret in the sandbox freely, in production never without somebody', async () => {
    const { run, arrived } = await send('--event', 'sender.created', '--as-profile');
    expect(run.code).toBe(0);
    expect(arrived[0]?.raw['Authorization-Key']).toBe(credentials.key);
    taken.length = 0;
    const args = words(`webhooks send --to ${to} --event sender.created --as-profile --live=live --yes`);
    expect((await bench.run(args, inProduction)).code).toBe(2);
    expect(taken).toEqual([]);
  });

  it('refuses what it cannot do', async () => {
    for (const args of [
      ['--event', 'sender.created'],
      ['--to', 'nowhere', '--event', 'sender.created'],
      ['--to', to],
      ['--to', to, '--event', 'sender.created', '--times', '0'],
      ['--to', to, '--event', 'sender.created', '--times', '1001'],
      ['--to', to, '--event', 'sender.created', '--nonce', 'a b'],
    ])
      expect((await bench.run(['webhooks', 'send', ...args])).code, args.join(' ')).toBe(2);
  });
});
