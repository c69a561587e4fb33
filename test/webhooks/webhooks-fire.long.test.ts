/**
 * A listener, the built program, under whatever can be thrown at its port. After each of them a genuine delivery is taken within
 * a second, and at the end everything that was acknowledged has been handed on.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything, type Fire, freePort, inboxIn, memoryOf, startFire } from '../support/fire-listener.ts';
import { createSender, type Sender, speak, wholeRequest } from '../support/fire-sender.ts';
import { bodyOf } from '../support/listening.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MB = 1024 * 1024;
/** Of 200 deliveries of 1 MB: what is held back by each would add up. */
const ROUNDS = 2;
/** With a small heap it is seen how much is really held. A body of the deepest takes 28 MB to read, and the program some 20. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=96' };
const MOST_MB = 400;

const dir = temporaryFolder();
let fire: Fire;
let sender: Sender;
let url = '';
let valid = 0;
let slowest = 0;
const acknowledged: Uint8Array[] = [];

beforeAll(async () => {
  const port = await freePort();
  fire = await startFire({ dir, port, env: SMALL_HEAP });
  url = `${fire.url}/hooks`;
  sender = createSender(url);
});

afterAll(async () => {
  sender.close();
  fire.process.kill('SIGKILL');
  await fire.ended;
});

/** Other work on the machine may hold up one delivery, or two in a row. */
async function stillTakes(): Promise<void> {
  const took: number[] = [];
  do {
    const from = performance.now();
    expect(await deliver(bodyOf(`valid-${valid++}`))).toBe(200);
    took.push(performance.now() - from);
  } while (took.length < 3 && Math.min(...took) >= 1_000);
  slowest = Math.max(slowest, ...took);
  expect(Math.min(...took)).toBeLessThan(1_000);
  expect(Math.max(...took)).toBeLessThan(5_000);
}

async function deliver(body: string | Uint8Array): Promise<number> {
  const status = await sender.send(body);
  if (status === 200) acknowledged.push(typeof body === 'string' ? Buffer.from(body) : body);
  return status;
}

/** A delivery of exactly so many bytes. */
function sized(bytes: number, id = 'sized'): string {
  const empty = bodyOf(id, { padding: '' });
  return bodyOf(id, { padding: 'x'.repeat(bytes - empty.length) });
}

const withObject = (text: string): string => `{"webhook":"w-1","event":"recipient.error","object":${text}}`;
const deep = (levels: number, id = 'deep'): string =>
  withObject(`{"id":"${id}","in":${'['.repeat(levels)}${']'.repeat(levels)}}`);
const manyKeys = (bytes: number): string => {
  const members: string[] = [];
  for (let n = 0, length = 100; length + 9 < bytes; n++) {
    members.push(`"k${n.toString(36)}":0`);
    length += (members.at(-1)?.length ?? 0) + 1;
  }
  return withObject(`{"id":"keys",${members.join(',')}}`);
};

describe('signed bodies', () => {
  it.each([
    ['nothing', '', 400],
    ['one byte', 'x', 400],
    ['64 kB', sized(64 * 1024), 200],
    ['1 MB', sized(MB), 200],
    ['1 MB and a byte', sized(MB + 1), 413],
    ['20 MB', sized(20 * MB), 413],
    ['null', 'null', 400],
    ['an array', '[{"webhook":"w","event":"e","object":{}}]', 400],
    ['a number', '1e400', 400],
    ['an object that is none', withObject('[]'), 400],
    ['two values', `${bodyOf('a')}${bodyOf('b')}`, 400],
    ['100,000 levels', deep(100_000), 200],
    ['half a million levels', deep(500_000), 200],
    ['as many keys as there is room for', manyKeys(MB), 200],
    ['a prototype', withObject('{"id":"proto","__proto__":{"a":1},"constructor":{"prototype":1}}'), 200],
    ['an id of one half of a character, and a NUL', withObject('{"id":"\\ud800\\u0000x"}'), 200],
    ['an id of 500,000 characters', withObject(`{"id":"${'i'.repeat(500_000)}"}`), 200],
    ['terminal escapes', withObject('{"id":"\\u001b]0;owned\\u0007\\u001b[2J"}'), 200],
  ])('%s', async (_, body, status) => {
    expect(await deliver(body)).toBe(status);
    await stillTakes();
  });

  it('twenty at once of half a million levels, each of which takes a third of the heap to read', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => deliver(deep(500_000, `deep-${n}`))),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await stillTakes();
  });

  it('invalid UTF-8 is kept as it came', async () => {
    const body = Buffer.concat([
      Buffer.from('{"webhook":"w-1","event":"e","object":{"id":"'),
      Buffer.from([0xff, 0xc3, 0x28]),
      Buffer.from('"}}'),
    ]);
    expect(await deliver(body)).toBe(200);
    await stillTakes();
  });

  it('in chunks, without a length', async () => {
    for (const [bytes, status] of [
      [64 * 1024, 200],
      [MB, 200],
      [MB + 1, 413],
      [20 * MB, 413],
    ] as const) {
      const body = sized(bytes);
      const text = await speak(url, wholeRequest(url, body, { chunks: 65_000 }));
      expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
      if (status === 200) acknowledged.push(Buffer.from(body));
      await stillTakes();
    }
  });

  it('with a length that is a lie', async () => {
    const body = bodyOf('lie');
    const short = await speak(url, wholeRequest(url, body, { length: body.length - 10 }));
    expect(short).toMatch(/^HTTP\/1\.1 40[01]/);
    expect(short).not.toContain('200 OK');
    await stillTakes();
    expect(
      await speak(url, wholeRequest(url, body, { length: body.length + 10 }), { end: true }),
    ).not.toContain('200 OK');
    await stillTakes();
  });
});

