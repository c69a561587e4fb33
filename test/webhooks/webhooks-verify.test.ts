/** `webhooks verify`: the verdict first, exit 7 for all but VALID, offline, and no secret, nonce or signature on any stream. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { readDeliveryFile, writeDeliveryFile } from '../../src/webhooks/intake/delivery-file.ts';
import { wordsOfLog } from '../../src/webhooks/sent-log.ts';
import {
  baseUrl,
  credentials,
  noAccount,
  payArgv,
  type Run,
  type RunOptions,
  useBench,
  words,
} from '../support/cli.ts';

const fixture = readFileSync(new URL('../fixtures/delivery.json', import.meta.url), 'utf8');
const kept = readDeliveryFile(fixture);
const header = (name: string): string => kept.headers.find(([each]) => each === name)?.[1] ?? '';
const hidden = [credentials.secret, header('Authorization-Nonce'), header('Authorization-Signature')];
const NO_ACCOUNT: RunOptions = { env: noAccount };

const bench = useBench({
  once: true,
  sender: true,
  setUp: async () => {
    writeFileSync(join(bench.dir, 'delivery.json'), fixture);
    writeFileSync(join(bench.dir, 'secret.txt'), `${credentials.secret}\n`);
  },
});

async function verify(args: string[], options: RunOptions = {}): Promise<Run> {
  const run = await bench.run(['webhooks', 'verify', ...args], options);
  for (const text of hidden) expect(run.stdout + run.stderr).not.toContain(text);
  expect(run.requests.filter(({ path }) => path !== '/webhooks')).toEqual([]);
  return run;
}

describe('a delivery file', () => {
  it('is written and read byte for byte', () => {
    expect(readDeliveryFile(writeDeliveryFile(kept))).toEqual(kept);
    const odd = {
      ...kept,
      body: Buffer.from([0, 255, 13, 10]),
      headers: [
        ['a', '1'],
        ['A', '2'],
        ['a', '3'],
      ] as const,
    };
    expect(readDeliveryFile(writeDeliveryFile(odd))).toEqual(odd);
  });

  it.each([
    ['nonsense', 'not JSON'],
    ['[]', 'the whole'],
    [fixture.replace('"delivery"', '"other"'), 'kind is not "delivery"'],
    [fixture.replace('"version": 1', '"version": 2'), 'version is not 1'],
    [fixture.replace('"method": "POST"', '"method": "post"'), 'data.method: is not a verb'],
    [fixture.replace('"target"', '"extra": 1, "target"'), 'not known: extra'],
    [fixture.replace(/"received_at": "[^"]*"/, '"received_at": "soon"'), 'data.received_at: is not a time'],
    [fixture.replace('"body_b64": "', '"body_b64": "*'), 'data.body_b64: is not base64'],
    [fixture.replace('"Host",', ''), 'data.headers.0'],
  ])('that is none is refused: %#', async (text, says) => {
    writeFileSync(join(bench.dir, 'broken.json'), text);
    const run = await verify(['--delivery', 'broken.json']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(says);
    expect(run.stdout).toBe('');
  });
});

describe('the verdict', () => {
  it('VALID', async () => {
    const run = await verify(['--delivery', 'delivery.json', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({
      kind: 'verification',
      data: { verdict: 'VALID', event: 'recipient.error', cause: null },
    });
    expect((await verify(['--delivery', 'delivery.json'])).stdout).toMatch(/^VALID\t/);
    const shown = await verify(['--delivery', 'delivery.json'], { tty: true });
    expect(shown.stdout.split('\n')[0]).toMatch(/^verdict +VALID/);
  });

  it('INVALID, with the one cause', async () => {
    const run = await verify(words('--delivery delivery.json --url http://partner.example/hooks/in -o json'));
    expect(run.code).toBe(7);
    expect(run.json().data).toMatchObject({ verdict: 'INVALID', cause: 'url_scheme' });
    expect(run.json().data).not.toHaveProperty('tried');
  });

  it('MALFORMED', async () => {
    const run = await verify(['--url', 'https://x.example/', '--body', '-'], { stdin: '{}' });
    expect(run.code).toBe(7);
    expect(run.stdout).toMatch(/^MALFORMED\t/);
  });

  it('UNCHECKED, without an account', async () => {
    const run = await verify(['--delivery', 'delivery.json', '-o', 'json'], NO_ACCOUNT);
    expect(run.code).toBe(7);
    expect(run.json().data).toMatchObject({ verdict: 'UNCHECKED', event: 'recipient.error' });
  });

  it('by a key and a secret that are named, without an account', async () => {
    const named = ['--delivery', 'delivery.json', '--key', credentials.key];
    expect((await verify([...named, '--secret-file', 'secret.txt'], NO_ACCOUNT)).code).toBe(0);
    const env = { ...NO_ACCOUNT.env, HOOK_SECRET: credentials.secret };
    expect((await verify([...named, '--secret-env', 'HOOK_SECRET'], { env })).code).toBe(0);
    expect((await verify(named, NO_ACCOUNT)).code).toBe(2);
    expect((await verify([...named, '--secret-env', 'NOT_SET'], NO_ACCOUNT)).stderr).toContain('not set');
    expect((await verify(['--delivery', 'delivery.json', '--test-key'], NO_ACCOUNT)).stdout).toMatch(
      /^UNCHECKED\t/,
    );
  });

  it('takes parts as they were received, and the URL from the environment', async () => {
    writeFileSync(join(bench.dir, 'raw.json'), kept.body);
    const headers = kept.headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const run = await verify(['--body', 'raw.json', ...headers], { env: { REMIT_PUBLIC_URL: kept.url } });
    expect(run.code).toBe(0);
  });
});

describe('--explain', () => {
  const signedBy = (by: { key: string; secret: string }): void => {
    const { url, body } = kept;
    const headers = signedHeaders(by, { nonce: header('Authorization-Nonce'), method: 'POST', url, body });
    const file = writeDeliveryFile({ ...kept, headers: Object.entries(headers) });
    writeFileSync(join(bench.dir, 'other.json'), file);
  };

  it('tries the other profiles of this machine, and lists what it tried', async () => {
    const live = { key: 'key_live_11aa', secret: 'the-secret-of-live' };
    const login = await bench.run(
      `login --profile live --base-url ${baseUrl} --key ${live.key} --secret-stdin --no-check`,
      { stdin: live.secret, ...NO_ACCOUNT },
    );
    expect(login.code).toBe(0);
    signedBy({ key: credentials.key, secret: live.secret });
    const plain = await verify(['--delivery', 'other.json', '-o', 'json']);
    expect(plain.json().data).toMatchObject({ verdict: 'INVALID', cause: 'secret' });
    const run = await verify(['--delivery', 'other.json', '--explain', '-o', 'json']);
    expect(run.code).toBe(7);
    expect(run.json().data).toMatchObject({
      verdict: 'INVALID',
      cause: 'other_profile_secret',
      message: expect.stringContaining('profile live'),
    });
    const { tried } = run.data<{ tried: { cause: string; result: string }[] }>();
    expect(tried).toContainEqual(expect.objectContaining({ cause: 'url_scheme', result: 'does not fit' }));
    signedBy(live);
    const other = await verify(['--delivery', 'other.json', '--explain'], { tty: true, columns: 400 });
    expect(other.stdout).toContain('with its secret the signature is right');
    expect(other.stdout).toMatch(/tried +\d+ single changes, of \d\d causes/);
    expect(other.stdout + other.stderr).not.toContain(live.secret);
  });

  it('asks the service for the registered URLs only where --remote says so', async () => {
    await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/hooks/in']);
    const { body } = kept;
    const url = 'http://127.0.0.1:9/hooks/in';
    const headers = signedHeaders(credentials, {
      nonce: header('Authorization-Nonce'),
      method: 'POST',
      url,
      body,
    });
    writeFileSync(
      join(bench.dir, 'tunnel.json'),
      writeDeliveryFile({
        ...kept,
        url: 'https://abc.tunnel.example/hooks/in',
        headers: Object.entries(headers),
      }),
    );
    const without = await verify(['--delivery', 'tunnel.json', '--explain', '-o', 'json']);
    expect(without.json().data).toMatchObject({ cause: 'secret' });
    expect(without.requests).toEqual([]);
    const run = await verify(['--delivery', 'tunnel.json', '--explain', '--remote', '-o', 'json']);
    expect(run.json().data).toMatchObject({ cause: 'url_tunnel', hint: expect.stringContaining(url) });
    expect(run.requests).toHaveLength(1);
  });
});

describe('--log compares with what the service says it sent', () => {
  let sent: { url: string; body: string; headers: Record<string, string> };
  beforeAll(async () => {
    await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/log']);
    await bench.run(payArgv('0123456700', '--external-id', 'logged'));
    await bench.run('sandbox clock advance 1h');
    const run = await bench.run(['api', 'GET', '/logs/webhooks', '--param', 'per=1', '--reveal']);
    sent = (JSON.parse(run.stdout) as { object: [{ metadata: { request: typeof sent } }] }).object[0].metadata
      .request;
  });

  const verified = async (change: { url?: string; body?: string; nonce?: string }) => {
    const nonce = change.nonce ?? sent.headers['Authorization-Nonce'] ?? '';
    const headers = signedHeaders(credentials, {
      ...sent,
      method: 'POST',
      nonce,
      body: Buffer.from(sent.body),
    });
    const arrived = { ...kept, ...sent, ...change, headers: Object.entries(headers) };
    writeFileSync(
      join(bench.dir, 'sent.json'),
      writeDeliveryFile({ ...arrived, body: Buffer.from(arrived.body) }),
    );
    return bench.run(['webhooks', 'verify', '--delivery', 'sent.json', '--explain', '--log', '-o', 'json']);
  };

  it('a body that lost a member, which no guess brings back', async () => {
    const { webhook: _, ...rest } = JSON.parse(sent.body) as Record<string, unknown>;
    const body = JSON.stringify(rest);
    const run = await verified({ body });
    expect(run.json().data).toMatchObject({ verdict: 'INVALID', cause: 'body_rewritten' });
    expect(run.stdout).toContain(
      `the service sent ${Buffer.byteLength(sent.body)} bytes and ${Buffer.byteLength(body)} arrived; the first that differs is byte 3`,
    );
    expect(run.code).toBe(7);
  });

  it('a URL that was never registered', async () => {
    const run = await verified({ url: 'https://elsewhere.example/in' });
    expect(run.json().data).toMatchObject({
      cause: 'url_registered',
      hint: expect.stringContaining(sent.url),
    });
    expect(run.stderr).toContain(`the service sent this to ${sent.url}`);
  });

  it.each([
    ['the whole', 'body', 'By its log, the service sent this body to this URL.'],
    ['the beginning', 'bod…', 'has the beginning of this body, and not its end'],
    ['the beginning of another', 'bud…', 'the first that differs is byte 2'],
    ['a shorter one', 'bod', 'the service sent 3 bytes and 4 arrived; the first that differs is byte 4'],
  ])('a log that has %s', (_, logged, said) => {
    const request = { url: 'u', headers: {}, rawBody: Buffer.from('body') } as never;
    expect(wordsOfLog({ sent: { url: 'u', body: logged } }, request)).toContain(said);
  });

  it('a delivery that the log does not have', async () => {
    const run = await verified({
      url: 'http://127.0.0.1:9/x',
      nonce: '00000000-0000-4000-8000-000000000000',
    });
    expect(run.stderr).toMatch(/None of the newest \d+ deliveries in the log of the service has this nonce/);
    expect(run.code).toBe(7);
  });
});

it('what does not go together is refused', async () => {
  for (const args of [
    [],
    ['--delivery', 'delivery.json', '--body', '-'],
    ['--delivery', 'delivery.json', '--remote'],
    ['--delivery', 'delivery.json', '--log'],
    ['--delivery', 'delivery.json', '--secret-file', 'secret.txt'],
    ['--delivery', 'delivery.json', '--test-key', '--key', 'k'],
    ['--body', '-'],
    ['--delivery', 'nowhere.json'],
  ]) {
    const run = await verify(args, { stdin: '{}' });
    expect(run.code, args.join(' ')).not.toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^remit: /m);
  }
});
