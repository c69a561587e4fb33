/** The raw bytes of a request, up to a limit, and up to a limit for all requests together. */
import type { IncomingMessage } from 'node:http';

/** `letGo` gives its room back, once nothing holds it any more. */
export type Body = { bytes: Uint8Array; letGo: () => void } | 'too_large' | 'no_room' | 'broken_off';

export const MAX_BODY_BYTES = 1024 * 1024;

/** How much of a body that is too large is let through unread, so that its sender gets to see the answer. */
const DRAINED = 16 * 1024 * 1024;

/** Bytes of bodies that are arriving or not yet kept, for all connections: neither many slow senders nor many fast ones must fill the memory. */
export interface Room {
  left: number;
}

export interface BodyLimits {
  maxBytes: number;
  room: Room;
}

export function readBody(request: IncomingMessage, { maxBytes, room }: BodyLimits): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return drain(request, 'too_large');
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let held = 0;
    let length = 0;
    let ended = false;
    const giveBack = (): void => {
      room.left += held;
      held = 0;
      chunks.length = 0;
    };
    const refuse = (why: 'too_large' | 'no_room'): void => {
      giveBack();
      request.removeAllListeners('data');
      resolve(drain(request, why));
    };
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > maxBytes) return refuse('too_large');
      if (chunk.length > room.left) return refuse('no_room');
      room.left -= chunk.length;
      held += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
      chunks.length = 0;
      ended = true;
      resolve({ bytes, letGo: giveBack });
    });
    /* It comes after every end, and a connection that broke has no other. */
    request.on('close', () => {
      if (!ended) giveBack();
      resolve('broken_off');
    });
  });
}

/** Lets the rest pass, as far as that is bearable. */
function drain(request: IncomingMessage, why: 'too_large' | 'no_room'): Promise<Body> {
  return new Promise((resolve) => {
    let passed = 0;
    request.on('data', (chunk: Uint8Array) => {
      passed += chunk.length;
      if (passed > DRAINED) resolve(why);
    });
    for (const event of ['end', 'close']) request.on(event, () => resolve(why));
    request.resume();
  });
}
