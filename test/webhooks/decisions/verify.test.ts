/** When a request is genuine, when its body is a delivery, and how its header names came. */
import { expect, it } from 'vitest';
import type { Signable } from '../../../src/contract/signed-text.ts';
import { bodyDigest, signedHeaders } from '../../../src/contract/signing.ts';
import { readDelivery, remarkOn, verifySignature } from '../../../src/webhooks/intake/verify.ts';

const ours = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const older = { ...ours, secret: 'the-one-before' };
const other = { key: 'key_demo_11aa', secret: ours.secret };
const url = 'https://partner.example/hooks';
const body = '{"webhook":"w-1","event":"recipient.error","object":{"id":"r-1"}}';
const signed = (over: Partial<Signable> = {}, by = ours) =>
  signedHeaders(by, { nonce: 'nonce-1', method: 'POST', url, body, ...over });
const without = (name: string) =>
  Object.fromEntries(Object.entries(signed()).map(([each, value]) => [each, each === name ? '' : value]));

it('what fits a secret says with which one, and what is known again', () => {
  const rawBody = Buffer.from(body);
  const genuine = { nonce: 'nonce-1', bodyDigest: bodyDigest(rawBody) };
  const request = { rawBody, url, headers: signed() };
  expect(verifySignature(request, [ours])).toStrictEqual({ ...genuine, credentials: ours });
  expect(verifySignature(request, [older, ours])).toStrictEqual({ ...genuine, credentials: ours });
  expect(verifySignature({ ...request, headers: signed({}, older) }, [ours, older])?.credentials).toBe(older);
});

const [KEY = '', NONCE = '', SIGNATURE = ''] = ['key', 'nonce', 'signature'].map(
  (part) => Object.keys(signed()).find((name) => name.toLowerCase().endsWith(part)) ?? '',
);

it.each([
  ['another body', { rawBody: Buffer.from(`${body} `) }],
  ['another address', { url: `${url}/` }],
  ['another method', { method: 'PUT' }],
  ['another secret', { headers: signed({}, older) }],
  ['the key of nobody here, signed with our secret', { headers: signed({}, other) }],
  ['no headers', { headers: {} }],
  ['an empty key', { headers: without(KEY) }],
  ['an empty nonce', { headers: signed({ nonce: '' }) }],
  ['an empty signature', { headers: without(SIGNATURE) }],
  ['another nonce', { headers: { ...signed(), [NONCE]: 'nonce-2' } }],
])('%s is not genuine', (_, over) => {
  const request = { rawBody: Buffer.from(body), url, headers: signed(), ...over };
  expect(verifySignature(request, [ours])).toBeNull();
});

it('without a header nothing is genuine, and nothing fails', () => {
  for (const name of [KEY, NONCE, SIGNATURE]) {
    const { [name]: _, ...headers } = signed() as Record<string, string>;
    expect(verifySignature({ rawBody: Buffer.from(body), url, headers }, [ours])).toBeNull();
  }
  expect(verifySignature({ rawBody: Buffer.from(body), url, headers: signed() }, [])).toBeNull();
});

it.each([
  [body, true],
  ['', false],
  ['{', false],
  ['null', false],
  ['[]', false],
  ['{"webhook":"w","event":"recipient.error"}', false],
])('%j is a delivery: %j', (text, is) => {
  const read = readDelivery(Buffer.from(text));
  expect(read === null ? null : read.event).toBe(is ? 'recipient.error' : null);
});

it('remarks on names that came in another case, and on nothing else', () => {
  expect(remarkOn(signed())).toBeUndefined();
  expect(remarkOn({ [SIGNATURE.toLowerCase()]: 'x' })).toContain(`did not arrive as ${SIGNATURE}`);
});
