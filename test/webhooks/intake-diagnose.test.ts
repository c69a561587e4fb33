/** Each cause, by a delivery that is really broken in that one way. */
import { createHash, createHmac } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cause, causeIds, causeInfo } from '../../src/contract/signatures/cause-table.ts';
import { type Against, diagnose, explainSignature } from '../../src/contract/signatures/diagnose.ts';
import type { ReceivedRequest } from '../../src/contract/signatures/finding.ts';
import type { Signable } from '../../src/contract/signed-text.ts';
import { bodyDigest, sign, signedHeaders, stringToSign } from '../../src/contract/signing.ts';
import { verifySignature } from '../../src/webhooks/intake/verify.ts';

const credentials = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const URL = 'https://partner.example/hooks/in?team=a%20b';
const NONCE = '5b1d0c2e-3a44-4f6e-9c58-0f2a7d9e6b11';
const BODY =
  '{"webhook":"w-1","event":"recipient.error","object":{"id":"r-1","note":"naïve & more","url":"https://x/y","amount":25.50}}';

const signed = (over: Partial<Signable> = {}, by = credentials): Record<string, string> =>
  signedHeaders(by, { nonce: NONCE, method: 'POST', url: URL, body: BODY, ...over });
const right = signed()['Authorization-Signature'] ?? '';
const withHeader = (name: string, value: string): Partial<ReceivedRequest> => ({
  headers: { ...signed(), [`Authorization-${name}`]: value },
});
const withText = (text: string): Partial<ReceivedRequest> => ({
  headers: { ...signed(), 'Authorization-Signature': sign(credentials.secret, text) },
});
const request = (over: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  rawBody: Buffer.from(BODY),
  url: URL,
  headers: signed(),
  ...over,
});

/** Received like this, where the service signed something else. */
const bySigning = (over: Partial<Signable>, rest: Partial<ReceivedRequest> = {}) => ({
  ...rest,
  headers: { ...signed(over), ...rest.headers },
});
const byReceiving = (rawBody: string | Buffer, headers: Record<string, string> = {}) => ({
  rawBody: Buffer.from(rawBody),
  headers: { ...signed(), ...headers },
});
const without = (name: string): Record<string, string> => {
  const { [`Authorization-${name}`]: _, ...rest } = signed();
  return rest;
};

const value = JSON.parse(BODY);
const live = { name: 'profile live', key: 'key_live_11aa', secret: 'another-secret-for-live' };
const crlf = BODY.replaceAll(',', ',\n');

type Mutation = [
  cause: Cause,
  how: string,
  over: Partial<ReceivedRequest>,
  against?: Partial<Against>,
  says?: string | RegExp,
];

const URLS_PATH = '/hooks/in?team=a%20b';
const RIGHT_TEXT = stringToSign({ nonce: NONCE, method: 'POST', url: URL, body: BODY });
const digested = (digest: string): Partial<ReceivedRequest> => withText(`${NONCE}&POST&${URL}&${digest}`);
const sha = (algorithm: string, text: string, form: 'hex' | 'base64' = 'hex'): string =>
  createHash(algorithm).update(text).digest(form);
const withMac = (signature: string): Partial<ReceivedRequest> => withHeader('Signature', signature);

