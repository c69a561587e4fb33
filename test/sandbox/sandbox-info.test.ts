/** What the sandbox says it serves, against what it takes: a currency or a method that is taken is listed, and the other way round. */
import { describe, expect, test } from 'vitest';
import { payinTypes } from '../../src/contract/corridors/payins.ts';
import { type Bench, type Json, person, startBench } from '../support/sandbox.ts';

/** Every currency of which the service description gives the decimal places. */
const TWO_PLACES = 'AED CAD CHF CNY EUR GHS GBP MAD USD ZAR'.split(' ');
const NO_PLACES = 'JPY KES KRW NGN TZS UGX XOF'.split(' ');

const listed = async ({ call }: Bench, path: string): Promise<Json[]> =>
  (await call('GET', path)).body.object;

function calculate({ call }: Bench, type: string, currency: string, more: Json = {}) {
  const recipient = {
    requested_amount: '1000000',
    requested_currency: currency,
    type: 'person',
    payout_method: { type, details: { reference: 'r-1' } },
  };
  const transaction = {
    input_currency: 'EUR',
    sender: person,
    recipients: [recipient],
    metadata: {},
    ...more,
  };
  return call('POST', '/transactions/calculate', { transaction });
}

describe('output currencies', () => {
  test('have every currency whose decimals the description gives, with those decimals', async () => {
    const bench = await startBench();
    const out = await listed(bench, '/info/currencies/out');
    const decimals = new Map(out.map(({ code, decimals }) => [code, decimals]));
    for (const code of TWO_PLACES) expect(decimals.get(code), code).toBe(2);
    for (const code of NO_PLACES) expect(decimals.get(code), code).toBe(0);
  });

  test('are what a balance can be credited in, and have a rate from every input currency', async () => {
    const bench = await startBench();
    const out = await listed(bench, '/info/currencies/out');
    const inputs = await listed(bench, '/info/currencies/in');
    for (const { code } of out) {
      if (code === 'EUR') continue;
      expect((await calculate(bench, `${code}::Balance`, code)).status, code).toBe(200);
      for (const input of inputs) {
        const found = input.opposites.find((each: Json) => each.code === code);
        expect(found?.rate, `${input.code} to ${code}`).toBeGreaterThan(0);
      }
    }
  });

  test('are those of the payout methods, and no other is taken', async () => {
    const bench = await startBench();
    const out = (await listed(bench, '/info/currencies/out')).map(({ code }) => code);
    const methods = (await listed(bench, '/info/payment_methods/out')).map(({ type }) => type);
    const currencies = new Set(methods.map((type) => type.split('::')[0]));
    expect([...currencies].sort()).toEqual(out);
    for (const code of out) expect(methods).toContain(`${code}::Balance`);
    const { object } = (await bench.call('GET', '/info/payment_methods/out')).body;
    const balance = object.find(({ type }: { type: string }) => type === 'GHS::Balance');
    expect(balance.fields).toMatchObject({ reference: { type: 'input' } });
    expect((await calculate(bench, 'QQQ::Balance', 'QQQ')).status).toBe(422);
  });
});

describe('a fresh sandbox', () => {
  const currencies = [...new Set(payinTypes.map(({ currency }) => currency))];

  test.each(currencies)('collects %s to its balance, which opens with it', async (currency) => {
    const bench = await startBench();
    const payin = payinTypes.find((each) => each.currency === currency);
    const [uxFlow = '', flow] = Object.entries(payin?.flows ?? {})[0] ?? [];
    const details = (flow?.inDetails ?? []).map(({ name, options }: Json) => [
      name,
      name === 'phone_number' ? '+221771234755' : (Object.keys(options ?? {})[0] ?? 'sample'),
    ]);
    const transaction = {
      input_currency: currency,
      sender: person,
      recipients: [
        {
          requested_amount: '1000',
          requested_currency: currency,
          type: 'person',
          payout_method: { type: `${currency}::Balance`, details: { reference: 'r-1' } },
        },
      ],
      payin_methods: [{ type: payin?.type, ux_flow: uxFlow, in_details: Object.fromEntries(details) }],
      metadata: {},
    };
    const made = await bench.call('POST', '/transactions', { transaction });
    expect(made.status, made.text).toBe(201);
    await bench.sandbox.drain();
    const before = Number((await bench.call('GET', `/accounts/${currency}`)).body.object?.amount ?? 0);
    const path = `/transactions/${made.body.object.id}/payin`;
    expect((await bench.call('POST', path, { payin_method: { type: payin?.type } })).status).toBe(200);
    await bench.sandbox.drain();
    const { amount } = (await bench.call('GET', `/accounts/${currency}`)).body.object;
    expect(amount - before).toBe(1000);
    bench.sandbox.audit();
  });

  test('takes no payment in one currency without a balance in it, but for what is collected to it', async () => {
    const bench = await startBench();
    const own = { input_currency: 'UGX' };
    const { status, body } = await calculate(bench, 'UGX::Balance', 'UGX', own);
    expect(status).toBe(422);
    expect(body.object.errors.input_currency).toEqual([{ error: 'invalid' }]);
  });
});

test('a payout method alone says its fields: to its create and its read, and that of a recipient to its read; a transaction says none', async () => {
  const bench = await startBench();
  const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };
  const method = { type: 'NGN::Bank', details };
  const made = (await bench.call('POST', '/payout_methods', { payout_method: method })).body.object;
  const read = (await bench.call('GET', `/payout_methods/${made.id}`)).body.object;
  for (const one of [made, read]) expect(Object.keys(one.fields)).toContain('bank_account');
  const transaction = {
    input_currency: 'EUR',
    sender: person,
    recipients: [
      { requested_amount: '25000', requested_currency: 'NGN', type: 'person', payout_method: method },
    ],
    metadata: {},
    external_id: 'fields-1',
  };
  const { recipients } = (await bench.call('POST', '/transactions', { transaction })).body.object;
  expect(recipients[0].payout_method).not.toHaveProperty('fields');
  const alone = (await bench.call('GET', `/payout_methods/${recipients[0].payout_method.id}`)).body.object;
  expect(alone.fields).toEqual(read.fields);
});
