import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { collectBody } from '../../src/webhooks/intake/body-collector.ts';
import { MAX_BODY_BYTES, readBody } from '../../src/webhooks/intake/read-body.ts';
import { createReceiver } from '../../src/webhooks/intake/receiver.ts';
import { createRoom } from '../../src/webhooks/intake/room.ts';
import { isLong } from '../support/long.ts';
import { closeAfterEach, gate, portOf, shut } from '../support/servers.ts';

const KB = 1024;
const MB = 1024 * KB;
const crumb = Buffer.allocUnsafeSlow(1).fill('a');
const limits = (maxBytes = MB, bytes = 16 * MB) => ({
  maxBytes,
  room: createRoom({ bytes, reserve: 0, now: () => 0 }),
});
const from = (announced?: string) => ({ announced, address: 'a', onTaken() {} });

describe('a body out of its pieces', () => {
  it('is whole in a buffer of its size, and charged as what it holds', () => {
    const given = limits();
    const body = collectBody(given, from());
    for (let i = 0; i < 10_000; i++) expect(body.add(Buffer.from([i & 255]))).toBe(null);
    expect(16 * MB - given.room.left).toBe(16 * KB);
    const whole = body.whole();
    expect(Buffer.compare(whole, Buffer.from(Array.from({ length: 10_000 }, (_, i) => i & 255)))).toBe(0);
    expect(whole.buffer.byteLength).toBe(10_000);
    expect(16 * MB - given.room.left).toBe(10_000);
    body.letGo();
    body.letGo();
    expect(given.room.left).toBe(16 * MB);
  });

  it('is not copied when its one piece is all of it, and pins nothing else', () => {
    const own = Buffer.allocUnsafeSlow(1_500);
    const body = collectBody(limits(), from('1500'));
    body.add(own);
    expect(body.whole()).toBe(own);
    const cut = Buffer.allocUnsafeSlow(64 * KB).subarray(0, 1_500);
    const other = collectBody(limits(), from('1500'));
    other.add(cut);
    expect(other.whole().buffer.byteLength).toBe(1_500);
  });

  it('takes of the room what came, not what was announced', () => {
    const given = limits();
    const body = collectBody(given, from(`${MB}`));
    body.add(crumb);
    expect(16 * MB - given.room.left).toBe(256);
    for (let i = 1; i < 16; i++) expect(body.add(Buffer.alloc(64 * KB))).toBe(null);
    expect(body.add(Buffer.alloc(64 * KB - 1))).toBe(null);
    expect(16 * MB - given.room.left).toBe(MB);
    expect(body.whole().length).toBe(MB);
  });

  it.each(['', '0', '5', '-1', 'many'])('does not trust an announcement of "%s"', (announced) => {
    const body = collectBody(limits(), from(announced));
    for (const piece of ['more ', 'than ', 'that']) expect(body.add(Buffer.from(piece))).toBe(null);
    expect(Buffer.from(body.whole()).toString()).toBe('more than that');
    expect(collectBody(limits(), from(announced)).whole().length).toBe(0);
  });

  it('is refused when it is too large, too fine, or has no room, and holds nothing then', () => {
    const large = limits(10_000);
    const one = collectBody(large, from());
    expect([one.add(Buffer.alloc(10_000)), one.add(crumb)]).toEqual([null, 'too_large']);
    const narrow = limits(MB, 10 * KB);
    const two = collectBody(narrow, from());
    expect([two.add(Buffer.alloc(8 * KB)), two.add(Buffer.alloc(KB))]).toEqual([null, 'no_room']);
    const fine = limits();
    const three = collectBody(fine, from());
    let pieces = 1;
    while (three.add(crumb) === null) pieces++;
    expect(pieces).toBe(16_645);
    expect([large, narrow, fine].map(({ room }) => room.left)).toEqual([16 * MB, 10 * KB, 16 * MB]);
  });
});

const closing = closeAfterEach();

const CRUMB = '1\r\na\r\n';
function sendCrumbs(port: number, crumbs: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${CRUMB.repeat(crumbs)}`);
  return socket;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
const held = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

describe('over real sockets', () => {
  it.runIf(isLong)('crumbs cost what they are, while they arrive', async () => {
    const [sockets, crumbs] = [40, 16_000];
    let arrived = 0;
    const all = gate();
    const given = limits();
    const server = createServer((request) => {
      void readBody(request, given, 'a');
      request.on('data', () => {
        if (++arrived === sockets * crumbs) all.open();
      });
    });
    const port = await portOf(server);
    closing.push(() => shut(server));
    const before = held();
    for (let i = 0; i < sockets; i++) sendCrumbs(port, crumbs);
    await all.passed;
    expect(16 * MB - given.room.left).toBe(sockets * 16 * KB);
    expect(held() - before).toBeLessThan(16 * MB);
  });

  const receiving = async () => {
    const taken: number[] = [];
    const receiver = createReceiver({
      takeIn: async ({ rawBody }) => {
        taken.push(rawBody.length);
        return { outcome: 'invalid', receivedAt: 0 };
      },
      onTaken() {},
      onError() {},
    });
    const { port, url } = await receiver.listen(0);
    closing.push(receiver.close);
    return { taken, port, url };
  };

  it('a flood of them is refused, and the next is taken', async () => {
    const { taken, port, url } = await receiving();
    const before = process.memoryUsage().rss;
    const floods = Array.from({ length: 8 }, () => sendCrumbs(port, 200_000));
    await Promise.all(floods.map((socket) => once(socket.resume(), 'close')));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(MAX_BODY_BYTES) })).status).toBe(401);
    expect(taken).toEqual([MAX_BODY_BYTES]);
  });

  /** The head of a body that never comes whole, and its first bytes. */
  const stall = async (
    port: number,
    bytes: number,
  ): Promise<{ closed: Promise<void>; text: () => string }> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    closing.push(() => socket.destroy());
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${64 * KB}\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(head + 'a'.repeat(bytes), () => resolve()));
    return { closed, text: () => text };
  };

  it('257 senders of one byte each take no room from the others', async () => {
    const { url, port } = await receiving();
    for (let i = 0; i < 257; i++) await stall(port, 1);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(4 * KB) })).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(MAX_BODY_BYTES) })).status).toBe(401);
  });

  it('those that stall with all of the room give way, are answered 503, and their connections are closed', async () => {
    const { url, port, taken } = await receiving();
    const stalled = await Promise.all(Array.from({ length: 280 }, () => stall(port, 60 * KB)));
    const body = 'x'.repeat(60 * KB);
    // Those that stall are slow after a moment.
    while ((await fetch(url, { method: 'POST', body })).status === 503);
    taken.length = 0;
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(url, { method: 'POST', body })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(taken).toHaveLength(40);
    // Some gave way before the forty already.
    await Promise.race(stalled.map(({ closed }) => closed));
    const said = stalled.map(({ text }) => text()).filter((text) => text !== '');
    expect(said.length).toBeGreaterThan(0);
    for (const text of said) {
      expect(text).toMatch(/^HTTP\/1\.1 503 /);
      expect(text.toLowerCase()).toContain('connection: close');
    }
    expect(said.length).toBeLessThan(200);
  });
});
