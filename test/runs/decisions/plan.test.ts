/** The digest of a plan, which an approver says, stands for everything that decides who gets how much, and at what price at most. */
import { expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { listAccounts } from '../../../src/contract/operations/accounts.ts';
import { seededRandom } from '../../../src/core/random.ts';
import type { FilePayment } from '../../../src/runs/files/payment.ts';
import { planRun } from '../../../src/runs/plan.ts';

import { deskOver } from '../../support/desk.ts';
import { memoryStore, standingClock } from '../../support/stores.ts';

const payment = (amount: string): FilePayment =>
  ({
    n: 1,
    at: 'line 2',
    key: 'E-1',
    externalId: undefined,
    type: 'NGN::Bank',
    amount,
    currency: 'NGN',
    inputCurrency: 'EUR',
    account: 'a1b2c3d4e5f60',
    payee: 'a1b2c3d4e5f60',
    sender: undefined,
    body: { input_currency: 'EUR', recipients: [{ requested_amount: amount, requested_currency: 'NGN' }] },
    roundings: [],
  }) as unknown as FilePayment;

interface Given {
  name?: string;
  amount?: string;
  rate?: string;
  maxInput?: Record<string, string>;
  tolerance?: string;
  date?: string;
}

/** Planned by a desk of its own, in a store of its own. */
async function digestOf({
  name = 'wages',
  amount = '50000',
  rate = '1000',
  maxInput = { EUR: '100' },
  tolerance = '0.01',
  date = 'Mon, 05 Jan 2026 09:00:00 GMT',
}: Given = {}) {
  const clock = standingClock();
  const client = {
    call: async ({ id }: { id: string }) =>
      id === listAccounts.id
        ? { object: [{ currency: 'EUR', amount: '1000' }] }
        : { object: [{ code: 'EUR', opposites: [{ code: 'NGN', rate }] }] },
    raw: async () => ({ status: 200, headers: { date }, body: '{}' }),
    date: () => Date.parse(date),
  } as unknown as Client;
  const transport = async () => {
    throw new Error('the client of this desk has no network');
  };
  const desk = { ...deskOver({ transport, clock }), client: async () => client };
  const store = await memoryStore(clock, seededRandom(3));
  async function* rows() {
    yield { payments: [payment(amount)], faults: [], doubts: [] };
  }
  const ended = await planRun(
    desk,
    { payruns: await store.payruns(), intents: store.intents },
    {
      name,
      rows: rows(),
      maxInput,
      tolerance,
      repeats: [],
      askCeiling: async () => ({}),
    },
  );
  store.close();
  if (ended.kind !== 'planned') throw new Error('the rows have no faults');
  return ended.planned.run.digest;
}

it('is the same for the same', async () => {
  expect(await digestOf()).toBe(await digestOf({ date: 'Tue, 06 Jan 2026 09:00:00 GMT' }));
});

it.each<[string, Given]>([
  ['ceilings', { maxInput: { EUR: '101' } }],
  ['tolerance', { tolerance: '0.02' }],
  ['rates', { rate: '1000.0001' }],
  ['rows', { amount: '50001' }],
  ['name', { name: 'wages-2' }],
])('is another with other %s', async (_, other) => {
  expect(await digestOf(other)).not.toBe(await digestOf());
});
