/** The time and the dice of this process: for the library, as `cli/start.ts` is for the program. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import type { Self } from '../../profiles/alive.ts';

export const clock: Clock = { now: () => Date.now() };
export const random: Random = { next: () => Math.random() };
export const newId = (): string => randomUUID();

export interface Machine extends Self {
  beganAt: number;
  host: string;
}

export const machine = (): Machine => ({
  pid: process.pid,
  beganAt: performance.timeOrigin,
  host: hostname(),
});

/** Ends early, quietly, when the signal fires: whoever waits looks at the signal itself. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
