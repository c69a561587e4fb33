/**
 * The transport over the network: undici, one dispatcher a process, keep-alive, proxies and custom CAs through its own
 * agents. No redirect is ever followed: the secret goes to the base URL alone.
 */
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher } from 'undici';
// Parts of undici rather than its index: the index loads fetch, web sockets and caches (26 ms a start).
import Agent from 'undici/lib/dispatcher/agent.js';
import {
  type Transport,
  TransportError,
  type WireRequest,
  type WireResponse,
} from '../core/ports/transport.ts';
import { isLoopback } from './base-url.ts';

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

export async function createNetworkTransport(options: NetworkOptions = {}): Promise<NetworkTransport> {
  // On Node 20, optimising undici's WASM parser costs 60 ms and 35 MB in a process that sends one request.
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  const settings = {
    connections: options.connections ?? 64,
    connect: { timeout: options.connectTimeoutMs ?? 10_000, ...(options.ca ? { ca: options.ca } : {}) },
    keepAliveTimeout: 10_000,
    pipelining: 1,
  };
  const direct: Dispatcher = new Agent(settings);
  const proxied = options.proxy ? await proxyAgent(settings, options.proxy) : undefined;
  return {
    send: (request) => {
      const url = new URL(request.url);
      const dispatcher = proxied && !isLoopback(url.hostname) ? proxied : direct;
      return dispatch(dispatcher, request, url);
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

/** The path as it was signed: the URL class would re-encode a byte here and there. */
function rawPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : url.slice(start);
}

function dispatch(dispatcher: Dispatcher, request: WireRequest, url: URL): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    let started = false;
    let status = 0;
    let headers: Record<string, string | string[] | undefined> = {};
    let chunks: Buffer[] = [];
    let stop: ((reason: Error) => void) | undefined;
    const fail = (error: Error): void => {
      signal?.removeEventListener('abort', interrupted);
      reject(transportError(error, started));
    };
    // Before the first byte nothing was sent, and `onRequestStart` sees to it that nothing will be.
    const interrupted = (): void => (stop ? stop(abortReason()) : fail(abortReason()));
    if (signal?.aborted) {
      fail(abortReason());
      return;
    }
    signal?.addEventListener('abort', interrupted, { once: true });
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: rawPath(request.url),
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        headersTimeout: request.responseTimeoutMs,
        bodyTimeout: request.responseTimeoutMs,
      },
      {
        onRequestStart(controller) {
          // Called when the connection stands and the first byte is about to be written: from here on nobody can say
          // that nothing arrived.
          if (signal?.aborted) {
            controller.abort(abortReason());
            return;
          }
          started = true;
          stop = (reason) => controller.abort(reason);
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          status = statusCode;
          headers = responseHeaders;
          chunks = [];
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          const body =
            chunks.length === 1
              ? (chunks[0]?.toString('utf8') ?? '')
              : Buffer.concat(chunks).toString('utf8');
          signal?.removeEventListener('abort', interrupted);
          resolve({ status, headers: flat(headers), body });
        },
        onResponseError(_controller, error) {
          fail(error);
        },
      },
    );
  });
}

const abortReason = (): Error => new DOMException('interrupted', 'AbortError');

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) result[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return result;
}

function transportError(error: Error & { code?: unknown }, started: boolean): TransportError {
  // A DOMException's code is a number that says nothing.
  const code = typeof error.code === 'string' ? error.code : error.name;
  return new TransportError(started ? 'may_have_arrived' : 'not_sent', code, explain(code, error), {
    cause: error,
  });
}

const EXPLANATIONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half way',
  AbortError: 'interrupted',
};

function explain(code: string, error: Error): string {
  return EXPLANATIONS[code] ?? error.message;
}
