/**
 * Ten thousand forged deliveries, none of which is taken: each header, the URL, the method and the body changed, other secrets,
 * other digests. A change that leaves key, nonce, signature, method, URL and body as they were is no forgery: it is found by
 * comparing these six, left out, and counted.
 */
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/contract/signatures/diagnose.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { createReceive, type IncomingRequest } from '../../src/webhooks/intake/receive.ts';
import { createRefusals } from '../../src/webhooks/intake/refusals.ts';
import { verifySignature } from '../../src/webhooks/intake/verify.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { anyText } from '../support/any-text.ts';
import { type Forgery, forge } from '../support/fire-forgeries.ts';
import { genuine, headersOf, type Pair, type Requested, signedParts } from '../support/fire-requests.ts';
import { startListening } from '../support/listening.ts';
import { standingClock } from '../support/stores.ts';

const FORGERIES = 10_000;
const OVER_HTTP = 1_000;
const SEED = process.env.REMIT_SEED ?? String(process.hrtime.bigint() % 1_000_000n);
const KEPT_REFUSALS = 200;

/** A plain secret, one longer than a block of the hash, one that is not ASCII; and the first key's next secret. */
const OURS: readonly Pair[] = [
  { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' },
  { key: 'key_long_0a1b', secret: 'long-secret/'.repeat(17) },
  { key: 'key_text_5d6e', secret: 'clé-secrète-9c1e4b' },
];
const NEXT: Pair = { key: 'key_demo_7f3c', secret: 'demo-secret-next' };
const STRANGERS: readonly Pair[] = [
  { key: 'key_other_1', secret: 'secret-of-another-profile' },
  { key: 'key_long_0a1b', secret: 'long-secret' },
  { key: 'key_text_5d6e', secret: 'cle-secrete-9c1e4b' },
  { key: 'key_other_2', secret: OURS[1]?.secret ?? '' },
];

const bodyOf = (n: number): string =>
  JSON.stringify({
    webhook: 'w-1',
    event: 'recipient.error',
    object: { id: `r-${n}`, state: 'error', state_reason: 'Größe / naïve', amount: '10.50' },
  });

/** Six genuine ones of each of our pairs. */
const genuineOf = (pair: Pair, url: string): Requested[] =>
  Array.from({ length: 6 }, (_, n) =>
    genuine(pair, `5b1d0c2e-3a44-4f6e-9c58-${pair.key.slice(-4)}0000000${n}`, url, bodyOf(n)),
  );

interface Forged {
  forgeries: Forgery[];
  /** By kind: how many were equal in all that is signed. */
  equal: Record<string, number>;
}

/** Of each pair the same number, until there are so many that differ. */
function forgeries(count: number, url: string, random: Random, fits = (_: Forgery): boolean => true): Forged {
  const made: Forgery[] = [];
  const equal: Record<string, number> = {};
  for (let n = 0; made.length < count; n++) {
    const ours = OURS[n % OURS.length] as Pair;
    const from = genuineOf(ours, url);
    const same = new Set(from.map(signedParts));
    for (const forgery of forge(from, 300, { random, ours, strangers: STRANGERS, others: from })) {
      if (!fits(forgery)) continue;
      if (same.has(signedParts(forgery))) equal[forgery.kind] = (equal[forgery.kind] ?? 0) + 1;
      else made.push(forgery);
    }
  }
  return { forgeries: made.slice(0, count), equal };
}

const asReceived = (request: Requested): IncomingRequest => ({
  rawBody: request.body,
  url: request.url,
  method: request.method,
  headers: headersOf(request),
  target: request.url,
  from: '203.0.113.9',
  rawHeaders: () => request.headers,
});

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);

