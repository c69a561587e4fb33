/** What production asks on a terminal: a loopback address can never be production, so this runs in process. */
import { expect, it } from 'vitest';
import { paymentFlags, useBench } from '../support/cli.ts';

const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };
const bench = useBench({ sender: true });

const create = ['tx', 'create', ...paymentFlags('customer-1')];
const writes = (run: { requests: { path: string }[] }) =>
  run.requests.filter(({ path }) => path === '/transactions');

it('the amounts are on screen, and Enter means No: 130, nothing sent', async () => {
  const run = await bench.run(create, { env: live, tty: true, stdin: '\r' });
  expect(run.stderr).toContain('production · environment · key …7f3c');
  expect(run.stderr).toContain('pay 25000 NGN to Ada Obi');
  expect(run.stderr).toContain('costs 14.99 EUR in all');
  expect(run.stderr).toContain('Create this payment of 25,000 NGN, on the LIVE account?');
  expect([run.code, writes(run).length]).toEqual([130, 0]);
});

it.each([
  ['6700', 0, 1],
  ['y\r\u0015', 130, 0],
  ['yes\r\u0015', 130, 0],
  ['25000\r\u0015', 130, 0],
  ['n', 130, 0],
])('the last four of the account send it, and nothing else does: %j', async (typed, code, sent) => {
  const run = await bench.run(create, { env: live, tty: true, stdin: `${typed}\r` });
  expect(run.stderr.replace(/\s+/g, ' ')).toContain('Type the last four of the account (6700):');
  expect([run.code, writes(run).length]).toEqual([code, sent]);
});

it('--yes alone still asks; Ctrl-C there is 130', async () => {
  const run = await bench.run([...create, '--yes'], { env: live, tty: true, stdin: '\u0003' });
  expect([run.code, writes(run).length]).toEqual([130, 0]);
});

it('--yes --live does not ask', async () => {
  const run = await bench.run([...create, '--yes', '--live', 'key:7f3c'], { env: live, tty: true });
  expect([run.code, writes(run).length]).toEqual([0, 1]);
});
