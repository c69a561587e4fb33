/**
 * Signatures of requests and of webhooks (docs/wire.md 1). The text that is signed is nonce, verb, full URL and body
 * digest joined by one `&`; the signature is its HMAC-SHA-512 under the API secret, in lower-case hex.
 * The URL counts exactly as sent: nothing here encodes, decodes or orders it.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { type Body, type Credentials, emptyBodyDigest, type Signable, signedText } from './signed-text.ts';

/** SHA-512 of the exact body bytes, lower-case hex. */
export function bodyDigest(body: Body | undefined): string {
  if (body === undefined || body.length === 0) return emptyBodyDigest;
  return hash('sha512', body, 'hex');
}

export const stringToSign = (request: Signable): string => signedText(request, bodyDigest(request.body));

/** 128 hex digits. The secret is used as its UTF-8 text, not decoded. */
export function sign(secret: string, text: string): string {
  return createHmac('sha512', secret).update(text).digest('hex');
}

/** The headers of the signing scheme, for a request of ours or a webhook of the service. */
export function signedHeaders({ key, secret }: Credentials, request: Signable): Record<string, string> {
  return {
    'Authorization-Key': key,
    'Authorization-Nonce': request.nonce,
    'Authorization-Signature': sign(secret, stringToSign(request)),
  };
}

/** Equal texts, in a time that does not tell where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8');
  const right = Buffer.from(b, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}

/** True when the signature is the one that this secret gives for exactly these bytes. */
export function verify(secret: string, request: Signable, signature: string): boolean {
  return equalInConstantTime(sign(secret, stringToSign(request)), signature);
}
