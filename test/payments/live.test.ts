/** Real processes on loopback: sandbox start, webhooks listen, and what they leave behind. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createArgv, payArgv, senderFlags, words } from '../support/cli.ts';
import { startHandler } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { type Program, usePrograms } from '../support/program.ts';

const home = usePrograms();
const { env, remit } = home;
const parse = (line: string) =>
  JSON.parse(line) as {
    kind: string;
    data: Record<string, never> & {
      url: string;
      profile: string;
      event: string;
      is_default: boolean;
    };
  };
const settings = () =>
  JSON.parse(readFileSync(join(home.dir, 'config.json'), 'utf8')) as {
    defaultProfile?: string;
    profiles: Record<string, unknown>;
  };

async function start(argv: string[]): Promise<{ program: Program; ready: ReturnType<typeof parse>['data'] }> {
  const program = home.start([...argv, '-o', 'ndjson']);
  return { program, ready: parse(await program.line((line) => line.includes('"ready"'))).data };
}
const startSandbox = () => start(['sandbox', 'start', '--port', '0', '--clock', 'standing']);

async function pay(account: string, externalId: string): Promise<string> {
  const made = await remit(...payArgv(account, '--external-id', externalId));
  expect(made.code, made.stderr).toBe(0);
  return JSON.parse(made.stdout).data.id;
}

describe('sandbox start', () => {
  it('writes the profile local, the default where there is none, and takes it away on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { program, ready } = await startSandbox();
      expect(ready).toMatchObject({ profile: 'local', is_default: true });
      expect((await remit('whoami', '-o', 'json', '--query', 'profile')).stdout.trim()).toBe('"local"');
      program.signal(signal);
      expect((await program.ended).code).toBe(0);
      expect(settings()).toEqual({ version: 1, profiles: {} });
      expect((await remit('balance')).code).toBe(78);
    }
  });

  it.runIf(isLong)(
    'takes its profile away also when the settings are held by another process just then',
    async () => {
      const sandbox = await startSandbox();
      const lock = join(home.dir, 'config.lock');
      mkdirSync(lock);
      sandbox.program.signal('SIGTERM');
      // Well past the moment in which the signal's first handlers run.
      await remit('--version');
      rmdirSync(lock);
      expect(await sandbox.program.ended).toEqual({ code: 0, signal: null });
      expect((await remit('balance')).code).toBe(78);
    },
  );

  it('ends at the first signal also where the settings broke meanwhile, and leaves them as they are', async () => {
    const { program } = await startSandbox();
    const path = join(home.dir, 'config.json');
    writeFileSync(path, 'no settings any more', { mode: 0o600 });
    program.signal('SIGTERM');
    expect(await program.ended).toEqual({ code: 78, signal: null });
    expect(readFileSync(path, 'utf8')).toBe('no settings any more');
  });

  it.runIf(isLong)(
    'a second one stands beside the first, is not the default, and each answers for itself',
    async () => {
      const first = await startSandbox();
      const second = await startSandbox();
      expect(second.ready).toMatchObject({ profile: 'local-2', is_default: false });
      expect(second.ready.url).not.toBe(first.ready.url);
      for (const profile of ['local', 'local-2'])
        expect((await remit('balance', '--profile', profile)).code).toBe(0);
      second.program.signal('SIGINT');
      await second.program.ended;
      expect(Object.keys(settings().profiles)).toEqual(['local']);
      expect((await remit('balance')).code).toBe(0);
    },
  );

  it.runIf(isLong)(
    'never becomes the default over another profile, and one that was killed is taken over',
    async () => {
      const { program, ready } = await startSandbox();
      const login = `login --profile mine --base-url ${ready.url} --key k --secret-env HOME`;
      await remit(...words(login), '--no-check', '--default');
      program.signal('SIGKILL');
      await program.ended;
      expect(settings().defaultProfile).toBe('mine');
      const next = await startSandbox();
      expect(next.ready).toMatchObject({ profile: 'local', is_default: false });
      expect(settings().defaultProfile).toBe('mine');
      expect((await remit('balance', '--profile', 'local')).code).toBe(0);
    },
  );

  it('for people: how to use it on stderr, the URL on stdout, no secret anywhere', async () => {
    const program = home.start(['sandbox', 'start', '--port', '0']);
    const url = await program.line((line) => line.startsWith('http://127.0.0.1:'));
    expect(url).toMatch(/\/v1$/);
    const secret = JSON.parse(readFileSync(join(home.dir, 'secrets.json'), 'utf8')).local;
    expect((await home.remit('batch', 'map', 'save', 'payroll', '--map', 'key=Nr')).code).toBe(0);
    program.signal('SIGINT');
    await program.ended;
    // Its profile goes with it, and nothing else of the settings does.
    expect(settings()).toMatchObject({ profiles: {}, mappings: { payroll: { map: { key: 'Nr' } } } });
    expect(program.stderr()).toContain('remit tx create');
    expect(program.stdout() + program.stderr()).not.toContain(secret);
  });

  it.runIf(isLong)('the clock moves, and the hour to fund a transaction with it', async () => {
    await startSandbox();
    await remit('sender', 'create', ...senderFlags('customer-1'));
    const made = await remit(...createArgv(undefined, '--external-id', 'late'));
    expect(made.code).toBe(0);
    expect((await remit('sandbox', 'clock', 'advance', '61m')).code).toBe(0);
    expect((await remit('tx', 'show', 'late', '-o', 'json', '--query', 'state')).stdout.trim()).toBe(
      '"canceled"',
    );
    expect((await remit('tx', 'fund', 'late')).code).toBe(1);
    expect((await remit('sandbox', 'clock', 'advance', '-5m')).code).toBe(2);
  });

  it.runIf(isLong)('forced payouts and payins', async () => {
    await startSandbox();
    await remit('sender', 'create', ...senderFlags('customer-1'));
    await pay('0123456701', 'stuck');
    const forced = await remit('sandbox', 'payout', 'stuck', '-o', 'json', '--query', 'state');
    expect([forced.code, forced.stdout.trim()]).toEqual([0, '"paid"']);
    expect((await remit('sandbox', 'payout', 'stuck')).code).toBe(5);
    expect((await remit('sandbox', 'payin', 'stuck')).code).toBe(2);
  });
});

describe('webhooks verify', () => {
  it('checks a delivery offline: 0 when right, 7 with the one cause when not', async () => {
    await startSandbox();
    const handler = await startHandler();
    const url = `${handler.to}?x=1`;
    expect((await remit('webhooks', 'add', url)).code).toBe(0);
    await remit('sender', 'create', ...senderFlags('customer-1'));
    const [hook] = await handler.got.count(1);
    await handler.close();
    const headers = join(home.dir, 'headers.json');
    const body = join(home.dir, 'body.json');
    writeFileSync(headers, JSON.stringify(hook?.headers));
    writeFileSync(body, hook?.body ?? '');
    const verify = (target: string) =>
      remit('webhooks', 'verify', '--url', target, '--body', body, '--headers-file', headers, '-o', 'json');
    expect((await verify(url)).code).toBe(0);
    const wrong = await verify(url.replace('/handle?', '/handle/?'));
    expect(wrong.code).toBe(7);
    expect(JSON.parse(wrong.stdout).data.cause).toBe('url_slash');
    writeFileSync(body, `${hook?.body}\n`);
    expect(JSON.parse((await verify(url)).stdout).data.cause).toBe('body_line_end');
  });
});

describe('a reader that goes away', () => {
  it('is no error, and the exit code stays true', async () => {
    await startSandbox();
    const bin = new URL('../../bin/remit.js', import.meta.url).pathname;
    const shell = (line: string) =>
      spawnSync('sh', ['-c', `"${process.execPath}" "${bin}" ${line}`], {
        env: { ...process.env, ...env() },
        encoding: 'utf8',
      });
    expect(shell('webhooks events --names -o json | true; exit 0').stderr).toBe('');
    expect(shell('balance >&-; echo $?').stdout.trim()).toBe('0');
    const full = shell('balance > /dev/full; echo $?');
    expect(full.stdout.trim()).toBe('1');
    expect(full.stderr).toContain('the result could not be written');
  });
});
