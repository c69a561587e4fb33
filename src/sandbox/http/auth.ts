/**
 * Both schemes: key with nonce and signature, or key with secret. The signature covers the request target and the `Host`
 * header exactly as they were sent.
 */
import { type Body, type Credentials, headerNames, headerValue } from '../../contract/signed-text.ts';
import { equalInConstantTime, sign, stringToSign } from '../../contract/signing.ts';
import type { SandboxSettings } from '../settings.ts';
import type { SandboxStore } from '../store/port.ts';
import type { LoggedHeaders } from './redact.ts';

export interface Incoming {
  method: string;
  /** The target as sent, such as `/v1/accounts?page=1`, or an absolute URL. */
  url: string;
  headers: LoggedHeaders;
  body?: Body | undefined;
  /** The body as it comes, where it is a snapshot. */
  stream?: AsyncIterable<Uint8Array> | undefined;
  /** Gives a signal that fires when the client has gone: its answer is read no more. */
  gone?: (() => AbortSignal) | undefined;
}

/** Why a request is not authentic, as a sentence; `stranger` where it came under no key of this account. */
export interface AuthRefusal {
  says: string;
  stranger?: true;
  /** The key is right, and the signature is for something else. */
  mismatch?: true;
}

/** Null when the request is authentic. @assumes nonce-memory */
export function authRefusal(
  request: Incoming,
  { key, secret }: Credentials,
  nonces: SandboxStore['nonces'],
  { nonce_memory }: SandboxSettings,
): AuthRefusal | null {
  const { headers } = request;
  const sentKey = headerValue(headers, headerNames.key);
  if (!sentKey) return { says: 'the key is missing', stranger: true };
  if (!equalInConstantTime(sentKey, key)) return { says: 'the key is unknown', stranger: true };
  const signature = headerValue(headers, headerNames.signature);
  if (signature === undefined) {
    const sentSecret = headerValue(headers, headerNames.secret);
    if (sentSecret === undefined) return { says: 'the signature is missing' };
    return equalInConstantTime(sentSecret, secret) ? null : { says: 'the secret is wrong' };
  }
  const nonce = headerValue(headers, headerNames.nonce);
  if (!nonce) return { says: 'the nonce is missing' };
  const signed = { nonce, method: request.method, url: fullUrl(request), body: request.body };
  if (!equalInConstantTime(sign(secret, stringToSign(signed)), signature))
    return { says: 'the signature does not match', mismatch: true };
  if (!nonces.has(nonce)) nonces.insert({ id: nonce });
  else if (nonce_memory) return { says: 'the nonce was used before' };
  return null;
}

/** Scheme, host and target as the caller signed them: never normalised. */
export function fullUrl({ url, headers }: Incoming): string {
  return url.startsWith('/') ? `http://${headerValue(headers, 'host') ?? ''}${url}` : url;
}
