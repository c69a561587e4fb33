/** Rows that pay what a payment by hand paid: a plan asks about each, and a run sets aside those that were paid since. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payArgv, type Run, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);

const HEADER = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
function file(...rows: [key: string, amount: string, account: string][]): string {
  const path = join(bench.dir, 'wages.csv');
  const lines = rows.map(
    ([key, amount, account]) => `${key},NGN::Bank,${amount},EUR,customer-1,Ada,Obi,044,${account}`,
  );
  writeFileSync(path, `${[HEADER, ...lines].join('\n')}\n`);
  return path;
}
const ROWS = () => file(['E-1', '25000', '0123456700'], ['E-2', '3000', '0123456800']);
const plan = (...more: string[]) => [
  'batch',
  'plan',
  ROWS(),
  '--name',
  'wages',
  '--max-input',
  'EUR=90',
  ...more,
];

async function byHand(id: string): Promise<string> {
  const made = await bench.run(payArgv('0123456700', '--external-id', id));
  expect(made.code, made.stderr).toBe(0);
  return made.data<{ id: string }>().id;
}
const states = async () => (await batch('status', 'wages', '-o', 'json')).data<{ states: object }>().states;

describe('a plan', () => {
  it('refuses rows that a payment by hand paid, until each is named', async () => {
    const id = await byHand('by-hand');
    const refused = await bench.run(plan());
    expect([refused.code, refused.stdout]).toEqual([10, '']);
    expect(refused.stderr).toContain('1 row pays the same account the same amount as another payment');
    expect(refused.stderr).toContain(`--repeat ${id}`);
    expect((await batch('status', 'wages')).code).toBe(6);
    const planned = await bench.run(plan('--repeat', id));
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr).toContain(
      `PAID AGAIN: 1 row with the account and amount of another payment: E-1 (payment ${id})`,
    );
    // What the planner answered for is not asked about again.
    expect((await batch('run', 'wages')).code).toBe(0);
    expect(await states()).toEqual({ created: 2 });
  });

  it('asks a person for their number, and Enter means no', async () => {
    await byHand('by-hand');
    for (const [typed, code] of [
      ['', 130],
      ['2', 130],
      ['1', 0],
    ] as const) {
      const planned = await bench.run(plan(), { tty: true, stdin: `${typed}\r` });
      expect([typed, planned.code], planned.stderr).toEqual([typed, code]);
    }
  });

  it('does not ask about a payment of over a week ago, one that came back, or one of another run', async () => {
    await byHand('old');
    await bench.run('sandbox clock advance 8d');
    expect((await bench.run(plan())).code).toBe(0);
    expect((await batch('run', 'wages')).code).toBe(0);
    await bench.run('sandbox clock advance 6d');
    const next = await batch('plan', ROWS(), '--name', 'next', '--max-input', 'EUR=90');
    expect(next.code, next.stderr).toBe(0);
  });
});

describe('a run', () => {
  it('sets aside a row that was paid by hand since the plan, and pays the others', async () => {
    expect((await bench.run(plan())).code).toBe(0);
    await byHand('by-hand');
    const ran = await batch('run', 'wages');
    expect(ran.code, ran.stderr).toBe(10);
    expect(ran.stderr).toContain('set aside: E-1: its account was paid the same amount by another payment');
    expect(await states()).toEqual({ created: 1, refused: 1 });
  });
});
