/** The raw bytes of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

export type Body = { bytes: Uint8Array } | 'too_large' | 'broken_off';

/** How much of a body that is too large is let through unread, so that its sender gets to see the answer. */
const DRAINED = 16 * 1024 * 1024;

export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (length > DRAINED) resolve('too_large');
    });
    request.on('end', () => resolve(length > maxBytes ? 'too_large' : { bytes: Buffer.concat(chunks) }));
    request.on('close', () => resolve('broken_off'));
    request.on('error', () => resolve('broken_off'));
  });
}
