/**
 * The one authenticated client: sign, send, repeat reads, decode. It is an interface over a transport, so the same code
 * runs over the network and, in tests, against the sandbox in memory.
 */
import { type Operation, pathParameters } from '../contract/operations/operation.ts';
import type { Effect } from '../core/effect.ts';
import { writtenExactly } from '../core/exact-numbers.ts';
import { invariant } from '../core/invariants.ts';
import type { WireResponse } from '../core/transport.ts';

export type { WireResponse };

import type { Random } from '../core/random.ts';
import { decode, rawRefusal } from './decode.ts';
import { isForeign, RequestError, UnreadableAnswerError } from './errors.ts';
import { exchanger, type Outgoing, requirePrivateChannel, type SendingOptions } from './exchange.ts';
import { type RetryPolicy, readRetries, retryDelay } from './retry.ts';
import { KeyCheck, type ReadTerms } from './standing.ts';
import { type CallTerms, made } from './terms.ts';
import { checkFilters, operationUrl, type Query } from './url.ts';

export interface ClientOptions extends SendingOptions {
  random: Random;
  /** A fresh one per attempt. */
  nonce: () => string;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  retries?: RetryPolicy;
  responseTimeoutMs?: number;
  /** Ends reads that are under way. A write is never broken off: that would only make its outcome unknown. */
  interrupt?: AbortSignal;
}

export interface CallArguments<Body, Answer = unknown> extends CallTerms {
  path?: Readonly<Record<string, string>>;
  query?: Query;
  body?: Body;
  /** Says why a success is no answer to this request; undefined where it is the record that was asked for. */
  expect?: (answer: Answer) => string | undefined;
}

export interface Preview {
  method: string;
  url: string;
  body: string | undefined;
}

export interface Client {
  readonly baseUrl: string;
  /** True where the service answered a read with this key, and nothing since puts that in doubt. */
  isReady(): boolean;
  /** Resolves once the service answered a read with this key. Each write waits for it. @throws NotReadyError: nothing was sent */
  ready(terms?: ReadTerms): Promise<void>;
  /** Reads anything that this key may read, whatever was read before. @throws CallError */
  prove(): Promise<void>;
  /** The service's time by the `Date` of the newest answer, in milliseconds; undefined where none had one. */
  date(): number | undefined;
  /** The same client, whose reads are not ended by `interrupt`: what is on its way gets its outcome. */
  undisturbed(): Client;
  /** Reads are repeated on temporary failures; anything else is sent once. */
  call<Body, Answer>(operation: Operation<Body, Answer>, args?: CallArguments<Body, Answer>): Promise<Answer>;
  /** Returns the request that `call` would send, to the byte. @throws RequestError, as `call` does */
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

const SLOW_MS = 120_000;
const ONCE: RetryPolicy = { tries: 1, firstDelayMs: 0 };

export function createClient(options: ClientOptions): Client {
  if (options.scheme === 'secret') requirePrivateChannel(options.baseUrl);
  const exchange = exchanger(options);
  const standing = new KeyCheck((operation, query, terms) => client.call(operation, { ...terms, query }));
  const client = clientOver(options, exchange, standing);
  return client;
}

/** `standing` is shared by all clients of one key, so that what one of them read counts for the others. */
function clientOver(
  options: ClientOptions,
  exchange: (outgoing: Outgoing) => Promise<WireResponse>,
  standing: KeyCheck,
): Client {
  const { baseUrl, interrupt, ...lasting } = options;
  const preview = previewAt(baseUrl);

  async function attempt<Body, Answer>(
    operation: Operation<Body, Answer>,
    args: CallArguments<Body, Answer>,
    outgoing: Outgoing,
  ): Promise<Answer> {
    const response = await exchange(outgoing);
    standing.answered(response);
    const row = operation as unknown as Operation<never, Answer>;
    const answer = await decode(row, response, outgoing.call, options.clock.now());
    const wrong = otherRecord(row, args, answer) ?? args.expect?.(answer);
    if (wrong !== undefined) throw new UnreadableAnswerError(response.status, outgoing.call, wrong);
    return answer;
  }

  return {
    baseUrl,
    preview,
    isReady: () => standing.isAccepted,
    ready: (terms) => standing.ready(terms),
    prove: () => standing.prove(),
    date: () => standing.date,
    undisturbed: () => clientOver({ baseUrl, ...lasting }, exchange, standing),
    async call<Body, Answer>(operation: Operation<Body, Answer>, args: CallArguments<Body, Answer> = {}) {
      const request = preview(operation, args);
      const { id, effect } = operation;
      const responseTimeoutMs = operation.slow ? SLOW_MS : (options.responseTimeoutMs ?? 60_000);
      const isRead = effect === 'read';
      const policy = isRead ? policyOf(args, options) : ONCE;
      const signal = args.signal ?? (isRead ? interrupt : undefined);
      const { headers, timeoutMs, nonce = options.nonce } = args;
      if (!isRead) await standing.ready(args);
      let tries = 0;
      const once = async (): Promise<Answer> => {
        tries += 1;
        invariant(isRead || tries === 1, 'a write is sent once');
        const call = { operation: id, effect, nonce: made(id, 'nonce', nonce) };
        const more = { call, responseTimeoutMs, timeoutMs, signal, headers };
        return attempt(operation, args, Object.assign({}, request, more));
      };
      try {
        const answer = await repeated(once, { ...options, policy, signal });
        if (isRead) standing.accepted();
        return answer;
      } catch (error) {
        if (!isRead && isForeign(error)) standing.doubted();
        throw error;
      }
    },
    async raw({ method, path, body, effect, signal }) {
      if (effect !== 'read') await standing.ready();
      const call = { operation: `${method} ${path}`, effect, nonce: options.nonce() };
      const url = baseUrl + path;
      const response = await exchange({ call, method, url, body, responseTimeoutMs: SLOW_MS, signal });
      standing.answered(response);
      if (effect !== 'read' && isForeign(await rawRefusal(path, response, call))) standing.doubted();
      return response;
    },
  };
}

const previewAt =
  (baseUrl: string): Client['preview'] =>
  (operation, args = {}) => {
    checkFilters(operation, args.query);
    return {
      method: operation.method,
      url: operationUrl(baseUrl, operation, args.path, args.query),
      body: writeBody(operation, args.body),
    };
  };

/** Tries again what failed for now, as often as the policy says: a write is sent once. */
async function repeated<Answer>(
  once: () => Promise<Answer>,
  {
    policy,
    signal,
    random,
    sleep,
  }: Pick<ClientOptions, 'random' | 'sleep'> & { policy: RetryPolicy; signal: AbortSignal | undefined },
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await once();
    } catch (error) {
      const delay = signal?.aborted ? null : retryDelay(error, tries, policy, random);
      if (delay === null) throw error;
      await sleep(delay, signal);
    }
  }
}

function policyOf({ retries }: CallTerms, options: ClientOptions): RetryPolicy {
  const policy = options.retries ?? readRetries;
  return retries === undefined ? policy : { ...policy, tries: retries + 1 };
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
  return writtenExactly(JSON.stringify(checked.data));
}
