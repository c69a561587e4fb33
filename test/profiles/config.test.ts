import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, credentials, loginArgv, noAccount, useBench } from '../support/cli.ts';
import { runRemit } from '../support/program.ts';

const none = noAccount;
const bench = useBench();

const login = (...more: string[]) =>
  bench.run(['login', '--base-url', baseUrl, '--key', credentials.key, '--secret-stdin', ...more], {
    env: none,
    stdin: `${credentials.secret}\n`,
  });
const config = () => join(bench.dir, 'config.json');

describe('login, whoami, profiles, logout', () => {
  it('keeps the secret apart, in a file of mode 600, and never prints it', async () => {
    const run = await login();
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain(credentials.secret);
    expect(readFileSync(config(), 'utf8')).not.toContain(credentials.secret);
    expect(statSync(config()).mode & 0o777).toBe(0o600);
    expect(statSync(join(bench.dir, 'secrets.json')).mode & 0o777).toBe(0o600);
    const who = await bench.run(['whoami', '-o', 'json'], { env: none });
    expect(who.json()).toMatchObject({
      data: { environment: 'sandbox', profile: 'default', key: '…7f3c', accepted: true },
    });
    expect((await bench.run(['profiles'], { env: none })).stdout).toContain(
      `default\tsandbox\t${baseUrl}\t…7f3c`,
    );
    expect((await bench.run(['logout'], { env: none })).code).toBe(0);
    expect(readFileSync(join(bench.dir, 'secrets.json'), 'utf8')).not.toContain(credentials.secret);
    expect((await bench.run(['balance'], { env: none })).code).toBe(78);
  });

  it('a wrong secret is 4 and nothing is kept', async () => {
    const run = await bench.run(
      ['login', '--base-url', baseUrl, '--key', credentials.key, '--secret-env', 'S'],
      { env: { ...none, S: 'wrong' } },
    );
    expect(run.code).toBe(4);
    expect(existsSync(config())).toBe(false);
  });

  it('secret from a file; a second profile is not the default; use makes it so', async () => {
    await login();
    writeFileSync(join(bench.dir, 's.txt'), credentials.secret);
    const run = await bench.run(loginArgv('--profile', 'second', '--secret-file', 's.txt'), { env: none });
    expect(run.code).toBe(0);
    expect(
      (await bench.run(['whoami', '-o', 'json', '--query', 'profile'], { env: none })).stdout.trim(),
    ).toBe('"default"');
    await bench.run(['profiles', 'use', 'second'], { env: none });
    expect(
      (await bench.run(['whoami', '-o', 'json', '--query', 'profile'], { env: none })).stdout.trim(),
    ).toBe('"second"');
    expect(
      (
        await bench.run(['whoami', '--profile', 'default', '-o', 'json', '--query', 'profile'], { env: none })
      ).stdout.trim(),
    ).toBe('"default"');
  });

  it.each([
    ['api.example.com/v1', /no scheme/],
    ['https://api.example.com', /version segment/],
    ['https://api.example.com/v1?x=1', /query/],
    ['https://api.example.com/v1#x', /fragment/],
    ['https://u:p@api.example.com/v1', /user name/],
    ['http://api.example.com/v1', /plain HTTP.*use https.*--insecure, if you must/s],
    ['ftp://api.example.com/v1', /is ftp/],
    ['https://', /not a URL/],
  ])('base URL %s is refused', async (url, message) => {
    const run = await bench.run(
      ['login', '--base-url', url, '--environment', 'sandbox', '--key', 'k', '--secret-stdin'],
      { env: none, stdin: 's' },
    );
    expect(run.code).toBe(78);
    expect(run.stderr).toMatch(message);
    expect(run.requests).toEqual([]);
  });

  it('without a terminal names the flag that is missing', async () => {
    for (const [argv, flag] of [
      [['login'], '--base-url'],
      [['login', '--base-url', 'https://a.example/v1'], '--environment'],
      [['login', '--base-url', baseUrl], '--key'],
      [['login', '--base-url', baseUrl, '--key', 'k'], '--secret-stdin'],
    ] as const) {
      const run = await bench.run([...argv], { env: none });
      expect([run.code, run.stderr.includes(flag)]).toEqual([2, true]);
    }
  });
});

