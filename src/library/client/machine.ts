/** The time and the dice of this process: for the library, as `program/start.ts` is for the program. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import type { Self } from '../../profiles/worker.ts';

export const clock: Clock = { now: () => Date.now() };
export const random: Random = { next: () => Math.random() };
export const randomId = (): string => randomUUID();

export interface Machine extends Self {
  beganAt: number;
  host: string;
}

export const machine = (): Machine => ({
  pid: process.pid,
  beganAt: performance.timeOrigin,
  host: hostname(),
});
