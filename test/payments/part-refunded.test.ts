/** One payment, a part of it paid out and the rest refunded: every format says both. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const recipient = (account: string) => ({
  requested_amount: '25000',
  requested_currency: 'NGN',
  payout_method: {
    type: 'NGN::Bank',
    details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: account },
  },
});

it('has refunded and net amounts in CSV, in JSON, in a query, and on the screen', async () => {
  const recipients = ['0123456700', '0123456719', '0123456771'].map(recipient);
  const payment = {
    input_currency: 'EUR',
    external_id: 'three',
    sender: { external_id: 'customer-1' },
    recipients,
  };
  writeFileSync(join(bench.dir, 'three.json'), JSON.stringify(payment));
  const made = ['tx', 'create', '--file', 'three.json', '--fund', '--max-input', '60'];
  expect((await bench.run(made)).code).toBe(0);
  expect((await bench.run(['tx', 'cancel', 'three', '--wait'])).code).toBe(10);
  const csv = (await bench.run(['tx', 'list', '-o', 'csv'])).stdout.trim().split('\n');
  const [head, row] = csv.map((line) => line.split(','));
  const cell = (name: string): string | undefined => row?.[head?.indexOf(name) ?? -1];
  expect(['input_amount', 'paid_amount', 'refunded_amount', 'net_amount'].map(cell)).toEqual([
    '44.97',
    '44.97',
    '29.98',
    '14.99',
  ]);
  const json = await bench.run(['tx', 'show', 'three', '-o', 'json']);
  expect(json.data()).toMatchObject({ refunded_amount: '29.98', net_amount: '14.99' });
  const query = await bench.run(['tx', 'list', '-o', 'json', '--query', 'sum([].net_amount)']);
  expect(query.stdout.trim()).toBe('"14.99"');
  const screen = (await bench.run(['tx', 'show', 'three'], { tty: true })).stdout;
  expect(screen).toMatch(/refunded +29\.98 EUR\nnet +14\.99 EUR/);
});
