/** `remit-cli/client`: the client that the command line itself runs on, for partners' own services. */

import { type Client, createClient } from '../client/client.ts';
import type { Exchange, SendingOptions } from '../client/exchange.ts';
import type { Fetch } from '../client/fetch-transport.ts';
import type { NetworkTransport } from '../client/network-transport.ts';
import { readRetries } from '../client/retry.ts';
import { accountWith } from '../contract/account-key.ts';
import { BaseUrlError, checkBaseUrl } from '../contract/base-url.ts';
import { isPathSegment, PARTNER_PATH } from '../contract/operations/partner-path.ts';
import { OptionError } from '../core/check-options.ts';
import { sleep } from '../core/clock.ts';
import { isLoopback } from '../core/hosts.ts';
import { checkCallOptions, checkClientOptions, checkSettleOptions } from './client/check-options.ts';
import { type ErrorReporter, guarded, reporter } from './client/guarded.ts';
import { laterWrites } from './client/later.ts';
import { clock, machine, random, randomId } from './client/machine.ts';
import { operationsOf } from './client/operations.ts';
import { type ClientAccount, onTerms, type Scope } from './client/scope.ts';
import { type Tracing, tracingBy } from './client/tracing.ts';
import type * as Public from './client-types.ts';

export {
  ApiError,
  Contradiction,
  NetworkError,
  NotReadyError,
  RequestError,
  UnreadableAnswerError,
} from '../client/errors.ts';
export { PathError } from '../client/url.ts';
export { StoreError } from '../disk/store-error.ts';
export { CheckError, IntentError } from './client/errors.ts';
export { memoryIntents, postgresIntents, sqliteIntents } from './client/stores.ts';

export { OptionError };

export const createPartnerClient: typeof Public.createPartnerClient = (options) => {
  checkClientOptions(options);
  const account = accountOf(options);
  const network = lazily(() => openNetwork(options));
  const tracing = tracingOf(options);
  const scope = scopeOf(options, account, clientOf(options, account, network.get, tracing));
  const writes = lazily(async () => (await import('./client/writing.ts')).writesOf(scope, options.key));
  const later = laterWrites(writes.get, tracing?.within);
  return {
    baseUrl: account.baseUrl,
    ...operationsOf(scope, later),
    unsettled: later('unsettled'),
    settle(intent, asked = {}) {
      // Options that cannot be are thrown by the call itself; whatever else fails rejects its promise.
      checkSettleOptions(asked);
      return later('settle')(intent, asked);
    },
    joinKey: later('joinKey'),
    async close() {
      await (await network.made())?.close();
    },
  };
};

function clientOf(
  options: Public.PartnerClientOptions,
  { baseUrl }: ClientAccount,
  network: () => Promise<NetworkTransport>,
  tracing: Tracing | undefined,
): Client {
  const { key, secret, scheme = 'signature', nonce = randomId, connectTimeoutMs, headers, retries } = options;
  return createClient({
    baseUrl,
    credentials: { key, secret },
    scheme,
    transport: async (request) => (await network()).send(request),
    clock,
    random,
    nonce,
    sleep,
    retries: retries === undefined ? readRetries : { ...readRetries, tries: retries + 1 },
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    ...headersOf(headers, tracing),
    ...(tracing && { onLeaving: tracing.onLeaving }),
    onExchange: watching(options, tracing),
  });
}

/** A header that the partner gives comes before that of the tracer. */
function headersOf(
  own: Public.PartnerClientOptions['headers'],
  tracing: Tracing | undefined,
): Pick<SendingOptions, 'headers'> {
  const traced = tracing?.headers;
  if (traced === undefined) return own === undefined ? {} : { headers: own };
  return { headers: (call) => ({ ...traced(call), ...own?.(call) }) };
}

const tracingOf = (options: Public.PartnerClientOptions): Tracing | undefined =>
  options.tracer && tracingBy(options.tracer, options.traceparent ?? false, reportOf(options));

