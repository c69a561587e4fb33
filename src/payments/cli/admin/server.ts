/**
 * A small HTTP server to monitor this process. It reads no body and writes nothing. On this machine's own address `Host` must name
 * this machine: a page in a browser, whose name was pointed here, learns nothing.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../../core/hosts.ts';
import { usage } from '../../../core/problem.ts';
import { endAfterBody } from '../../../core/rest-of-body.ts';
import type { AdminAddress } from './flag.ts';

export interface AdminAnswer {
  status: number;
  type: string;
  text: string;
}

/** Paths with what answers them; `accept` is the header, or empty. */
export type AdminPages = Readonly<Record<string, (accept: string) => AdminAnswer | Promise<AdminAnswer>>>;

export const plain = (status: number, text: string): AdminAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  text: `${text}\n`,
});

const SLOW_MS = 5_000;
const CONNECTIONS = 16;

/** @throws Problem (usage) where the address cannot be had */
export async function serveAdmin(
  { host, port }: AdminAddress,
  pages: AdminPages,
): Promise<{ url: string; close(): Promise<void> }> {
  const onlyHere = isLoopback(host);
  const server = createServer(
    { requestTimeout: SLOW_MS, headersTimeout: SLOW_MS, connectionsCheckingInterval: 1_000 },
    (request, response) => void answer(request, response, { pages, onlyHere }),
  );
  server.maxConnections = CONNECTIONS;
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code = 'it failed' } = error as NodeJS.ErrnoException;
    throw usage(
      `--admin cannot listen on ${host} port ${port} (${code})`,
      'give another port, or 0 for a free one',
    );
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, onlyHere }: { pages: AdminPages; onlyHere: boolean },
): Promise<void> {
  const { status, type, text } = await answerTo(request, pages, onlyHere).catch(() =>
    plain(500, 'the figures could not be read'),
  );
  if (response.destroyed) return;
  if (status === 405) response.setHeader('allow', 'GET');
  /* A body that was sent is not read: it must not be taken for the next request. */
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
    response.setHeader('connection', 'close');
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  endAfterBody(request, response, text);
}

async function answerTo(
  { method, url = '/', headers }: IncomingMessage,
  pages: AdminPages,
  onlyHere: boolean,
): Promise<AdminAnswer> {
  if (onlyHere && !namesThisMachine(headers.host)) return plain(403, 'Host does not name this machine');
  const [path = ''] = url.split('?', 1);
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return plain(404, 'nothing is here: /livez, /readyz and /metrics are');
  if (method !== 'GET') return plain(405, 'only GET is answered here');
  return page(headers.accept ?? '');
}

const namesThisMachine = (host: string | undefined): boolean =>
  host !== undefined && isLoopback(host.replace(/:\d+$/, ''));
