/** Where the money of a recipient is, by the ledger: gone, back, or never put in. */
import { expect, it } from 'vitest';
import { paymentBody, startBench } from '../support/sandbox.ts';

const DAYS_3 = 3 * 86_400_000;

it('is gone once it is funded, and back once it is refunded; what nobody funded, or was cancelled before, is neither', async () => {
  const { sandbox, call } = await startBench();
  const pay = async (id: string, path = '/transactions/create_and_fund', number?: string) => {
    const made = await call('POST', path, paymentBody(id, number));
    expect(made.status, made.text).toBe(201);
    return made.body.object.recipients[0].id as string;
  };
  await pay('paid-1');
  const refused = await pay('refused-1', undefined, '0123456719');
  await pay('failing-1', undefined, '0123456719');
  await pay('unfunded-1', '/transactions');
  const dropped = await pay('dropped-1', '/transactions');
  await sandbox.drain();
  for (const id of [refused, dropped]) expect((await call('DELETE', `/recipients/${id}`)).status).toBe(200);
  await sandbox.drain();
  const money = () =>
    Object.fromEntries([...sandbox.payouts()].map(({ externalId, money: where }) => [externalId, where]));
  expect(money()).toEqual({
    'paid-1': 'gone',
    'refused-1': 'back',
    // It is with the service, which tries again: it left the balance.
    'failing-1': 'gone',
    'unfunded-1': 'unfunded',
    'dropped-1': 'back',
  });
  // What could not be paid comes back by itself after a day.
  await sandbox.advance(DAYS_3);
  expect(money()).toMatchObject({ 'paid-1': 'gone', 'failing-1': 'back', 'unfunded-1': 'unfunded' });
  await sandbox.close();
});
