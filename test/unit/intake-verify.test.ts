import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Signable, sign, signedHeaders, stringToSign } from '../../src/contract/signing.ts';
import type { Cause, ReceivedRequest } from '../../src/intake/finding.ts';
import { verifyDelivery } from '../../src/intake/verify.ts';

const credentials = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const URL = 'https://partner.example/hooks/in?team=a%20b';
const NONCE = '5b1d0c2e-3a44-4f6e-9c58-0f2a7d9e6b11';
const BODY =
  '{"webhook":"w-1","event":"recipient.error","object":{"id":"r-1","note":"naïve & more","amount":25.5}}';

const signed = (over: Partial<Signable> = {}, by = credentials) =>
  signedHeaders(by, { nonce: NONCE, method: 'POST', url: URL, body: BODY, ...over });

const request = (over: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  rawBody: Buffer.from(BODY),
  url: URL,
  headers: signed(),
  ...over,
});

function refused(received: ReceivedRequest, by = credentials) {
  const verdict = verifyDelivery(received, by);
  if (verdict.ok) throw new Error('it verified');
  return verdict;
}
const causeOf = (received: ReceivedRequest, by = credentials): Cause => refused(received, by).cause;

describe('a delivery that is right', () => {
  it('verifies, and is read', () => {
    const verdict = verifyDelivery(request(), credentials);
    expect(verdict).toMatchObject({ ok: true, nonce: NONCE, delivery: { event: 'recipient.error' } });
    expect(verdict).not.toHaveProperty('finding');
  });

  it('verifies whatever the case of its header names, and says where that would not', () => {
    for (const change of ['toLowerCase', 'toUpperCase'] as const) {
      const headers = Object.fromEntries(
        Object.entries(signed()).map(([name, value]) => [name[change](), value]),
      );
      const verdict = verifyDelivery(request({ headers }), credentials);
      expect(verdict.ok && verdict.remark).toContain('exactly this spelling');
    }
    const verdict = verifyDelivery(request(), credentials);
    expect(verdict.ok && verdict.remark).toBeUndefined();
  });

  it('must be a delivery', () => {
    for (const body of ['', 'not JSON', '{"event":"recipient.error"}', '[]']) {
      const received = request({ rawBody: Buffer.from(body), headers: signed({ body }) });
      expect(causeOf(received)).toBe('not_a_delivery');
    }
  });
});

describe('headers', () => {
  const without = (name: string) => {
    const headers: Record<string, string> = signed();
    delete headers[name];
    return headers;
  };

  it.each(['Authorization-Key', 'Authorization-Nonce', 'Authorization-Signature'])(
    'names a missing %s',
    (name) => {
      const finding = refused(request({ headers: without(name) }));
      expect(finding.cause).toBe('missing_header');
      expect(finding.message).toContain(name);
    },
  );

  it('notices when one was renamed on the way', () => {
    const headers = { ...without('Authorization-Nonce'), HTTP_AUTHORIZATION_NONCE: NONCE };
    expect(refused(request({ headers })).hint).toContain('HTTP_AUTHORIZATION_NONCE');
  });

  it('tells another scheme from missing headers', () => {
    const others = [{ 'x-hub-signature-256': 'sha256=00' }, { authorization: 'Bearer x' }];
    for (const headers of others) expect(causeOf(request({ headers }))).toBe('other_scheme');
    expect(causeOf(request({ headers: { host: 'partner.example' } }))).toBe('missing_header');
  });

  it('tells another key by its last four', () => {
    const finding = refused(request(), { key: 'key_live_11aa', secret: credentials.secret });
    expect(finding).toMatchObject({ cause: 'other_key' });
    expect(finding.message).toContain('…7f3c');
    expect(finding.message).toContain('…11aa');
  });
});

describe('the form of the signature', () => {
  const right = signed()['Authorization-Signature'] ?? '';
  const given = (signature: string) =>
    refused(request({ headers: { ...signed(), 'Authorization-Signature': signature } }));

  it('is told apart from its content', () => {
    expect(given(right.toUpperCase()).message).toContain('upper-case');
    expect(given(Buffer.from(right, 'hex').toString('base64')).message).toContain('base64');
    expect(given(right.slice(0, 64)).message).toContain('SHA-256');
    expect(given('nonsense').message).toContain('8 characters');
    for (const wrong of [right.toUpperCase(), right.slice(1), '']) {
      expect(given(wrong).cause).toBe(wrong === '' ? 'missing_header' : 'signature_shape');
    }
  });
});

