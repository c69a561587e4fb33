/**
 * The text that is signed, for a request of ours and a webhook of the service alike (docs/wire.md 1): nonce, verb, full URL and body
 * digest joined by one `&`. No module of Node is needed for it.
 */
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

export interface Signable {
  nonce: string;
  method: string;
  /** Scheme, host, port when not the default, path and query, exactly as sent. */
  url: string;
  body?: Body | undefined;
}

export interface Credentials {
  key: string;
  secret: string;
}

/** `digest`: SHA-512 of the exact body bytes, in lower-case hex. The URL counts exactly as sent. */
export const signedText = ({ nonce, method, url }: Signable, digest: string): string =>
  `${nonce}&${method.toUpperCase()}&${url}&${digest}`;

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
    const first = Array.isArray(value) ? value[0] : value;
    // A caller's headers may hold anything: a value that is not text is ignored.
    return typeof first === 'string' ? first : undefined;
  }
  return undefined;
}
