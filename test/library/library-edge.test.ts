/** `remit-cli/edge`: the same signatures as everywhere else, by WebCrypto alone. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedHeaders, verify } from '../../src/contract/signing.ts';
import { signRequest, verifyWebhook } from '../../src/library/edge.ts';
import { verifyWebhook as verifyOnNode } from '../../src/library/webhooks.ts';
import { bodyOf, credentials, headersFor } from '../support/listening.ts';

const url = 'https://partner.example/hooks?team=a%20b';
const body = bodyOf('r-1');
const nonce = 'a-nonce-of-some-length-4711';

describe('signRequest', () => {
  it('signs the published vector', async () => {
    const key = 'key_demo_7f3c';
    const secret = 'demo-secret-9c1e4b';
    const request = {
      method: 'GET',
      url: 'http://127.0.0.1:4010/v1/recipients?state%5B%5D=error&state%5B%5D=initial&page=2',
    };
    const fixed = '5b1d0c2e-3a44-4f6e-9c58-0f2a7d9e6b11';
    expect(await signRequest({ key, secret, ...request, nonce: fixed })).toEqual({
      'Authorization-Key': key,
      'Authorization-Nonce': fixed,
      'Authorization-Signature':
        'adb9a942e34513968e3dc2a2144a1cbe9d9c4b4345577576b508aacb685d9c57972fab656f3d064fff154fa341bf5c28793d6c43ebabfbe3fee548089a68b7ff',
    });
  });

  it('signs whatever is sent as the client does, texts and bytes alike', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          method: fc.constantFrom('GET', 'POST', 'delete'),
          url: fc.webUrl({ withQueryParameters: true }),
        }),
        fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
        async (request, text) => {
          for (const sent of [text, text === undefined ? undefined : new TextEncoder().encode(text)])
            expect(await signRequest({ ...credentials, ...request, body: sent, nonce })).toEqual(
              signedHeaders(credentials, { ...request, body: sent, nonce }),
            );
        },
      ),
      { numRuns: 50 },
    ));

  it('makes a nonce where none is given, another each time', async () => {
    const request = { ...credentials, method: 'GET', url };
    const [one, two] = [await signRequest(request), await signRequest(request)];
    expect(one['Authorization-Nonce']).not.toBe(two['Authorization-Nonce']);
    const signature = one['Authorization-Signature'];
    expect(
      verify(credentials.secret, { nonce: one['Authorization-Nonce'], method: 'GET', url }, signature),
    ).toBe(true);
  });
});

describe('verifyWebhook', () => {
  const headers = headersFor(url, body, { nonce });
  const given = { url, headers, body, ...credentials };
  type Given = Parameters<typeof verifyWebhook>[0];

  it.each<[string, Partial<Given>]>([
    ['a text', {}],
    ['bytes', { body: new TextEncoder().encode(body) }],
    ['a view into larger bytes', { body: new TextEncoder().encode(`xx${body}yy`).subarray(2, -2) }],
    ['Headers of Fetch', { headers: new Headers(headers) }],
    ['one of several secrets', { secret: ['the-new-one', credentials.secret] }],
  ])('takes %s', async (_, over) => {
    const verdict = await verifyWebhook({ ...given, ...over });
    expect(verdict).toMatchObject({ valid: true, nonce });
    expect(verdict.valid && verdict.event().object).toEqual({ id: 'r-1', state: 'error' });
  });

  const signature = headers['Authorization-Signature'] ?? '';
  it.each<[string, Partial<Given>]>([
    ['another path', { url: `${url}&x=1` }],
    ['another body', { body: `${body} ` }],
    ['another key', { key: 'another' }],
    ['another secret', { secret: 'another' }],
    [
      'a signature in capitals',
      { headers: { ...headers, 'Authorization-Signature': signature.toUpperCase() } },
    ],
    ['half a signature', { headers: { ...headers, 'Authorization-Signature': signature.slice(64) } }],
    ['no nonce', { headers: { ...headers, 'Authorization-Nonce': '' } }],
    ['nothing', { headers: {} }],
  ])('refuses %s, as the verification on Node does', async (_, over) => {
    expect(await verifyWebhook({ ...given, ...over })).toEqual({ valid: false });
    expect(verifyOnNode({ ...given, ...over })).toEqual({ valid: false });
  });

  it('takes the delivery that is kept as an example', async () => {
    const { data } = JSON.parse(readFileSync(new URL('../fixtures/delivery.json', import.meta.url), 'utf8'));
    const kept = {
      url: data.url,
      headers: Object.fromEntries(data.headers),
      body: Buffer.from(data.body_b64, 'base64'),
    };
    const secret = 'secret';
    const key = 'key_test_7f3c';
    expect((await verifyWebhook({ ...kept, key, secret })).valid).toBe(
      verifyOnNode({ ...kept, key, secret }).valid,
    );
  });

  it('says what is no delivery, and what cannot be verified', async () => {
    const other = '{"hello":1}';
    const verdict = await verifyWebhook({
      ...given,
      body: other,
      headers: headersFor(url, other, { nonce }),
    });
    expect(() => verdict.valid && verdict.event()).toThrow('the body is not a delivery');
    await expect(verifyWebhook({ ...given, secret: '' })).rejects.toThrow('key and secret are missing');
  });
});