/** Signatures by code that signs by itself, with one mistake each. */
const ownSignings: Mutation[] = [
  ['signed_digest', 'the body itself', digested(BODY), {}, 'the body itself'],
  ['signed_digest', 'no digest', digested('')],
  ['signed_digest', 'upper case', digested(bodyDigest(BODY).toUpperCase())],
  ['signed_digest', 'base64', digested(sha('sha512', BODY, 'base64'))],
  ['signed_digest', 'SHA-256', digested(sha('sha256', BODY)), {}, 'SHA256'],
  ['signed_digest', 'an HMAC', digested(sign(credentials.secret, BODY))],
  ['signed_digest', 'twice', digested(bodyDigest(bodyDigest(BODY)))],
  ['signed_digest', 'a text of the text', digested(bodyDigest(JSON.stringify(BODY)))],
  [
    'signed_digest',
    '{} for none',
    { rawBody: Buffer.of(), ...digested(bodyDigest('{}')) },
    {},
    '{} was signed',
  ],
  ['signed_digest', 'null for none', { rawBody: Buffer.of(), ...digested(bodyDigest('null')) }],
  ['signed_url', 'path and query', bySigning({ url: URLS_PATH })],
  ['signed_url', 'the path', bySigning({ url: '/hooks/in' }), {}, 'the path alone'],
  ['signed_url', 'no scheme', bySigning({ url: `partner.example${URLS_PATH}` })],
  ['signed_url', 'encoded', bySigning({ url: encodeURIComponent(URL) })],
  ['signed_text', 'line ends', withText(RIGHT_TEXT.replaceAll('&', '\n')), {}, 'a line end between'],
  ['signed_text', 'nothing between', withText(RIGHT_TEXT.replaceAll('&', ''))],
  [
    'signed_text',
    'in another order',
    withText(`POST&${URL}&${bodyDigest(BODY)}&${NONCE}`),
    {},
    'verb, URL, digest, nonce',
  ],
  ['signed_text', 'no nonce', withText(RIGHT_TEXT.replace(`${NONCE}&`, '')), {}, 'the nonce is missing'],
  ['signed_text', 'no verb', withText(RIGHT_TEXT.replace('&POST', ''))],
  ['signed_text', 'the body alone', withText(BODY)],
  ['signed_text', 'the key before it', withText(`${credentials.key}&${RIGHT_TEXT}`)],
  ['signed_text', 'a mark after it', withText(`${RIGHT_TEXT}&`)],
  ['signed_mac', 'no HMAC', withMac(sha('sha512', RIGHT_TEXT))],
  ['signed_mac', 'secret before', withMac(sha('sha512', credentials.secret + RIGHT_TEXT))],
  ['signed_mac', 'secret after', withMac(sha('sha512', RIGHT_TEXT + credentials.secret))],
  ['signed_mac', 'exchanged', withMac(sign(RIGHT_TEXT, credentials.secret)), {}, 'changed places'],
  ['signed_mac', 'hashed first', withMac(sign(credentials.secret, bodyDigest(RIGHT_TEXT)))],
  ['signed_url', 'path, and no digest', withText(`${NONCE}&POST&${URLS_PATH}&`), {}, 'two things differ'],
];

