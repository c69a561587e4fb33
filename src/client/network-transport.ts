/**
 * The transport over the network: undici, one dispatcher a process, keep-alive, proxies and custom CAs through its own
 * agents. No redirect is ever followed: the secret goes to the base URL alone.
 */
import { setFlagsFromString } from 'node:v8';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../core/hosts.ts';
import { invariant } from '../core/invariants.ts';
import type { Transport, WireRequest, WireResponse } from '../core/transport.ts';
import {
  abortReason,
  CONNECTIONS,
  KEPT_MS,
  MAX_ANSWER_BYTES,
  pathOf,
  Reception,
  SLACK_MS,
  transportError,
} from './read-response.ts';

export interface NetworkOptions {
  /** This process is ours: it may be tuned as a whole. */
  ownsProcess?: boolean;
  connections?: number;
  connectTimeoutMs?: number;
  /** How long an idle connection is kept, ten seconds by default; less where the server says so. */
  keptMs?: number;
  /** PEM text of certificate authorities to trust instead of the built-in ones. */
  ca?: string | undefined;
  /** The environment's proxy settings; loopback never goes through a proxy. */
  proxy?:
    | { httpProxy?: string | undefined; httpsProxy?: string | undefined; noProxy?: string | undefined }
    | undefined;
}

export interface NetworkTransport {
  send: Transport;
  close(): Promise<void>;
}

export async function createNetworkTransport(options: NetworkOptions = {}): Promise<NetworkTransport> {
  // On Node 20, optimising undici's WASM parser costs 60 ms and 35 MB in a process that sends one request. The flag is of the whole
  // process, so it is for a program of ours alone, not for a partner's service.
  if (options.ownsProcess) setFlagsFromString('--wasm-tiering-budget=1000000000');
  const settings = {
    connections: options.connections ?? CONNECTIONS,
    connect: { timeout: options.connectTimeoutMs ?? 10_000, ...(options.ca ? { ca: options.ca } : {}) },
    keepAliveTimeout: options.keptMs ?? KEPT_MS,
    pipelining: 1,
  };
  const direct: Dispatcher = new Agent(settings);
  const proxied = options.proxy ? proxyAgent(settings, options.proxy) : undefined;
  return {
    send: (request) => {
      const { origin, hostname } = new URL(request.url);
      return exchange(proxied && !isLoopback(hostname) ? proxied : direct, request, origin);
    },
    async close() {
      // Every caller has its answer by now: what still goes on was given up, and is not waited for.
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

function proxyAgent(
  settings: { connect: { timeout: number; ca?: string } },
  proxy: NonNullable<NetworkOptions['proxy']>,
): Dispatcher | undefined {
  if (!proxy.httpProxy && !proxy.httpsProxy) return undefined;
  const given = Object.fromEntries(Object.entries(proxy).filter(([, value]) => value !== undefined));
  // Within the tunnel TLS is with the service, so it is there that the company's own authority counts.
  return new EnvHttpProxyAgent({ ...settings, requestTls: settings.connect, ...given });
}

async function exchange(dispatcher: Dispatcher, request: WireRequest, origin: string): Promise<WireResponse> {
  const { url, signal, responseTimeoutMs } = request;
  if (signal?.aborted) throw transportError(abortReason(), false);
  // undici takes 0 for "no time-out": an answer that never comes would be waited for for ever.
  invariant(responseTimeoutMs > 0, 'an exchange ends, answered or not');
  const answer = await new Promise<WireResponse>((resolve, reject) => {
    dispatcher.dispatch(
      {
        origin,
        path: pathOf(url),
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.binary ? Buffer.from(request.body ?? '', 'latin1') : (request.body ?? null),
        headersTimeout: responseTimeoutMs,
        bodyTimeout: responseTimeoutMs,
      },
      new Reception(resolve, reject, signal, {
        encoding: request.binary ? 'latin1' : 'utf8',
        maxBytes: request.maxAnswerBytes ?? MAX_ANSWER_BYTES,
        wholeMs: 2 * responseTimeoutMs + SLACK_MS,
      }),
    );
  });
  invariant(answer.status >= 200, 'only a final answer ends an exchange');
  return answer;
}
