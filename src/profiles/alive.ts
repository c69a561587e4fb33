import type { Intent } from '../core/ports/intents.ts';

/** Whether a process of this machine still runs (decision 0010). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Longer than any write takes, its looks included: what is older was left behind, whoever has its process id now. */
const LONGEST_WRITE_MS = 600_000;

export interface Self {
  pid: number;
  /** When this process began, in milliseconds; where it is absent, everything of this id is its own. */
  beganAt?: number;
  /** What this machine is called; where it is absent, every intent is of this machine. */
  host?: string;
}

/** Whether the process that opened the intent still runs and may still be at it. */
export function isRunning({ state, pid, host, createdAt }: Intent, self: Self, now: number): boolean {
  if (state !== 'open' || pid === undefined || Math.abs(now - createdAt) > LONGEST_WRITE_MS) return false;
  // Nobody can look at the processes of another machine: it has as long as a write can take.
  if (host !== undefined && self.host !== undefined && host !== self.host) return true;
  // In a container every process has the same id: one that began before us is not us.
  if (pid === self.pid) return createdAt >= (self.beganAt ?? 0);
  return isAlive(pid);
}
