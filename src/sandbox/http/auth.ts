/**
 * Both schemes: key with nonce and signature, or key with secret. The signature covers the request target and the `Host`
 * header exactly as they were sent.
 */
import {
  type Body,
  type Credentials,
  equalInConstantTime,
  headerNames,
  headerValue,
  verify,
} from '../../contract/signing.ts';
import type { Settings } from '../settings.ts';
import type { RawHeaders } from './redact.ts';

const REMEMBERED_NONCES = 100_000;

/** The last nonces that were used: the oldest make room. */
export class NonceMemory {
  readonly #used = new Set<string>();
  readonly #order: string[] = [];
  #next = 0;

  /** False when the nonce was used before. */
  use(nonce: string): boolean {
    if (this.#used.has(nonce)) return false;
    const oldest = this.#order[this.#next];
    if (oldest !== undefined) this.#used.delete(oldest);
    this.#order[this.#next] = nonce;
    this.#next = (this.#next + 1) % REMEMBERED_NONCES;
    this.#used.add(nonce);
    return true;
  }
}

export interface Incoming {
  method: string;
  /** The target as sent, such as `/v1/accounts?page=1`, or an absolute URL. */
  url: string;
  headers: RawHeaders;
  body?: Body | undefined;
}

/** Null when the request is authentic; otherwise why not, as a sentence. */
export function refusal(
  request: Incoming,
  { key, secret }: Credentials,
  nonces: NonceMemory,
  { nonce_memory }: Settings,
): string | null {
  const { headers } = request;
  const sentKey = headerValue(headers, headerNames.key);
  if (!sentKey) return 'the key is missing';
  if (!equalInConstantTime(sentKey, key)) return 'the key is unknown';
  const signature = headerValue(headers, headerNames.signature);
  if (signature === undefined) {
    const sentSecret = headerValue(headers, headerNames.secret);
    if (sentSecret === undefined) return 'the signature is missing';
    return equalInConstantTime(sentSecret, secret) ? null : 'the secret is wrong';
  }
  const nonce = headerValue(headers, headerNames.nonce);
  if (!nonce) return 'the nonce is missing';
  const signed = { nonce, method: request.method, url: fullUrl(request), body: request.body };
  if (!verify(secret, signed, signature)) return 'the signature does not match';
  return nonces.use(nonce) || !nonce_memory ? null : 'the nonce was used before';
}

/** Scheme, host and target as the caller signed them: never normalised. */
export function fullUrl({ url, headers }: Incoming): string {
  return url.startsWith('/') ? `http://${headerValue(headers, 'host') ?? ''}${url}` : url;
}
