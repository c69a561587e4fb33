/** Transactions of a request: amounts, recipients, refusals with their problems in every place, calculate, edits. */
import { describe, expect, test } from 'vitest';
import {
  type Bench,
  type Json,
  paymentBody,
  payoutDetails,
  person,
  problemsAt,
  recipientBody,
  startBench,
} from '../support/sandbox.ts';

let made = 0;

function body(recipient: Json = {}, more: Json = {}): Json {
  made += 1;
  const recipients = [{ ...recipientBody(), ...recipient }];
  return paymentBody(`x-${made}`, undefined, { sender: person, recipients, ...more });
}

const create = ({ call }: Bench, recipient: Json = {}, more: Json = {}) =>
  call('POST', '/transactions', body(recipient, more));

describe('amounts', () => {
  test.each([
    ['100', 'EUR', 'EUR', { input_amount: 100, output_amount: 166794 }],
    ['166795', 'NGN', 'EUR', { input_amount: 100, output_amount: 166795 }],
    ['100.5', 'NGN', 'EUR', { output_amount: 101 }],
    ['100', 'USD', 'EUR', { input_amount: 92 }],
    [12.5, 'EUR', 'EUR', { input_amount: 12.5 }],
    ['1000', 'NGN', 'NGN', { input_amount: 1000, output_amount: 1000, exchange_rate: 1 }],
  ])('%s %s paid in %s', async (amount, currency, input, expected) => {
    const bench = await startBench();
    const { status, body } = await create(
      bench,
      { requested_amount: amount, requested_currency: currency },
      { input_currency: input },
    );
    expect(status).toBe(201);
    expect(body.object.recipients[0]).toMatchObject(expected);
    expect(body.object.input_amount).toBe(body.object.recipients[0].input_amount);
  });

  test.each([
    ['12.345', 'EUR', 12.35],
    ['12.344', 'EUR', 12.34],
    [12.345, 'EUR', 12.35],
    ['10.005', 'USD', 10.01],
    ['1000.5', 'XOF', 1001],
    ['1000.4', 'XOF', 1000],
    ['1000.5', 'JPY', 1001],
    ['1000.1', 'KES', 1001],
    ['1000.0001', 'TZS', 1001],
    ['1000.01', 'UGX', 1001],
    ['1000.1', 'NGN', 1001],
  ])('%s %s is rounded to %s', async (amount, currency, rounded) => {
    const bench = await startBench();
    const recipient = { requested_amount: amount, requested_currency: currency };
    const { status, body } = await create(bench, recipient);
    expect(status).toBe(201);
    expect(body.object.recipients[0].requested_amount).toBe(rounded);
    const same = await create(bench, { ...recipient, requested_amount: String(rounded) });
    expect(same.body.object.input_amount).toBe(body.object.input_amount);
    expect(same.body.object.recipients[0].output_amount).toBe(body.object.recipients[0].output_amount);
    const { id } = body.object.recipients[0];
    const edit = {
      recipient: { requested_amount: amount, payout_method: { details: { bank_code: '058' } } },
    };
    expect((await bench.call('PATCH', `/recipients/${id}`, edit)).status, 'an edit that repeats it').toBe(
      200,
    );
  });

  test('what a customer paid has no more decimals than its currency', async () => {
    const bench = await startBench();
    const payin_methods = [
      {
        type: 'GHS::Mobile',
        ux_flow: 'ussd_popup',
        in_details: { phone_number: '+233302123400', mobile_provider: 'mtn' },
      },
    ];
    const ghs = { requested_currency: 'GHS' };
    const { body } = await create(bench, ghs, { input_currency: 'GHS', payin_methods });
    await bench.sandbox.drain();
    const path = `/_sandbox/payins/${body.object.id}`;
    expect((await bench.call('POST', path, { amount: '60.005' })).status).toBe(422);
    expect((await bench.call('POST', path, { amount: '60.05' })).status).toBe(200);
  });

  test.each([
    '1e3',
    '-5',
    -5,
    0,
    '0',
    '0.00',
    'NaN',
    'Infinity',
    '9'.repeat(30),
    1e21,
    '0.004',
    '999999999999999.999',
    `1.${'3'.repeat(60)}`,
    '0x10',
    ' 5',
    '1,000',
    '05',
    '+5',
    true,
    {},
    [],
  ])('%j is refused', async (amount) => {
    const bench = await startBench();
    const { status, body } = await create(bench, { requested_amount: amount });
    expect(status).toBe(422);
    expect(problemsAt(body.object.recipients[0].errors, 'requested_amount')).toEqual(['invalid']);
    expect(problemsAt(body.object.errors, 'recipients.requested_amount')).toEqual(['invalid']);
  });

  test('an amount that comes to nothing is refused', async () => {
    const bench = await startBench();
    const { body } = await create(bench, { requested_amount: '1', requested_currency: 'NGN' });
    expect(problemsAt(body.object.recipients[0].errors, 'requested_amount')).toEqual(['invalid']);
  });

  test('an amount keeps its digits, however many', async () => {
    const bench = await startBench({ balances: { EUR: '999999999999999.99' } });
    const { text } = await create(bench, { requested_amount: '999999999999999.99' });
    expect(text).toContain('"input_amount":999999999999999.99');
    expect((await bench.call('GET', '/accounts/EUR')).text).toContain('"amount":999999999999999.99');
  });

  test('one currency for both sides needs a balance in it', async () => {
    const bench = await startBench();
    const zar = {
      type: 'ZAR::Bank',
      details: {
        first_name: 'A',
        last_name: 'B',
        email: 'a@example.com',
        bank_code: '632005',
        bank_account: '1',
        phone_number: '+27123456789',
      },
    };
    const { status, body } = await create(
      bench,
      { requested_currency: 'ZAR', payout_method: zar },
      { input_currency: 'ZAR' },
    );
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, 'input_currency')).toEqual(['invalid']);
  });

  test('a balance payout is in its own currency', async () => {
    const bench = await startBench();
    const { body } = await create(bench, { payout_method: { type: 'GHS::Balance', details: {} } });
    expect(problemsAt(body.object.recipients[0].errors, 'requested_currency')).toEqual(['invalid']);
  });
});

