/** A signed request as HTTP carries it, and the scheme once more in as few words as it has: not the code under test. */
import { createHash, createHmac } from 'node:crypto';

export interface Requested {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

export interface Pair {
  key: string;
  secret: string;
}

export const KEY = 'Authorization-Key';
export const NONCE = 'Authorization-Nonce';
export const SIGNATURE = 'Authorization-Signature';

export const digestOf = (body: Buffer): string => createHash('sha512').update(body).digest('hex');

export function signatureOf(
  secret: string,
  { nonce, method, url, digest }: { nonce: string; method: string; url: string; digest: string },
): string {
  return createHmac('sha512', secret).update(`${nonce}&${method}&${url}&${digest}`).digest('hex');
}

export function genuine(
  { key, secret }: Pair,
  nonce: string,
  url: string,
  text: string | Uint8Array,
): Requested {
  const body = Buffer.from(text as string);
  const signature = signatureOf(secret, { nonce, method: 'POST', url, digest: digestOf(body) });
  return {
    method: 'POST',
    url,
    headers: [
      ['Content-Type', 'application/json'],
      [KEY, key],
      [NONCE, nonce],
      [SIGNATURE, signature],
      ['User-Agent', 'the service'],
    ],
    body,
  };
}

/** Header values as a server reads them: names in any case, several joined, white space around them no part of them. */
export function headersOf({ headers }: Requested): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const text = value.replace(/^[ \t]+|[ \t]+$/g, '');
    read[lower] = read[lower] === undefined ? text : `${read[lower]}, ${text}`;
  }
  return read;
}

/** Everything that the scheme signs or that says who signed: two requests that agree in this are one delivery. */
export function signedParts(request: Requested): string {
  const headers = headersOf(request);
  const texts = [KEY, NONCE, SIGNATURE].map((name) => headers[name.toLowerCase()] ?? null);
  return JSON.stringify([
    request.method.toUpperCase(),
    request.url,
    ...texts,
    request.body.toString('base64'),
  ]);
}
