/** A worker is dead at once only where it can be seen that its process runs no more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { isDeadWorker, workerName } from '../../src/profiles/worker.ts';

const isLinux = process.platform === 'linux';
const parts = (name: string): string[] => name.split(' ');
/** The name with one part changed. */
const other = (name: string, at: number, value: string): string =>
  parts(name)
    .map((part, i) => (i === at ? value : part))
    .join(' ');

async function startSleeper() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  return {
    name: workerName({ pid: child.pid ?? 0, beganAt: 7 }, 'a'),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe.runIf(isLinux)('on Linux a worker', () => {
  it('is known by boot, namespace, pid and start', () => {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    expect(parts(workerName({ pid: process.pid }, 'a'))).toEqual([
      readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      readlinkSync('/proc/self/ns/pid'),
      String(process.pid),
      stat
        .slice(stat.lastIndexOf(')') + 2)
        .trim()
        .split(' ')[19],
      'a',
    ]);
  });

  it('is dead at once when its process was killed, whoever shares the store', async () => {
    const sleeper = await startSleeper();
    expect([isDeadWorker(sleeper.name, true), isDeadWorker(sleeper.name, false)]).toEqual([false, false]);
    await sleeper.kill();
    expect([isDeadWorker(sleeper.name, true), isDeadWorker(sleeper.name, false)]).toEqual([true, true]);
  });

  it('is dead when its pid was given to another process', () => {
    const own = workerName({ pid: process.pid }, 'a');
    expect(isDeadWorker(other(own, 3, '1'), true)).toBe(true);
    expect(isDeadWorker(other(own, 3, '-'), true)).toBe(false);
  });

  it.each([
    ['in another namespace', 1, 'pid:[1]'],
    ['of another boot or machine', 0, '00000000-0000-0000-0000-000000000000'],
    ['whose pid is none', 2, 'x'],
    ['whose pid is nought', 2, '0'],
  ])('%s has its lease', async (_, at, value) => {
    const sleeper = await startSleeper();
    await sleeper.kill();
    expect(isDeadWorker(other(sleeper.name, at, value), false)).toBe(false);
  });

  it('of an earlier version has its lease', () => {
    expect(isDeadWorker(`${hostname()} ${2 ** 30} a`, false)).toBe(false);
  });
});

describe('elsewhere a worker', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform');
  const pretend = () =>
    Object.defineProperty(process, 'platform', { value: 'elsewhere', configurable: true });
  afterEach(() => {
    if (platform) Object.defineProperty(process, 'platform', platform);
  });

  it('is known by pid and start, and is dead at once in a store of this machine alone', async () => {
    pretend();
    const sleeper = await startSleeper();
    expect(parts(sleeper.name).filter((_, at) => at !== 2)).toEqual(['elsewhere', '-', '7', 'a']);
    expect(isDeadWorker(sleeper.name, false)).toBe(false);
    await sleeper.kill();
    expect([isDeadWorker(sleeper.name, false), isDeadWorker(sleeper.name, true)]).toEqual([true, false]);
  });
});