const HOST = 'Host: 127.0.0.1';
const head = (...lines: string[]): string =>
  `${['POST /hooks HTTP/1.1', HOST, ...lines].join('\r\n')}\r\n\r\n`;
/** Of a delivery that is genuine, so that only its form can be why it is not taken. */
const signedLines = (body: string): string[] =>
  wholeRequest(url, body)
    .toString('latin1')
    .split('\r\n')
    .filter((line) => line.startsWith('Authorization'));

describe('what is not HTTP, or would be read in two ways', () => {
  const body = bodyOf('malformed');
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const withBody = (...lines: string[]): string => head(...signedLines(body), ...lines) + body;
  const length = `Content-Length: ${body.length}`;
  const cases: [string, () => string][] = [
    ['garbage', () => 'GARBAGE\r\n\r\n'],
    [
      'random bytes',
      () => Array.from({ length: 5_000 }, (_, n) => String.fromCharCode((n * 7919) % 256)).join(''),
    ],
    ['a request line without a version', () => 'POST /hooks\r\n\r\n'],
    ['another version', () => head().replace('1.1', '9.9')],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.repeat(20)],
    ['no host', () => withBody(length).replace(`${HOST}\r\n`, '')],
    ['a method in small letters', () => withBody(length).replace('POST', 'post')],
    ['a header without a colon', () => withBody(length, 'NoColonHere')],
    ['a header that goes on in the next line', () => withBody(length, 'X-Long: a\r\n b')],
    ['white space before a colon', () => withBody(`Content-Length : ${body.length}`)],
    ['a header of 100 kB', () => withBody(length, `X-Long: ${'x'.repeat(100_000)}`)],
    ['10,000 headers', () => withBody(length, ...Array.from({ length: 10_000 }, (_, n) => `X-${n}: y`))],
    ['a target of 100 kB', () => withBody(length).replace('/hooks', `/${'a'.repeat(100_000)}`)],
    ['two lengths', () => withBody(length, 'Content-Length: 5')],
    ['two lengths that agree', () => withBody(length, length)],
    ['two lengths in one', () => withBody(`Content-Length: ${body.length}, ${body.length}`)],
    ['a negative length', () => withBody('Content-Length: -1')],
    ['a length that is no number', () => withBody('Content-Length: 0x10')],
    ['a length beyond all numbers', () => withBody(`Content-Length: ${'9'.repeat(30)}`)],
    ['a length and chunks', () => head(...signedLines(body), length, 'Transfer-Encoding: chunked') + chunk],
    ['chunks and a length', () => head(...signedLines(body), 'Transfer-Encoding: chunked', length) + chunk],
    [
      'chunks that are not the last coding',
      () => head(...signedLines(body), 'Transfer-Encoding: chunked, identity') + chunk,
    ],
    [
      'a coding that only looks like chunks',
      () => head(...signedLines(body), 'Transfer-Encoding: xchunked') + chunk,
    ],
    [
      'chunks behind a tab',
      () => head(...signedLines(body), 'Transfer-Encoding:\x0bchunked', length) + chunk,
    ],
    [
      'a chunk without a size',
      () => `${head(...signedLines(body), 'Transfer-Encoding: chunked')}zz\r\n${body}`,
    ],
    [
      'a chunk beyond all numbers',
      () => head(...signedLines(body), 'Transfer-Encoding: chunked') + 'F'.repeat(40),
    ],
    ['line feeds alone', () => withBody(length).replaceAll('\r\n', '\n')],
    ['a NUL in a header', () => withBody(length, 'X-Nul: a\0b')],
    ['a NUL in the target', () => withBody(length).replace('/hooks', '/ho\0oks')],
    ['a NUL in the method', () => withBody(length).replace('POST', 'PO\0ST')],
    ['the target of a proxy', () => withBody(length).replace('/hooks', 'http://127.0.0.1/hooks')],
    ['CONNECT', () => `CONNECT a.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`],
    [
      'an upgrade',
      () => `GET /hooks HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ],
    ['an expectation of another kind', () => withBody(length, 'Expect: the-unexpected')],
    ['another request within the body', () => head(...signedLines(body), 'Content-Length: 4') + body],
    ['nothing but line ends', () => '\r\n'.repeat(10_000)],
  ];

  it.each(cases)('%s', async (_, make) => {
    const text = await speak(url, make(), { patienceMs: 50 });
    expect(text).not.toContain('HTTP/1.1 200');
    await stillTakes();
  });

  it('none of them was kept', async () => {
    const kept = await everything(inboxIn(dir));
    expect(kept.filter(({ objectId }) => objectId === 'malformed')).toEqual([]);
  });

  it('deliveries in one line are taken one after the other, and what is garbage behind them is not', async () => {
    const bodies = Array.from({ length: 50 }, (_, n) => bodyOf(`piped-${n}`));
    const text = await speak(url, Buffer.concat([...bodies.map((each) => wholeRequest(url, each))]));
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(50);
    for (const each of bodies) acknowledged.push(Buffer.from(each));
    const last = bodyOf('before-garbage');
    const mixed = await speak(
      url,
      Buffer.concat([wholeRequest(url, last), Buffer.from('\0GARBAGE'.repeat(1_000))]),
    );
    if (mixed.includes('200 OK')) acknowledged.push(Buffer.from(last));
    await stillTakes();
  });

  it('a sender that asks first is told to go on', async () => {
    const asked = bodyOf('asked');
    const text = await speak(url, wholeRequest(url, asked, { lines: ['Expect: 100-continue'] }));
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    acknowledged.push(Buffer.from(asked));
  });
});

describe('a crowd', () => {
  it('5,000 connections opened and left, and 200 deliveries of 1 MB at once among them', async () => {
    const crowd = await openMany(5_000);
    await stillTakes();
    const alone = memoryOf(fire.pid);
    const big = Array.from({ length: 200 }, (_, n) => Buffer.from(sized(MB, `big-${n}`)));
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      statuses.push(...(await Promise.all(big.map(deliver))));
      await stillTakes();
    }
    const taken = statuses.filter((status) => status === 200).length;
    const { now, peak } = memoryOf(fire.pid);
    const open = crowd.filter((socket) => !socket.destroyed).length;
    for (const socket of crowd) socket.destroy();
    await stillTakes();
    const facts = {
      open,
      taken,
      'asked to send again': statuses.length - taken,
      'MB with the crowd': alone.now,
      'MB after': now,
      'MB at most': peak,
    };
    process.stdout.write(`a crowd: ${JSON.stringify(facts)}\n`);
    expect(open).toBe(5_000);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(peak).toBeLessThan(MOST_MB);
  });
});

/** Half of them say nothing; the others begin and do not go on. */
async function openMany(count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 100) {
    const some = Array.from({ length: 100 }, (_, k) => opened(k % 2 === 0 ? '' : head().slice(0, 30)));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

function opened(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.off('error', reject).on('error', () => undefined);
      if (text !== '') socket.write(text);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

describe('in the end', () => {
  it('everything that was acknowledged is handed on, byte for byte', async () => {
    const left = new Map<string, number>();
    const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    for (const body of acknowledged) left.set(digest(body), (left.get(digest(body)) ?? 0) + 1);
    let looked = 0;
    await fire.lines.until((all) => {
      for (; looked < all.length; looked++) {
        const { kind, data } = all[looked] as (typeof all)[number];
        if (kind !== 'event' || data.signature !== 'valid') continue;
        const key = digest(Buffer.from(data.body_b64 ?? '', 'base64'));
        const more = (left.get(key) ?? 0) - 1;
        if (more > 0) left.set(key, more);
        else left.delete(key);
      }
      return left.size === 0;
    });
    const { code } = await fire.stop();
    expect(code).toBe(0);
    process.stdout.write(
      `under fire: ${JSON.stringify({ acknowledged: acknowledged.length, 'slowest valid ms': Math.round(slowest), said: fire.stderr() })}\n`,
    );
  });
});
