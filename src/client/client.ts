/**
 * The one authenticated client: sign, send, repeat reads, decode. It is an interface over a transport, so the same code
 * runs over the network and, in tests, against the sandbox in memory.
 */
import { type Effect, type Operation, pathParameters } from '../contract/operations/operation.ts';
import type { Credentials } from '../contract/signed-text.ts';
import { signedHeaders } from '../contract/signing.ts';
import type { Clock } from '../core/clock.ts';
import { isLoopback } from '../core/hosts.ts';
import { invariant } from '../core/invariants.ts';
import { type Transport, TransportError, type WireResponse } from '../core/ports/transport.ts';
import type { Random } from '../core/random.ts';
import { decode } from './decode.ts';
import { type CallFacts, kindOf, NetworkError, RequestError, UnreadableAnswerError } from './errors.ts';
import { type RetryPolicy, readRetries, retryDelay } from './retry.ts';
import { allowed, type CallTerms, made, timeLimit } from './terms.ts';
import { operationUrl, type Query } from './url.ts';

/** One attempt, whatever became of it. No header is in it, and so no secret. */
export interface Exchange {
  call: CallFacts;
  method: string;
  url: string;
  status?: number;
  error?: unknown;
  ms: number;
  /** As sent and as answered, personal data and all: whoever shows them masks them. */
  body?: string | undefined;
  answer?: string;
}

export interface ClientOptions {
  baseUrl: string;
  credentials: Credentials;
  /** `signature` always, unless the account was set up for the scheme that sends the secret itself. */
  scheme?: 'signature' | 'secret';
  transport: Transport;
  clock: Clock;
  random: Random;
  /** A fresh one per attempt. */
  nonce: () => string;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  retries?: RetryPolicy;
  connectTimeoutMs?: number;
  responseTimeoutMs?: number;
  /** Ends reads that are under way. A write is never broken off: that would only make its outcome unknown. */
  interrupt?: AbortSignal;
  /** More headers for each attempt, such as those of a trace. */
  headers?: (call: CallFacts) => Readonly<Record<string, string>>;
  /** Sees every attempt with its outcome, never a header. */
  onExchange?: (exchange: Exchange) => void;
}

export interface CallArguments<Body, Answer = unknown> extends CallTerms {
  path?: Readonly<Record<string, string>>;
  query?: Query;
  body?: Body;
  /** What is wrong with a success as the answer to this request; undefined where it is the record that was asked for. */
  expect?: (answer: Answer) => string | undefined;
}

export interface Preview {
  method: string;
  url: string;
  body: string | undefined;
}

export interface Client {
  readonly baseUrl: string;
  /** Whether the service took this key for anything yet. */
  accepted(): boolean;
  /** Reads are repeated on temporary failures; anything else is sent once. */
  call<Body, Answer>(operation: Operation<Body, Answer>, args?: CallArguments<Body, Answer>): Promise<Answer>;
  /** What `call` would send, to the byte. @throws RequestError, as `call` does */
  preview<Body, Answer>(operation: Operation<Body, Answer>, args?: CallArguments<Body, Answer>): Preview;
  /** A signed request outside the catalogue, sent once; the answer as it came. */
  raw(request: {
    method: string;
    path: string;
    body?: string | undefined;
    effect: Effect;
    signal?: AbortSignal;
  }): Promise<WireResponse>;
}