describe('refusals', () => {
  test('name every problem at its place and dotted on the parents, and bring the fields of the corridor', async () => {
    const bench = await startBench();
    const details = { first_name: 'Chidi', bank_code: '999', bank_account: '0123456700' };
    const { status, body } = await create(bench, { payout_method: { type: 'NGN::Bank', details } });
    expect(status).toBe(422);
    const [recipient] = body.object.recipients;
    expect(recipient.payout_method.errors).toEqual({
      last_name: [{ error: 'blank' }],
      bank_code: [{ error: 'invalid' }],
    });
    expect(recipient.payout_method.details).toEqual(details);
    expect(recipient.payout_method.fields.bank_code.options['044']).toBe('Access Bank');
    expect(recipient.payout_method.fields.last_name.validations.presence).toBe(true);
    expect(problemsAt(recipient.errors, 'payout_method.bank_code')).toEqual(['invalid']);
    expect(problemsAt(body.object.errors, 'recipients.payout_method.bank_code')).toEqual(['invalid']);
    expect(body.object.id).toBeUndefined();
  });

  test.each([
    [{}, { input_currency: 'XXX' }, 'input_currency', 'invalid'],
    [{}, { input_currency: '' }, 'input_currency', 'blank'],
    [{}, { sender: undefined }, 'sender', 'blank'],
    [{}, { sender: 'Ada' }, 'sender', 'invalid'],
    [{}, { recipients: [] }, 'recipients', 'blank'],
    [{}, { recipients: {} }, 'recipients', 'invalid'],
    [{}, { metadata: 'x' }, 'metadata', 'invalid'],
    [{}, { traits: { auto_refund: 'yes' } }, 'traits.auto_refund', 'invalid'],
    [{}, { external_id: {} }, 'external_id', 'invalid'],
    [{ type: 'business' }, {}, 'recipients.payout_method.name', 'blank'],
    [{ type: 'robot' }, {}, 'recipients.type', 'invalid'],
    [{ requested_currency: 'XXX' }, {}, 'recipients.requested_currency', 'invalid'],
    [{ payout_method: undefined }, {}, 'recipients.payout_method', 'blank'],
    [{ payout_method: { type: 'Foo::Bar' } }, {}, 'recipients.payout_method.type', 'invalid'],
    [{}, { payin_methods: [{ type: 'EUR::Bank' }] }, 'payin_methods.ux_flow', 'blank'],
    [
      {},
      { payin_methods: [{ type: 'GHS::Mobile', ux_flow: 'ussd_popup' }] },
      'payin_methods.type',
      'invalid',
    ],
  ])('%j %j', async (recipient, more, field, word) => {
    const bench = await startBench();
    const { status, body } = await create(bench, recipient, more);
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, field)).toEqual([word]);
    expect((await bench.call('GET', '/transactions')).body.object).toEqual([]);
  });

  test('an amount has at most fifty decimals', async () => {
    const bench = await startBench();
    const problemsOf = async (decimals: number): Promise<unknown> => {
      const requested_amount = `10.${'0'.repeat(decimals - 1)}1`;
      const { body } = await create(bench, { requested_amount });
      return problemsAt(body.object.errors ?? {}, 'recipients.requested_amount');
    };
    expect([await problemsOf(50), await problemsOf(51)]).toEqual([[], ['invalid']]);
  });

  test('a payment in dollars costs as many dollars', async () => {
    const { body } = await create(await startBench(), {}, { input_currency: 'USD' });
    const [{ input_amount, input_usd_amount }] = body.object.recipients;
    expect(input_amount).toBeGreaterThan(0);
    expect(input_usd_amount).toBe(input_amount);
  });

  test('create_and_fund asks for an external id', async () => {
    const { call } = await startBench();
    const { body: answer } = await call(
      'POST',
      '/transactions/create_and_fund',
      body({}, { external_id: '' }),
    );
    expect(problemsAt(answer.object.errors, 'external_id')).toEqual(['blank']);
  });

  test('a used external id comes back with the transaction that has it', async () => {
    const bench = await startBench();
    const first = await create(bench, {}, { external_id: 'mine' });
    const { body } = await create(bench, { requested_amount: 'nonsense' }, { external_id: 'mine' });
    expect(problemsAt(body.object.errors, 'external_id')).toEqual(['taken']);
    expect(body.meta.existing.transaction.id).toBe(first.body.object.id);
  });
});

