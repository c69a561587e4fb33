/** Begins each file alike: files share a process, and one before may have moved the time of the tests, or set a variable. */
import { afterAll } from 'vitest';
import { machine, STARTS_AT } from './clock.ts';

machine.ms = STARTS_AT;

const variables = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(variables, name)) delete process.env[name];
  Object.assign(process.env, variables);
});
