/** Senders that take their time: the receiver gives them up at its own limits, shortened here, and serves all others meanwhile. */
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { createReceive, type ReceiveResult } from '../../src/webhooks/intake/receive.ts';
import { createReceiver, type Receiver } from '../../src/webhooks/intake/receiver.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { createSender, type Sender, wholeRequest } from '../support/fire-sender.ts';
import { bodyOf, credentials } from '../support/listening.ts';
import { standingClock } from '../support/stores.ts';

const REQUEST_MS = 900;
const HEADERS_MS = REQUEST_MS / 3;
/** Between two bytes of a slow sender. */
const BYTE_MS = 20;
/** Beyond a limit: how often late senders are looked for, and what two busy cores add. */
const SLACK_MS = 1_500;

const SENDERS = 20;

let receiver: Receiver;
let sender: Sender;
let url = '';
let taken: ReceiveResult[] = [];
let busy: NodeJS.Timeout | undefined;

beforeEach(async () => {
  taken = [];
  const clock = standingClock();
  const inbox = await openSqliteInbox(':memory:', { account: 'a', clock, random: seededRandom(1) });
  receiver = createReceiver({
    takeIn: createReceive({ secrets: [credentials], inbox, clock, wanted: () => true, handsOn: false }),
    requestMs: REQUEST_MS,
    onTaken: (one) => taken.push(one),
    onError: (error) => expect.fail(String(error)),
  });
  url = `${(await receiver.listen(0)).url}/hooks`;
  sender = createSender(url);
  /* A genuine delivery now and then, all the while. */
  busy = setInterval(() => void sender.send(bodyOf('meanwhile')), 50);
});

afterEach(async () => {
  clearInterval(busy);
  sender.close();
  await receiver.close();
});

interface Ended {
  text: string;
  ms: number;
}

/** Writes the first part at once and the rest a byte at a time, until the other side has enough of it. */
function slowly(bytes: Uint8Array, atOnce: number): Promise<Ended> {
  return new Promise((resolve) => {
    const from = performance.now();
    let text = '';
    let sent = atOnce;
    const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
    if (atOnce > 0) socket.write(bytes.subarray(0, atOnce));
    const drip = setInterval(() => {
      if (sent < bytes.length) socket.write(bytes.subarray(sent, ++sent));
    }, BYTE_MS);
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      resolve({ text, ms: performance.now() - from });
    });
  });
}

const many = (bytes: () => Uint8Array, atOnce: (length: number) => number): Promise<Ended[]> =>
  Promise.all(
    Array.from({ length: SENDERS }, () => {
      const request = bytes();
      return slowly(request, atOnce(request.length));
    }),
  );

const request = (): Buffer => wholeRequest(url, bodyOf('slow', { padding: 'x'.repeat(2_000) }));
const objects = (): string[] =>
  taken.flatMap((one) => ('received' in one ? one.received.objectId : one.outcome));

describe('a slow sender', () => {
  it.each([
    ['of a body, a byte now and then', request, () => 500, REQUEST_MS],
    ['that never ends its body', request, (length: number) => length - 1_000, REQUEST_MS],
    ['of its headers, a byte now and then', request, () => 20, HEADERS_MS],
    ['that says nothing at all', () => Buffer.alloc(0), () => 0, HEADERS_MS],
    ['of an empty line, again and again', () => Buffer.from('\r\n'.repeat(500)), () => 0, HEADERS_MS],
  ])('%s is given up when its time is over', async (_, bytes, atOnce, limitMs) => {
    const ended = await many(bytes, atOnce);
    expect(ended.filter(({ text }) => text.includes('200 OK'))).toEqual([]);
    expect(ended.filter(({ text }) => text.startsWith('HTTP/1.1 408'))).toHaveLength(SENDERS);
    expect(Math.min(...ended.map(({ ms }) => ms))).toBeGreaterThan(limitMs * 0.9);
    expect(Math.max(...ended.map(({ ms }) => ms))).toBeLessThan(limitMs + SLACK_MS);
    expect(await sender.send(bodyOf('after'))).toBe(200);
    expect(objects()).toContain('meanwhile');
    expect(new Set(objects())).toEqual(new Set(['meanwhile', 'after']));
  });

  it('that is done in time is taken', async () => {
    const whole = wholeRequest(url, bodyOf('in time'), { lines: ['Connection: close'] });
    const { text } = await slowly(whole, whole.length - 10);
    expect(text).toContain('HTTP/1.1 200 OK');
  });
});
