/** Webhooks: signed, in order, tried again five times, and an endpoint that only times out is switched off. */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TransportError, type WireRequest } from '../../src/core/transport.ts';
import { type Bench, credentials, HOOK, paymentBody, startBench } from '../support/sandbox.ts';

async function listening(events: string[]): Promise<Bench> {
  const bench = await startBench();
  const { status } = await bench.call('POST', '/webhooks', { webhook: { url: HOOK, events } });
  expect(status).toBe(201);
  return bench;
}

const timeOut = (): never => {
  throw new TransportError('may_have_arrived', 'UND_ERR_HEADERS_TIMEOUT', 'no answer in time');
};

const minutes = (count: number) => count * 60_000;

describe('webhook deliveries', () => {
  test('a delivery names its endpoint, its event and the whole object', async () => {
    const bench = await listening(['transaction.paid_out']);
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('t-1'));
    await bench.sandbox.drain();
    expect(bench.received).toHaveLength(1);
    expect(bench.received[0]?.object).toMatchObject({ external_id: 't-1', state: 'paid' });
    const { body } = await bench.call('GET', '/webhooks');
    expect(JSON.parse(bench.received[0]?.request.body ?? '{}').webhook).toBe(body.object[0].id);
  });

  test('a delivery is signed as a request is, over the registered address: reckoned here without the program', async () => {
    const bench = await listening(['transaction.paid_out']);
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('t-1'));
    await bench.sandbox.drain();
    const { headers = {}, body = '' }: Partial<WireRequest> = bench.received[0]?.request ?? {};
    const nonce = headers['Authorization-Nonce'] ?? '';
    const digest = createHash('sha512').update(body).digest('hex');
    const signature = createHmac('sha512', credentials.secret)
      .update(`${nonce}&POST&${HOOK}&${digest}`)
      .digest('hex');
    expect(headers['Authorization-Key']).toBe(credentials.key);
    expect(headers['Authorization-Signature']).toBe(signature);
  });

  test('five more tries at 1, 5, 15, 60 and 240 minutes, with the same body and a new nonce, then it is dropped', async () => {
    const bench = await listening(['transaction.paid_out']);
    bench.receiver.answer = () => 500;
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('t-1'));
    await bench.sandbox.drain();
    for (const [delay, tries] of [
      [1, 2],
      [5, 3],
      [15, 4],
      [60, 5],
      [240, 6],
    ] as const) {
      await bench.sandbox.advance(minutes(delay) - 1);
      expect(bench.received).toHaveLength(tries - 1);
      await bench.sandbox.advance(1);
      expect(bench.received).toHaveLength(tries);
    }
    await bench.sandbox.advance(minutes(100_000));
    expect(bench.received).toHaveLength(6);
    expect(new Set(bench.received.map(({ request }) => request.body)).size).toBe(1);
    const nonces = bench.received.map(({ request }) => request.headers['Authorization-Nonce']);
    expect(new Set(nonces).size).toBe(6);
    const { body } = await bench.call('GET', '/logs/webhooks?per=100');
    expect(body.object.map((entry: { metadata: { tries: number } }) => entry.metadata.tries)).toEqual([
      6, 5, 4, 3, 2, 1,
    ]);
    expect(body.object[0].metadata.response.status).toBe('500');
    const one = await bench.call('GET', `/logs/${body.object[0].id}`);
    expect(one.body.object).toEqual(body.object[0]);
    expect(one.text).not.toContain(bench.received[5]?.request.headers['Authorization-Signature']);
  });

  test('a redirect is a failure and is not followed', async () => {
    const bench = await listening(['transaction.paid_out']);
    bench.receiver.answer = () => 302;
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('t-1'));
    await bench.sandbox.drain();
    bench.receiver.answer = () => 204;
    await bench.sandbox.advance(minutes(300));
    expect(bench.received).toHaveLength(2);
  });

  test('three deliveries in a row that only time out switch the endpoint off', async () => {
    const bench = await listening(['transaction.paid_out']);
    bench.receiver.answer = timeOut;
    for (const id of ['t-1', 't-2', 't-3', 't-4']) {
      await bench.call('POST', '/transactions/create_and_fund', paymentBody(id));
      await bench.sandbox.drain();
    }
    const { body } = await bench.call('GET', '/webhooks');
    expect(body.object[0].state).toBe('disabled');
    bench.receiver.answer = () => 200;
    await bench.sandbox.advance(minutes(600));
    expect(bench.received).toHaveLength(0);
  });

  test('an answer in between keeps the endpoint on, and one delivery may use up its tries', async () => {
    const bench = await listening(['transaction.paid_out']);
    bench.receiver.answer = timeOut;
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('t-1'));
    await bench.sandbox.advance(minutes(400));
    const { body } = await bench.call('GET', '/logs/webhooks');
    expect(body.meta.pagination.total_count).toBe(6);
    expect((await bench.call('GET', '/webhooks')).body.object[0].state).toBeUndefined();
  });

  test('a removed endpoint gets nothing more', async () => {
    const bench = await listening(['transaction.paid_out']);
    bench.receiver.answer = () => 500;
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('t-1'));
    await bench.sandbox.drain();
    const { body } = await bench.call('GET', '/webhooks');
    const removed = await bench.call('DELETE', `/webhooks/${body.object[0].id}`);
    expect(removed.body.object.url).toBe(HOOK);
    await bench.sandbox.advance(minutes(400));
    expect(bench.received).toHaveLength(1);
    expect((await bench.call('GET', `/webhooks/${body.object[0].id}`)).status).toBe(404);
  });
});

describe('registration', () => {
  test.each([
    ['http://192.0.2.1/hook', 'invalid'],
    ['http://example.com/hook', 'invalid'],
    ['ftp://127.0.0.1/hook', 'invalid'],
    ['http://user@127.0.0.1/hook', 'invalid'],
    ['http://127.0.0.1.example.com/', 'invalid'],
    ['not a url', 'invalid'],
    ['', 'blank'],
  ])('%s is refused', async (url, word) => {
    const { call } = await startBench();
    const { status, body } = await call('POST', '/webhooks', {
      webhook: { url, events: ['transaction.paid_out'] },
    });
    expect(status).toBe(422);
    expect(body.object.errors.url).toEqual([{ error: word }]);
  });

  test('hosts named at the start are reached too', async () => {
    const { call } = await startBench({ deliverTo: ['hooks.example.com'] });
    const webhook = { url: 'https://hooks.example.com/in', events: ['transaction.paid_out'] };
    expect((await call('POST', '/webhooks', { webhook })).status).toBe(201);
  });

  test('events must be known', async () => {
    const { call } = await startBench();
    const refused = await call('POST', '/webhooks', {
      webhook: { url: HOOK, events: ['transaction.payed'] },
    });
    expect(refused.body.object.errors.events).toEqual([{ error: 'invalid' }]);
    const { body } = await call('GET', '/webhooks/events');
    expect(body.object).toContain('recipient.error');
    expect(body.object).toHaveLength(38);
  });
});
