/** The ceiling by day, held by processes of their own: several that pay at once, and one that is killed after it was let through. */
import { expect, it } from 'vitest';
import { paymentFlags, senderFlags } from '../support/cli.ts';
import { useKillStage } from '../support/kill-stage.ts';
import { type Program, runRemit } from '../support/program.ts';
import { credentials } from '../support/sandbox.ts';

const stage = useKillStage();
const env = (): Record<string, string> => ({
  REMIT_CONFIG_DIR: stage.dir,
  HOME: stage.dir,
  SHOP_SECRET: credentials.secret,
});
const remit = async (line: string, ...more: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runRemit([...line.split(' '), ...more], env());
  expect(code, stderr).toBe(0);
  return stdout;
};

async function signIn(ceiling: string): Promise<void> {
  const url = `http://127.0.0.1:${stage.port}/v1`;
  const account = `--base-url ${url} --environment sandbox --key ${credentials.key} --secret-env SHOP_SECRET`;
  await remit(`login --profile shop ${account} --no-keychain --no-check --max-per-day EUR=${ceiling}`);
  await remit('sender create', ...senderFlags('customer-1'));
}

/** It costs 14.99 EUR. */
const pay = (id: string): Program =>
  stage.start(
    [
      ...['tx', 'create', ...paymentFlags('customer-1'), '--external-id', id, '--new-payment'],
      ...['--fund', '--max-input', '20', '-o', 'json'],
    ],
    env(),
  );

it('of five that pay at once two are let through, and no more leaves the balance', async () => {
  await signIn('40');
  const before = stage.wallet();
  const programs = ['1', '2', '3', '4', '5'].map((n) => pay(`wages-${n}`));
  const codes = await Promise.all(programs.map(async ({ ended }) => (await ended).code));
  expect(codes.sort(), programs.map((one) => one.stderr()).join('\n')).toEqual([0, 0, 2, 2, 2]);
  for (const one of programs.filter(({ process }) => process.exitCode === 2))
    expect(one.stderr()).toContain('(max_per_day)');
  expect(before - stage.wallet()).toBeCloseTo(29.98, 5);
  expect(stage.count()).toBe(2);
});

it('one that is killed after its yes is counted; the same goes on, and another is refused', async () => {
  await signIn('14.99');
  const before = stage.wallet();
  const first = pay('wages-1');
  const isCreated = () => stage.arrived.some((path) => path.endsWith('/v1/transactions'));
  expect(await stage.killAfter(first, isCreated, 0)).toBe(true);
  const other = pay('wages-2');
  expect((await other.ended).code).toBe(2);
  expect(other.stderr()).toContain('0.00 EUR of it is left (max_per_day)');
  const again = pay('wages-1');
  expect((await again.ended).code, again.stderr()).toBe(0);
  expect(before - stage.wallet()).toBeCloseTo(14.99, 5);
});
