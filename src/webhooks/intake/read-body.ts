/** The raw bytes of a request, up to a limit, and up to a limit for all requests together. */
import type { IncomingMessage } from 'node:http';
import { type BodyLimits, type BodyRefusal, collectBody } from './body-collector.ts';

/** `letGo` frees the memory that was counted for the body. */
export type ReadBody = { bytes: Uint8Array; letGo: () => void } | BodyRefusal | 'broken_off';

export const MAX_BODY_BYTES = 1024 * 1024;

/** The answer to a body that was refused. */
export function answerTo(why: BodyRefusal, maxBytes: number): { status: number; text: string } {
  if (why === 'too_large') return { status: 413, text: `at most ${maxBytes} bytes are taken` };
  if (why === 'too_fine') return { status: 400, text: 'the body came in too many pieces' };
  return { status: 503, text: 'too much at once: send it again' };
}

/** `address`: where it comes from. What is left of a body that was refused is the business of who answers (`endAfterBody`). */
export function readBody(request: IncomingMessage, limits: BodyLimits, address: string): Promise<ReadBody> {
  const announced = request.headers['content-length'];
  if (Number(announced ?? 0) > limits.maxBytes) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    let ended = false;
    const onTaken = (): void => {
      ended = true;
      request.removeAllListeners('data');
      resolve('no_room');
    };
    const body = collectBody(limits, { announced, address, onTaken });
    request.on('data', (piece: Uint8Array) => {
      const why = body.add(piece);
      if (why === null) return;
      ended = true;
      request.removeAllListeners('data');
      resolve(why);
    });
    request.on('end', () => {
      if (ended) return;
      ended = true;
      resolve({ bytes: body.whole(), letGo: body.letGo });
    });
    /* It comes after every end, and a connection that broke has no other. */
    request.on('close', () => {
      if (ended) return;
      body.letGo();
      resolve('broken_off');
    });
  });
}
