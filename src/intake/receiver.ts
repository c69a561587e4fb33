/** The listener on 127.0.0.1 that webhooks are sent to. It prints nothing: what happens is told through callbacks. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Credentials } from '../contract/signing.ts';
import type { Clock } from '../core/clock.ts';
import type { Inbox } from '../core/ports/inbox.ts';
import type { Forwarding } from './forward.ts';
import { readBody } from './read-body.ts';
import { type DeliveryRecord, takeIn } from './take-in.ts';

export interface ReceiverOptions {
  credentials: Credentials;
  inbox: Inbox;
  clock: Clock;
  /** The URL exactly as it is registered; without it the address a request came to. */
  publicUrl?: string | undefined;
  forwarding?: Forwarding | undefined;
  onDelivery: (record: DeliveryRecord) => void;
  /** The delivery was not kept, so it was not acknowledged: the service sends it again. */
  onError: (error: unknown) => void;
}

export interface Receiver {
  /** 0 takes a free port. @throws when the port is taken */
  listen(port: number): Promise<{ port: number; url: string }>;
  /** Takes nothing new, finishes what has arrived whole, breaks off the rest. */
  close(): Promise<void>;
}

const MAX_BYTES = 2 * 1024 * 1024;
/** For a whole request to arrive. */
const REQUEST_MS = 30_000;
const HOST = '127.0.0.1';

export function createReceiver(options: ReceiverOptions): Receiver {
  const arriving = new Set<IncomingMessage>();
  const working = new Set<Promise<unknown>>();
  const taken = new Set<string>();
  let closing = false;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer: Answer = (status, text) => send(request, response, { status, text, close: closing });
    if (request.method !== 'POST') return refuseVerb(request, response);
    arriving.add(request);
    const body = await readBody(request, MAX_BYTES);
    arriving.delete(request);
    if (body === 'broken_off') return;
    if (body === 'too_large') return answer(413, `at most ${MAX_BYTES} bytes are taken`);
    await takeInOne(request, body.bytes, answer);
  };

  const takeInOne = async (request: IncomingMessage, rawBody: Uint8Array, answer: Answer): Promise<void> => {
    try {
      const target = request.url ?? '/';
      const url = options.publicUrl ?? `http://${request.headers.host ?? HOST}${target}`;
      const received = { rawBody, url, target, headers: request.headers };
      options.onDelivery(await takeIn(received, { ...options, answer, taken }));
    } catch (error) {
      answer(500, 'not kept: send it again');
      options.onError(error);
    }
  };

  const server = createServer((request, response) => {
    const sent = new Promise((resolve) => response.on('close', resolve));
    const work = Promise.all([handle(request, response), sent]).finally(() => working.delete(work));
    working.add(work);
  });
  server.requestTimeout = REQUEST_MS;
  return {
    listen: (port) => listen(server, port),
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const request of arriving) request.destroy();
      while (working.size > 0) await Promise.all(working);
      /* Every answer is out; what is left are connections that keep quiet, also those that never spoke. */
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<{ port: number; url: string }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      const bound = (server.address() as AddressInfo).port;
      resolve({ port: bound, url: `http://${HOST}:${bound}` });
    });
  });
}

type Answer = (status: number, text: string) => void;

interface Reply {
  status: number;
  text: string;
  close: boolean;
}

/** Answers once; a second answer, after a failure in what follows the first, changes nothing. */
function send(request: IncomingMessage, response: ServerResponse, { status, text, close }: Reply): void {
  if (response.headersSent || request.socket.destroyed) return;
  const body = `${text}\n`;
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  /* What is left of a body that is too large must not be read as the next request. */
  const ends = close || status === 413;
  response.writeHead(status, ends ? { ...headers, connection: 'close' } : headers).end(body);
}

function refuseVerb(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.setHeader('allow', 'POST');
  send(request, response, { status: 405, text: 'only POST is taken here', close: false });
}