const mutations: Mutation[] = [
  ['missing_header', 'no nonce', { headers: without('Nonce') }, {}, 'Authorization-Nonce'],
  ['missing_header', 'no key', { headers: without('Key') }, {}, 'Authorization-Key'],
  ['missing_header', 'empty signature', withHeader('Signature', '')],
  [
    'missing_header',
    'renamed on the way',
    { headers: { ...without('Nonce'), HTTP_AUTHORIZATION_NONCE: NONCE } },
    {},
    'HTTP_AUTHORIZATION_NONCE',
  ],
  ['missing_header', 'nothing at all', { headers: { host: 'partner.example' } }],
  ['other_scheme', 'as another sender signs', { headers: { 'x-hub-signature-256': 'sha256=00' } }],
  ['other_scheme', 'a bearer token', { headers: { authorization: 'Bearer x' } }],
  [
    'header_swapped',
    'nonce and signature',
    { headers: { ...signed(), 'Authorization-Nonce': right, 'Authorization-Signature': NONCE } },
  ],
  [
    'header_swapped',
    'key and nonce',
    { headers: { ...signed(), 'Authorization-Nonce': credentials.key, 'Authorization-Key': NONCE } },
  ],
  ['header_twice', 'the nonce', withHeader('Nonce', `${NONCE}, ${NONCE}`)],
  ['header_twice', 'the signature', withHeader('Signature', `${right}, ${right}`)],
  ['key_space', 'a line end', {}, { credentials: { ...credentials, key: `${credentials.key}\n` } }],
  ['key_space', 'quotes', {}, { credentials: { ...credentials, key: `"${credentials.key}"` } }],
  [
    'other_profile_key',
    'of the profile live',
    { headers: signed({}, live) },
    { others: [live] },
    /profile live: with its secret/,
  ],
  [
    'other_profile_key',
    'its secret unread',
    { headers: signed({}, live) },
    { others: [{ name: 'profile live', key: live.key }] },
    /profile live$/m,
  ],
  ['key_header', 'rewritten on the way', withHeader('Key', 'key_from_a_proxy'), {}, /…roxy/],
  ['other_key', 'nobody has it', { headers: signed({}, live) }, {}, /…11aa.*…7f3c/],
  ['signature_case', 'upper case', withHeader('Signature', right.toUpperCase())],
  ['signature_space', 'a space', withHeader('Signature', `${right} `)],
  ['signature_space', 'quotes', withHeader('Signature', `"${right}"`)],
  ['signature_base64', 'base64', withHeader('Signature', Buffer.from(right, 'hex').toString('base64'))],
  ['signature_base64', 'base64url', withHeader('Signature', Buffer.from(right, 'hex').toString('base64url'))],
  ['signature_prefix', 'sha512=', withHeader('Signature', `sha512=${right}`)],
  ['signature_cut', 'at 100', withHeader('Signature', right.slice(0, 100)), {}, '100 of 128'],
  ['signature_cut', 'at 127', withHeader('Signature', right.slice(0, -1))],
  [
    'signature_digest',
    'SHA-256',
    withHeader(
      'Signature',
      createHmac('sha256', credentials.secret)
        .update(stringToSign({ nonce: NONCE, method: 'POST', url: URL, body: BODY }))
        .digest('hex'),
    ),
    {},
    'HMAC and SHA-256',
  ],
  ['signature_digest', 'by its length', withHeader('Signature', 'ab'.repeat(20)), {}, 'SHA-1'],
  ['signature_shape', 'nonsense', withHeader('Signature', 'nonsense'), {}, '8 characters'],
  ['url_scheme', 'http', bySigning({ url: URL.replace('https', 'http') })],
  ['url_port', 'the default one', bySigning({ url: URL.replace('example', 'example:443') })],
  ['url_port', 'written here', bySigning({}, { url: URL.replace('example', 'example:8443') })],
  [
    'url_port',
    'of the Host header',
    bySigning({ url: URL.replace('example', 'example:8443') }, { headers: { host: 'proxy:8443' } }),
  ],
  ['url_slash', 'at the end', bySigning({ url: URL.replace('/in', '/in/') })],
  ['url_slash', 'none at the end', bySigning({ url: 'https://a.example' }, { url: 'https://a.example/' })],
  ['url_query', 'none', bySigning({ url: URL.split('?')[0] ?? '' })],
  [
    'url_query',
    'lost here',
    bySigning({}, { url: 'https://partner.example/hooks/in', target: '/hooks/in?team=a%20b' }),
  ],
  [
    'url_query',
    'in another order',
    bySigning({ url: 'https://a.example/?a=1&b=2' }, { url: 'https://a.example/?b=2&a=1' }),
  ],
  [
    'url_tunnel',
    'a tunnel',
    bySigning({ url: URL }, { url: URL.replace('partner.example', 'abc.tunnel.example') }),
    { registered: ['https://partner.example/hooks/in'] },
  ],
  [
    'url_registered',
    'another endpoint',
    bySigning({ url: 'https://other.example/x' }),
    { registered: ['https://other.example/x'] },
  ],
  [
    'url_host',
    'the Host header',
    bySigning({ url: 'http://127.0.0.1:4010/hooks/in?team=a%20b' }, { headers: { host: '127.0.0.1:4010' } }),
  ],
  ['url_host', 'its case', bySigning({}, { url: URL.replace('partner', 'Partner') })],
  [
    'url_prefix',
    'of the registered URL',
    bySigning({ url: 'https://partner.example/api/in' }, { url: 'https://partner.example/in' }),
    { registered: ['https://partner.example/api/in', 'https://partner.example/api/out'] },
  ],
  [
    'url_prefix',
    'of the public URL',
    bySigning({ url: 'https://a.example/api/in' }, { url: 'https://a.example/api', target: '/in' }),
  ],
  [
    'url_prefix',
    'said by the proxy',
    bySigning(
      { url: 'https://a.example/api/in' },
      { url: 'https://a.example/in', headers: { 'x-forwarded-prefix': '/api' } },
    ),
  ],
  [
    'url_prefix',
    'put before it',
    bySigning({ url: 'https://a.example/in' }, { url: 'https://a.example/api/in' }),
  ],
  ['url_path', 'another', bySigning({ url: 'https://partner.example/o?x=1' }, { target: '/o?x=1' })],
  ['url_fragment', 'a fragment', bySigning({}, { url: `${URL}#x` })],
  ['url_encoding', 'a space', bySigning({ url: URL.replace('%20', ' ') })],
  ['url_encoding', 'a plus', bySigning({ url: URL.replace('%20', '+') })],
  [
    'url',
    'host and path',
    bySigning(
      { url: 'http://tunnel.example/other' },
      { headers: { host: 'tunnel.example' }, target: '/other' },
    ),
  ],
  ['body_line_end', 'added', byReceiving(`${BODY}\n`)],
  ['body_line_end', 'lost', bySigning({ body: `${BODY}\n` })],
  ['body_line_end', 'CR LF lost', bySigning({ body: `${BODY}\r\n` })],
  ['body_space', 'added', byReceiving(` ${BODY}  `)],
  ['body_bom', 'added', byReceiving(`\ufeff${BODY}`)],
  ['body_bom', 'removed', bySigning({ body: `\ufeff${BODY}` })],
  [
    'body_crlf',
    'to',
    { rawBody: Buffer.from(crlf.replaceAll('\n', '\r\n')), headers: signed({ body: crlf }) },
  ],
  [
    'body_crlf',
    'from',
    { rawBody: Buffer.from(crlf), headers: signed({ body: crlf.replaceAll('\n', '\r\n') }) },
  ],
  ['body_empty', 'lost before it was signed', bySigning({ body: '' })],
  ['body_compressed', 'gzip', byReceiving(gzipSync(BODY))],
  ['body_compressed', 'deflate', byReceiving(deflateSync(BODY))],
  ['body_compressed', 'br', byReceiving(brotliCompressSync(BODY), { 'Content-Encoding': 'br' })],
  [
    'body_decompressed',
    'gzip, put together again',
    bySigning({ body: gzipSync(BODY) }, { headers: { 'content-encoding': 'gzip' } }),
  ],
  [
    'body_decompressed',
    'br, by the header alone',
    bySigning({ body: brotliCompressSync(BODY) }, { headers: { 'content-encoding': 'br' } }),
    {},
    'Content-Encoding says br',
  ],
  ['body_charset', 'Latin-1 and back', byReceiving(Buffer.from(BODY).toString('latin1'))],
  ['body_charset', 'to Latin-1', byReceiving(Buffer.from(BODY, 'latin1'))],
  [
    'body_charset',
    'from Windows-1252',
    {
      rawBody: Buffer.from(BODY.replace('more', '€')),
      headers: signed({ body: Buffer.from(BODY.replace('more', '\x80'), 'latin1') }),
    },
  ],
  ['body_charset', 'from UTF-16', bySigning({ body: Buffer.from(BODY, 'utf16le') })],
  ['body_charset', 'to UTF-16', byReceiving(Buffer.from(BODY, 'utf16le'))],
  ['body_charset', 'NFD', byReceiving(BODY.normalize('NFD'))],
  ['body_rewritten', 'indented', byReceiving(BODY.replaceAll('":', '": ').replaceAll(',"', ',\n  "'))],
  ['body_rewritten', 'spaced', byReceiving(BODY.replaceAll('":', '": ').replaceAll(',"', ', "'))],
  [
    'body_rewritten',
    'signed spaced',
    bySigning({ body: BODY.replaceAll('":', '": ').replaceAll(',"', ', "') }),
  ],
  ['body_rewritten', 'signed with ASCII alone', bySigning({ body: BODY.replace('ï', '\\u00ef') })],
  ['body_rewritten', 'escaped here', byReceiving(BODY.replace('ï', '\\u00ef'))],
  ['body_rewritten', 'signed safe for pages', bySigning({ body: BODY.replace('&', '\\u0026') })],
  ['body_rewritten', 'signed with \\/', bySigning({ body: BODY.replaceAll('/', '\\/') })],
  [
    'body_rewritten',
    'signed in order',
    {
      rawBody: Buffer.from('{"b":1,"a":{"d":2,"c":[]}}'),
      headers: signed({ body: '{"a":{"c":[],"d":2},"b":1}' }),
    },
  ],
  ['body_wrapped', 'a JSON text twice', byReceiving(JSON.stringify(BODY))],
  ['body_wrapped', 'a Buffer', byReceiving(JSON.stringify(Buffer.from(BODY)))],
  ['body_wrapped', 'base64', byReceiving(Buffer.from(BODY).toString('base64')), {}, 'isBase64Encoded'],
  ['body_wrapped', 'hex', byReceiving(Buffer.from(BODY).toString('hex'))],
  ['body_wrapped', 'a form', byReceiving(`${encodeURIComponent(BODY)}=`)],
  ['body_wrapped', 'Python bytes', { rawBody: Buffer.from("b'{}'"), headers: signed({ body: '{}' }) }],
  ['body_lost', 'empty', byReceiving(''), {}, 'is empty'],
  ['body_lost', 'read before', byReceiving('{}'), {}, 'is {}'],
  ['body_lost', 'an object as text', byReceiving('[object Object]')],
  ['body_lost', 'undefined', byReceiving('undefined')],
  ['body_lost', 'a dictionary', byReceiving("{'webhook': 'w-1'}"), {}, 'Python'],
  ['body_lost', 'a form', byReceiving('webhook=w-1&event=recipient.error')],
  ...ownSignings,
  ['verb', 'PUT', bySigning({ method: 'PUT' }), {}, 'PUT'],
  [
    'verb',
    'in lower case',
    withText(
      stringToSign({ nonce: NONCE, method: 'POST', url: URL, body: BODY }).replace('&POST&', '&post&'),
    ),
  ],
  ['nonce_space', 'cut off', withText(`${NONCE} &POST&${URL}&${bodyDigest(BODY)}`)],
  ['nonce_space', 'added', withHeader('Nonce', `${NONCE} `)],
  ['nonce_case', 'upper case', withHeader('Nonce', NONCE.toUpperCase())],
  ['nonce_cut', 'the end', withHeader('Nonce', NONCE.slice(0, 30)), {}, '30 of the 36'],
  ['secret_space', 'a line end', {}, { credentials: { ...credentials, secret: `${credentials.secret}\n` } }],
  ['secret_space', 'within', {}, { credentials: { ...credentials, secret: 'demo-secret -9c1e4b' } }],
  [
    'secret_space',
    'at the signer',
    { headers: signed({}, { ...credentials, secret: 'demo-secret-9c1e4b\n' }) },
  ],
  ['secret_quotes', 'here', {}, { credentials: { ...credentials, secret: `"${credentials.secret}"` } }],
  [
    'secret_form',
    'the key',
    { headers: signed({}, { ...credentials, secret: credentials.key }) },
    {},
    'the key',
  ],
  [
    'secret_form',
    'base64',
    { headers: signed({}, { ...credentials, secret: 'secret-as-text' }) },
    { credentials: { ...credentials, secret: 'c2VjcmV0LWFzLXRleHQ=' } },
    'base64',
  ],
  [
    'other_profile_secret',
    'of live',
    { headers: signed({}, { ...credentials, secret: live.secret }) },
    { others: [live] },
    'the secret of profile live',
  ],
  ['url_and_body', 'both', bySigning({ url: URL.replace('https', 'http'), body: `${BODY}\n` })],
  ['secret', 'another', { headers: signed({}, { ...credentials, secret: 'another' }) }],
  ['secret', 'forged', byReceiving(BODY.replace('25.50', '99.00'))],
  [
    'body_rewritten',
    '25.50 written as 25.5',
    byReceiving(JSON.stringify(value)),
    {},
    /parsed and written again as JSON\n.*raw bytes/,
  ],
  [
    'secret',
    'digits of a number lost',
    byReceiving(JSON.stringify({ ...value, object: { rate: 1667.93 } })),
    {},
    /12\.50.*cannot be undone/,
  ],
  ['secret', 'lost letters', byReceiving(BODY.replace('ï', '\ufffd')), {}, 'U+FFFD'],
];

