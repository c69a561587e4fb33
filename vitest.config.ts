import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What compares times, or asks for an answer within a second: alone on the machine, after everything else. */
const TIMED = ['test/cli/completion.test.ts', 'test/cli/webhooks-fire.test.ts'];

export default defineConfig({
  test: {
    // Real processes, sockets and terminals: generous, because the processors are shared with them.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    env: { CI: '', NO_COLOR: '', FORCE_COLOR: '0' },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          exclude: TIMED,
          maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'timed', include: TIMED, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