/** One attempt. */
interface Outgoing {
  call: CallFacts;
  method: string;
  url: string;
  body: string | undefined;
  responseTimeoutMs: number;
  timeoutMs?: number | undefined;
  signal: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

const SLOW_MS = 120_000;
const ONCE: RetryPolicy = { tries: 1, firstDelayMs: 0 };

export function createClient(options: ClientOptions): Client {
  const { baseUrl } = options;
  if (options.scheme === 'secret') requirePrivateChannel(baseUrl);
  const { exchange, accepted } = exchanger(options);
  const preview: Client['preview'] = (operation, args = {}) => ({
    method: operation.method,
    url: operationUrl(baseUrl, operation, args.path, args.query),
    body: writeBody(operation, args.body),
  });

  async function attempt<Body, Answer>(
    operation: Operation<Body, Answer>,
    args: CallArguments<Body, Answer>,
    outgoing: Outgoing,
  ): Promise<Answer> {
    const response = await exchange(outgoing);
    const row = operation as unknown as Operation<never, Answer>;
    const answer = await decode(row, response, outgoing.call, options.clock.now());
    const wrong = otherRecord(row, args, answer) ?? args.expect?.(answer);
    if (wrong !== undefined) throw new UnreadableAnswerError(response.status, outgoing.call, wrong);
    return answer;
  }

  return {
    baseUrl,
    accepted,
    preview,
    async call<Body, Answer>(operation: Operation<Body, Answer>, args: CallArguments<Body, Answer> = {}) {
      const request = preview(operation, args);
      const { id, effect } = operation;
      const responseTimeoutMs = operation.slow ? SLOW_MS : (options.responseTimeoutMs ?? 60_000);
      const isRead = effect === 'read';
      const policy = isRead ? policyOf(args, options) : ONCE;
      const signal = args.signal ?? (isRead ? options.interrupt : undefined);
      const { headers, timeoutMs, nonce = options.nonce } = args;
      for (let tries = 1; ; tries++) {
        invariant(isRead || tries === 1, 'a write is sent once');
        try {
          const call = { operation: id, effect, nonce: made(id, 'nonce', nonce) };
          const more = { call, responseTimeoutMs, timeoutMs, signal, headers };
          const outgoing = Object.assign({}, request, more);
          return await attempt(operation, args, outgoing);
        } catch (error) {
          const delay = signal?.aborted ? null : retryDelay(error, tries, policy, options.random);
          if (delay === null) throw error;
          await options.sleep(delay, signal);
        }
      }
    },
    raw({ method, path, body, effect, signal }) {
      const call = { operation: `${method} ${path}`, effect, nonce: options.nonce() };
      return exchange({ call, method, url: baseUrl + path, body, responseTimeoutMs: SLOW_MS, signal });
    },
  };
}

function policyOf({ retries }: CallTerms, options: ClientOptions): RetryPolicy {
  const policy = options.retries ?? readRetries;
  return retries === undefined ? policy : { ...policy, tries: retries + 1 };
}

/** Signs and sends one attempt, tells whoever watches, and notes whether the service took the key. */
function exchanger({
  baseUrl,
  credentials,
  scheme,
  transport,
  clock,
  connectTimeoutMs = 10_000,
  headers: more,
  onExchange,
}: ClientOptions) {
  let isAccepted = false;
  let lastNonce: string | undefined;

  function headersFor({ call, method, url, body, headers: own }: Outgoing): Record<string, string> {
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

  async function exchange(outgoing: Outgoing): Promise<WireResponse> {
    const { call, method, url, body, responseTimeoutMs, timeoutMs, signal } = outgoing;
    invariant(url.startsWith(baseUrl), 'what is signed with this key goes to its base URL alone');
    invariant(call.nonce !== lastNonce, 'each attempt has a nonce of its own');
    lastNonce = call.nonce;
    const headers = headersFor(outgoing);
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
      isAccepted ||= kindOf(response.status) !== 'auth';
      onExchange?.({ call, method, url, status: response.status, ms, body, answer: response.body });
      return response;
    } catch (error) {
      onExchange?.({ call, method, url, error, ms: clock.now() - startedAt, body });
      throw asNetworkError(error, call, limit.isOver() ? timeoutMs : undefined);
    } finally {
      limit.end();
    }
  }

  return { exchange, accepted: () => isAccepted };
}

/**
 * A success may be meant for another request: what was asked for by its id must come back with that id, and a list by an
 * external id must name no other.
 */
function otherRecord(
  { path: template }: Operation<never, unknown>,
  { path, query }: Pick<CallArguments<never>, 'path' | 'query'>,
  answer: unknown,
): string | undefined {
  const object = (answer as { object?: unknown } | undefined)?.object;
  if (Array.isArray(object))
    return query?.external_id === undefined ? undefined : ofAnother(object, query.external_id);
  if (path === undefined) return undefined;
  const [name] = pathParameters(template);
  const asked = name?.endsWith('_id') ? path[name] : undefined;
  if (asked === undefined) return undefined;
  const { id } = (object ?? {}) as { id?: unknown };
  if (typeof id === 'string' && id.toLowerCase() === asked.toLowerCase()) return undefined;
  return `the answer is not the record that was asked for: its id is ${id === undefined ? 'missing' : 'another'}`;
}

const ofAnother = (rows: readonly unknown[], asked: unknown): string | undefined =>
  rows.every((row) => (row as { external_id?: unknown } | null)?.external_id === asked)
    ? undefined
    : 'the answer is not what was asked for: it lists records with another external id';

/** The exact text that is signed and sent. @throws RequestError when it does not fit the contract; nothing was sent */
function writeBody<Body, Answer>(
  operation: Operation<Body, Answer>,
  body: Body | undefined,
): string | undefined {
  if (operation.body === undefined) return undefined;
  const checked = operation.body.safeParse(body);
  if (!checked.success) {
    throw new RequestError(
      operation.id,
      checked.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
    );
  }
  return JSON.stringify(checked.data);
}

/** `lateMs` where the whole attempt took longer than it was given. */
function asNetworkError(error: unknown, call: CallFacts, lateMs: number | undefined): unknown {
  if (!(error instanceof TransportError)) return error;
  const { reach, code, message } = error;
  if (lateMs === undefined) return new NetworkError(reach, code, call, message, { cause: error });
  const late = `no answer within ${lateMs} ms, connecting included`;
  return new NetworkError(reach, 'TIMEOUT', call, late, { cause: error });
}

/** Scheme (b) sends the secret in clear: only where nobody can listen. */
function requirePrivateChannel(baseUrl: string): void {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new RequestError('authentication', [
      { path: '', message: 'the scheme that sends the secret itself needs TLS or this machine' },
    ]);
  }
}