const hidden = [
  credentials.secret,
  live.secret,
  NONCE,
  NONCE.toUpperCase(),
  right,
  right.toUpperCase(),
  credentials.key,
  live.key,
];

describe('one thing broken', () => {
  it.each(mutations)('%s: %s', (cause, _how, over, against = {}, says) => {
    const received = request(over);
    const used = { credentials, ...against };
    expect(verifySignature(received, [used.credentials])).toBeNull();
    const finding = diagnose(received, used);
    expect(`${finding.cause}: ${finding.message}`).toMatch(new RegExp(`^${cause}: `));
    if (says) expect(`${finding.message}\n${finding.hint}`).toMatch(says);
    for (const text of hidden) expect(finding.message + finding.hint).not.toContain(text);
  });

  it('covers every cause that a signature can fail for', () => {
    const covered = new Set(mutations.map(([cause]) => cause));
    expect(causeIds.filter((cause) => !covered.has(cause))).toEqual(['not_a_delivery']);
    for (const cause of causeIds) expect(causeInfo(cause).hint.length).toBeGreaterThan(10);
  });

  it('names the URL that was signed', () => {
    const url = URL.replace('https', 'http');
    expect(diagnose(request(bySigning({ url })), { credentials }).hint).toContain(url);
  });
});

/** The order in which causes are tried: what is wrong with one header first, then one change, then two at once. */
const ORDER = `
  missing_header other_scheme header_swapped header_twice key_space other_profile_key key_header
  other_key signature_case signature_space signature_base64 signature_prefix signature_cut
  signature_digest signature_shape url_scheme url_port url_slash url_query url_tunnel url_host
  url_prefix url_path url_fragment url_encoding url_registered url body_line_end body_space body_bom
  body_crlf body_empty body_compressed body_decompressed body_charset body_rewritten body_wrapped
  body_lost verb signed_digest signed_url signed_text signed_mac
  nonce_space nonce_case nonce_cut secret_space secret_quotes secret_form other_profile_secret
  url_and_body secret not_a_delivery
`;

