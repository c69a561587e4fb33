/** Bodies that were packed on the way (Content-Encoding), within a limit: a small body may unpack to gigabytes. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { headerValue } from '../signed-text.ts';
import type { Headers, Variant } from './finding.ts';

const LIMIT = { maxOutputLength: 1_000_000 };

type Unpack = (bytes: Uint8Array) => Uint8Array;

/** Returns the bodies that the received bytes hold, if they are packed. */
export function unpacked(rawBody: Uint8Array, headers: Headers): Variant<Uint8Array>[] {
  return unpackers(rawBody, headers).flatMap(([name, unpack]) => {
    try {
      return [
        { cause: 'body_compressed' as const, value: unpack(rawBody), change: `it is packed (${name})` },
      ];
    } catch {
      return [];
    }
  });
}

/** gzip and zlib are known by their first bytes; the others have no mark, so that the header must name them. */
function unpackers(bytes: Uint8Array, headers: Headers): (readonly [string, Unpack])[] {
  const [first = 0, second = 0] = bytes;
  const named = packedAs(headers);
  const all: (readonly [string, Unpack])[] = [];
  if (first === 0x1f && second === 0x8b) all.push(['gzip', (body) => gunzipSync(body, LIMIT)]);
  if ((first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0)
    all.push(['deflate', (body) => inflateSync(body, LIMIT)]);
  if (named === 'deflate') all.push(['deflate', (body) => inflateRawSync(body, LIMIT)]);
  if (named === 'br' || !looksLikeText(bytes)) all.push(['br', (body) => brotliDecompressSync(body, LIMIT)]);
  return all;
}

/** Lower case; undefined where the header says nothing. */
export function packedAs(headers: Headers): string | undefined {
  const named = headerValue(headers, 'content-encoding')?.trim().toLowerCase();
  return named === undefined || named === '' || named === 'identity' ? undefined : named;
}

export const looksLikeText = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 64).every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
