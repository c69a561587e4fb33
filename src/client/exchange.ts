/** One attempt of a call: signed, sent, and told to the observers. */
import type { Credentials } from '../contract/signed-text.ts';
import { signedHeaders } from '../contract/signing.ts';
import type { Clock } from '../core/clock.ts';
import { isLoopback } from '../core/hosts.ts';
import { invariant } from '../core/invariants.ts';
import { type Transport, TransportError, type WireResponse } from '../core/transport.ts';
import { type CallFacts, NetworkError, RequestError } from './errors.ts';
import { allowed, made, timeLimit } from './terms.ts';

/** Tells who sends, where to, and over what. */
export interface SendingOptions {
  baseUrl: string;
  credentials: Credentials;
  /** `signature` always, unless the account was set up for the scheme that sends the secret itself. */
  scheme?: 'signature' | 'secret';
  transport: Transport;
  clock: Clock;
  connectTimeoutMs?: number;
  /** The longest that one attempt takes, unless its call says otherwise. A write that took longer may have been applied. */
  timeoutMs?: number | undefined;
  /** More headers for each attempt, such as those of a trace. */
  headers?: (call: CallFacts) => Readonly<Record<string, string>>;
  /** Hears of each attempt before its first byte leaves; what it returns is called when the attempt is over. */
  onLeaving?: (call: CallFacts, request: { method: string; url: string }) => (() => void) | undefined;
  /** Sees every attempt with its outcome, never a header. */
  onExchange?: (exchange: Exchange) => void;
}

/** One attempt, whatever became of it. No header is in it, and so no secret. */
export interface Exchange {
  call: CallFacts;
  method: string;
  url: string;
  status?: number;
  error?: unknown;
  ms: number;
  /** The body as it was sent, and the answer as it came, personal data included: callers mask what they show. */
  body?: string | undefined;
  answer?: string;
}

/** The request of one attempt. */
export interface Outgoing {
  call: CallFacts;
  method: string;
  url: string;
  body: string | undefined;
  responseTimeoutMs: number;
  timeoutMs?: number | undefined;
  signal: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Signs and sends one attempt, and tells the observers. */
export function exchanger(options: SendingOptions) {
  const { baseUrl, transport, clock, connectTimeoutMs = 10_000 } = options;
  const { timeoutMs: alwaysMs, onExchange, onLeaving } = options;
  let lastNonce: string | undefined;

  /** Without headers nothing leaves: observers of the attempt hear that it is over. */
  function headersOrEnd(outgoing: Outgoing, ended: (() => void) | undefined): Record<string, string> {
    try {
      return headersFor(options, outgoing);
    } catch (error) {
      ended?.();
      throw error;
    }
  }

  async function exchange(outgoing: Outgoing): Promise<WireResponse> {
    const { call, method, url, body, responseTimeoutMs, timeoutMs = alwaysMs, signal } = outgoing;
    invariant(url.startsWith(baseUrl), 'what is signed with this key goes to its base URL alone');
    invariant(call.nonce !== lastNonce, 'each attempt has a nonce of its own');
    lastNonce = call.nonce;
    const ended = onLeaving?.(call, { method, url });
    const headers = headersOrEnd(outgoing, ended);
    const limit = timeLimit(timeoutMs, signal);
    const startedAt = clock.now();
    try {
      const response = await transport({
        method,
        url,
        headers,
        body,
        connectTimeoutMs,
        responseTimeoutMs: Math.min(responseTimeoutMs, timeoutMs ?? responseTimeoutMs),
        signal: limit.signal,
      });
      const ms = clock.now() - startedAt;
      onExchange?.({ call, method, url, status: response.status, ms, body, answer: response.body });
      return response;
    } catch (error) {
      onExchange?.({ call, method, url, error, ms: clock.now() - startedAt, body });
      throw asNetworkError(error, call, limit.isOver() ? timeoutMs : undefined);
    } finally {
      ended?.();
      limit.end();
    }
  }

  return exchange;
}

function headersFor(
  { scheme, credentials, headers: more }: SendingOptions,
  { call, method, url, body, headers: own }: Outgoing,
): Record<string, string> {
  const signed =
    scheme === 'secret'
      ? { 'Authorization-Key': credentials.key, 'Authorization-Secret': credentials.secret }
      : signedHeaders(credentials, { nonce: call.nonce, method, url, body });
  const headers =
    own || more
      ? { ...allowed(call, { ...made(call.operation, 'headers', () => more?.(call)), ...own }), ...signed }
      : signed;
  headers.Accept = 'application/json';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return headers;
}

/** `lateMs` where the whole attempt took longer than it was given. */
function asNetworkError(error: unknown, call: CallFacts, lateMs: number | undefined): unknown {
  if (!(error instanceof TransportError)) return error;
  const { reach, code, message } = error;
  if (lateMs === undefined) return new NetworkError(reach, code, call, message, { cause: error });
  const late = `no answer within ${lateMs} ms, connecting included`;
  return new NetworkError(reach, 'TIMEOUT', call, late, { cause: error });
}

/** Scheme (b) sends the secret in clear: only over a private channel. */
export function requirePrivateChannel(baseUrl: string): void {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new RequestError('authentication', [
      { path: '', message: 'the scheme that sends the secret itself needs TLS or this machine' },
    ]);
  }
}