describe('calculate', () => {
  test('gives the amounts and keeps nothing', async () => {
    const { call } = await startBench();
    const { status, body: answer } = await call('POST', '/transactions/calculate', body());
    expect(status).toBe(200);
    expect(answer.object).toMatchObject({
      input_amount: 10,
      recipients: [{ output_amount: 16680, exchange_rate: 1667.9347826087 }],
    });
    expect(answer.object.id).toBeUndefined();
    expect((await call('GET', '/transactions')).body.object).toEqual([]);
    expect((await call('GET', '/senders')).body.object).toEqual([]);
  });
});

describe('validate', () => {
  const validate = ({ call }: Bench, transaction: Json) =>
    call('POST', '/transactions/validate', { transaction });
  const phone_number = '+233302123400';
  const ghs = (ux_flow: string, in_details: Json = {}) => ({ type: 'GHS::Mobile', ux_flow, in_details });

  test('with nothing but payin methods says of each flow whether it is open', async () => {
    const bench = await startBench();
    const { status, body } = await validate(bench, {
      payin_methods: [
        ghs('ussd_popup', { phone_number, mobile_provider: 'mtn' }),
        ghs('ussd_menu_approval', { phone_number, mobile_provider: 'vodafone' }),
        ghs('ussd_popup', { mobile_provider: 'mtn' }),
        ghs('http_redirect'),
        { type: 'UGX::Mobile', ux_flow: 'ussd_popup', in_details: { phone_number: '+256772123400' } },
        { type: 'QQQ::Mobile', ux_flow: 'ussd_popup' },
        { type: 'GHS::Mobile' },
        'nonsense',
      ],
    });
    expect(status).toBe(200);
    expect(body.object.payin_methods.map(({ errors }: Json) => errors)).toEqual([
      {},
      { mobile_provider: [{ error: 'invalid' }] },
      { phone_number: [{ error: 'blank' }] },
      { ux_flow: [{ error: 'invalid' }] },
      {},
      { type: [{ error: 'invalid' }] },
      { ux_flow: [{ error: 'blank' }] },
      { base: [{ error: 'a payin method is an object' }] },
    ]);
    expect((await bench.call('GET', '/transactions')).body.object).toEqual([]);
  });

  test('a flow in another currency than the one named is closed, an unknown currency refuses the whole', async () => {
    const bench = await startBench();
    const payin_methods = [ghs('ussd_popup', { phone_number, mobile_provider: 'mtn' })];
    const other = await validate(bench, { input_currency: 'UGX', payin_methods });
    expect(other.status).toBe(200);
    expect(problemsAt(other.body.object.payin_methods[0].errors, 'type')).toEqual(['invalid']);
    const unknown = await validate(bench, { input_currency: 'QQQ', payin_methods });
    expect(unknown.status).toBe(422);
    expect(problemsAt(unknown.body.object.errors, 'input_currency')).toEqual(['invalid']);
  });

  test('with a sender or a recipient it is about a whole transaction', async () => {
    const bench = await startBench();
    const payin_methods = [ghs('ussd_popup', { phone_number, mobile_provider: 'mtn' })];
    for (const more of [{ sender: { external_id: 'x' } }, { recipients: [] }]) {
      const { status, body } = await validate(bench, { payin_methods, ...more });
      expect(status).toBe(422);
      expect(problemsAt(body.object.errors, 'recipients')).toEqual(['blank']);
    }
    for (const none of [{}, { payin_methods: [] }, { payin_methods: 'all' }])
      expect((await validate(bench, none)).status).toBe(422);
  });

  test('a used external id is taken, with the transaction that has it', async () => {
    const bench = await startBench();
    const made = await create(bench, {}, { external_id: 'used-1' });
    const whole = body({}, { external_id: 'used-1' }).transaction;
    for (const transaction of [whole, { external_id: 'used-1', payin_methods: [ghs('ussd_popup')] }]) {
      const refused = await validate(bench, transaction);
      expect(refused.status).toBe(422);
      expect(problemsAt(refused.body.object.errors, 'external_id')).toEqual(['taken']);
      expect(refused.body.meta.existing.transaction.id).toBe(made.body.object.id);
    }
    expect((await validate(bench, { ...whole, external_id: 'free-1' })).status).toBe(200);
  });
});

