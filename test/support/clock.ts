/** The time of tests. Nothing else in them looks at a clock. */

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

/** This machine's clock, where a program or a server beside the test reads it too. */
export const real = { now: (): number => Date.now() };