describe('one source', () => {
  it('with nothing at all, it says how to get one', async () => {
    const run = await bench.run(['balance'], { env: none });
    expect(run.code).toBe(78);
    expect(run.stderr).toMatch(/no profile yet\n.*remit sandbox start.*remit login/s);
  });

  it.each([
    [{ REMIT_API_SECRET: undefined }, 'REMIT_API_SECRET is not'],
    [{ REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined }, 'REMIT_BASE_URL and REMIT_API_KEY are not'],
    [{ REMIT_PROFILE: 'x' }, 'REMIT_PROFILE is set'],
  ])('a mixture %j is 78 and sends nothing', async (env, message) => {
    const run = await bench.run(['balance'], { env });
    expect(run.code).toBe(78);
    expect(run.stderr).toContain(message);
    expect(run.requests).toEqual([]);
  });

  it('an unknown profile is 78 and names those there are', async () => {
    await login();
    const run = await bench.run(['balance', '--profile', 'nope'], { env: none });
    expect(run.code).toBe(78);
    expect(run.stderr).toContain('there are: default');
  });
});

describe('a settings file that cannot be trusted', () => {
  it.each([
    ['broken', '{"profiles":', 0o600, /is not a settings file/],
    ['a list', '[]', 0o600, /is not a settings file/],
    ['without a key', '{"profiles":{"a":{"baseUrl":"x"}}}', 0o600, /no base URL or no key/],
    ['readable by others', '{"profiles":{}}', 0o644, /can be read by other users.*644/],
    ['writable by others', '{"profiles":{}}', 0o666, /can be changed by other users/],
  ])('%s: 78, and the file stays as it is', async (_, text, mode, message) => {
    writeFileSync(config(), text, { mode });
    chmodSync(config(), mode);
    for (const argv of [
      ['balance'],
      ['login', '--base-url', baseUrl, '--key', credentials.key, '--secret-stdin'],
    ]) {
      const run = await bench.run(argv, { env: none, stdin: credentials.secret });
      expect(run.code).toBe(78);
      expect(run.stderr).toMatch(message);
    }
    expect(readFileSync(config(), 'utf8')).toBe(text);
  });

  it('a folder in its place is 78', async () => {
    mkdirSync(config(), { mode: 0o700 });
    expect((await bench.run(['balance'], { env: none })).code).toBe(78);
  });
});

it('a certificate file is kept by its full path: the next command may run in another folder', async () => {
  writeFileSync(join(bench.dir, 'ca.pem'), 'made up');
  expect((await login('--ca-file', 'ca.pem')).code).toBe(0);
  expect(JSON.parse(readFileSync(config(), 'utf8')).profiles.default.caFile).toBe(join(bench.dir, 'ca.pem'));
});

describe('several processes at once', () => {
  it('that sign in lose no profile and no secret', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `p${number}`);
    const env = Object.fromEntries(names.map((name) => [`SECRET_${name}`, `made-up-secret-${name}`]));
    const ended = await Promise.all(
      names.map((name) =>
        runRemit(
          [
            ...['login', '--profile', name, '--base-url', baseUrl, '--key', `key_${name}`, '--no-check'],
            ...['--secret-env', `SECRET_${name}`],
          ],
          { ...env, REMIT_CONFIG_DIR: bench.dir },
        ),
      ),
    );
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(names.map(() => ''));
    const { profiles } = JSON.parse(readFileSync(config(), 'utf8'));
    expect(Object.keys(profiles).sort()).toEqual(names);
    for (const name of names) expect(profiles[name].key).toBe(`key_${name}`);
    const secrets = readFileSync(join(bench.dir, 'secrets.json'), 'utf8');
    for (const name of names) expect(secrets).toContain(`made-up-secret-${name}`);
    const left = readdirSync(bench.dir).filter((name) => /lock|tmp/.test(name));
    expect(left).toEqual([]);
  });
});
