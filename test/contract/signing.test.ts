import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyBodyDigest, headerNames, headerValue, type Signable } from '../../src/contract/signed-text.ts';
import {
  bodyDigest,
  equalInConstantTime,
  sign,
  signedHeaders,
  stringToSign,
  verify,
} from '../../src/contract/signing.ts';
import { anyText } from '../support/any-text.ts';

const credentials = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const nonce = '5b1d0c2e-3a44-4f6e-9c58-0f2a7d9e6b11';

describe('published vectors', () => {
  it('a POST with a query and a body beyond ASCII', () => {
    const body =
      '{"transaction":{"input_currency":"EUR","external_id":"demo-0001","recipients":[{"requested_amount":"12.50","requested_currency":"EUR","type":"person"}],"metadata":{"note":"naïve / test"}}}';
    const url = 'http://127.0.0.1:4010/v1/transactions/calculate?trace=a%20b&tag=x';
    const digest =
      '04a35e363325ec0ddf247c3134fc1db49e5e2d3241340c613c49a7401ef5a60955b2a5fa32d3c77f60980520206d53189d18e51844fcf7c75a6aa64680befa6b';
    expect(bodyDigest(body)).toBe(digest);
    expect(bodyDigest(Buffer.from(body))).toBe(digest);
    expect(stringToSign({ nonce, method: 'post', url, body })).toBe(`${nonce}&POST&${url}&${digest}`);
    expect(signedHeaders(credentials, { nonce, method: 'POST', url, body })).toEqual({
      'Authorization-Key': credentials.key,
      'Authorization-Nonce': nonce,
      'Authorization-Signature':
        'a5d42079ae9f34855b263718f8b29a7dd1a37ea6f802789e189c93097f08042f8bc8cc444d3e48bf53d0a04a4b34d487f91d71c44cf864132aa21a8f55fa1405',
    });
  });

  it('a GET with array filters and no body', () => {
    const url = 'http://127.0.0.1:4010/v1/recipients?state%5B%5D=error&state%5B%5D=initial&page=2';
    const signature =
      'adb9a942e34513968e3dc2a2144a1cbe9d9c4b4345577576b508aacb685d9c57972fab656f3d064fff154fa341bf5c28793d6c43ebabfbe3fee548089a68b7ff';
    expect(sign(credentials.secret, stringToSign({ nonce, method: 'GET', url }))).toBe(signature);
    expect(verify(credentials.secret, { nonce, method: 'GET', url }, signature)).toBe(true);
  });

  it('the digest of nothing', () => {
    expect(emptyBodyDigest).toBe(createHash('sha512').update('').digest('hex'));
    for (const nothing of [undefined, '', new Uint8Array()])
      expect(bodyDigest(nothing)).toBe(emptyBodyDigest);
  });
});

const request: fc.Arbitrary<Signable> = fc.record({
  nonce: fc.uuid(),
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
  url: fc.webUrl({ withQueryParameters: true }),
  body: anyText(),
});

/** One bit of one byte turned over; a text that was not changed by it is no case. */
const flipped = (text: string, at: number): string => {
  const index = at % text.length;
  const code = text.charCodeAt(index) ^ (1 << (at % 7));
  return text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
};

describe('properties', () => {
  it('verifies what it signed, as text and as bytes', () => {
    fc.assert(
      fc.property(request, fc.string({ minLength: 1 }), (signed, secret) => {
        const signature = sign(secret, stringToSign(signed));
        expect(signature).toMatch(/^[0-9a-f]{128}$/);
        expect(verify(secret, signed, signature)).toBe(true);
        expect(verify(secret, { ...signed, body: Buffer.from(String(signed.body)) }, signature)).toBe(true);
      }),
    );
  });

  it('refuses any other url, body, nonce, verb, secret or signature', () => {
    const part = fc.constantFrom('url', 'body', 'nonce', 'method', 'secret', 'signature');
    fc.assert(
      fc.property(
        request,
        fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
        part,
        fc.nat(),
        (signed, secret, name, at) => {
          const signature = sign(secret, stringToSign(signed));
          if (name === 'secret') return !verify(flipped(secret, at), signed, signature);
          if (name === 'signature') return !verify(secret, signed, flipped(signature, at));
          const before = String(signed[name] ?? '');
          const after =
            name === 'method'
              ? before === 'GET'
                ? 'POST'
                : 'GET'
              : before === ''
                ? 'x'
                : flipped(before, at);
          // Bytes count: two lone surrogates are one and the same in UTF-8.
          fc.pre(!Buffer.from(after).equals(Buffer.from(before)));
          return !verify(secret, { ...signed, [name]: after }, signature);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('finds a header whatever the case of its name', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(headerNames)),
        fc.array(fc.boolean()),
        fc.string(),
        (name, upper, value) => {
          const spelt = [...name].map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join('');
          expect(headerValue({ other: 'x', [spelt]: value }, name)).toBe(value);
          expect(headerValue({ [spelt]: [value, 'second'] }, name)).toBe(value);
          expect(headerValue({ other: value }, name)).toBeUndefined();
        },
      ),
    );
  });

  it('compares texts of any length', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => equalInConstantTime(a, b) === (a === b)));
  });
});
