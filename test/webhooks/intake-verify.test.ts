/** Is it genuine, and what is it for people: VALID, INVALID, MALFORMED or UNCHECKED. */
import { describe, expect, it } from 'vitest';
import type { ReceivedRequest } from '../../src/contract/signatures/finding.ts';
import type { Signable } from '../../src/contract/signed-text.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { classifyDelivery } from '../../src/webhooks/intake/judge.ts';
import { readDelivery, remarkOn, verifySignature } from '../../src/webhooks/intake/verify.ts';

const credentials = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const URL = 'https://partner.example/hooks/in?team=a%20b';
const NONCE = '5b1d0c2e-3a44-4f6e-9c58-0f2a7d9e6b11';
const BODY = '{"webhook":"w-1","event":"recipient.error","object":{"id":"r-1"}}';

const signed = (over: Partial<Signable> = {}, by = credentials): Record<string, string> =>
  signedHeaders(by, { nonce: NONCE, method: 'POST', url: URL, body: BODY, ...over });

const request = (over: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  rawBody: Buffer.from(BODY),
  url: URL,
  headers: signed(),
  ...over,
});

describe('a delivery that is right', () => {
  it('is genuine, and whose secret made it so is known', () => {
    const older = { ...credentials, secret: 'the-one-before' };
    expect(verifySignature(request(), [credentials])).toMatchObject({ nonce: NONCE, credentials });
    expect(verifySignature(request({ headers: signed({}, older) }), [credentials, older])).toMatchObject({
      credentials: older,
    });
    expect(readDelivery(Buffer.from(BODY))).toMatchObject({ event: 'recipient.error' });
    expect(classifyDelivery(request(), { credentials })).toMatchObject({
      verdict: 'VALID',
      delivery: { event: 'recipient.error' },
    });
  });

  it('is so whatever the case of its header names, and says where that would not do', () => {
    for (const change of ['toLowerCase', 'toUpperCase'] as const) {
      const headers = Object.fromEntries(
        Object.entries(signed()).map(([name, value]) => [name[change](), value]),
      );
      expect(classifyDelivery(request({ headers }), { credentials }).remark).toContain(
        'exactly this spelling',
      );
    }
    expect(remarkOn(signed())).toBeUndefined();
  });
});

describe('one that is not', () => {
  const verdict = (
    over: Partial<ReceivedRequest>,
    against: Parameters<typeof classifyDelivery>[1] = { credentials },
  ) => classifyDelivery(request(over), against);

  it('INVALID: another secret, with the one cause', () => {
    const judged = verdict({ url: URL.replace('https', 'http') });
    expect(judged).toMatchObject({ verdict: 'INVALID', finding: { cause: 'url_scheme' } });
    expect(judged.delivery).toMatchObject({ event: 'recipient.error' });
  });

  it.each(['', 'not JSON', '{"event":"recipient.error"}', '[]'])(
    'MALFORMED: rightly signed, but no delivery: %j',
    (body) => {
      const judged = verdict({ rawBody: Buffer.from(body), headers: signed({ body }) });
      expect(judged).toMatchObject({ verdict: 'MALFORMED', finding: { cause: 'not_a_delivery' } });
      expect(judged.delivery).toBeUndefined();
    },
  );

  it('MALFORMED: a header is missing, or the signature is none', () => {
    expect(verdict({ headers: {} })).toMatchObject({
      verdict: 'MALFORMED',
      finding: { cause: 'missing_header' },
    });
    const headers = { ...signed(), 'Authorization-Signature': 'nonsense' };
    expect(verdict({ headers })).toMatchObject({
      verdict: 'MALFORMED',
      finding: { cause: 'signature_shape' },
    });
  });

  it('UNCHECKED: no secret, or a key that nobody here has', () => {
    expect(verdict({}, {})).toMatchObject({ verdict: 'UNCHECKED' });
    const other = { key: 'key_live_11aa', secret: 's' };
    expect(verdict({}, { credentials: other })).toMatchObject({
      verdict: 'UNCHECKED',
      finding: { cause: 'other_key' },
    });
    expect(
      verdict({}, { credentials: other, others: [{ name: 'profile demo', ...credentials }] }),
    ).toMatchObject({ verdict: 'INVALID', finding: { cause: 'other_profile_key' } });
  });
});
