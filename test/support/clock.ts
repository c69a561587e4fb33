/** The time of tests. Nothing else in them looks at a clock. */
import { sleep } from '../../src/core/clock.ts';

/** When the sandbox begins, too. */
export const STARTS_AT = Date.UTC(2026, 0, 5, 9);

/** A machine's clock in process: each look is a millisecond after the one before, and a sleep is over at once. */
export const machine = {
  ms: STARTS_AT,
  now: (): number => ++machine.ms,
  sleep: async (ms: number): Promise<void> => {
    machine.ms += ms;
  },
};

const TIMES_AS_FAST = 20;

/** Sleeps that are raced against work: in their order, and over in a twentieth of the time. One that is cut short moves no clock. */
export async function shortSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms / TIMES_AS_FAST, signal);
  if (signal?.aborted !== true) machine.ms += ms;
}

/** This machine's clock, where a program or a server beside the test reads it too. */
export const real = { now: (): number => Date.now() };
