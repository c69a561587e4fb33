/** Settings that somebody else could have written are not used, as ssh does not use its own; nothing is written through a link. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, credentials, noAccount, type Run, useBench } from '../support/cli.ts';

const none = noAccount;
const IS_WINDOWS = process.platform === 'win32';
const IS_ROOT = process.getuid?.() === 0;
const STRANGER = 12_345;
const bench = useBench();

const login = (name = 'default'): Promise<Run> =>
  bench.run(['login', '--profile', name, '--base-url', baseUrl, '--key', credentials.key, '--secret-stdin'], {
    env: none,
    stdin: `${credentials.secret}\n`,
  });
const inside = (name: string): string => join(bench.dir, name);

async function expectRefused(words: string): Promise<void> {
  const read = await bench.run(['balance'], { env: none });
  expect([read.code, read.requests, read.stderr]).toEqual([78, [], expect.stringContaining(words)]);
  const again = await login('another');
  expect([again.code, again.stderr]).toEqual([78, expect.stringContaining(words)]);
}

async function doctorSays(check: string): Promise<string> {
  const run = await bench.run(['doctor', '-o', 'json'], { env: none });
  expect(run.code).toBe(1);
  const found = run.data<{ check: string; verdict: string; says: string }[]>();
  const finding = found.find((one) => one.check === check);
  return `${finding?.verdict}: ${finding?.says}`;
}

describe.skipIf(IS_WINDOWS)('the folder of the settings', () => {
  it.each([0o777, 0o1777, 0o770, 0o722])('of mode %o: 78, and doctor says so', async (mode) => {
    await login();
    chmodSync(bench.dir, mode);
    await expectRefused('other users can change what is in it');
    expect(await doctorSays('settings')).toMatch(/^fail: .*other users can change/);
    expect(statSync(bench.dir).mode & 0o1777).toBe(mode);
  });

  it('that others can change is not used for a first login either', async () => {
    chmodSync(bench.dir, 0o777);
    expect((await login()).code).toBe(78);
    expect([existsSync(inside('config.json')), existsSync(inside('secrets.json'))]).toEqual([false, false]);
  });

  it('that others can only read is used', async () => {
    await login();
    chmodSync(bench.dir, 0o755);
    expect((await bench.run(['balance'], { env: none })).code).toBe(0);
  });

  it.runIf(IS_ROOT)('of another user: 78, and doctor says so', async () => {
    await login();
    chownSync(bench.dir, STRANGER, STRANGER);
    await expectRefused(`belongs to another user (uid ${STRANGER})`);
    expect(await doctorSays('settings')).toContain('belongs to another user');
    chownSync(bench.dir, 0, 0);
  });
});

describe.skipIf(IS_WINDOWS)('a file of the settings', () => {
  it.runIf(IS_ROOT)('of another user: 78, and doctor says so', async () => {
    await login();
    chownSync(inside('config.json'), STRANGER, STRANGER);
    await expectRefused(`belongs to another user (uid ${STRANGER})`);
    expect(await doctorSays('settings')).toContain('belongs to another user');
  });

  it.runIf(IS_ROOT)('with the secrets, of another user: 78, and doctor says so', async () => {
    await login();
    chownSync(inside('secrets.json'), STRANGER, STRANGER);
    await expectRefused(`belongs to another user (uid ${STRANGER})`);
    expect(await doctorSays('secret')).toContain('belongs to another user');
  });

  it('that is a link to another file of ours is read: people keep their settings elsewhere', async () => {
    await login();
    writeFileSync(inside('elsewhere.json'), readFileSync(inside('config.json')), { mode: 0o600 });
    rmSync(inside('config.json'));
    symlinkSync(inside('elsewhere.json'), inside('config.json'));
    expect((await bench.run(['balance'], { env: none })).code).toBe(0);
  });
});

describe.skipIf(IS_WINDOWS)('a link that somebody planted', () => {
  it('as the draft of the secrets takes no secret', async () => {
    writeFileSync(inside('target'), 'mine', { mode: 0o644 });
    symlinkSync(inside('target'), inside('secrets.json.new'));
    expect((await login()).code).toBe(0);
    expect([readFileSync(inside('target'), 'utf8'), statSync(inside('target')).mode & 0o777]).toEqual([
      'mine',
      0o644,
    ]);
    expect([lstatSync(inside('secrets.json')).isFile(), existsSync(inside('secrets.json.new'))]).toEqual([
      true,
      false,
    ]);
  });

  it('as the draft of the test key takes no key', async () => {
    writeFileSync(inside('target'), 'mine');
    symlinkSync(inside('target'), `${inside('webhook-test-key.json')}.${process.pid}`);
    const run = await bench.run('webhooks sign --event sender.created --url https://a.example/');
    expect(run.code).toBe(0);
    expect(readFileSync(inside('target'), 'utf8')).toBe('mine');
  });

  it('as a lock that was left is taken away, and what it leads to is not', async () => {
    mkdirSync(inside('kept'));
    writeFileSync(join(inside('kept'), 'file'), 'mine');
    symlinkSync(inside('kept'), inside('secrets.lock'));
    await login();
    expect(readFileSync(join(inside('kept'), 'file'), 'utf8')).toBe('mine');
  });
});
