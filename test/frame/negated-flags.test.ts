/** Each flag that says no, and what it is read as: one that is dropped would keep a secret, a check or a refund the other way round. */
import { expect, it } from 'vitest';
import { longName } from '../../src/frame/flags/flag.ts';
import { findCommand } from '../../src/program/program.ts';
import { leaves } from '../../src/program/tree.ts';

const silent = {
  version: '',
  streams: { out: () => {}, columns: 80, colour: { stdout: false, stderr: false } },
};

async function read(line: string): Promise<Record<string, unknown>> {
  const found = await findCommand(line.split(' '), silent);
  return found?.command.read(found.input) as unknown as Record<string, unknown>;
}

const at = (options: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], options);

const CASES: [line: string, path: string, value: unknown][] = [
  ['tx calculate', 'body.autoRefund', undefined],
  ['tx calculate --no-auto-refund', 'body.autoRefund', false],
  ['tx calculate', 'body.accountValidation', undefined],
  ['tx calculate --account-validation', 'body.accountValidation', true],
  ['tx calculate --no-account-validation', 'body.accountValidation', false],
  ['webhooks listen', 'register', undefined],
  ['webhooks listen --register', 'register', true],
  ['webhooks listen --no-register', 'register', false],
  ['webhooks listen', 'catchUp', true],
  ['webhooks listen --no-catch-up', 'catchUp', false],
  ['webhooks backfill', 'handOn', true],
  ['webhooks backfill --no-hand-on', 'handOn', false],
  ['login', 'inFile', false],
  ['login --no-keychain', 'inFile', true],
  ['login', 'check', true],
  ['login --no-check', 'check', false],
  ['approver create grace', 'inFile', false],
  ['approver create grace --no-keychain', 'inFile', true],
  ['console', 'browser', true],
  ['console --no-browser', 'browser', false],
  ['books sync', 'names', true],
  ['books sync --no-names', 'names', false],
];

it.each(CASES)('%s: %s is %j', async (line, path, value) => {
  expect(at(await read(line), path)).toBe(value);
});

it('there is no other', async () => {
  const declared = await Promise.all(
    leaves.map(async ({ words, load }) => {
      const { flags = {} } = await load();
      return Object.keys(flags)
        .filter((key) => /^no[A-Z]/.test(key))
        .map((key) => `${words} ${longName(key)}`);
    }),
  );
  const shown = CASES.map(([line]) => line.replace(' grace', ''));
  const left = declared.flat().filter((line) => !shown.includes(line));
  // The other commands that take the flags of a payment read them with the same piece.
  expect(
    left.filter((line) => !/^tx (?:create|validate) --no-(?:auto-refund|account-validation)$/.test(line)),
  ).toEqual([]);
});