describe('what was tried', () => {
  it('is the whole list, up to the one that fits', () => {
    const { finding, tried } = explainSignature(request({ url: `${URL}#x` }), { credentials });
    expect(tried.map(({ cause }) => cause)).toEqual(ORDER.trim().split(/\s+/));
    expect(tried.filter(({ result }) => result === 'fits').map(({ cause }) => cause)).toEqual([
      finding.cause,
    ]);
    expect(tried.find(({ cause }) => cause === 'url_scheme')).toMatchObject({ result: 'does not fit' });
    expect(tried.find(({ cause }) => cause === 'body_rewritten')).toMatchObject({ result: 'not tried' });
  });

  it('goes on to the end where all are asked for', () => {
    const over = { url: `${URL}#x`, headers: { ...signed(), host: 'partner.example' } };
    const { finding, tried } = explainSignature(request(over), {
      credentials,
      others: [live],
      registered: [URL],
      all: true,
    });
    expect(finding.cause).toBe('url_fragment');
    const words = (result: string) =>
      tried.filter((each) => each.result === result).map(({ cause }) => cause);
    expect(words('fits')).toEqual(['url_fragment']);
    expect(words('does not fit')).toEqual(
      expect.arrayContaining([
        'body_rewritten',
        'verb',
        'nonce_case',
        'secret_form',
        'other_profile_secret',
        'url_and_body',
      ]),
    );
    expect(words('not tried')).not.toContain('body_rewritten');
  });
});

