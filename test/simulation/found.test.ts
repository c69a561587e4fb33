/** What the simulation found, each as the shortest story that shows it. */
import { expect, it } from 'vitest';
import { type Bench, type Json, payoutDetails, person, startBench } from '../support/sandbox.ts';

const HOUR_MS = 3_600_000;

async function pay(bench: Bench, type: string, number: string, traits: Json = {}): Promise<Json> {
  const { body } = await bench.call('POST', '/transactions/create_and_fund', {
    transaction: {
      input_currency: 'EUR',
      external_id: 'found-1',
      sender: { external_id: 'customer-1', ...person },
      recipients: [
        {
          type: 'person',
          requested_amount: '100.00',
          requested_currency: 'EUR',
          payout_method: { type, details: payoutDetails(type, number) },
        },
      ],
      traits,
    },
  });
  await bench.sandbox.drain();
  return body.object;
}

async function states({ call }: Bench, id: string): Promise<string[]> {
  const { object } = (await call('GET', `/transactions/${id}`)).body;
  return [object.state, ...object.recipients.map(({ state }: Json) => state)];
}

/** Ten tries fail, within eight hours. */
async function untilManual(bench: Bench, id: string): Promise<void> {
  await bench.sandbox.advance(8 * HOUR_MS);
  expect(await states(bench, id)).toEqual(['manual', 'manual']);
}

it('a transaction in exception is cancelled and refunded after 24 hours like any other', async () => {
  const bench = await startBench();
  const { id } = await pay(bench, 'NGN::Bank', '0123456719');
  await bench.sandbox.control.ask('sandbox.reviews.decide', { id, body: { decision: 'exception' } });
  await bench.sandbox.advance(25 * HOUR_MS);
  expect(await states(bench, id)).toEqual(['refunded', 'refunded']);
});

it('the payout of a manual recipient that is resumed may fail its name check', async () => {
  const bench = await startBench();
  const { id } = await pay(bench, 'NGN::Bank', '0123456708', { account_validation: true });
  await untilManual(bench, id);
  await bench.sandbox.control.ask('sandbox.faults.arm', { body: { fault: 'provider-outage', times: 1 } });
  await bench.sandbox.control.ask('sandbox.reviews.decide', { id, body: { decision: 'resume' } });
  await bench.sandbox.drain();
  const { object } = (await bench.call('GET', `/transactions/${id}`)).body;
  expect(object.recipients[0].state).not.toBe('manual');
  const told = await bench.sandbox.control.ask('sandbox.explain', { id });
  expect(JSON.stringify(told)).toContain('44: ');
});

it('a manual recipient that is resumed waits for its mandate, and is paid once that is signed', async () => {
  const bench = await startBench();
  const { ask } = bench.sandbox.control;
  const { id, recipients } = await pay(bench, 'ZAR::Bank', '1234567890');
  const mandate = recipients[0].mandate_id;
  await ask('sandbox.mandates.decide', { id: mandate, body: { status: 'signed' } });
  await ask('sandbox.faults.arm', { body: { fault: 'provider-outage' } });
  await untilManual(bench, id);
  await ask('sandbox.faults.clear');
  await ask('sandbox.mandates.decide', { id: mandate, body: { status: 'failed' } });
  await ask('sandbox.reviews.decide', { id, body: { decision: 'resume' } });
  await bench.sandbox.drain();
  expect((await states(bench, id))[1]).toBe('manual');
  await ask('sandbox.mandates.decide', { id: mandate, body: { status: 'signed' } });
  await bench.sandbox.drain();
  expect(await states(bench, id)).toEqual(['paid', 'success']);
});

it('a transaction that control put on hold is let go after 24 hours', async () => {
  const bench = await startBench();
  const { id } = await pay(bench, 'NGN::Bank', '0123456701');
  await bench.sandbox.control.ask('sandbox.reviews.decide', { id, body: { decision: 'hold' } });
  expect(await states(bench, id)).toEqual(['processing', 'pending']);
  await bench.sandbox.advance(23 * HOUR_MS);
  expect(await states(bench, id)).toEqual(['processing', 'success']);
  await bench.sandbox.advance(HOUR_MS);
  expect(await states(bench, id)).toEqual(['paid', 'success']);
});

it('a payout in exception after 24 hours is refunded once the provider says that it failed', async () => {
  const bench = await startBench();
  const { ask } = bench.sandbox.control;
  const { id } = await pay(bench, 'NGN::Bank', '0123456701');
  await ask('sandbox.payouts.answer', { id, body: { outcome: 'exception' } });
  await bench.sandbox.advance(25 * HOUR_MS);
  expect(await states(bench, id)).toEqual(['manual', 'exception']);
  await ask('sandbox.payouts.answer', { id, body: { outcome: 'error' } });
  await bench.sandbox.drain();
  expect(await states(bench, id)).toEqual(['refunded', 'refunded']);
});
