/** Logs of logs: what one answer holds comes back within the next, and is masked there too. */
import { expect, it } from 'vitest';
import { paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({
  sender: true,
  setUp: async () => {
    const flags = [...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1'];
    await bench.run(['tx', 'create', ...flags]);
    await bench.run(['api', 'senders.list', '-f', 'phone_number=0123456789']);
    for (const _ of [1, 2]) await bench.run(['logs', 'api', '-o', 'json']);
  },
});

const PERSONAL = /Ada|Obi|0123456719|0123456789|ines@example\.com/;
const CI = { CI: '1' };

it.each([
  [['logs', 'api', '-o', 'json'], CI],
  [['logs', 'api', '-o', 'json'], { ...CI, REMIT_DEBUG: 'api' }],
  [['api', 'api_logs.list'], CI],
  [['api', 'senders.list', '-f', 'phone_number=0123456789'], { ...CI, REMIT_DEBUG: 'api' }],
])('%j with %j', async (argv, env) => {
  const run = await bench.run(argv, { env });
  expect(run.code).toBe(0);
  expect(run.stdout).not.toMatch(PERSONAL);
  expect(run.stderr).not.toMatch(PERSONAL);
});

it('on a terminal names stay, and accounts and what was looked for show their end', async () => {
  const run = await bench.run(['logs', 'api', '-o', 'json'], { tty: true });
  expect(run.stdout).toMatch(/\\\\\\"first_name\\\\\\": ?\\\\\\"Ada|\\"first_name\\": ?\\"Ada/);
  expect(run.stdout).not.toMatch(/0123456719|0123456789/);
});

it('a payment that was cancelled before it was paid in asks nobody to do anything', async () => {
  expect((await bench.run(['tx', 'cancel', 'wages-1'])).code).toBe(0);
  const run = await bench.run(['recipient', 'show', 'wages-1'], { tty: true });
  expect(run.stdout).toMatch(/who must act +nobody/);
  expect(run.stdout).toMatch(
    /The payment is cancelled\. No money had come in for it,\s+and nothing was paid out\./,
  );
  expect(run.stdout).not.toContain('refund follows');
  expect(run.stdout).not.toContain('if it was funded');
});
