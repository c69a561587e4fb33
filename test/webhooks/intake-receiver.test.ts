import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../src/disk/store-error.ts';
import { allowedFrom } from '../../src/webhooks/intake/address.ts';
import type { ForwardOptions } from '../../src/webhooks/intake/forward.ts';
import { createReceiver } from '../../src/webhooks/intake/receiver.ts';
import {
  bodyOf,
  credentials,
  deliverTo,
  headersFor,
  type Listening,
  type Sent,
  startListening,
} from '../support/listening.ts';
import { standingClock } from '../support/stores.ts';

let at: Listening;
afterEach(() => at.close());

const start = async (over: Parameters<typeof startListening>[0] = {}): Promise<void> => {
  at = await startListening(over);
};
const deliver = (body: string, sent: Sent = {}) => deliverTo(at.base, body, sent);
const kept = () => at.inbox.list({}, { limit: 100 });

describe('the receiver', () => {
  it('keeps a delivery, byte for byte with its headers, before it acknowledges it', async () => {
    await start();
    const body = bodyOf('naïve');
    const response = await deliver(body);
    expect([response.status, await response.text()]).toEqual([200, 'kept\n']);
    const [row] = await kept();
    expect(row).toMatchObject({ event: 'recipient.error', objectId: 'naïve', state: 'kept' });
    const whole = await at.inbox.get(row?.id ?? '');
    expect(Buffer.from(whole?.body ?? []).toString('utf8')).toBe(body);
    expect(whole?.headers).toContainEqual(['Authorization-Key', credentials.key]);
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ id: row?.id, signature: 'valid', duplicate: false, repeat: false });
    expect(Buffer.from(told?.body ?? []).toString('utf8')).toBe(body);
  });

  it.each([
    ['full', new StoreError('full', 'inbox.db', 'no room')],
    ['broken', new Error('whatever it is')],
  ])('answers 503 to what it could not keep (%s), and goes on', async (_, error) => {
    await start();
    const { inbox } = at;
    const keep = inbox.keep.bind(inbox);
    inbox.keep = () => Promise.reject(error);
    expect((await deliver(bodyOf('a'))).status).toBe(503);
    expect(at.errors).toEqual([error]);
    inbox.keep = keep;
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    expect(await kept()).toHaveLength(1);
  });

  it('drops what came before under the same nonce, and marks what comes under a new one', async () => {
    await start();
    const same = { nonce: 'once' };
    for (const sent of [same, same, {}]) expect((await deliver(bodyOf('a'), sent)).status).toBe(200);
    const told = await at.told.count(3);
    expect(told.map(({ duplicate, repeat }) => [duplicate, repeat])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
    expect(told[1]?.id).toBe(told[0]?.id);
    expect(await kept()).toHaveLength(2);
  });

  it('verifies against the public URL, exactly', async () => {
    await start({ publicUrl: 'https://hooks.partner.example/in?x=1' });
    const signedUrl = 'https://hooks.partner.example/in?x=1';
    expect((await deliver(bodyOf('a'), { url: `${at.base}/anything`, signedUrl })).status).toBe(200);
    const refused = await deliver(bodyOf('b'));
    expect([refused.status, await refused.text()]).toEqual([401, 'the signature does not verify\n']);
    expect((await at.told.count(2))[1]).toMatchObject({
      signature: 'invalid',
      event: null,
      from: '127.0.0.1',
    });
  });

  it('accepts several secrets, and no other', async () => {
    const old = { key: credentials.key, secret: 'the-one-before' };
    const other = { key: 'key_other_1', secret: 'of-another-profile' };
    await start({ secrets: [credentials, old, other] });
    for (const by of [credentials, old, other]) expect((await deliver(bodyOf('a'), { by })).status).toBe(200);
    for (const by of [
      { key: old.key, secret: other.secret },
      { key: other.key, secret: old.secret },
      { key: 'key_unknown', secret: credentials.secret },
      { key: old.key, secret: '' },
    ])
      expect((await deliver(bodyOf('a'), { by })).status).toBe(401);
  });

  it('refuses what is not signed, not a delivery, not a POST, or too large', async () => {
    await start();
    const unsigned = await fetch(`${at.base}/hooks`, { method: 'POST', body: bodyOf('a') });
    expect(unsigned.status).toBe(401);
    expect((await deliver('{"no":"delivery"}')).status).toBe(400);
    expect((await deliver('')).status).toBe(400);
    const got = await fetch(at.base);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await deliver('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await deliver(bodyOf('after'))).status).toBe(200);
    expect(await kept()).toHaveLength(1);
    const refused = await at.inbox.refusals(10);
    expect(refused.map(({ cause }) => cause)).toEqual(['not_a_delivery', 'not_a_delivery', 'missing_header']);
  });

  it('answers one path only, where one is named, and only those who may send', async () => {
    await start({ path: '/hooks', allows: allowedFrom(['10.0.0.0/8', '127.0.0.0/8']) });
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    expect((await deliver(bodyOf('b'), { url: `${at.base}/other` })).status).toBe(404);
    await at.close();
    await start({ allows: allowedFrom(['203.0.113.0/24', '2001:db8::/32']) });
    expect((await deliver(bodyOf('a'))).status).toBe(403);
    expect(await kept()).toEqual([]);
  });

  it('believes the last address that a trusted proxy names, and no other', async () => {
    const allows = allowedFrom(['203.0.113.7']);
    const send = (forwarded: string) => {
      const url = `${at.base}/`;
      const headers = { ...headersFor(url, bodyOf('a')), 'x-forwarded-for': forwarded };
      return fetch(url, { method: 'POST', body: bodyOf('a'), headers });
    };
    await start({ allows, trustProxy: true });
    expect((await send('198.51.100.1, 203.0.113.7')).status).toBe(200);
    expect((await send('203.0.113.7, 198.51.100.1')).status).toBe(403);
    expect((await send('198.51.100.1, 203.0.113.7:4711')).status).toBe(200);
    expect((await send('203.0.113.7, 198.51.100.1:4711')).status).toBe(403);
    expect((await send('203.0.113.7:x')).status).toBe(403);
    await at.close();
    await start({ allows: allowedFrom(['2001:db8::1']), trustProxy: true });
    for (const address of ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:4711'])
      expect((await send(address)).status).toBe(200);
    expect((await send('[2001:db8::2]:4711')).status).toBe(403);
    await at.close();
    await start({ allows, trustProxy: false });
    expect((await send('203.0.113.7')).status).toBe(403);
  });

  it('believes the forwarded host of a trusted proxy only', async () => {
    const signedUrl = 'https://hooks.partner.example/in';
    const send = () => {
      const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'hooks.partner.example' };
      const headers = { ...headersFor(signedUrl, bodyOf('a')), ...forwarded };
      return fetch(`${at.base}/in`, { method: 'POST', body: bodyOf('a'), headers });
    };
    await start({ trustProxy: true });
    expect((await send()).status).toBe(200);
    await at.close();
    await start();
    expect((await send()).status).toBe(401);
  });

  it('keeps the connection, and takes chunked bodies', async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const id of ['a', 'b', 'c']) {
      const body = bodyOf(id);
      const url = `${at.base}/h`;
      const sent = httpRequest(url, { method: 'POST', agent, headers: headersFor(url, body) });
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
    const sent = Array.from({ length: 200 }, (_, i) => deliver(bodyOf(`r-${i}`), { nonce: `n-${i % 150}` }));
    expect((await Promise.all(sent)).every(({ status }) => status === 200)).toBe(true);
    await at.told.count(200);
    expect(await at.inbox.list({}, { limit: 1_000 })).toHaveLength(200);
  });

  it('says when its port is taken', async () => {
    await start();
    const options = { takeIn: () => Promise.reject(new Error('unused')), onTaken() {}, onError() {} };
    const other = createReceiver(options);
    const port = Number(new URL(at.base).port);
    await expect(other.listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('closes although a request never ends and a connection idles', async () => {
    await start();
    const port = Number(new URL(at.base).port);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const half = connect(port, '127.0.0.1');
    half.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\nhalf');
    await once(half, 'data');
    const ends = Promise.all([once(half, 'close'), once(idle, 'close')]);
    half.on('error', () => {});
    await at.listener.close(0);
    await ends;
    expect(at.told.all).toEqual([]);
  });
});

describe('what does not verify', () => {
  it('is counted, shown and kept within bounds, and examined once a second', async () => {
    await start();
    const forged = () => deliver(bodyOf('a'), { by: { ...credentials, secret: 'close' } });
    const answers = await Promise.all(Array.from({ length: 100 }, forged));
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    const told = await at.told.count(20);
    expect(told).toHaveLength(20);
    expect(told.filter(({ cause }) => cause !== null)).toHaveLength(1);
    expect(at.listener.counts.invalid).toBe(100);
    expect((await at.inbox.refusals(1_000)).length).toBeLessThanOrEqual(5);
    at.clock.advance(1_000);
    await forged();
    expect((await at.told.count(21))[20]).toMatchObject({ unshown: 80, cause: 'secret' });
  });

  it('is not examined when it is large', async () => {
    await start();
    await deliver(bodyOf('a'.repeat(70_000)), { by: { ...credentials, secret: 'close' } });
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ signature: 'invalid', cause: null });
    const [refusal] = await at.inbox.refusals(1);
    expect(refusal?.body.length).toBe(65_536);
    expect(refusal?.bodyBytes).toBeGreaterThan(70_000);
  });

  it('is forwarded four at once and 4 MB together, the rest is only told', async () => {
    const release: (() => void)[] = [];
    const sent: number[] = [];
    const transport: ForwardOptions['transport'] = async ({ body }) => {
      sent.push(body?.length ?? 0);
      await new Promise<void>((resolve) => release.push(resolve));
      return { status: 204, headers: {}, body: '', bodyBytes: 0 };
    };
    const invalidTo = { to: 'http://handler.example/', transport, clock: standingClock() };
    await start({ invalidTo, maxBytes: 3 * 1024 * 1024 });
    const forge = async (count: number, bytes: number): Promise<void> => {
      for (let i = 0; i < count; i++)
        await deliver('x'.repeat(bytes), { by: { ...credentials, secret: 'close' } });
    };
    const errors = () =>
      at.told.all.map(({ forward_error, forward_status }) => forward_error ?? forward_status);
    const refused = 'not forwarded: too many at once';
    await forge(6, 10);
    await at.told.count(2);
    expect([sent.length, errors()]).toEqual([4, [refused, refused]]);
    for (const done of release.splice(0)) done();
    expect((await at.told.count(6)).slice(2).map((one) => one.forward_status)).toEqual([204, 204, 204, 204]);
    await forge(2, 2.5 * 1024 * 1024);
    await at.told.count(7);
    expect([sent.length, errors()[6]]).toEqual([5, refused]);
    for (const done of release.splice(0)) done();
    await at.told.count(8);
    expect(errors()[7]).toBe(204);
  });
});
