/** The controls over HTTP: every one of them, who may use them, and what they refuse. */
import { describe, expect, test } from 'vitest';
import {
  CONTROL_TOKEN_HEADER,
  type ControlId,
  controlIds,
  controls,
} from '../../src/contract/controls/index.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { listen } from '../../src/sandbox/http/listen.ts';
import {
  type Bench,
  CONTROL_TOKEN,
  credentials,
  HOST,
  type Json,
  paymentBody,
  recipientBody,
  startBench,
} from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';

const payment = (externalId: string, number = '0123456701', more: Json = {}) =>
  paymentBody(externalId, number, more);

const collection = {
  input_currency: 'GHS',
  payin_methods: [
    {
      type: 'GHS::Mobile',
      ux_flow: 'ussd_popup',
      in_details: { phone_number: '+233302123400', mobile_provider: 'mtn' },
    },
  ],
};

const closing = closeAfterEach();

async function open(): Promise<Bench> {
  const bench = await startBench({ clock: { mode: 'standing', machine: { now: () => 1_800_000_000_000 } } });
  closing.push(() => bench.sandbox.close());
  return bench;
}

async function pay({ call }: Bench, externalId: string, number?: string, more?: Json): Promise<Json> {
  const path = more ? '/transactions' : '/transactions/create_and_fund';
  return (await call('POST', path, payment(externalId, number, more))).body.object;
}

