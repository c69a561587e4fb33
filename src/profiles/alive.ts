/** True while a process of this machine still runs (decision 0010). */
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
