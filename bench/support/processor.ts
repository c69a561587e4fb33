/** What the processor did, and for whom: read from `/proc`, where the system has one. */
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const TICK_MS = 10;
const ours = new Set([process.pid]);

/** Counts a process as one of ours, until it ends. */
export const isOurs = (pid: number | undefined): void => void (pid !== undefined && ours.add(pid));

/** Fields of `/proc/<pid>/stat` from the state on; none for a process that is over. */
export function statOf(pid: number | 'self'): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const sum = (values: readonly (string | undefined)[]): number =>
  values.reduce((total, value) => total + Number(value ?? 0), 0);

/** Of all our children that ended, in milliseconds. */
export const endedMs = (): number => sum(statOf('self').slice(13, 15)) * TICK_MS;
const ourMs = (): number =>
  endedMs() + [...ours].reduce((total, pid) => total + sum(statOf(pid).slice(11, 13)) * TICK_MS, 0);

/** Of the whole machine, what its host took included; interrupts are left out: the network within it is ours. */
function machineMs(): number {
  const [user, nice, system, , , , , steal] = readFileSync('/proc/stat', 'latin1').split(/\s+/).slice(1);
  return sum([user, nice, system, steal]) * TICK_MS;
}

/** All threads of a process, in microseconds. */
export function processorMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map(
    (id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1').split(' ')[0],
  );
  return sum(nanos) / 1000;
}

/** The share of the processor, of all its cores, that went to programs that are not ours meanwhile. */
export async function shareOfOthers(work: () => Promise<void>): Promise<number> {
  const [machine, own, at] = [machineMs(), ourMs(), performance.now()];
  await work();
  const others = machineMs() - machine - (ourMs() - own);
  return Math.max(0, others) / ((performance.now() - at) * availableParallelism());
}

/** Of the process that asks, all its threads: microseconds of the processor, and milliseconds of the clock. */
export async function spent(work: () => unknown): Promise<{ micros: number; ms: number }> {
  const [before, at] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { micros: user + system, ms: performance.now() - at };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Work that was put off begins when nothing came for a second. */
const STILL = { everyMs: 300, times: 5, micros: 3_000, longestMs: 60_000 };

/** Resolves when the process has done what it put off. */
export async function untilStill(pid: number): Promise<void> {
  const until = performance.now() + STILL.longestMs;
  for (let still = 0; still < STILL.times && performance.now() < until; ) {
    const before = processorMicros(pid);
    await pause(STILL.everyMs);
    still = processorMicros(pid) - before < STILL.micros ? still + 1 : 0;
  }
}

export type Core = 'measured' | 'load';
let isPinned = availableParallelism() > 1;

/** What is measured has a core of its own, and the load another. */
export function pin(pid: number | undefined, core: Core): void {
  if (!isPinned) return;
  const done = spawnSync('taskset', ['-a', '-c', '-p', core === 'measured' ? '1' : '0', String(pid)]);
  isPinned = done.status === 0;
}

/** A child that is started by `start` has every core, as a browser has. */
export async function onAllCores<T>(start: () => Promise<T>): Promise<T> {
  spawnSync('taskset', ['-a', '-c', '-p', `0-${cpus().length - 1}`, String(process.pid)]);
  try {
    return await start();
  } finally {
    pin(process.pid, 'load');
  }
}

/** For the head of the table. */
export function machine(): string {
  const pinned = isPinned ? 'server and load on a core each' : 'NOT pinned: no taskset, or one core';
  const load = loadavg()[0]?.toFixed(2);
  return `Node ${process.version}, ${availableParallelism()} cores, ${pinned}; load ${load}; fsync ${fsyncMicros()} us`;
}

/** The median of fifty, 4 kB each. */
function fsyncMicros(): string {
  const path = join(tmpdir(), `remit-bench-fsync-${process.pid}`);
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 50 }, () => {
    writeSync(file, page);
    const before = performance.now();
    fsyncSync(file);
    return (performance.now() - before) * 1000;
  });
  closeSync(file);
  rmSync(path);
  return (times.sort((a, b) => a - b)[25] ?? Number.NaN).toFixed(0);
}
