/** Answers that are given before the body of their request was read. */

/** A request of `node:http`, as much of it as is used here. */
interface Incoming {
  /** False while bytes of it are still expected. */
  readonly complete?: boolean;
  resume(): unknown;
  once(event: 'close', then: () => void): unknown;
}

interface Outgoing {
  write(body: string | Uint8Array): unknown;
  end(body?: string | Uint8Array): unknown;
}

/** How long a sender may go on with a body that is not read. */
const REST_MS = 2_000;

/**
 * Ends an answer whose head is written. Where bytes of the request are still to come, the answer goes out at once, and what comes is let
 * through unread for two seconds at most: a connection that is closed before is reset, and a sender that writes all before it reads never
 * sees the answer.
 */
export function endAfterBody(request: Incoming, response: Outgoing, body: string | Uint8Array): void {
  if (request.complete !== false) {
    response.end(body);
    return;
  }
  response.write(body);
  const late = setTimeout(() => response.end(), REST_MS);
  // It comes after every end, and a connection that broke has no other.
  request.once('close', () => {
    clearTimeout(late);
    response.end();
  });
  request.resume();
}
