/** The sandbox on a port: real sockets, real deliveries, the clock's work by itself. */

import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createNetworkTransport } from '../../src/client/network-transport.ts';
import { CONTROL_TOKEN_HEADER } from '../../src/contract/controls/index.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { credentials, type Json, paymentBody, person } from '../support/sandbox.ts';
import { closeAfterEach, gate, portOf } from '../support/servers.ts';

const TOKEN = 'token-of-the-tests';
const closing = closeAfterEach();

async function open(options: Partial<SandboxOptions> = {}) {
  const transport = await createNetworkTransport();
  const sandbox = await createSandbox({
    credentials,
    transport: transport.send,
    controlToken: TOKEN,
    ...options,
  });
  const listening = await listen(sandbox, { port: 0 });
  closing.push(
    () => listening.close(),
    () => sandbox.close(),
    () => transport.close(),
  );
  let nonces = 0;
  const call = async (method: string, path: string, body?: Json) => {
    nonces += 1;
    const url = new URL(path, listening.url).href;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const signed = signedHeaders(credentials, { nonce: `n-${nonces}`, method, url, body: text });
    const headers = path.startsWith('/_sandbox')
      ? { [CONTROL_TOKEN_HEADER]: TOKEN, 'content-type': 'application/json' }
      : signed;
    const limits = { connectTimeoutMs: 2000, responseTimeoutMs: 5000 };
    const answer = await transport.send({ method, url, headers, body: text, ...limits });
    return { status: answer.status, body: JSON.parse(answer.body) as Json };
  };
  return { sandbox, listening, call };
}

const payment = paymentBody('x-1', '0123456700', { sender: person });

describe('a port of this machine', () => {
  test('payouts run and webhooks arrive by themselves, on a clock that stands', async () => {
    const { call } = await open();
    const arrived = gate<Json>();
    const server = createServer(async (request, response) => {
      arrived.open(await json(request));
      response.end();
    });
    const url = `http://127.0.0.1:${await portOf(server)}/in`;
    closing.push(() => new Promise((done) => server.close(done)));
    await call('POST', '/v1/webhooks', { webhook: { url, events: ['transaction.paid_out'] } });
    const created = await call('POST', '/v1/transactions/create_and_fund', payment);
    expect(created.body.object.state).toBe('received');
    expect((await arrived.passed).object.state).toBe('paid');
  });

  test('control moves the clock and shows the state', async () => {
    const { call } = await open();
    const { body } = await call('POST', '/v1/transactions', payment);
    const moved = await call('POST', '/_sandbox/clock/advance', { advance_ms: 61 * 60_000 });
    expect(moved.body.object).toEqual({ mode: 'standing', now: '2026-01-05T10:01:00.000Z' });
    expect((await call('GET', `/v1/transactions/${body.object.id}`)).body.object.state).toBe('canceled');
    expect((await call('GET', '/_sandbox/clock')).body.object.mode).toBe('standing');
    const { object } = (await call('GET', '/_sandbox/state')).body;
    expect(object).toMatchObject({
      counts: { transactions: 1 },
      rules_broken: [],
      settings: { kyc: 'waived' },
    });
    expect((await call('PATCH', '/_sandbox/settings', { wtr2: true })).body.object.wtr2).toBe(true);
    for (const bad of [{ wtr2: 'yes' }, { colour: 'red' }]) {
      expect((await call('PATCH', '/_sandbox/settings', bad)).status).toBe(422);
    }
    for (const advance_ms of [-1, 0.5, '60', 1e15]) {
      expect((await call('POST', '/_sandbox/clock/advance', { advance_ms })).status).toBe(422);
    }
    expect((await call('POST', '/_sandbox/nothing', {})).status).toBe(404);
  });

  test('on a running clock a task runs when its time comes', async () => {
    let now = 1_000;
    const { sandbox, call } = await open({ clock: { mode: 'running', machine: { now: () => now } } });
    const { body } = await call('POST', '/v1/transactions', payment);
    now += 3_600_000;
    expect((await call('GET', `/v1/transactions/${body.object.id}`)).body.object.state).toBe('canceled');
    await sandbox.advance(1000);
    expect(sandbox.clock.now()).toBe(3_602_000);
  });

  test('requests under another name are refused', async () => {
    const { listening } = await open();
    const status = await new Promise((resolve, reject) => {
      httpRequest(
        { port: listening.port, host: '127.0.0.1', path: '/v1/accounts', headers: { host: 'evil.example' } },
        (response) => resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  test('ten megabytes are refused before they are read', async () => {
    const { listening } = await open();
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(listening.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.write('POST /v1/transactions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10485760\r\n\r\n');
      socket.write('x'.repeat(1000));
      socket.on('data', () => socket.end());
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a request tells that whoever asked has gone, however late it is asked', async () => {
    const sandbox = await createSandbox({ credentials });
    const [begun, left] = [gate<boolean>(), gate<boolean>()];
    const handle: Sandbox['handle'] = async ({ gone = () => AbortSignal.abort() }) => {
      const early = gone();
      begun.open(early.aborted);
      await once(early, 'abort');
      left.open(gone().aborted);
      return { status: 200, headers: {}, body: '' };
    };
    const listening = await listen({ ...sandbox, handle }, { port: 0 });
    closing.push(
      () => listening.close(),
      () => sandbox.close(),
    );
    const request = httpRequest({ port: listening.port, host: '127.0.0.1', path: '/v1/accounts' });
    request.on('error', () => undefined).end();
    expect(await begun.passed).toBe(false);
    request.destroy();
    expect(await left.passed).toBe(true);
  });

  test('the root says what this is', async () => {
    const { listening } = await open();
    const response = await fetch(`http://127.0.0.1:${listening.port}/`);
    expect(await response.text()).toContain('remit sandbox');
  });

  test('a port in use is an error', async () => {
    const { listening, sandbox } = await open();
    await expect(listen(sandbox, { port: listening.port })).rejects.toThrow('EADDRINUSE');
  });
});

test('as a function of web requests it answers the same', async () => {
  const sandbox = await createSandbox({ credentials });
  const url = 'http://127.0.0.1:4010/v1/transactions';
  const body = JSON.stringify(payment);
  const headers = signedHeaders(credentials, { nonce: 'n-1', method: 'POST', url, body });
  const response = await sandbox.fetch(new Request(url, { method: 'POST', headers, body }));
  expect(response.status).toBe(201);
  expect((await response.json()) as Json).toMatchObject({ object: { state: 'approved' } });
});