describe('every control', () => {
  test('answers to the token, and does what it says', async () => {
    const bench = await open();
    const { call, sandbox } = bench;
    const asked = new Set<ControlId>();
    const ask = async (id: ControlId, parameter = '', body?: Json): Promise<Json> => {
      asked.add(id);
      const { method, path } = controls[id];
      const reply = await call(method, `/_sandbox${path.replace('{id}', parameter)}`, body);
      expect(reply.status, `${id} ${reply.text.slice(0, 300)}`).toBe(200);
      return reply.body.object;
    };
    const pending = await pay(bench, 'a');
    await sandbox.drain();
    expect(await ask('sandbox.payouts.answer', pending.recipients[0].id, { code: '416' })).toEqual([
      { id: pending.recipients[0].id, state: 'error' },
    ]);
    await ask('sandbox.settings.change', '', { kyc: 'operator' });
    expect((await ask('sandbox.settings.show')).kyc).toBe('operator');
    expect(await ask('sandbox.senders.decide', pending.sender.id, { decision: 'ban', reason: 'x' })).toEqual({
      id: pending.sender.id,
      state: 'banned',
    });
    for (const decision of ['approve', 'unban']) {
      const told = { decision, reason: 'nobody would read it' };
      const refused = await call('POST', `/_sandbox/senders/${pending.sender.id}`, told);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('"reason"')]);
    }
    await ask('sandbox.senders.decide', pending.sender.id, { decision: 'unban' });
    const paid = await pay(bench, 'b', '0123456719', collection);
    await sandbox.drain();
    await ask('sandbox.payins.receive', paid.id, { amount: '8' });
    await sandbox.drain();
    await call('DELETE', `/recipients/${paid.recipients[0].id}`);
    expect((await ask('sandbox.refunds.post', paid.id)).state).toBe('refunded');
    await ask('sandbox.settings.change', '', { review: true });
    const held = await pay(bench, 'c', '0123456700');
    expect((await ask('sandbox.reviews.decide', held.id, { decision: 'release' })).state).toBe('received');
    const toSouthAfrica = { recipients: [recipientBody('0123456700', 'ZAR::Bank')] };
    const mandate = payment('d', undefined, toSouthAfrica);
    const mandated = await call('POST', '/transactions/create_and_fund', mandate);
    const [{ mandate_id: mandateId }] = mandated.body.object.recipients;
    expect((await ask('sandbox.mandates.decide', mandateId, { status: 'signed' })).status).toBe('signed');
    const { id: faultId } = await ask('sandbox.faults.arm', '', { fault: 'slow', times: 2 });
    expect((await ask('sandbox.faults.list')).armed).toHaveLength(1);
    expect((await ask('sandbox.faults.disarm', faultId)).armed).toEqual([]);
    await ask('sandbox.faults.clear');
    const { now } = await ask('sandbox.clock.show');
    expect((await ask('sandbox.clock.advance', '', { advance_ms: 1000 })).now > now).toBe(true);
    expect((await ask('sandbox.clock.set', '', { now: '2026-03-01T00:00:00Z' })).now).toBe(
      '2026-03-01T00:00:00.000Z',
    );
    expect((await ask('sandbox.clock.run')).mode).toBe('running');
    expect((await ask('sandbox.clock.stop')).mode).toBe('standing');
    const story = await ask('sandbox.explain', held.id);
    expect(story.changes[0]).toMatchObject({
      object: 'sender',
      rule: 'sender.create-waived',
      basis: 'stated',
    });
    expect(story.changes.every((change: Json) => change.says !== '' && change.at && change.rule)).toBe(true);
    expect((await ask('sandbox.explain', held.recipients[0].id)).object).toBe('recipient');
    await ask('sandbox.settings.change', '', { kyc: 'waived', review: false });
    expect((await ask('sandbox.seed', '', {})).length).toBeGreaterThanOrEqual(10);
    const { amount } = (await call('GET', '/accounts/EUR')).body.object;
    expect(Number((await ask('sandbox.balances.credit', 'EUR', { amount: '500.25' })).amount)).toBe(
      amount + 500.25,
    );
    expect(await ask('sandbox.balances.credit', 'KES', { amount: '7' })).toMatchObject({
      currency: 'KES',
      amount: '7',
    });
    const state = await ask('sandbox.state');
    expect(state.states.transactions.refunded).toBeGreaterThanOrEqual(1);
    expect(state.ledger.wallet.EUR).toBe(state.balances.EUR);
    const snapshot = await bytes(bench, 'GET', '/_sandbox/snapshot');
    asked.add('sandbox.snapshot');
    expect((await ask('sandbox.reset')).counts.transactions).toBe(0);
    const restored = await bytes(bench, 'POST', '/_sandbox/restore', snapshot.body as Uint8Array);
    asked.add('sandbox.restore');
    expect(JSON.parse(String(restored.body)).object.counts).toEqual(state.counts);
    expect([...asked].sort()).toEqual([...controlIds].sort());
  });

  test.each<[string, string, Json, string]>([
    ['POST', '/clock/advance', { advance_ms: -1 }, 'advance_ms'],
    ['POST', '/clock/advance', { advance_ms: 1e15 }, 'advance_ms'],
    ['POST', '/clock/advance', { advance_ms: 1, seconds: 1 }, 'body'],
    ['POST', '/clock/set', { now: '1999-01-01' }, 'now'],
    ['POST', '/clock/set', { now: 'tomorrow' }, 'now'],
    ['PATCH', '/settings', { colour: 'red' }, 'colour'],
    ['POST', '/faults', { fault: 'gremlins' }, 'fault'],
    ['POST', '/faults', { fault: 'slow', corridor: 'NGN::Bank' }, 'corridor'],
    ['POST', '/faults', { fault: 'slow', operation: 'tea.make' }, 'operation'],
    ['POST', '/faults', { fault: 'provider-outage', corridor: 'QQQ::Bank' }, 'corridor'],
    ['POST', '/faults', { fault: 'webhook-duplicate', event: 'tea.made' }, 'event'],
    ['POST', '/faults', { fault: '5xx', status: 404 }, 'status'],
    ['POST', '/seed', { rounds: 0 }, 'rounds'],
    ['POST', '/balances/EUR', {}, 'amount'],
    ['POST', '/balances/EUR', { amount: '0' }, 'amount'],
    ['POST', '/balances/EUR', { amount: '-5' }, 'amount'],
    ['POST', '/balances/EUR', { amount: '5.001' }, 'amount'],
    ['POST', '/balances/UGX', { amount: '5.5' }, 'amount'],
  ])('%s %s %j is refused', async (method, path, body, field) => {
    const { call, sandbox } = await open();
    const before = sandbox.control.state();
    const reply = await call(method, `/_sandbox${path}`, body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.object.errors)).toContain(field);
    expect(sandbox.control.state()).toEqual(before);
  });

  test('that needs a machine clock says so where there is none', async () => {
    const { call } = await startBench();
    expect((await call('POST', '/_sandbox/clock/run')).status).toBe(422);
  });

  test('names of nothing are not found', async () => {
    const { call } = await open();
    for (const [path, body] of [
      ['/senders/x', { decision: 'approve' }],
      ['/payouts/x', { outcome: 'paid' }],
      ['/payins/x', {}],
      ['/reviews/x', { decision: 'hold' }],
      ['/refunds/x', undefined],
      ['/mandates/x', { status: 'signed' }],
      ['/balances/QQQ', { amount: '5' }],
      ['/balances/constructor', { amount: '5' }],
      ['/nothing', {}],
    ] as const) {
      expect((await call('POST', `/_sandbox${path}`, body)).status, path).toBe(404);
    }
    expect((await call('GET', '/_sandbox/explain/x')).status).toBe(404);
    expect((await call('DELETE', '/_sandbox/faults/f9')).status).toBe(404);
  });
});

