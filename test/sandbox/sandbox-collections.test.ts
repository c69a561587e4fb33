/** A shop redirects its customer from the answer to the creation: what the customer needs is there at once. */
import { expect, test } from 'vitest';
import { type PayinFlow, payinTypes } from '../../src/contract/corridors/payins.ts';
import { HOOK, paymentBody, problemsAt, startBench } from '../support/sandbox.ts';

const flows = payinTypes.flatMap(({ type, currency, flows }) =>
  Object.entries(flows as Record<string, PayinFlow>).map(
    ([name, flow]) => [type, name, currency, flow] as const,
  ),
);

const PHONES: Record<string, string> = { XOF: '+221771234705', UGX: '+256772123456' };

function sampleOf(currency: string, { name, options }: PayinFlow['inDetails'][number]): string {
  if (name === 'phone_number') return PHONES[currency] ?? '+233302123400';
  return typeof options === 'object' ? (Object.keys(options)[0] ?? '') : '1234';
}

function collecting(type: string, name: string, currency: string, flow: PayinFlow) {
  const details = Object.fromEntries(flow.inDetails.map((field) => [field.name, sampleOf(currency, field)]));
  const payment = paymentBody(`collect-${type}-${name}`, undefined, {
    input_currency: currency,
    payin_methods: [{ type, ux_flow: name, in_details: details }],
  });
  Object.assign(payment.transaction.recipients[0] ?? {}, {
    requested_currency: currency,
    requested_amount: '50',
    payout_method: { type: `${currency}::Balance`, details: { reference: 'order-1' } },
  });
  return payment;
}

test.each(flows)('%s %s', async (type, name, currency, flow) => {
  const { call, sandbox, received } = await startBench();
  await call('POST', '/webhooks', { webhook: { url: HOOK, events: ['transaction.created'] } });
  const made = await call('POST', '/transactions', collecting(type, name, currency, flow));
  expect(made.status, made.text).toBe(201);
  const [payin] = made.body.object.payin_methods;
  expect(Object.keys(payin.out_details)).toEqual(Object.keys(flow.outDetails));
  await sandbox.drain();
  const read = await call('GET', `/transactions/${made.body.object.id}`);
  expect(read.body.object.payin_methods[0].out_details).toEqual(payin.out_details);
  const told = received.find(({ event }) => event === 'transaction.created');
  expect(told?.object.payin_methods[0].out_details).toEqual(payin.out_details);
});

test('a change in an unknown wrapper is refused with a sentence, and changes nothing', async () => {
  const { call } = await startBench();
  const [type, name, currency, flow] =
    flows.find(([type]) => type === 'GHS::Mobile') ?? expect.fail('no flow');
  const payin = (await call('POST', '/transactions', collecting(type, name, currency, flow))).body.object
    .payin_methods[0];
  const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };
  const stored = (
    await call('POST', '/payout_methods', { payout_method: { type: 'NGN::Bank', details, metadata: {} } })
  ).body.object;
  const edits = [
    [`/payin_methods/${payin.id}`, 'payin_method', { in_details: { phone_number: '+233302123418' } }],
    [`/payout_methods/${stored.id}`, 'payout_method', { details: { bank_account: '0123456718' } }],
  ] as const;
  for (const [path, wrapper, change] of edits) {
    const before = (await call('GET', path)).body.object;
    const wrapped = await call('PATCH', path, { [wrapper]: change });
    expect(wrapped.status).toBe(422);
    expect(problemsAt(wrapped.body.object.errors, 'base').join()).toContain('sent bare, without a wrapper');
    const after = (await call('GET', path)).body.object;
    expect([after.details, after.in_details]).toEqual([before.details, before.in_details]);
    expect((await call('PATCH', path, {})).status).toBe(200);
    expect((await call('PATCH', path, change)).status).toBe(200);
  }
});

test.each([
  ['11', 'pending'],
  ['21', 'incomplete'],
  ['412', 'error'],
])('a control with code %s leaves the collection %s', async (code, state) => {
  const { call, sandbox } = await startBench();
  const [type, name, currency, flow] =
    flows.find(([type]) => type === 'GHS::Mobile') ?? expect.fail('no flow');
  const made = (await call('POST', '/transactions', collecting(type, name, currency, flow))).body.object;
  await sandbox.drain();
  const [payin] = made.payin_methods;
  expect((await call('POST', `/_sandbox/payins/${payin.id}`, { code })).status).toBe(200);
  const read = (await call('GET', `/payin_methods/${payin.id}`)).body.object;
  expect([read.state, read.state_reason_details?.code ?? code]).toEqual([state, code]);
});

test('a control with code 11 is refused for a collection that failed: it does not wait', async () => {
  const { call, sandbox } = await startBench();
  const [type, name, currency, flow] =
    flows.find(([type]) => type === 'GHS::Mobile') ?? expect.fail('no flow');
  const made = (await call('POST', '/transactions', collecting(type, name, currency, flow))).body.object;
  await sandbox.drain();
  const at = `/_sandbox/payins/${made.payin_methods[0].id}`;
  expect((await call('POST', at, { code: '412' })).status).toBe(200);
  const failed = (await call('GET', `/payin_methods/${made.payin_methods[0].id}`)).body.object;
  expect((await call('POST', at, { code: '11' })).status).not.toBe(200);
  const read = (await call('GET', `/payin_methods/${failed.id}`)).body.object;
  expect([failed.state, read]).toEqual(['error', failed]);
});
