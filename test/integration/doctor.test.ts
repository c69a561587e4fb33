/** Pass, warn and fail, each made to happen; reads only, and never a secret. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/core/transport.ts';
import {
  credentials,
  loginArgv,
  noAccount,
  paymentFlags,
  type Run,
  senderFlags,
  unreachable,
  useBench,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { openPool } from '../support/postgres.ts';

const bench = useBench();

const doctor = (env: Record<string, string | undefined> = {}): Promise<Run> =>
  bench.run(['doctor', '-o', 'json'], { env });
const verdicts = (run: Run): Record<string, string> =>
  Object.fromEntries(
    run.data<{ check: string; verdict: string }[]>().map(({ check, verdict }) => [check, verdict]),
  );
const GOOD = {
  versions: 'pass',
  settings: 'pass',
  profile: 'pass',
  secret: 'pass',
  journal: 'pass',
  reachable: 'pass',
  signature: 'pass',
};

it('all is well: 0; an account without an endpoint is warned about', async () => {
  const run = await doctor();
  expect(run.code).toBe(0);
  expect(verdicts(run)).toMatchObject({ ...GOOD, webhooks: 'warn' });
  await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/hooks']);
  expect(verdicts(await doctor()).webhooks).toBe('pass');
  expect(verdicts(await doctor({ REMIT_PUBLIC_URL: 'https://other.example.com/' })).webhooks).toBe('warn');
});

it('sends reads only, and prints no secret in any format', async () => {
  for (const format of ['table', 'json', 'csv', 'yaml', 'text']) {
    const run = await bench.run(['doctor', '-o', format, '--reveal', '--debug']);
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(run.stdout + run.stderr).not.toContain(credentials.secret);
    expect(run.stdout).not.toContain(credentials.key);
  }
});

describe('the PostgreSQL of REMIT_STORE', () => {
  const server = usePostgres();
  const storeOf = (run: Run) =>
    run.data<{ check: string; verdict: string; says: string }[]>().find(({ check }) => check === 'store');

  it('passes where it lets us in, and nothing is made there', async () => {
    const run = await doctor({ REMIT_STORE: server().url });
    expect(run.code).toBe(0);
    expect(storeOf(run)).toMatchObject({ verdict: 'pass', says: expect.stringContaining('postgres://') });
    expect(run.stdout).not.toContain(server().password);
    const pool = openPool(server(), 1);
    const { rows } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await pool.end();
    expect(rows).toEqual([]);
  });

  it('fails where it cannot be reached or does not let us in', async () => {
    const gone = 'postgres://remit:hush@127.0.0.1:9/remit';
    const wrong = server().url.replace(server().password, 'wr-ng-guess');
    for (const [url, says] of [
      [gone, 'does not answer'],
      [wrong, 'does not let us in'],
    ] as const) {
      const run = await doctor({ REMIT_STORE: url });
      expect([run.code, storeOf(run)]).toEqual([
        1,
        expect.objectContaining({ verdict: 'fail', says: expect.stringContaining(says) }),
      ]);
      expect(run.stdout + run.stderr).not.toMatch(/hush@|wr-ng-guess/);
    }
  });

  it('is no row where none is named', async () => {
    expect(storeOf(await doctor())).toBeUndefined();
  });
});

it('a wrong secret fails the signature: 1, with the next step', async () => {
  const run = await doctor({ REMIT_API_SECRET: 'made-up-and-wrong' });
  expect(run.code).toBe(1);
  expect(verdicts(run)).toMatchObject({ reachable: 'pass', signature: 'fail', webhooks: 'skip' });
  expect(run.stdout).toContain('check REMIT_API_KEY and REMIT_API_SECRET');
  expect(run.stdout).not.toContain('remit login');
});

describe('a profile of the settings', () => {
  const env = noAccount;
  const login = (): Promise<Run> =>
    bench.run(loginArgv('--profile', 'mine', '--secret-stdin'), { env, stdin: credentials.secret });

  it('whose secret is lost, or lies open, fails at the secret', async () => {
    expect((await login()).code).toBe(0);
    const secrets = join(bench.dir, 'secrets.json');
    chmodSync(secrets, 0o644);
    expect(verdicts(await doctor(env))).toMatchObject({ settings: 'pass', profile: 'pass', secret: 'fail' });
    chmodSync(secrets, 0o600);
    writeFileSync(secrets, '{}');
    const run = await doctor(env);
    expect(verdicts(run)).toMatchObject({
      settings: 'pass',
      profile: 'pass',
      secret: 'fail',
      journal: 'skip',
    });
    expect(run.stderr).toContain('1 failed');
  });

  it('that cannot be read is one failure', async () => {
    await login();
    writeFileSync(join(bench.dir, 'config.json'), 'no JSON');
    const run = await doctor(env);
    expect(verdicts(run)).toMatchObject({ settings: 'fail', profile: 'skip', secret: 'skip' });
    expect(run.stderr).toContain('1 failed');
  });
});

it('nobody there: reachable fails and the rest is skipped', async () => {
  bench.intercept(unreachable);
  const run = await doctor();
  expect(run.code).toBe(1);
  expect(verdicts(run)).toMatchObject({
    reachable: 'fail',
    clock: 'skip',
    signature: 'skip',
    webhooks: 'skip',
  });
});

it('no profile at all: 1, and what can be looked at is', async () => {
  const run = await doctor(noAccount);
  expect(run.code).toBe(1);
  expect(verdicts(run)).toMatchObject({
    versions: 'pass',
    settings: 'pass',
    profile: 'fail',
    reachable: 'skip',
  });
  expect(run.requests).toEqual([]);
});

it('settings that others can read fail', async () => {
  const path = join(bench.dir, 'config.json');
  writeFileSync(path, '{"profiles":{}}');
  chmodSync(path, 0o644);
  expect(verdicts(await doctor())).toMatchObject({ settings: 'fail' });
});

it('the clock of a sandbox that was moved is not that of this machine', async () => {
  await bench.run(['sandbox', 'clock', 'advance', '25h']);
  const run = await doctor();
  expect(run.code).toBe(0);
  expect(verdicts(run)).toMatchObject({ clock: 'pass' });
  expect(run.stdout).toMatch(/900\d\d s behind the service: a sandbox has a clock of its own/);
  expect(run.stdout).not.toContain('set the time of this machine');
  expect((await bench.run(['sandbox', 'clock'])).code).toBe(0);
});

it.each([
  ['production', 'https://api.example.com/v1', 'set the time of this machine: '],
  ['sandbox', 'https://sandbox.example.com/v1', 'if the clock of that sandbox was not moved, set the time'],
])('a clock that is off by %s is a warning', async (environment, url, next) => {
  const argv = ['login', '--base-url', url, '--environment', environment, '--key', credentials.key];
  const given = { env: noAccount, stdin: `${credentials.secret}\n` };
  const signedIn = await bench.run([...argv, '--secret-stdin', '--profile', 'far'], given);
  expect(signedIn.code, signedIn.stderr).toBe(0);
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    return { ...answer, headers: { ...answer.headers, date: new Date(machine.ms - 300_000).toUTCString() } };
  });
  const run = await doctor(noAccount);
  expect(run.code, run.stdout).toBe(0);
  expect(verdicts(run)).toMatchObject({ clock: 'warn' });
  expect(run.stdout).toContain(`"next":"${next}`);
  expect(run.stdout).toMatch(/(?:299|300|301) s ahead of the service/);
});

it('an unsettled write is a warning with its command', async () => {
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
  bench.intercept(async (request, next) => {
    if (request.method === 'POST') throw new TransportError('may_have_arrived', 'ECONNRESET', 'gone');
    return request.url.includes('external_id') ? { status: 503, headers: {}, body: '' } : next(request);
  });
  expect((await bench.run(['tx', 'create', ...paymentFlags('customer-1')])).code).toBe(9);
  bench.restore();
  const run = await doctor();
  expect(verdicts(run)).toMatchObject({ journal: 'warn' });
  expect(run.stdout).toContain('remit history settle --all');
});

describe('where the secret is kept', () => {
  it('is said by whoami and doctor, from the environment and from a file', async () => {
    expect((await bench.run(['whoami', '-o', 'json'])).stdout).toContain(
      'REMIT_API_SECRET, in the environment',
    );
    const env = noAccount;
    const login = loginArgv('--secret-stdin', '--profile', 'mine');
    const kept = await bench.run(login, { env, stdin: credentials.secret });
    expect(kept.stderr).toContain(
      `the secret is kept in ${join(bench.dir, 'secrets.json')}, which only you can read`,
    );
    expect((await bench.run(['whoami'], { env, tty: true })).stdout).toContain(
      'secrets.json, which only you can read',
    );
    expect((await doctor(env)).stdout).toContain('secrets.json');
  });
});