function bytes({ sandbox }: Bench, method: string, url: string, body?: Uint8Array) {
  const headers = {
    host: HOST,
    [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN,
    'content-type': 'application/octet-stream',
  };
  return sandbox.handle({ method, url, headers, body });
}

describe('who may use them', () => {
  const token = { [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN };
  const get = async (headers: Record<string, string>, url = '/_sandbox/state') => {
    const { sandbox } = await open();
    return (await sandbox.handle({ method: 'GET', url, headers: { host: HOST, ...headers } })).status;
  };

  test('whoever has the token', async () => expect(await get(token)).toBe(200));
  test('nobody without it', async () => expect(await get({})).toBe(401));
  test('nobody with another', async () => expect(await get({ [CONTROL_TOKEN_HEADER]: 'x' })).toBe(401));
  test('nobody by the address', async () => {
    expect(await get({}, `/_sandbox/state?token=${CONTROL_TOKEN}`)).toBe(401);
  });
  test('no partner by key and signature', async () => {
    const url = `http://${HOST}/_sandbox/state`;
    expect(await get(signedHeaders(credentials, { nonce: 'n', method: 'GET', url }))).toBe(401);
  });
  test('no web page, not even with the token', async () => {
    expect(await get({ ...token, origin: 'http://127.0.0.1:4010' })).toBe(403);
  });
  test('nobody where there is no token', async () => {
    const { sandbox } = await startBench({ controlToken: undefined as unknown as string });
    const answer = await sandbox.handle({
      method: 'GET',
      url: '/_sandbox/state',
      headers: { host: HOST, ...token },
    });
    expect(answer.status).toBe(403);
  });

  test('what a form can send is no JSON', async () => {
    const { call } = await open();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const reply = await call(
        'POST',
        '/_sandbox/clock/advance',
        { advance_ms: 1 },
        { 'content-type': type },
      );
      expect(reply.status).toBe(415);
    }
    expect((await call('POST', '/_sandbox/clock/advance', '[]')).status).toBe(400);
  });

  test('a snapshot is bytes, and what is none changes nothing', async () => {
    const bench = await open();
    await pay(bench, 'a');
    const before = bench.sandbox.control.state();
    expect((await bench.call('POST', '/_sandbox/restore', {})).status).toBe(415);
    const whole = (await bytes(bench, 'GET', '/_sandbox/snapshot')).body as Uint8Array;
    for (const junk of [new Uint8Array(), new Uint8Array([1, 2, 3]), whole.slice(0, whole.length - 40)]) {
      expect((await bytes(bench, 'POST', '/_sandbox/restore', junk)).status).toBe(422);
    }
    expect(bench.sandbox.control.state()).toEqual(before);
  });

  test('a name that is not ours is refused before anything is read', async () => {
    const { sandbox } = await open();
    const listening = await listen(sandbox, { port: 0 });
    closing.unshift(() => listening.close());
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const headers = { host: 'rebound.example.com', ...token };
      request({ port: listening.port, host: '127.0.0.1', path: '/_sandbox/state', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });
});
