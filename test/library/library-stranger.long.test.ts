/**
 * A stranger's service (test/stranger): a package of its own, with ours installed from the packed file. It pays, is killed in the
 * middle, starts again, settles, hears the webhooks and checks itself against the balance.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startSandbox } from '../../src/library/sandbox.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { freePort } from '../support/fire-listener.ts';
import { npm, packPackage } from '../support/packed.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { paymentBody } from '../support/sandbox.ts';

const root = join(import.meta.dirname, '..', '..');
let folder = '';
let service = '';

beforeAll(async () => {
  const packed = await packPackage();
  folder = packed.folder;
  service = join(folder, 'wages');
  cpSync(join(root, 'test', 'stranger'), service, { recursive: true });
  npm(service, 'install', packed.file, `@types/node@file:${join(root, 'node_modules', '@types', 'node')}`);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', service], { encoding: 'utf8', stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  output: string;
  code: number | null;
}

function run(env: Record<string, string>): { kill(): void; ended: Promise<Run> } {
  const child = spawn(process.execPath, ['built/service.js'], {
    cwd: service,
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const ended = new Promise<Run>((resolve) => child.on('exit', (code) => resolve({ output, code })));
  return { kill: () => child.kill('SIGKILL'), ended };
}

it('pays each wage once, though it is killed while one is on its way', async () => {
  const hook = `http://127.0.0.1:${await freePort()}/hook`;
  const opening = '1000.00';
  const sandbox = await startSandbox({ port: 0, webhook: hook, balances: { EUR: opening } });
  const wages = ['wages-1', 'wages-2', 'wages-3'].map(
    (name) => paymentBody(name, '0123456700', { sender: samplePerson }).transaction,
  );
  writeFileSync(join(service, 'wages.json'), JSON.stringify(wages));
  const env = {
    BASE_URL: sandbox.url,
    KEY: sandbox.key,
    SECRET: sandbox.secret,
    HOOK: hook,
    OPENING: opening,
  };
  const made = async () => {
    const { transactions } = (
      (await sandbox.control('sandbox.state')) as { states: { transactions: object } }
    ).states;
    return Object.values(transactions).reduce((sum: number, count) => sum + Number(count), 0);
  };

  // The first is made, and its answer takes five seconds: by then the service is dead.
  const slow = { fault: 'slow', operation: 'transactions.create_and_fund', times: 1 } as const;
  await sandbox.control('sandbox.faults.arm', { body: slow });
  const first = run(env);
  await vi.waitFor(async () => expect(await made()).toBe(1), { timeout: PATIENCE_MS, interval: 20 });
  first.kill();
  expect((await first.ended).output).toBe('');
  expect(existsSync(join(service, 'payments.db'))).toBe(true);

  const second = await run(env).ended;
  expect(second.output.split('\n')).toEqual([
    'settled wages-1: applied',
    'wages-1: earlier, looked up',
    'wages-2: answered, heard of',
    'wages-3: answered, heard of',
    'the balance agrees',
    '',
  ]);
  expect(second.code).toBe(0);
  expect(await made()).toBe(3);
  sandbox.audit();
  await sandbox.close();
});
