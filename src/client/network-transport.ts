/**
 * The transport over the network: undici, one dispatcher a process, keep-alive, proxies and custom CAs through its own
 * agents. No redirect is ever followed: the secret goes to the base URL alone.
 */
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher } from 'undici';
// Parts of undici rather than its index: the index loads fetch, web sockets and caches (26 ms a start).
import Agent from 'undici/lib/dispatcher/agent.js';
import { isLoopback } from '../core/hosts.ts';
import type { Transport, WireRequest, WireResponse } from '../core/ports/transport.ts';
import { abortReason, MAX_ANSWER_BYTES, Reception, transportError } from './reception.ts';

export interface NetworkOptions {
  connections?: number;
  connectTimeoutMs?: number;
  /** PEM text of certificate authorities to trust beside the built-in ones' place. */
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

/** undici looks at its own clocks once a second: what it finds late is told in its words. */
const SLACK_MS = 2_000;
/** For each server. More than are busy at once is slower: undici looks twice at a connection that had nothing to do. */
const CONNECTIONS = 32;

export async function createNetworkTransport(options: NetworkOptions = {}): Promise<NetworkTransport> {
  // On Node 20, optimising undici's WASM parser costs 60 ms and 35 MB in a process that sends one request.
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  const settings = {
    connections: options.connections ?? CONNECTIONS,
    connect: { timeout: options.connectTimeoutMs ?? 10_000, ...(options.ca ? { ca: options.ca } : {}) },
    keepAliveTimeout: 10_000,
    pipelining: 1,
  };
  const direct: Dispatcher = new Agent(settings);
  const proxied = options.proxy ? await proxyAgent(settings, options.proxy) : undefined;
  const targets = new Targets();
  return {
    send: (request) => {
      const start = pathStart(request.url);
      const { origin, loopback } = targets.of(request.url, start);
      // The path as it was signed: the URL class would re-encode a byte here and there.
      const path = start === -1 ? '/' : request.url.slice(start);
      return dispatch(proxied && !loopback ? proxied : direct, request, origin, path);
    },
    async close() {
      // Every caller has its answer by now: what still goes on was given up, and is not waited for.
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

async function proxyAgent(
  settings: { connect: { timeout: number; ca?: string } },
  proxy: NonNullable<NetworkOptions['proxy']>,
): Promise<Dispatcher | undefined> {
  if (!proxy.httpProxy && !proxy.httpsProxy) return undefined;
  // The whole of undici: its proxy agent needs methods that only the index puts in place.
  const { EnvHttpProxyAgent } = await import('undici');
  const given = Object.fromEntries(Object.entries(proxy).filter(([, value]) => value !== undefined));
  // Within the tunnel TLS is with the service, so it is there that the company's own authority counts.
  return new EnvHttpProxyAgent({ ...settings, requestTls: settings.connect, ...given });
}

interface Target {
  origin: string;
  loopback: boolean;
}

const MAX_TARGETS = 64;

/** Reading a URL is dear, and the same few servers come again and again. */
class Targets {
  readonly #known = new Map<string, Target>();

  of(url: string, start: number): Target {
    const server = start === -1 ? url : url.slice(0, start);
    const known = this.#known.get(server);
    if (known) return known;
    const { origin, hostname } = new URL(url);
    const target = { origin, loopback: isLoopback(hostname) };
    if (this.#known.size >= MAX_TARGETS) this.#known.clear();
    this.#known.set(server, target);
    return target;
  }
}

/** Where the path begins; -1 where there is none. */
const pathStart = (url: string): number => url.indexOf('/', url.indexOf('//') + 2);

function dispatch(
  dispatcher: Dispatcher,
  request: WireRequest,
  origin: string,
  path: string,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const { signal, responseTimeoutMs } = request;
    if (signal?.aborted) {
      reject(transportError(abortReason(), false));
      return;
    }
    dispatcher.dispatch(
      {
        origin,
        path,
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
}
