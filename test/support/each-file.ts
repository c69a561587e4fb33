/** Begins each file alike: files share a process, and one before may have moved the time of the tests, or set a variable. */
import { afterAll, expect } from 'vitest';
import { machine, STARTS_AT } from './clock.ts';

machine.ms = STARTS_AT;

const variables = { ...process.env };
// Screens that are kept show paths, which end their lines where they always did: not in the one folder of the others.
if (expect.getState().testPath?.includes('/test/terminal/')) process.env.TMPDIR = process.env.OWN_TMPDIR;

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(variables, name)) delete process.env[name];
  Object.assign(process.env, variables);
});
