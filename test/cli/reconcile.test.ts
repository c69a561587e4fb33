/** remit reconcile, against a sandbox. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/contract/resources/transaction.ts';
import { payArgv, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

/** Pays to accounts whose ends decide what the sandbox does. */
async function pay(account: string, externalId: string): Promise<Transaction> {
  const run = await bench.run(payArgv(account, '--external-id', externalId));
  return run.data<Transaction>();
}

const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);
const lineOf = (
  one: Transaction,
  externalId = one.external_id,
  amount = one.input_amount,
  currency = 'EUR',
) => `${externalId},${one.created_at?.slice(0, 10)},${amount},${currency}\n`;
const HEADER = 'external_id,date,amount,currency\n';

interface Row {
  ending: string;
  case: string;
  ledger: { id: string; line: number; amount: string } | null;
  other: { id: string; amount: string; state: string; deadline: string | null } | null;
  command: string | null;
  decision: string | null;
}

describe('a ledger against the service', () => {
  it('agrees where it has the same payments', async () => {
    const [one, two] = [await pay('0123456700', 'p-1'), await pay('0123456700', 'p-2')];
    put('ledger.csv', HEADER + lineOf(one) + lineOf(two));
    const run = await bench.run('reconcile ledger.csv');
    expect(run.stderr).toMatch(/Nothing is left to look at/);
    expect(run.code).toBe(0);
    expect((await bench.run('reconcile ledger.csv -o json')).data()).toEqual([]);
    const all = await bench.run('reconcile ledger.csv --ending matched -o json');
    expect(all.data<Row[]>()).toMatchObject([
      { ending: 'matched', ledger: { id: 'p-1', line: 2 }, other: { id: 'p-1', state: 'success' } },
      { ending: 'matched', ledger: { id: 'p-2', line: 3 } },
    ]);
  });

  it('names what differs, and the command that looks at it', async () => {
    const [paid, wrong, slow, alone] = [
      await pay('0123456700', 'p-1'),
      await pay('0123456719', 'p-2'),
      await pay('0123456701', 'p-3'),
      await pay('0123456700', 'p-4'),
    ];
    await bench.run('tx cancel p-2 --yes');
    put(
      'ledger.csv',
      HEADER +
        lineOf(paid, 'p-1', '99') +
        lineOf(wrong) +
        lineOf(slow) +
        lineOf(paid, 'nowhere') +
        lineOf(slow),
    );
    const run = await bench.run('reconcile ledger.csv -o json');
    expect(run.code).toBe(10);
    expect(run.data<Row[]>()).toMatchObject([
      { ending: 'amount_differs', ledger: { amount: '99.00' }, command: `remit tx show ${paid.id}` },
      { ending: 'state_differs', other: { state: 'refunded' } },
      { ending: 'only_in_ledger', ledger: { id: 'nowhere' }, other: null, command: 'remit tx show nowhere' },
      { ending: 'duplicate', ledger: { line: 6 }, with_line: 4 },
      { ending: 'only_at_service', ledger: null, other: { id: 'p-4' }, command: `remit tx show ${alone.id}` },
    ]);
    const expected = await bench.run('reconcile ledger.csv --ending expected -o json');
    expect(expected.data<Row[]>()).toMatchObject([
      {
        ledger: { id: 'p-3' },
        other: { deadline: expect.any(String) },
        command: `remit tx watch ${slow.id}`,
      },
    ]);
  });
});
