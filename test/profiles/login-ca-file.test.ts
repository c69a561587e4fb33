/** `login --ca-file`: the authorities of the file are trusted when the account is checked, and by every command afterwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { credentials, noAccount, type Run, useBench } from '../support/cli.ts';
import { portOf } from '../support/servers.ts';
import { TLS_FIXTURES } from '../support/tls.ts';

const CA = join(TLS_FIXTURES, 'ca.pem');
const bench = useBench({ once: true });
let server: Server;
let url: string;
let asked = 0;

/** The sandbox, behind a certificate that only the authority of the tests signed. */
beforeAll(async () => {
  const [key, cert] = ['server-key.pem', 'server.pem'].map((name) => readFileSync(join(TLS_FIXTURES, name)));
  server = createServer({ key: key as Buffer, cert: cert as Buffer }, async (request, response) => {
    asked += 1;
    const body = await text(request);
    const answer = await bench.sandbox.fetch(
      new Request(new URL(request.url ?? '/', url), {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(body !== '' && { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  url = `https://127.0.0.1:${await portOf(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const login = (...more: string[]): Promise<Run> =>
  bench.run(
    [
      'login',
      '--base-url',
      `${url}/v1`,
      '--key',
      credentials.key,
      '--secret-stdin',
      '--no-keychain',
      ...more,
    ],
    { stdin: credentials.secret, env: noAccount, network: true },
  );
const kept = (): string => readFileSync(join(bench.dir, 'config.json'), 'utf8');

it('without it the certificate is not trusted, and nothing is kept', async () => {
  const refused = await login('--profile', 'plain');
  expect([refused.code, asked], refused.stderr).toEqual([78, 0]);
  expect(refused.stderr).toContain('NODE_EXTRA_CA_CERTS=FILE');
  expect(refused.stderr).toContain('certificate');
  expect(() => kept()).toThrow('ENOENT');
});

it.each([
  ['a signature', []],
  ['the secret itself', ['--send-secret']],
])('with it the account is accepted, by %s, and by the commands that come after', async (_, more) => {
  const before = asked;
  const signed = await login('--profile', 'behind-tls', '--ca-file', CA, ...more);
  expect([signed.code, signed.stderr], signed.stderr).toEqual([0, expect.stringContaining('accepted: key')]);
  expect(asked).toBe(before + 1);
  const env = { ...noAccount, REMIT_PROFILE: 'behind-tls' };
  const balance = await bench.run(['balance', '-o', 'json'], { env, network: true });
  expect([balance.code, asked], balance.stderr).toEqual([0, before + 2]);
});

it.each([
  ['is not there', 'nowhere.pem', 2, 'nowhere.pem'],
  ['has no certificate', 'words.pem', 78, 'unable to verify'],
])('with a file that %s the account is not asked, and nothing is kept', async (_, name, code, words) => {
  writeFileSync(join(bench.dir, 'words.pem'), 'no certificate at all\n');
  const before = asked;
  const refused = await login('--profile', 'wrong', '--ca-file', name);
  expect([refused.code, refused.stderr, asked]).toEqual([code, expect.stringContaining(words), before]);
  expect(kept()).not.toContain('wrong');
});
