/**
 * How long is waited in tests for what must come. It ends what hangs, and judges nothing: what must be quick measures itself. Real processes,
 * sockets and terminals take 50 s on a machine that is 2.5 times as slow as another, with all of its processors taken.
 */
export const TEST_MS = 300_000;
/** For one thing within a test, which then says what it waited for. */
export const PATIENCE_MS = 120_000;

/** Limits of the processor's time are of a machine that does this piece of work in 100 ms of it; a slower one has longer. */
export const slowness = (): number => {
  const from = process.cpuUsage();
  const made = Array.from({ length: 200_000 }, (_, i) => ({ text: `${(i * 7_919) % 200_000}` }));
  made.sort((a, b) => (a.text < b.text ? -1 : 1));
  return Math.max(1, process.cpuUsage(from).user / 1_000 / 100);
};