describe('the URL', () => {
  const cases: [string, string, Partial<ReceivedRequest>][] = [
    ['http and https', URL.replace('https', 'http'), {}],
    ['default port', 'https://partner.example:443/hooks/in?team=a%20b', {}],
    ['slash at the end', 'https://partner.example/hooks/in/?team=a%20b', {}],
    ['no query', 'https://partner.example/hooks/in', {}],
    ['Host header', 'http://127.0.0.1:4010/hooks/in?team=a%20b', { headers: { host: '127.0.0.1:4010' } }],
    ['others than those', 'https://partner.example/other?x=1', { target: '/other?x=1' }],
    ['percent-encoded', 'https://partner.example/hooks/in?team=a b', {}],
    ['+ in one', 'https://partner.example/hooks/in?team=a+b', {}],
    ['Host header', 'http://tunnel.example/in', { headers: { host: 'tunnel.example' }, target: '/in' }],
  ];

  it.each(cases)('differs: %s', (words, signedUrl, over) => {
    const headers = { ...signed({ url: signedUrl }), ...over.headers };
    const finding = refused(request({ ...over, headers }));
    expect(finding.cause).toBe('url');
    expect(finding.message).toContain(words);
    expect(finding.hint).toContain(signedUrl);
  });

  it('differs in the query of the request', () => {
    const url = 'https://partner.example/hooks/in';
    const finding = refused(request({ url, target: '/hooks/in?team=a%20b' }));
    expect(finding.cause).toBe('url');
    expect(finding.hint).toContain(URL);
  });
});

describe('the body', () => {
  const value = JSON.parse(BODY);
  const rewritten: [string, string][] = [
    ['pretty', JSON.stringify(value, null, 2)],
    ['a line end added', `${BODY}\n`],
    ['a byte order mark added', `\ufeff${BODY}`],
    [
      'members in another order',
      '{"object":{"note":"naïve & more","id":"r-1","amount":25.5},"webhook":"w-1","event":"recipient.error"}',
    ],
    ['read as Latin-1', Buffer.from(BODY).toString('latin1')],
  ];

  it.each(rewritten)('was changed: %s', (name, text) => {
    /* Only sorted members can be put back in order, so the service signs those here. */
    const original = name.includes('order') ? SORTED : BODY;
    const received = request({ rawBody: Buffer.from(text), headers: signed({ body: original }) });
    expect(causeOf(received)).toBe('body');
  });

  const SORTED =
    '{"event":"recipient.error","object":{"amount":25.5,"id":"r-1","note":"naïve & more"},"webhook":"w-1"}';

  it.each([
    ['escapes outside ASCII', BODY.replace('ï', '\\u00ef')],
    ['escapes for pages', BODY.replace('&', '\\u0026')],
    ['spaces after colons', BODY.replaceAll('":', '": ').replaceAll(',"', ', "')],
    ['a line end cut off', `${BODY}\n`],
  ])('was signed with %s and re-written without', (_name, original) => {
    expect(causeOf(request({ headers: signed({ body: original }) }))).toBe('body');
  });

  it('and the URL can differ together', () => {
    const url = URL.replace('https', 'http');
    const finding = refused(request({ headers: signed({ url, body: `${BODY}\n` }) }));
    expect(finding.cause).toBe('url_and_body');
  });
});

describe('verb and secret', () => {
  it('names another verb', () => {
    expect(refused(request({ headers: signed({ method: 'PUT' }) })).message).toContain('PUT');
  });

  it('names a verb signed in lower case', () => {
    const text = stringToSign({ nonce: NONCE, method: 'POST', url: URL, body: BODY }).replace(
      '&POST&',
      '&post&',
    );
    const headers = { ...signed(), 'Authorization-Signature': sign(credentials.secret, text) };
    expect(causeOf(request({ headers }))).toBe('verb');
  });

  it('names white space around the secret, or one that was decoded', () => {
    expect(causeOf(request(), { ...credentials, secret: `${credentials.secret}\n` })).toBe('secret_form');
    const secret = 'c2VjcmV0LWFzLXRleHQ=';
    const text = stringToSign({ nonce: NONCE, method: 'POST', url: URL, body: BODY });
    const decoded = { ...signed(), 'Authorization-Signature': sign('secret-as-text', text) };
    expect(refused(request({ headers: decoded }), { ...credentials, secret }).message).toContain('base64');
  });

  it('is left with the secret when nothing else explains it', () => {
    expect(causeOf(request(), { ...credentials, secret: 'another' })).toBe('secret');
    expect(causeOf(request({ rawBody: Buffer.from(BODY.replace('25.5', '99')) }))).toBe('secret');
  });
});

describe('whatever comes', () => {
  it('never verifies an altered request, never throws, and never shows secret, nonce or signature', () => {
    const headers = signed();
    const signature = headers['Authorization-Signature'] ?? '';
    const altered = fc.record({
      rawBody: fc.uint8Array({ maxLength: 60 }),
      url: fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), fc.constant(URL)),
      target: fc.option(fc.string(), { nil: undefined }),
      headers: fc.oneof(
        fc.constant(headers),
        fc.dictionary(fc.string(), fc.string()).map((extra) => ({ ...headers, ...extra })),
        fc.string().map((nonce) => ({ ...headers, 'Authorization-Nonce': nonce })),
      ),
    });
    fc.assert(
      fc.property(altered, (received) => {
        const verdict = verifyDelivery(received, credentials);
        if (verdict.ok) throw new Error('it verified');
        const text = `${verdict.message} ${verdict.hint}`;
        for (const hidden of [credentials.secret, NONCE, signature]) expect(text).not.toContain(hidden);
      }),
      { numRuns: 40 },
    );
  });
});
