/**
 * Signatures of requests and of webhooks (docs/wire.md 1). The text that is signed is nonce, verb, full URL and body
 * digest joined by one `&`; the signature is its HMAC-SHA-512 under the API secret, in lower-case hex.
 * The URL counts exactly as sent: nothing here encodes, decodes or orders it.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

export const headerNames = {
  key: 'Authorization-Key',
  nonce: 'Authorization-Nonce',
  signature: 'Authorization-Signature',
  secret: 'Authorization-Secret',
} as const;

/** SHA-512 of nothing: the digest of every request without a body. */
export const emptyBodyDigest =
  'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e';

export type Body = string | Uint8Array;

/** SHA-512 of the exact body bytes, lower-case hex. */
export function bodyDigest(body: Body | undefined): string {
  if (body === undefined || body.length === 0) return emptyBodyDigest;
  return hash('sha512', body, 'hex');
}

export interface Signable {
  nonce: string;
  method: string;
  /** Scheme, host, port when not the default, path and query, exactly as sent. */
  url: string;
  body?: Body | undefined;
}

export function stringToSign({ nonce, method, url, body }: Signable): string {
  return `${nonce}&${method.toUpperCase()}&${url}&${bodyDigest(body)}`;
}

/** 128 hex digits. The secret is used as its UTF-8 text, not decoded. */
export function sign(secret: string, text: string): string {
  return createHmac('sha512', secret).update(text).digest('hex');
}

export interface Credentials {
  key: string;
  secret: string;
}

/** The headers of the signing scheme, for a request of ours or a webhook of the service. */
export function signedHeaders({ key, secret }: Credentials, request: Signable): Record<string, string> {
  return {
    'Authorization-Key': key,
    'Authorization-Nonce': request.nonce,
    'Authorization-Signature': sign(secret, stringToSign(request)),
  };
}

/** A header's value whatever the case of its name; the first of several. */
export function headerValue(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  const direct = headers[wanted];
  if (typeof direct === 'string') return direct;
  for (const key of Object.keys(headers)) {
    if (key.toLowerCase() !== wanted) continue;
    const value = headers[key];
    return typeof value === 'string' ? value : value?.[0];
  }
  return undefined;
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
