/** The tests of the files that are being mutated, and no others: named by `mutate.js`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: (process.env.REMIT_MUTATE_TESTS ?? '').split(','),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    env: { CI: '', NO_COLOR: '', FORCE_COLOR: '0' },
  },
});
