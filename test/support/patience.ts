/**
 * How long is waited in tests for what must come. It ends what hangs, and judges nothing: what must be quick measures itself. Real processes,
 * sockets and terminals take 50 s on a machine that is 2.5 times as slow as another, with all of its processors taken.
 */
export const TEST_MS = 300_000;
/** For one thing within a test, which then says what it waited for. */
export const PATIENCE_MS = 120_000;