function count(by: readonly Forgery[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of by) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe(`forged deliveries, seed ${SEED}`, () => {
  const url = 'https://hooks.partner.example/in/remit?team=a%20b&x=1';

  it(`${FORGERIES} of them are refused, a genuine one is taken all the while, and little is kept of them`, async () => {
    const random = seededRandom(SEED);
    const clock = standingClock();
    const inbox = await openSqliteInbox(':memory:', { account: 'a', clock, random });
    const secrets = [...OURS, NEXT];
    const takeIn = createReceive({ secrets, inbox, clock, wanted: () => true, handsOn: true });
    const errors: unknown[] = [];
    const examine = (request: IncomingRequest) =>
      diagnose(request, {
        credentials: OURS[0] as Pair,
        others: secrets.map((pair) => ({ name: 'one given here', ...pair })),
      });
    const refusals = createRefusals({
      inbox,
      clock,
      random,
      examine: examine as Parameters<typeof createRefusals>[0]['examine'],
      onRefused: () => undefined,
      onError: (error) => errors.push(error),
    });
    const { forgeries: forged, equal } = forgeries(FORGERIES, url, random);
    let valid = 0;
    const accepted: Forgery[] = [];
    for (const [n, forgery] of forged.entries()) {
      if (n % 500 === 0) {
        const pair = secrets[valid % secrets.length] as Pair;
        const taken = await takeIn(asReceived(genuine(pair, `valid-${valid}`, url, bodyOf(1_000 + valid++))));
        expect(taken.outcome).toBe('new');
      }
      const arrived = asReceived(forgery);
      const taken = await takeIn(arrived);
      if (taken.outcome === 'invalid') refusals.add(arrived, taken.receivedAt);
      else accepted.push(forgery);
      clock.advance(25);
    }
    const last = genuine(NEXT, 'the last', url, bodyOf(5_000));
    expect((await takeIn(asReceived(last))).outcome).toBe('new');
    expect(accepted, `seed ${SEED}`).toEqual([]);
    expect(refusals.count).toBe(FORGERIES);
    expect(errors).toEqual([]);
    const kept = await inbox.list({}, { limit: 100_000 });
    expect(kept).toHaveLength(valid + 1);
    expect(kept.filter(({ objectId }) => Number(objectId.slice(2)) < 1_000)).toEqual([]);
    const refused = await inbox.refusals(100_000);
    expect(refused.length).toBe(KEPT_REFUSALS);
    expect(refused.filter(({ cause }) => cause !== null).length).toBeGreaterThan(0);
    await inbox.close();
    const facts = {
      seed: SEED,
      forged: forged.length,
      valid: valid + 1,
      equal: sum(equal),
      kept: refused.length,
    };
    process.stdout.write(`forgeries: ${JSON.stringify({ ...facts, 'equal by kind': equal })}\n`);
    expect(Object.values(count(forged)).every((each) => each > 20)).toBe(true);
  });

  it(`${OVER_HTTP} of them over sockets`, async () => {
    const at = await startListening({ secrets: OURS });
    const here = `${at.base}/in/remit?team=a%20b&x=1`;
    const { forgeries: forged, equal } = forgeries(OVER_HTTP, here, seededRandom(`http ${SEED}`), isSendable);
    const statuses: Record<number, number> = {};
    const accepted: Forgery[] = [];
    const taken = async (n: number): Promise<void> => {
      const pair = OURS[n % OURS.length] as Pair;
      expect(await sendRaw(at.base, genuine(pair, `valid-${n}`, here, bodyOf(1_000 + n)))).toBe(200);
    };
    for (let n = 0; n < forged.length; n += 20) {
      if (n % 200 === 0) await taken(n);
      const part = forged.slice(n, n + 20);
      const answers = await Promise.all(part.map((forgery) => sendRaw(at.base, forgery)));
      for (const [index, status] of answers.entries()) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status < 400 && status !== 0) accepted.push(part[index] as Forgery);
      }
    }
    await taken(7_000);
    expect(accepted, `seed ${SEED}`).toEqual([]);
    const kept = await at.inbox.list({}, { limit: 100_000 });
    expect(kept).toHaveLength(OVER_HTTP / 200 + 1);
    expect((await at.inbox.refusals(100_000)).length).toBeLessThanOrEqual(KEPT_REFUSALS);
    expect(at.errors).toEqual([]);
    await at.close();
    const facts = { seed: SEED, forged: forged.length, equal: sum(equal), statuses };
    process.stdout.write(`forgeries over HTTP: ${JSON.stringify(facts)}\n`);
  });
});

/** Lines that a socket carries as one request: a line end within would make two of one. */
function isSendable({ url, headers }: Requested): boolean {
  return (
    /^http:\/\/[^/\s]+\/\S*$/.test(url) && headers.every(([name, value]) => !/[\r\n]/.test(name + value))
  );
}

/** Answers the status; 0 where the connection was closed without one. */
function sendRaw(base: string, { method, url, headers, body }: Requested): Promise<number> {
  const [, host = '', target = ''] = /^http:\/\/([^/]+)(.*)$/s.exec(url) ?? [];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]));
  });
}

describe('a property', () => {
  const visible = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() === text);
  const parts = fc.record({
    nonce: visible,
    url: fc.webUrl({ withQueryParameters: true }),
    body: fc.uint8Array({ maxLength: 200 }),
    secret: anyText({ maxLength: 200 }),
  });
  const change = fc.oneof(
    fc.record({
      part: fc.constantFrom('Authorization-Key', 'Authorization-Nonce', 'Authorization-Signature'),
      to: visible,
    }),
    fc.record({ part: fc.constant('url'), to: visible }),
    fc.record({ part: fc.constant('method'), to: fc.constantFrom('POST', 'post', 'GET', 'PUT') }),
    fc.record({ part: fc.constant('body'), to: fc.uint8Array({ maxLength: 200 }) }),
    fc.record({ part: fc.constantFrom('X-Other', 'Date'), to: visible }),
  );

  it('is taken if and only if all that is signed is as it was', () => {
    fc.assert(
      fc.property(parts, change, ({ nonce, url, body, secret }, { part, to }) => {
        const pair = { key: 'key_demo_7f3c', secret };
        const original = genuine(pair, nonce, url, body);
        const altered = alter(original, part, to);
        const verified = verifySignature(asReceived(altered), [pair]) !== null;
        return verified === (signedParts(altered) === signedParts(original));
      }),
      { numRuns: 2_000, ...(process.env.REMIT_SEED ? { seed: Number(process.env.REMIT_SEED) } : {}) },
    );
  });

  function alter(from: Requested, part: string, to: string | Uint8Array): Requested {
    if (part === 'body') return { ...from, body: Buffer.from(to as Uint8Array) };
    if (part === 'url' || part === 'method') return { ...from, [part]: to };
    const rest = from.headers.filter(([name]) => name !== part);
    return { ...from, headers: [...rest, [part, String(to)]] };
  }
});
