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
  sign,
  stringToSign,
} from '../../contract/signing.ts';
import type { SandboxSettings } from '../settings.ts';
import type { Nonces } from '../store/nonces.ts';
import type { RawHeaders } from './redact.ts';

export interface Incoming {
  method: string;
  /** The target as sent, such as `/v1/accounts?page=1`, or an absolute URL. */
  url: string;
  headers: RawHeaders;
  body?: Body | undefined;
  /** The body as it comes, where it is a snapshot. */
  stream?: AsyncIterable<Uint8Array> | undefined;
}

/** Null when the request is authentic; otherwise why not, as a sentence. @assumes nonce-memory */
export function refusal(
  request: Incoming,
  { key, secret }: Credentials,
  nonces: Nonces,
  { nonce_memory }: SandboxSettings,
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
  if (!equalInConstantTime(sign(secret, stringToSign(signed)), signature))
    return 'the signature does not match';
  if (!nonces.has(nonce)) nonces.insert({ id: nonce });
  else if (nonce_memory) return 'the nonce was used before';
  return null;
}

/** Scheme, host and target as the caller signed them: never normalised. */
export function fullUrl({ url, headers }: Incoming): string {
  return url.startsWith('/') ? `http://${headerValue(headers, 'host') ?? ''}${url}` : url;
}
