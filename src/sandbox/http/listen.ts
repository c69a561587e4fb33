/** Opens a port on this machine for a sandbox, and runs its clock's work as it becomes due. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../core/hosts.ts';
import type { Sandbox } from '../sandbox.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { createPump, type Pump } from './pump.ts';
import type { RawAnswer } from './serve.ts';

export interface ListenOptions {
  /** 0 takes a free one. */
  port: number;
  host?: string;
}

export interface Listening {
  /** With the version segment: what a client takes as its base URL. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** @throws the error of the socket, such as EADDRINUSE */
export async function listen(
  sandbox: Sandbox,
  { port, host = '127.0.0.1' }: ListenOptions,
): Promise<Listening> {
  const pump = createPump(sandbox);
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    void answer(sandbox, pump, host, request, response);
  });
  await opened(server, port, host);
  pump.wake();
  const bound = (server.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}/v1`,
    port: bound,
    async close() {
      pump.stop();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function opened(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function answer(
  sandbox: Sandbox,
  pump: Pump,
  host: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  if (!isOurs(headers.host, host))
    return send(response, refusal(403, 'this sandbox answers to this machine only'));
  if (url === '/')
    return send(response, { status: 200, headers: TEXT, body: 'remit sandbox: the service is at /v1\n' });
  const body = await readBody(request);
  if (body === 'too large') return refuseRest(request, response);
  if (body === 'cut') return;
  try {
    send(response, await sandbox.handle({ method, url, headers, body }));
  } catch (error) {
    send(response, refusal(500, error instanceof Error ? error.message : 'a defect of the sandbox'));
  }
  pump.wake();
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

function refusal(status: number, message: string): RawAnswer {
  const error = { 403: 'Forbidden', 413: 'Payload Too Large', 500: 'Internal Server Error' }[status] ?? '';
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ status, error, message }),
  };
}

/** A page on the web can make a browser send requests here under its own name: that name is not ours. */
function isOurs(hostHeader: string | undefined, host: string): boolean {
  const name = (hostHeader ?? '').replace(/:\d+$/, '');
  return isLoopback(name) || name === host;
}

function readBody(request: IncomingMessage): Promise<Buffer | undefined | 'too large' | 'cut'> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : first);
    });
    request.on('error', () => resolve('cut'));
  });
}

/** The rest is read and thrown away, so that the caller gets to read the answer. */
function refuseRest(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const answer = refusal(413, `a body has at most ${MAX_BODY_BYTES} bytes`);
  send(response, { ...answer, headers: { ...answer.headers, connection: 'close' } });
}

function send(response: ServerResponse, { status, headers, body, cut }: RawAnswer): void {
  if (cut) {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
