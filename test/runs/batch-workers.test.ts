/** Workers are processes: whoever was killed is replaced at once, and two containers of one host name leave each other alone. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { LEASE_MS } from '../../src/runs/windows.ts';
import { senderFlags } from '../support/cli.ts';
import { hasEnded, useKillStage } from '../support/kill-stage.ts';
import { isLong } from '../support/long.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { type Program, runRemit } from '../support/program.ts';

const stage = useKillStage();
const running: Program[] = [];
afterEach(async () => {
  for (const one of running) one.signal('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

const env = (more: Record<string, string> = {}) => ({ ...stage.env(stage.port), ...more });
const remit = (argv: readonly string[], more?: Record<string, string>) => runRemit(argv, env(more));
const start = (argv: readonly string[], through: readonly string[] = [], more?: Record<string, string>) => {
  const program = stage.start(argv, env(more), through);
  running.push(program);
  return program;
};

async function plan(rows: number, more?: Record<string, string>): Promise<string> {
  await remit(['sender', 'create', ...senderFlags('customer-1')]);
  const path = join(stage.dir, 'wages.csv');
  writeFileSync(path, fileOfRows(rows));
  const made = await remit(
    ['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=1000', '-o', 'json'],
    more,
  );
  expect(made.code, made.stderr).toBe(0);
  return JSON.parse(made.stdout).data.digest;
}

/** The next payment is answered so late that its row is on its way all the while. */
const slow = (delay_ms: number) =>
  stage.bench.sandbox.control.ask('sandbox.faults.arm', {
    body: { fault: 'slow', operation: 'transactions.create_and_fund', delay_ms, times: 1 },
  });

async function inStore(sql: string): Promise<unknown> {
  const store = await openDatabase(join(stage.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  const [found = {}] = store.all(sql);
  store.close();
  return Object.values(found)[0];
}

/** The intent of a payment is written, and its row is sending, before its request leaves. */
async function untilSending(program: Program): Promise<void> {
  const isSending = () => stage.arrived.some((path) => path.endsWith('/create_and_fund'));
  await stage.until(() => isSending() || hasEnded(program));
  expect(isSending(), program.stderr()).toBe(true);
}

/** A process table of its own, as a container has; the host name stays. */
const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasContainers =
  process.platform === 'linux' && spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0;

it('a killed run is taken over at once, and not when its lease is over', async () => {
  await plan(3);
  await slow(2_500);
  const first = start(['batch', 'run', 'wages', '--in-flight', '1']);
  await untilSending(first);
  first.signal('SIGKILL');
  await first.ended;
  const beganAt = performance.now();
  const again = await remit(['batch', 'run', 'wages']);
  expect(again.code, again.stderr).toBe(0);
  // It was killed right after it had taken the lease.
  expect(performance.now() - beganAt).toBeLessThan(LEASE_MS - 5_000);
  expect(stage.count()).toBe(3);
});

describe.runIf(hasContainers)('two containers with one host name', () => {
  it.runIf(isLong)('leave each other the windows that they have, and both end well', async () => {
    await plan(3);
    await slow(2_500);
    // Its process is the second of its container, and the other one has no second.
    const first = start(
      ['batch', 'run', 'wages', '--in-flight', '1'],
      [...CONTAINER, 'sh', '-c', '"$@" & wait $!', 'sh'],
    );
    await untilSending(first);
    const second = start(['batch', 'run', 'wages'], CONTAINER);
    const ended = await Promise.all([first.ended, second.ended]);
    expect(
      ended.map(({ code }) => code),
      first.stderr() + second.stderr(),
    ).toEqual([0, 0]);
    // Whoever takes a window gets the next number.
    expect([await inStore('SELECT fence FROM payruns'), stage.count()]).toEqual([1, 3]);
  });
});