describe('whatever comes', () => {
  const altered = fc.record({
    rawBody: fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      // A backslash before something that JSON has no escape for.
      fc.constantFrom('"\\\u0000"', '{"a":"\\x"}', '"\\').map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(text)),
    ),
    url: fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), fc.constant(URL)),
    target: fc.option(fc.string(), { nil: undefined }),
    headers: fc.oneof(
      fc.constant(signed()),
      fc.dictionary(fc.string(), fc.string()).map((extra) => ({ ...signed(), ...extra })),
      fc.string().map((nonce) => ({ ...signed(), 'Authorization-Nonce': nonce })),
      fc.string().map((signature) => ({ ...signed(), 'Authorization-Signature': signature })),
    ),
  });

  it('never throws, never lets an altered one in, and never shows secret, nonce or signature', () => {
    fc.assert(
      fc.property(altered, (received) => {
        expect(verifySignature(received, [credentials])).toBeNull();
        const { message, hint } = diagnose(received, { credentials, others: [live], registered: [URL] });
        for (const text of [credentials.secret, live.secret, NONCE, right])
          expect(message + hint).not.toContain(text);
      }),
      { numRuns: 40 },
    );
  });

  it('an intact delivery verifies, of any body and URL', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.string({ minLength: 1 }), (body, url, nonce) => {
        const headers = signed({ body, url, nonce });
        expect(verifySignature({ rawBody: body, url, headers }, [credentials])).not.toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it('deep JSON and bombs cost nothing', () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    for (const body of [bomb, deep, '{'.repeat(60_000), '"\\'.repeat(20_000)])
      expect(diagnose(request(byReceiving(body as string)), { credentials }).cause).toBe('secret');
  });
});
