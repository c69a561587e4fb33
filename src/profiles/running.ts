/**
 * Tells whether somebody is still at an open intent: then its outcome is about to be known, and nobody else touches
 * it.
 */
import type { Intent } from '../core/ports/intents.ts';
import { isAlive, type Self } from './alive.ts';
import { isDeadProcess, processName } from './worker.ts';

/** Longer than any write takes, its looks included: what is older was left behind, whoever has its process id now. */
const LONGEST_WRITE_MS = 600_000;

type Opened = Pick<Intent, 'state' | 'pid' | 'process' | 'host' | 'createdAt'>;

/** True while the process that opened the intent still runs and may still be at it. */
export function isRunning(intent: Opened, self: Self, now: number): boolean {
  const { state, pid, process, host, createdAt } = intent;
  if (state !== 'open' || pid === undefined || Math.abs(now - createdAt) > LONGEST_WRITE_MS) return false;
  // Nobody can look at the processes of another machine: it has as long as a write can take.
  if (host !== undefined && self.host !== undefined && host !== self.host) return true;
  if (process === undefined) return isPidRunning(pid, createdAt, self);
  return process === processName(self) || !isDeadProcess(process, host !== undefined);
}

/** An earlier version kept the pid alone. In a container every process has the same id: one that began before us is not us. */
function isPidRunning(pid: number, createdAt: number, self: Self): boolean {
  return pid === self.pid ? createdAt >= (self.beganAt ?? 0) : isAlive(pid);
}
