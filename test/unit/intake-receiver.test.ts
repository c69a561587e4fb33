import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNetworkTransport, type NetworkTransport } from '../../src/client/network-transport.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import type { Inbox } from '../../src/core/ports/inbox.ts';
import { seededRandom } from '../../src/core/random.ts';
import { createReceiver, type Receiver, type ReceiverOptions } from '../../src/intake/receiver.ts';
import type { DeliveryRecord } from '../../src/intake/take-in.ts';
import { memoryStore } from '../../src/store/memory.ts';
import { standingClock } from '../support/stores.ts';

const credentials = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const clock = standingClock();

let inbox: Inbox;
let records: DeliveryRecord[];
let errors: unknown[];
let receiver: Receiver;
let base: string;
let waiting: (() => void)[];

async function start(over: Partial<ReceiverOptions> = {}): Promise<void> {
  receiver = createReceiver({
    credentials,
    inbox,
    clock,
    onDelivery(record) {
      records.push(record);
      for (const wake of waiting.splice(0)) wake();
    },
    onError: (error) => errors.push(error),
    ...over,
  });
  base = (await receiver.listen(0)).url;
}

/** Resolves once so many deliveries were told. */
async function told(count: number): Promise<DeliveryRecord[]> {
  while (records.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  return records;
}

beforeEach(() => {
  inbox = memoryStore({ clock, random: seededRandom(1) }).inbox;
  records = [];
  errors = [];
  waiting = [];
});
afterEach(() => receiver.close());

let count = 0;
const bodyOf = (id: string) => JSON.stringify({ webhook: 'w-1', event: 'recipient.error', object: { id } });
const headersFor = (url: string, body: string) => ({
  ...signedHeaders(credentials, { nonce: `nonce-${count++}`, method: 'POST', url, body }),
  'content-type': 'application/json',
});
const deliver = (body: string, to: { url?: string; signedUrl?: string } = {}) => {
  const url = to.url ?? `${base}/hooks?team=a%20b`;
  return fetch(url, { method: 'POST', body, headers: headersFor(to.signedUrl ?? url, body) });
};

describe('the receiver', () => {
  it('keeps a delivery, byte for byte, before it acknowledges it', async () => {
    await start();
    const body = bodyOf('naïve');
    const response = await deliver(body);
    expect(response.status).toBe(200);
    expect(Buffer.from(inbox.list()[0]?.body ?? []).toString('utf8')).toBe(body);
    const [record] = await told(1);
    expect(record).toMatchObject({ verdict: 'new', status: 200, id: inbox.list()[0]?.id, ms: 0 });
    expect(record?.delivery?.event).toBe('recipient.error');
  });

  it('does not acknowledge what it could not keep', async () => {
    const full = () => {
      throw new Error('the disk is full');
    };
    await start({ inbox: { ...inbox, keep: full } });
    expect((await deliver(bodyOf('a'))).status).toBe(500);
    expect(errors).toHaveLength(1);
    expect(records).toHaveLength(0);
  });

  it('drops duplicates and acknowledges them', async () => {
    await start();
    for (const _ of [1, 2, 3]) expect((await deliver(bodyOf('a'))).status).toBe(200);
    const [first, second] = await told(3);
    expect(records.map(({ verdict }) => verdict)).toEqual(['new', 'duplicate', 'duplicate']);
    expect(second?.id).toBe(first?.id);
    expect(inbox.list()).toHaveLength(1);
  });

  it('verifies against the public URL, exactly', async () => {
    await start({ publicUrl: 'https://hooks.partner.example/in?x=1' });
    const signedUrl = 'https://hooks.partner.example/in?x=1';
    expect((await deliver(bodyOf('a'), { url: `${base}/anything`, signedUrl })).status).toBe(200);
    expect((await deliver(bodyOf('b'))).status).toBe(401);
    expect((await told(2))[1]).toMatchObject({ verdict: 'refused', finding: { cause: 'url' } });
  });

  it('refuses what is not signed, not a delivery, not a POST, or too large', async () => {
    await start();
    const unsigned = await fetch(`${base}/hooks`, { method: 'POST', body: bodyOf('a') });
    expect([unsigned.status, await unsigned.text()]).toEqual([401, 'missing_header\n']);
    expect((await deliver('{"no":"delivery"}')).status).toBe(400);
    expect((await deliver('')).status).toBe(400);
    const got = await fetch(base);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await deliver('x'.repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await deliver(bodyOf('after'))).status).toBe(200);
    expect(inbox.list()).toHaveLength(1);
  });

  it('keeps the connection, and takes chunked bodies', async () => {
    await start();
    const { Agent } = await import('node:http');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const id of ['a', 'b', 'c']) {
      const body = bodyOf(id);
      const sent = httpRequest(`${base}/h`, {
        method: 'POST',
        agent,
        headers: headersFor(`${base}/h`, body),
      });
      sent.write(body.slice(0, 10));
      sent.end(body.slice(10));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      ports.add(response.socket.localPort);
      response.resume();
      await once(response, 'end');
      expect(response.statusCode).toBe(200);
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('takes many at once, each once', async () => {
    await start();
    const ids = Array.from({ length: 40 }, (_, i) => `r-${i % 20}`);
    const responses = await Promise.all(ids.map((id) => deliver(bodyOf(id))));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    await told(40);
    expect(inbox.list()).toHaveLength(20);
  });

  it('says when its port is taken', async () => {
    await start();
    const other = createReceiver({ credentials, inbox, clock, onDelivery() {}, onError() {} });
    await expect(other.listen(Number(new URL(base).port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('closes although a request never ends and a connection idles', async () => {
    await start();
    const port = Number(new URL(base).port);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const half = connect(port, '127.0.0.1');
    half.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\nhalf');
    await once(half, 'data');
    const ends = Promise.all([once(half, 'close'), once(idle, 'close')]);
    half.on('error', () => {});
    await receiver.close();
    await ends;
    expect(records).toEqual([]);
  });
});

describe('forwarding', () => {
  let handlerStatus: number;
  let got: { headers: IncomingMessage['headers']; body: string }[];
  let network: NetworkTransport;
  let to: string;
  let held: Promise<void> | undefined;
  const handler = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    await held;
    response.writeHead(handlerStatus).end();
  });

  beforeEach(async () => {
    handlerStatus = 204;
    got = [];
    held = undefined;
    network = await createNetworkTransport();
    await new Promise<void>((resolve) => handler.listen(0, '127.0.0.1', resolve));
    to = `http://127.0.0.1:${(handler.address() as AddressInfo).port}/handle`;
  });
  afterEach(async () => {
    await network.close();
    handler.closeAllConnections();
    await new Promise((resolve) => handler.close(resolve));
  });
  const forwarding = (strict = false) => ({ to, transport: network.send, strict });

  it('passes body and signature on as they came, and duplicates not', async () => {
    await start({ forwarding: forwarding() });
    const body = bodyOf('naïve');
    await deliver(body);
    await deliver(body);
    await told(2);
    expect(got).toHaveLength(1);
    expect(got[0]?.body).toBe(body);
    expect(got[0]?.headers).toMatchObject({
      'authorization-key': credentials.key,
      'content-type': 'application/json',
    });
    expect(records.map((record) => record.forward)).toEqual([{ status: 204 }, undefined]);
  });

  it('does not pass on what does not verify', async () => {
    await start({ forwarding: forwarding() });
    await deliver(bodyOf('a'), { signedUrl: 'https://else.example/' });
    await told(1);
    expect(got).toEqual([]);
  });

  it('acknowledges before the handler answers, whatever it answers', async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    handlerStatus = 500;
    await start({ forwarding: forwarding() });
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    const closing = receiver.close();
    expect(records).toHaveLength(0);
    release();
    await closing;
    expect(records).toMatchObject([{ status: 200, forward: { status: 500 } }]);
  });

  it('acknowledges when there is no handler', async () => {
    await start({ forwarding: { to: 'http://127.0.0.1:1/', transport: network.send } });
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    expect((await told(1))[0]?.forward).toHaveProperty('error');
  });

  it('when strict, asks for the delivery again until the handler takes it, then no more', async () => {
    handlerStatus = 503;
    await start({ forwarding: forwarding(true) });
    expect((await deliver(bodyOf('a'))).status).toBe(502);
    handlerStatus = 200;
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    await told(3);
    expect(got).toHaveLength(2);
    expect(records.map(({ verdict, status }) => [verdict, status])).toEqual([
      ['new', 502],
      ['duplicate', 200],
      ['duplicate', 200],
    ]);
  });
});
