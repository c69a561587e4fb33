/**
 * One request to a partner's own endpoint, as bytes: header names keep their case, the body may come slowly, no redirect is
 * followed, no proxy is asked, and every request has a connection of its own.
 */

import type { ClientRequest, IncomingMessage } from 'node:http';
import { byWord } from '../../core/by-word.ts';
import type { Clock } from '../../core/clock.ts';

export interface Post {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** Null for none. */
  body: Uint8Array | null;
  /** How long it may take, from the start to the end of the answer. */
  timeoutMs: number;
  /** Sends the body in so many parts, with a pause before each. */
  slowly?: { parts: number; pause: () => Promise<void> } | undefined;
  signal?: AbortSignal | undefined;
}

export type PostAnswer =
  | { status: number; ms: number; body: string }
  | { error: string; timedOut: boolean; ms: number };

export type Poster = (post: Post) => Promise<PostAnswer>;

export async function createPoster(clock: Clock): Promise<Poster> {
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  return (post) => {
    const start = clock.now();
    const { request } = post.url.startsWith('https:') ? https : http;
    const limit = AbortSignal.timeout(post.timeoutMs);
    const signal = post.signal ? AbortSignal.any([limit, post.signal]) : limit;
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void =>
        resolve({ ms: clock.now() - start, timedOut: limit.aborted, error: reasonOf(error, limit.aborted) });
      const sent = request(
        post.url,
        { method: post.method, headers: headersOf(post), agent: false, signal },
        (response) => {
          response.on('error', failed);
          collect(response, (body) =>
            resolve({ status: response.statusCode ?? 0, ms: clock.now() - start, body }),
          );
        },
      );
      sent.on('error', failed);
      sendBody(sent, post).catch(failed);
    });
  };
}

const headersOf = ({ headers, body }: Post): Record<string, string | number> => ({
  ...headers,
  ...(body === null ? {} : { 'Content-Length': body.length }),
});

const CODES: Readonly<Record<string, string>> = byWord({
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'it closed the connection without an answer',
  EPIPE: 'it closed the connection without an answer',
});

function reasonOf({ code, message }: NodeJS.ErrnoException, timedOut: boolean): string {
  if (timedOut) return 'no answer in time';
  if (/^UNABLE_TO|SELF_SIGNED/.test(code ?? ''))
    return `its certificate is not trusted (${message}): NODE_EXTRA_CA_CERTS=FILE names who signed it`;
  return CODES[code ?? ''] ?? message;
}

async function sendBody(sent: ClientRequest, { body, slowly }: Post): Promise<void> {
  if (body === null || !slowly) {
    sent.end(body ?? undefined);
    return;
  }
  const size = Math.max(1, Math.ceil(body.length / slowly.parts));
  for (let at = 0; at < body.length && !sent.destroyed; at += size) {
    await slowly.pause();
    sent.write(body.subarray(at, at + size));
  }
  sent.end();
}

const MOST_KEPT = 2000;

function collect(response: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    if (body.length < MOST_KEPT) body += part.slice(0, MOST_KEPT - body.length);
  });
  response.on('end', () => done(body));
}
