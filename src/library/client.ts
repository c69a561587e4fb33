/** `remit-cli/client`: the client that the command line itself runs on, for partners' own services. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Exchange } from '../client/client.ts';
import type { NetworkTransport } from '../client/network-transport.ts';
import { readRetries } from '../client/retry.ts';
import { checkBaseUrl } from '../contract/base-url.ts';
import { isPathSegment, PARTNER_PATH } from '../contract/operations/partner-path.ts';
import type { Clock } from '../core/clock.ts';
import { isLoopback } from '../core/hosts.ts';
import type { Random } from '../core/random.ts';
import { type Machine, moneyOf } from './client/money.ts';
import { operationsOf } from './client/operations.ts';
import { type Account, onTerms, type Scope } from './client/scope.ts';
import type * as Public from './client-types.ts';

export {
  ApiError,
  Contradiction,
  NetworkError,
  RequestError,
  UnreadableAnswerError,
} from '../client/errors.ts';
export { memoryIntents, postgresIntents, sqliteIntents } from './client/stores.ts';

const clock: Clock = { now: () => Date.now() };
const random: Random = { next: () => Math.random() };

export const createPartnerClient: typeof Public.createPartnerClient = (options) => {
  const { intents, partnerPath = PARTNER_PATH } = options;
  const account = accountOf(options);
  if (typeof intents?.open !== 'function')
    throw new TypeError(
      'intents is missing: the journal without which no money moves, such as sqliteIntents(path)',
    );
  if (!isPathSegment(partnerPath))
    throw new TypeError(`partnerPath "${partnerPath}" is not one segment of a path`);
  const network = lazily(() => openNetwork(options));
  const log = (line: string): void => options.logger?.warn(`remit: ${line}`);
  const client = createClient({
    baseUrl: account.baseUrl,
    credentials: { key: options.key, secret: options.secret },
    scheme: options.scheme ?? 'signature',
    transport: async (request) => (await network.open()).send(request),
    clock,
    random,
    nonce: options.nonce ?? randomUUID,
    sleep,
    retries: { ...readRetries, tries: (options.retries ?? readRetries.tries - 1) + 1 },
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    onExchange: (exchange) => tell(options, exchange),
  });
  const { timeoutMs, retries } = options;
  const always: Public.CallOptions = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined ? {} : { retries }),
  };
  const scope: Scope = {
    account,
    intents,
    partnerPath,
    log,
    client: (terms) => onTerms(client, { ...always, ...terms }),
    once: (terms) => ({ ...always, ...terms }).retries === 0,
  };
  const machine: Machine = {
    pid: process.pid,
    beganAt: performance.timeOrigin,
    host: account.host,
    now: clock.now,
    sleep,
  };
  const money = moneyOf(scope, machine);
  const { unsettled, settle } = money;
  return { baseUrl: account.baseUrl, ...operationsOf(scope, money), unsettled, settle, close: network.close };
};

/** @throws TypeError, BaseUrlError */
function accountOf(options: Public.PartnerClientOptions): Account {
  const { key, secret, name = 'service', host = hostname() } = options;
  for (const [what, value] of Object.entries({ key, secret }))
    if (typeof value !== 'string' || value.trim() === '') throw new TypeError(`${what} is missing`);
  const baseUrl = checkBaseUrl(options.baseUrl);
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const environment = options.environment ?? (isLocal ? 'sandbox' : 'production');
  return { baseUrl, keyLast4: key.slice(-4), environment, profile: name, host };
}

/** Connections are opened by the first call. */
function lazily(open: () => Promise<NetworkTransport>) {
  let opened: Promise<NetworkTransport> | undefined;
  return {
    open() {
      opened ??= open();
      return opened;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** The first call loads what opens connections: whoever only imports this loads none of it. */
async function openNetwork({ ca, proxy, connections, connectTimeoutMs }: Public.PartnerClientOptions) {
  const { createNetworkTransport } = await import('../client/network-transport.ts');
  return createNetworkTransport({
    ca,
    proxy,
    ...(connections === undefined ? {} : { connections }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  });
}

/** Ends early, quietly, when the signal fires: whoever waits looks at the signal itself. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

/** A line says which operation, how it ended, and how long it took: nothing of what was sent. */
function tell({ logger, onExchange }: Public.PartnerClientOptions, exchange: Exchange): void {
  onExchange?.(exchange);
  if (logger === undefined) return;
  const { call, status, error, ms } = exchange;
  const ended = status ?? (error instanceof Error ? error.message : 'no answer');
  logger.debug(
    `remit: ${call.operation}: ${ended} in ${Math.round(ms)} ms (request ${call.nonce.slice(0, 8)})`,
  );
}