/** @throws OptionError */
function scopeOf(options: Public.PartnerClientOptions, account: ClientAccount, client: Client): Scope {
  const { intents, partnerPath = PARTNER_PATH, timeoutMs, retries, logger } = options;
  if (typeof intents?.open !== 'function')
    throw new OptionError(
      'missing',
      'intents',
      'intents is missing: the journal without which no money moves, such as sqliteIntents(path)',
    );
  if (!isPathSegment(partnerPath))
    throw new OptionError(
      'invalid',
      'partnerPath',
      `partnerPath "${partnerPath}" is not one segment of a path`,
    );
  const always: Public.CallOptions = timeoutMs === undefined ? {} : { timeoutMs };
  return {
    account,
    intents,
    partnerPath,
    log: guarded((line: string) => logger?.warn(`remit: ${line}`), reportOf(options)),
    client(terms) {
      checkCallOptions(terms);
      return onTerms(client, { ...always, ...terms });
    },
    once: (terms) => (terms?.retries ?? retries) === 0,
  };
}

/** @throws OptionError */
function accountOf(options: Public.PartnerClientOptions): ClientAccount {
  const { key, secret, name = 'service', host = machine().host } = options;
  for (const [what, value] of Object.entries({ key, secret }))
    if (typeof value !== 'string' || value.trim() === '')
      throw new OptionError('missing', what, `${what} is missing`);
  const baseUrl = baseUrlOf(options);
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const environment = options.environment ?? (isLocal ? 'sandbox' : 'production');
  return { ...accountWith(baseUrl, key), environment, profile: name, host, pid: machine().pid };
}

/**
 * Checks the base URL. Others can read plain text, and change it, on its way: a partner's test may want that, money
 * may not.
 * @throws OptionError
 */
function baseUrlOf({ baseUrl, insecure = false, environment }: Public.PartnerClientOptions): string {
  if (typeof baseUrl !== 'string') throw new OptionError('missing', 'baseUrl', 'baseUrl is missing');
  try {
    return checkBaseUrl(baseUrl, { insecure: insecure && environment === 'sandbox' });
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    const { kind, message } = error;
    if (kind !== 'plain_http') throw new OptionError('invalid', 'baseUrl', message, { cause: error });
    const both = "or, for a sandbox alone, give both insecure: true and environment: 'sandbox'";
    throw new OptionError('insecure', 'baseUrl', `${message}, ${both}`, { cause: error });
  }
}

/** Made by the first who asks, once; what could not be made is tried again by the next. */
function lazily<T>(make: () => Promise<T>) {
  let made: Promise<T> | undefined;
  const forget = (error: unknown): never => {
    made = undefined;
    throw error;
  };
  return {
    get() {
      made ??= make().catch(forget);
      return made;
    },
    /** Undefined before `get`. */
    made: () => made,
  };
}

/** The first call loads what opens connections: an import alone loads none of it. */
async function openNetwork(options: Public.PartnerClientOptions): Promise<NetworkTransport> {
  if (options.fetch) {
    const { createFetchTransport } = await import('../client/fetch-transport.ts');
    return createFetchTransport(options.fetch as Fetch);
  }
  const { ca, proxy, connections, connectTimeoutMs } = options;
  const { createNetworkTransport } = await import('../client/network-transport.ts');
  return createNetworkTransport({
    ca,
    proxy,
    ...(connections === undefined ? {} : { connections }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  });
}

const reportOf = ({ onError }: Public.PartnerClientOptions): ErrorReporter =>
  reporter(onError, (line, error) => console.error(line, error));

/** Tells the partner of each attempt, by the hook and by a line. */
function watching(
  options: Public.PartnerClientOptions,
  tracing: Tracing | undefined,
): (exchange: Exchange) => void {
  const report = reportOf(options);
  const hear = guarded((exchange: Exchange) => options.onExchange?.(exchange), report);
  const log = guarded((exchange: Exchange) => options.logger?.debug(lineOf(exchange)), report);
  return (exchange) => {
    tracing?.onExchange?.(exchange);
    hear(exchange);
    log(exchange);
  };
}

/** Tells which operation, how it ended, and how long it took: nothing of what was sent. */
function lineOf({ call, status, error, ms }: Exchange): string {
  const ended = status ?? (error instanceof Error ? error.message : 'no answer');
  return `remit: ${call.operation}: ${ended} in ${Math.round(ms)} ms (request ${call.nonce.slice(0, 8)})`;
}
