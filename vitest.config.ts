import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes, sockets and terminals: generous, because two cores are shared with them.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    env: { CI: '', NO_COLOR: '', FORCE_COLOR: '0' },
  },
});
