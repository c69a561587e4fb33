/** `remit sign`: the parts of a signature, one that a real sandbox takes, and the mistake in one that it does not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { credentials, useBench } from '../support/cli.ts';

const bench = useBench();
const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };

interface Signed {
  url: string;
  string_to_sign: string;
  key: string | null;
  signature: string | null;
  matches: boolean | null;
  cause: string | null;
}
const signed = async (...args: string[]): Promise<Signed> =>
  (await bench.run(['sign', ...args, '-o', 'json'])).data<Signed>();

it('prints the text and the signature that the client itself sends', async () => {
  const body = '{"transaction":{}}';
  const made = await signed('post', '/transactions', '--nonce', 'n-1', '-d', body);
  const url = made.url;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/transactions$/);
  const headers = signedHeaders(credentials, { nonce: 'n-1', method: 'POST', url, body });
  expect(made.signature).toBe(headers['Authorization-Signature']);
  expect(made.string_to_sign).toMatch(new RegExp(`^n-1&POST&${url}&[0-9a-f]{128}$`));
  writeFileSync(join(bench.dir, 'body.json'), body);
  const file = await signed(
    'POST',
    '/transactions',
    '--nonce',
    'n-1',
    '-d',
    `@${join(bench.dir, 'body.json')}`,
  );
  expect(file).toEqual(made);
});

it('without a nonce there is a text and no signature', async () => {
  const made = await signed('GET', '/accounts');
  expect([made.signature, made.string_to_sign.slice(0, 12)]).toEqual([null, '<nonce>&GET&']);
});

it('of production it prints no signature and no key, and compares', async () => {
  const url = 'https://api.example.com/v1/accounts';
  const right =
    signedHeaders(credentials, { nonce: 'n-1', method: 'GET', url })['Authorization-Signature'] ?? '';
  const run = await bench.run(['sign', 'GET', '/accounts', '--nonce', 'n-1'], { env: live });
  expect(run.code).toBe(0);
  expect(run.stdout + run.stderr).not.toContain(right);
  expect(run.stdout + run.stderr).not.toContain(credentials.secret);
  expect(run.stderr).toContain('the signature is not printed');
  const same = await bench.run(
    ['sign', 'GET', '/accounts', '--nonce', 'n-1', '--signature', right, '-o', 'json'],
    { env: live },
  );
  expect([same.code, same.data<Signed>().matches, same.data<Signed>().signature]).toEqual([0, true, null]);
  const other = await bench.run(['sign', 'GET', '/accounts', '--nonce', 'n-2', '--signature', right], {
    env: live,
  });
  expect(other.code).toBe(7);
  expect(other.stdout + other.stderr).not.toContain(credentials.secret);
});

it.each([
  [
    'the body was signed with another space',
    'POST',
    '{"a": 1}',
    (url: string) => ({ method: 'POST', url, body: '{"a":1}' }),
  ],
  [
    'the path was signed without the host',
    'GET',
    '',
    (url: string) => ({ method: 'GET', url: new URL(url).pathname }),
  ],
  ['another verb was signed', 'PATCH', '', (url: string) => ({ method: 'POST', url })],
])('names the mistake: %s', async (_, method, body, wrong) => {
  const { url } = await signed(method, '/accounts');
  const request = { nonce: 'n-1', ...wrong(url) };
  const signature = signedHeaders(credentials, request)['Authorization-Signature'] ?? '';
  const run = await bench.run([
    'sign',
    method,
    '/accounts',
    '--nonce',
    'n-1',
    '-d',
    body,
    '--signature',
    signature,
    '-o',
    'json',
  ]);
  expect(run.code).toBe(7);
  const { matches, cause } = run.data<Signed>();
  expect(matches).toBe(false);
  expect(cause).not.toBeNull();
  expect(cause).not.toBe('unknown');
});

it('refuses what cannot be signed or compared', async () => {
  for (const [args, says] of [
    [['FETCH', '/accounts'], '"FETCH" is no method'],
    [['GET', '/accounts', '--signature', 'ab'], '--signature goes with --nonce'],
    [['GET', '/accounts', '--key', 'K'], 'the secret of --key is given once'],
  ] as const) {
    const run = await bench.run(['sign', ...args]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(says);
  }
});
