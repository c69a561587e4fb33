/** What production asks on a terminal: a loopback address can never be production, so this runs in process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { paymentFlags, paymentJson, useBench } from '../support/cli.ts';
import { wages } from '../support/example-files.ts';

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

/** What the question asks to be typed, where nothing is answered: Enter means No. */
async function asked(argv: readonly string[]): Promise<string> {
  const run = await bench.run(argv, { env: live, tty: true, stdin: '\r' });
  expect([
    run.code,
    run.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/calculate')).length,
  ]).toEqual([130, 0]);
  return /Type (.+?):/.exec(run.stderr.replace(/\s+/g, ' '))?.[1] ?? run.stderr;
}

describe('asks to be typed', () => {
  const made = async (externalId: string, ...accounts: string[]): Promise<void> => {
    writeFileSync(join(bench.dir, 'made.json'), JSON.stringify(paymentJson(...accounts)));
    const run = await bench.run(['tx', 'create', '--file', 'made.json', '--external-id', externalId]);
    expect(run.code, run.stderr).toBe(0);
  };

  it('the new account, where an edit sends the money elsewhere', async () => {
    await made('w-1', '0123456708');
    const edit = ['recipient', 'edit', 'w-1', '--detail', 'bank_account=0123456711', '--skip-validation'];
    expect(await asked(edit)).toBe('the last four of the account (6711)');
  });

  it('the account of one recipient, and of several what they cost', async () => {
    await made('w-1', '0123456700');
    await made('w-2', '0123456701', '0123456702');
    expect(await asked(['tx', 'fund', 'w-1'])).toBe('the last four of the account (6700)');
    expect(await asked(['tx', 'fund', 'w-2'])).toBe('the total (29.98 EUR)');
    expect(await asked(['tx', 'cancel', 'w-2'])).toBe('the total (50,000 NGN)');
  });

  it('the same word for a second payment, though --yes --live was said', async () => {
    const first = await bench.run([...create, '--yes', '--live', 'key:7f3c'], { env: live });
    expect(first.code, first.stderr).toBe(0);
    const again = await bench.run([...create, '--yes', '--live', 'key:7f3c'], {
      env: live,
      tty: true,
      stdin: 'y\r\u0015\r',
    });
    expect(again.stderr.replace(/\s+/g, ' ')).toContain(
      'Pay it a second time? Type the last four of the account (6700):',
    );
    expect([again.code, writes(again).length]).toEqual([130, 0]);
  });

  it('what a run costs, to approve it and to pay it', async () => {
    writeFileSync(join(bench.dir, 'wages.csv'), wages.replaceAll('customer-17', 'customer-1'));
    const plan = ['batch', 'plan', 'wages.csv', '--name', 'wages', '--max-input', 'EUR=12000', '-o', 'json'];
    const planned = await bench.run(plan, { env: live });
    expect(planned.code, planned.stderr).toBe(0);
    const { digest } = planned.data<{ digest: string }>();
    expect(await asked(['batch', 'run', 'wages'])).toMatch(/^the total \([\d.,]+ EUR\)$/);
    expect(await asked(['batch', 'approve', 'wages', '--digest', digest])).toMatch(
      /^the total \([\d.,]+ EUR\)$/,
    );
  });
});
