/**
 * The transport over a `fetch` from the caller: that of a sandbox in memory, or of a runtime. It does not tell when the first
 * byte left, or whether it tried twice, so whatever breaks off may have arrived. No redirect is followed: the secret goes to the
 * base URL alone. What is answered, refused and bounded is the same as over a connection of ours.
 */
import { invariant } from '../core/invariants.ts';
import type { WireRequest, WireResponse } from '../core/transport.ts';
import type { NetworkTransport } from './network-transport.ts';
import { AnswerError, abortReason, MAX_ANSWER_BYTES, SLACK_MS, transportError } from './read-response.ts';

export type Fetch = (request: Request) => Promise<Response>;

export const createFetchTransport = (fetch: Fetch): NetworkTransport => ({
  send: (wire) => exchange(fetch, wire),
  close: async () => {},
});

async function exchange(fetch: Fetch, wire: WireRequest): Promise<WireResponse> {
  const { signal, responseTimeoutMs, connectTimeoutMs } = wire;
  if (signal?.aborted) throw transportError(abortReason(), false);
  invariant(responseTimeoutMs > 0, 'an exchange ends, answered or not');
  const giveUp = new AbortController();
  const request = requestOf(wire, giveUp.signal);
  invariant(request.url === wire.url, 'what is sent is what was signed');
  const ending = endOf(giveUp, signal);
  try {
    ending.within(connectTimeoutMs + responseTimeoutMs, 'UND_ERR_HEADERS_TIMEOUT');
    ending.atLast(connectTimeoutMs + 2 * responseTimeoutMs + SLACK_MS);
    const response = await Promise.race([fetch(request), ending.broken]);
    const read = () => ending.within(responseTimeoutMs, 'UND_ERR_BODY_TIMEOUT');
    const body = await Promise.race([textOf(response, wire, read), ending.broken]);
    invariant(response.status >= 200, 'only a final answer ends an exchange');
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  } catch (error) {
    throw transportError(causeOf(error), true);
  } finally {
    ending.letGo();
  }
}

const requestOf = ({ url, method, headers, body, binary }: WireRequest, signal: AbortSignal): Request =>
  new Request(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: binary ? Buffer.from(body, 'latin1') : body }),
  });

/** Ends an exchange that takes too long, or that the caller aborts, whether or not the `fetch` listens to its signal. */
function endOf(giveUp: AbortController, signal: AbortSignal | undefined) {
  let step: NodeJS.Timeout | undefined;
  let last: NodeJS.Timeout | undefined;
  let end: (error: Error) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    end = (error) => {
      reject(error);
      giveUp.abort(error);
    };
  });
  broken.catch(() => {});
  const interrupted = (): void => end(abortReason());
  signal?.addEventListener('abort', interrupted, { once: true });
  return {
    broken,
    within(ms: number, code: AnswerError['code']) {
      clearTimeout(step);
      step = setTimeout(() => end(new AnswerError(code)), ms);
    },
    atLast(ms: number) {
      last = setTimeout(() => end(new AnswerError('ANSWER_TOO_SLOW')), ms);
    },
    letGo() {
      clearTimeout(step);
      clearTimeout(last);
      signal?.removeEventListener('abort', interrupted);
    },
  };
}

async function textOf(response: Response, wire: WireRequest, onPiece: () => void): Promise<string> {
  const { maxAnswerBytes = MAX_ANSWER_BYTES, binary } = wire;
  const pieces: Uint8Array[] = [];
  let length = 0;
  onPiece();
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxAnswerBytes) throw new AnswerError('ANSWER_TOO_LARGE');
    pieces.push(piece);
    onPiece();
  }
  return Buffer.concat(pieces).toString(binary ? 'latin1' : 'utf8');
}

/** `fetch failed` says nothing: why it did is its cause. */
function causeOf(error: unknown): Error {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return cause;
  return error instanceof Error ? error : new Error(String(error));
}
