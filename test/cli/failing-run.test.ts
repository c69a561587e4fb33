/** A run of the tests ends with 1 where one of them fails: whoever runs it, CI too, hears of that by the exit code alone. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownDatabase } from '../support/one-postgres.ts';
import { ROOT } from '../support/source-tree.ts';

/** Set for the run within the run: its one test has a database, and fails. */
const FAILS = process.env.REMIT_TEST_FAILS === '1';

it.runIf(FAILS)('fails, with the PostgreSQL of the run', async () => {
  const database = await ownDatabase();
  await database.stop();
  expect('this').toBe('that');
});

it.runIf(!FAILS)('ends with 1', async () => {
  const argv = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'test/cli/failing-run.test.ts'];
  const env = { ...process.env, REMIT_TEST_FAILS: '1', REMIT_TESTS: '' };
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, argv, { cwd: ROOT, env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });
  expect(stdout).toContain('1 failed');
  expect(code).toBe(1);
});