describe('edits', () => {
  async function failing() {
    const bench = await startBench();
    const { call } = bench;
    const sent = body({
      payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', '0123456719') },
    });
    const { body: answer } = await call('POST', '/transactions/create_and_fund', sent);
    await bench.sandbox.drain();
    return { ...bench, id: answer.object.recipients[0].id as string };
  }
  const details = (change: Json) => ({ recipient: { payout_method: { details: change } } });

  test('merge what is sent into what is there', async () => {
    const { call, id } = await failing();
    const { status, body } = await call('PATCH', `/recipients/${id}`, details({ street: 'Broad Street 1' }));
    expect(status).toBe(200);
    expect(body.object.payout_method.details).toMatchObject({
      street: 'Broad Street 1',
      bank_account: '0123456719',
    });
  });

  test.each([
    [details({ bank_account: '' }), 'payout_method.bank_account', 'blank'],
    [details({ bank_code: '999' }), 'payout_method.bank_code', 'invalid'],
    [{ recipient: { payout_method: { type: 'GHS::Bank' } } }, 'payout_method.type', 'invalid'],
    [{ recipient: { requested_amount: '20' } }, 'requested_amount', 'invalid'],
    [{ recipient: { metadata: 7 } }, 'metadata', 'invalid'],
    [{ recipient: { payout_method: 'x' } }, 'payout_method', 'invalid'],
  ])('%j is refused and changes nothing', async (edit, field, word) => {
    const { call, id, sandbox } = await failing();
    const { status, body } = await call('PATCH', `/recipients/${id}`, edit);
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, field)).toContain(word);
    await sandbox.drain();
    const list = await call('GET', '/recipients');
    expect(list.body.object[0]).toMatchObject({
      state: 'error',
      payout_method: { details: { bank_account: '0123456719' } },
    });
  });

  test('metadata alone is replaced, and tries nothing', async () => {
    const { call, id, sandbox } = await failing();
    const { body } = await call('PATCH', `/recipients/${id}`, { recipient: { metadata: { note: 1 } } });
    expect(body.object.metadata).toEqual({ note: 1 });
    await sandbox.drain();
    expect((await call('GET', '/logs/webhooks')).body.object).toEqual([]);
  });

  test('with that rule broken, an edit answers 200 and does nothing', async () => {
    const bench = await startBench({ breakRule: ['edit_ignored'] });
    const { body } = await create(bench);
    const { id } = body.object.recipients[0];
    const edited = await bench.call('PATCH', `/recipients/${id}`, details({ bank_account: '0123456701' }));
    expect(edited.status).toBe(200);
    expect(edited.body.object.payout_method.details.bank_account).toBe('0123456700');
  });

  test('cash keeps its pickup reference', async () => {
    const bench = await startBench();
    const cash = { type: 'MAD::Cash', details: payoutDetails('MAD::Cash', '+212600000001') };
    const { body: answer } = await bench.call(
      'POST',
      '/transactions/create_and_fund',
      body({ payout_method: cash }),
    );
    const { id } = answer.object.recipients[0];
    const before = (await bench.call('GET', '/recipients')).body.object[0].metadata.payment_reference;
    expect(before).toMatch(/^\d{9}$/);
    const { body: edited } = await bench.call('PATCH', `/recipients/${id}`, details({ first_name: 'Amina' }));
    expect(edited.object.metadata.payment_reference).toBe(before);
  });

  test('cash keeps it too when the provider is asked again', async () => {
    const bench = await startBench();
    const referenceNow = async () => {
      const [{ state, metadata }] = (await bench.call('GET', '/recipients')).body.object;
      return [state, metadata.payment_reference];
    };
    await bench.call('POST', '/_sandbox/faults', { fault: 'pending-loop', times: 2 });
    const cash = { type: 'MAD::Cash', details: payoutDetails('MAD::Cash', '+212600000001') };
    await bench.call('POST', '/transactions/create_and_fund', body({ payout_method: cash }));
    const [state, before] = await referenceNow();
    expect([state, before]).toEqual(['pending', expect.stringMatching(/^\d{9}$/)]);
    await bench.sandbox.advance(86_400_000);
    const [, after] = await referenceNow();
    expect(after).toBe(before);
  });
});

test('a refund that posts nothing is a rule to break on purpose', async () => {
  const bench = await startBench({ breakRule: ['refund_posts_nothing'] });
  const { body: answer } = await bench.call(
    'POST',
    '/transactions/create_and_fund',
    body({ payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', '0123456719') } }),
  );
  await bench.sandbox.drain();
  await bench.call('DELETE', `/recipients/${answer.object.recipients[0].id}`);
  await bench.sandbox.drain();
  expect((await bench.call('GET', `/transactions/${answer.object.id}`)).body.object.state).toBe('refunded');
  expect((await bench.call('GET', '/accounts/EUR')).body.object.amount).toBe(249990);
});
