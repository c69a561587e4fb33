import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { collectBody } from '../../src/intake/body-collector.ts';
import { MAX_BODY_BYTES, readBody } from '../../src/intake/read-body.ts';
import { createReceiver } from '../../src/intake/receiver.ts';
import { isLong } from '../support/long.ts';
import { closeAfterEach, gate, portOf, shut } from '../support/servers.ts';

const KB = 1024;
const MB = 1024 * KB;
const crumb = Buffer.allocUnsafeSlow(1).fill('a');
const limits = (maxBytes = MB, left = 16 * MB) => ({ maxBytes, room: { left } });

describe('a body out of its pieces', () => {
  it('is whole in a buffer of its size, and charged as what it holds', () => {
    const given = limits();
    const body = collectBody(given, undefined);
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
    const body = collectBody(limits(), '1500');
    body.add(own);
    expect(body.whole()).toBe(own);
    const cut = Buffer.allocUnsafeSlow(64 * KB).subarray(0, 1_500);
    const other = collectBody(limits(), '1500');
    other.add(cut);
    expect(other.whole().buffer.byteLength).toBe(1_500);
  });

  it('takes little of the room on an announcement alone', () => {
    const given = limits();
    const body = collectBody(given, `${MB}`);
    body.add(crumb);
    expect(16 * MB - given.room.left).toBe(64 * KB);
    for (let i = 1; i < 16; i++) expect(body.add(Buffer.alloc(64 * KB))).toBe(null);
    expect(body.add(Buffer.alloc(64 * KB - 1))).toBe(null);
    expect(16 * MB - given.room.left).toBe(MB);
    expect(body.whole().length).toBe(MB);
  });

  it.each(['', '0', '5', '-1', 'many'])('does not trust an announcement of "%s"', (announced) => {
    const body = collectBody(limits(), announced);
    for (const piece of ['more ', 'than ', 'that']) expect(body.add(Buffer.from(piece))).toBe(null);
    expect(Buffer.from(body.whole()).toString()).toBe('more than that');
    expect(collectBody(limits(), announced).whole().length).toBe(0);
  });

  it('is refused when it is too large, too fine, or has no room, and holds nothing then', () => {
    const large = limits(10_000);
    const one = collectBody(large, undefined);
    expect([one.add(Buffer.alloc(10_000)), one.add(crumb)]).toEqual([null, 'too_large']);
    const narrow = limits(MB, 10 * KB);
    const two = collectBody(narrow, undefined);
    expect([two.add(Buffer.alloc(8 * KB)), two.add(Buffer.alloc(KB))]).toEqual([null, 'no_room']);
    const fine = limits();
    const three = collectBody(fine, undefined);
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
  it.runIf(isLong)(
    'crumbs cost what they are, while they arrive',
    async () => {
      const [sockets, crumbs] = [40, 16_000];
      let arrived = 0;
      const all = gate();
      const given = limits();
      const server = createServer((request) => {
        void readBody(request, given);
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
    },
    60_000,
  );

  it('a flood of them is refused, and the next is taken', async () => {
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
    const before = process.memoryUsage().rss;
    const floods = Array.from({ length: 8 }, () => sendCrumbs(port, 200_000));
    await Promise.all(floods.map((socket) => once(socket.resume(), 'close')));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(MAX_BODY_BYTES) })).status).toBe(401);
    expect(taken).toEqual([MAX_BODY_BYTES]);
  }, 60_000);
});
