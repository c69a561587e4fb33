/**
 * The name of a process, and of a worker of pay runs, by which others see at once that it runs no more (decision 0007). A process id means something in
 * one PID namespace of one boot of one machine: two containers may have one host name, and both call themselves process 1. A pid that
 * was given to another process has another start time.
 */

import { readFileSync, readlinkSync } from 'node:fs';
import type { Intent } from '../client/store/port.ts';

/** Where a pid is seen: `boot` is one start of one machine. */
interface Place {
  boot: string;
  namespace: string;
}

const UNKNOWN = '-';

/** `boot namespace pid start`. Elsewhere than on Linux the first two say only what kind of machine it is. */
export function processName({ pid, beganAt }: Pick<Self, 'pid' | 'beganAt'>): string {
  const { boot, namespace } = placeHere();
  const began = beganAt === undefined ? UNKNOWN : String(Math.round(beganAt));
  const start = namespace === UNKNOWN ? began : (startOf(pid) ?? UNKNOWN);
  return `${boot} ${namespace} ${pid} ${start}`;
}

/** When a process began, by how long its machine runs; undefined where nothing tells this start of the machine from another. */
export function beganOf({
  beganUptime,
}: Pick<Self, 'beganUptime'>): { boot: string; uptime: number } | undefined {
  const { boot, namespace } = placeHere();
  return beganUptime === undefined || namespace === UNKNOWN ? undefined : { boot, uptime: beganUptime };
}

/** A process may work on several runs at once. */
export const workerName = (self: Pick<Self, 'pid' | 'beganAt'>, id: string): string =>
  `${processName(self)} ${id}`;

/**
 * True only where this process can see it. A worker elsewhere, or of an earlier version, has its lease, or its session at PostgreSQL.
 *
 * @param isShared processes of other machines may be among the workers
 */
export function isDeadWorker(worker: string, isShared: boolean): boolean {
  const parts = worker.split(' ');
  return parts.length === 5 && isDeadProcess(parts.slice(0, 4).join(' '), isShared);
}

/** @param isShared processes of other machines may have such names */
function isDeadProcess(name: string, isShared: boolean): boolean {
  const [boot, namespace, given, start] = name.split(' ');
  const here = placeHere();
  if (boot !== here.boot || namespace !== here.namespace) return false;
  // This machine has nothing that tells it from another of its kind.
  if (namespace === UNKNOWN && isShared) return false;
  const pid = Number(given);
  if (!Number.isInteger(pid) || pid < 1) return false;
  if (!isAlive(pid)) return true;
  const now = namespace === UNKNOWN ? undefined : startOf(pid);
  return start !== UNKNOWN && now !== undefined && now !== start;
}

function placeHere(): Place {
  try {
    if (process.platform === 'linux')
      return {
        boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
        namespace: readlinkSync('/proc/self/ns/pid'),
      };
  } catch {
    // A machine without /proc is known as any other kind is.
  }
  return { boot: process.platform, namespace: UNKNOWN };
}

/** In ticks since the boot: field 22 of its stat. The second field is a name, and may hold anything. Undefined where it cannot be read. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Longer than any write takes, its looks included: an older one was left behind, even if its process id is used. */
const LONGEST_WRITE_MS = 600_000;

type Opened = Pick<Intent, 'state' | 'pid' | 'process' | 'host' | 'createdAt'>;

/**
 * Tells whether a process is still at an open intent: then its outcome is about to be known, and no other
 * touches it. True while the process that opened the intent still runs and may still be at it.
 */
export function isRunning(intent: Opened, self: Self, now: number): boolean {
  const { state, pid, process, host, createdAt } = intent;
  if (state !== 'open' || pid === undefined || Math.abs(now - createdAt) > LONGEST_WRITE_MS) return false;
  // Processes of another machine cannot be looked at: it has as long as a write can take.
  if (host !== undefined && self.host !== undefined && host !== self.host) return true;
  if (process === undefined) return isPidRunning(pid, createdAt, self);
  return process === processName(self) || !isDeadProcess(process, host !== undefined);
}

/** An earlier version kept the pid alone. In a container every process has the same id: one that began before us is not us. */
function isPidRunning(pid: number, createdAt: number, self: Self): boolean {
  return pid === self.pid ? createdAt >= (self.beganAt ?? 0) : isAlive(pid);
}

/** True while a process of this machine still runs (decision 0007). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface Self {
  pid: number;
  /** When this process began, in milliseconds; where it is absent, everything of this id is its own. */
  beganAt?: number;
  /** The same by `Clock.uptime`. */
  beganUptime?: number;
  /** The name of this machine; where it is absent, every intent is of this machine. */
  host?: string;
}
