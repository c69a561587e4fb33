/**
 * The HTTP listener that webhooks are sent to. It answers 200 after the delivery was kept, 401 to what is not genuine, 503
 * while nothing can be kept, and goes on whatever is thrown at it. It prints nothing: what happens is reported through callbacks.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { invariant } from '../../core/invariants.ts';
import { endAfterBody } from '../../core/rest-of-body.ts';
import { type Allows, peerOf, urlOf } from './address.ts';
import { createBodyRoom } from './body-memory.ts';
import { answerTo, MAX_BODY_BYTES, readBody } from './read-body.ts';
import type { IncomingRequest, RawHeaders, Receive, ReceiveResult } from './receive.ts';

/**
 * Requests that are not answered yet, by the connection that they came on (decision 0024). Node tells a response that its
 * connection is gone only where it is the one that writes: a request behind another (pipelined) is never told, so it is the
 * connection that counts. Nothing else is held for a request: megabytes of body would otherwise live as long as what is held.
 */
interface InFlight {
  add(response: ServerResponse): void;
  all(): ServerResponse[];
  /** Resolves once none is left, or after so long. */
  over(withinMs: number): Promise<void>;
}

function createInFlight(): InFlight {
  const bySocket = new Map<Socket, Set<ServerResponse>>();
  let emptied = (): void => {};

  function forget(this: Socket): void {
    bySocket.delete(this);
    if (bySocket.size === 0) emptied();
  }

  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    const own = bySocket.get(socket);
    own?.delete(this);
    if (own?.size !== 0) return;
    socket.off('close', forget);
    forget.call(socket);
  }

  return {
    add(response) {
      const { socket } = response.req;
      if (socket.destroyed) return;
      const own = bySocket.get(socket);
      if (own === undefined) {
        bySocket.set(socket, new Set([response]));
        socket.once('close', forget);
      } else own.add(response);
      response.once('close', answered);
    },
    all: () => [...bySocket.values()].flatMap((own) => [...own]),
    async over(withinMs) {
      if (bySocket.size === 0) return;
      let patience: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        emptied = resolve;
        patience = setTimeout(resolve, withinMs);
      });
      clearTimeout(patience);
    },
  };
}

export interface ReceiverOptions {
  takeIn: Receive;
  /** The URL exactly as it is registered; without it the address a request came to. */
  publicUrl?: string | undefined;
  /** Only this path is answered; every path where it is absent. */
  path?: string | undefined;
  tls?: { cert: string; key: string } | undefined;
  /** True for a peer's address that may send here; absent, every address may. */
  allows?: Allows | undefined;
  /** True where X-Forwarded-For, -Proto and -Host are believed. */
  trustProxy?: boolean | undefined;
  maxBytes?: number | undefined;
  /** How long a whole request may take to arrive, 30 s by default. Its headers have a third of that. */
  requestMs?: number | undefined;
  /** For what is being kept to be answered when it closes, 8 s by default; then two seconds for the answers to leave. */
  closeMs?: number | undefined;
  /** Answers our own probe of the public URL: null for a token that is not ours. */
  onProbe?: ((token: string) => string | null) | undefined;
  /** Called after the answer was given. */
  onTaken: (taken: ReceiveResult, request: IncomingRequest) => void;
  /** The delivery was not kept, so it was not acknowledged: the service sends it again. */
  onError: (error: unknown, request: IncomingRequest) => void;
}

export interface Receiver {
  /** Port 0 takes a free one. @throws when the port is taken */
  listen(port: number, host?: string): Promise<{ port: number; url: string }>;
  /** Takes nothing new, finishes what has arrived whole, answers 503 to the rest. Ten seconds at most, whatever anybody does. */
  close(): Promise<void>;
}

const REQUEST_MS = 30_000;
const CLOSE_MS = 8_000;
const LEAVE_MS = 2_000;
/** All bodies that are arriving or being kept at once take no more, but for the largest. */
const ROOM_BYTES = 16 * 1024 * 1024;
export const PROBE_HEADER = 'remit-probe';

type Answer = (status: number, text: string) => void;

export function createReceiver(options: ReceiverOptions): Receiver {
  const maxBytes = options.maxBytes ?? MAX_BODY_BYTES;
  const room = createBodyRoom(ROOM_BYTES, maxBytes);
  const arriving = new Set<ServerResponse>();
  const inFlight = createInFlight();
  let closing = false;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer: Answer = (status, text) => send(request, response, { status, text, close: closing });
    const refusal = refuse(request, response, options);
    if (refusal) return answer(...refusal);
    arriving.add(response);
    const body = await readBody(request, { maxBytes, room }, peerOf(request, options.trustProxy ?? false));
    arriving.delete(response);
    if (body === 'broken_off') return;
    if (typeof body === 'string') {
      const { status, text } = answerTo(body, maxBytes);
      return answer(status, text);
    }
    await takeOne(arrivedAs(request, body.bytes, options), answer, options);
    body.letGo();
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    inFlight.add(response);
    void handle(request, response);
  };
  /** The service sends again what was answered so; what was kept nevertheless is known by its nonce then. */
  const sendAgain = (response: ServerResponse): void =>
    send(response.req, response, { status: 503, text: 'ending: send it again', close: true });
  const server = serverFor(options, onRequest);
  return {
    listen: (port, host = '127.0.0.1') => listen(server, { port, host, scheme: schemeOf(options) }),
    async close() {
      closing = true;
      const closed = once(server.close(), 'close');
      for (const response of arriving) sendAgain(response);
      await inFlight.over(options.closeMs ?? CLOSE_MS);
      for (const one of inFlight.all()) sendAgain(one);
      await inFlight.over(LEAVE_MS);
      /* Every answer is out, or its client has gone; the connections left are quiet, also those that never spoke. */
      server.closeAllConnections();
      await closed;
    },
  };
}

const schemeOf = ({ tls }: ReceiverOptions): 'http' | 'https' => (tls ? 'https' : 'http');

function serverFor(
  { tls, requestMs = REQUEST_MS }: ReceiverOptions,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const times = {
    requestTimeout: requestMs,
    headersTimeout: requestMs / 3,
    /* Node looks for senders that are late twice a minute: that would be twice as long as they are given. */
    connectionsCheckingInterval: requestMs / 30,
    keepAliveTimeout: 65_000,
  };
  return tls ? createTlsServer({ ...times, ...tls }, onRequest) : createServer(times, onRequest);
}

function arrivedAs(request: IncomingMessage, rawBody: Uint8Array, options: ReceiverOptions): IncomingRequest {
  const { publicUrl, trustProxy = false } = options;
  return {
    rawBody,
    url: publicUrl ?? urlOf(request, { scheme: schemeOf(options), trustProxy }),
    target: request.url ?? '/',
    headers: request.headers,
    from: peerOf(request, trustProxy),
    rawHeaders: () => pairs(request.rawHeaders),
  };
}

async function takeOne(arrived: IncomingRequest, answer: Answer, options: ReceiverOptions): Promise<void> {
  try {
    const taken = await options.takeIn(arrived);
    const [status, text] = ANSWERS[taken.outcome];
    invariant((status === 200) === 'received' in taken, 'what is kept is acknowledged, and nothing else');
    answer(status, text);
    options.onTaken(taken, arrived);
  } catch (error) {
    answer(503, 'not kept: send it again');
    options.onError(error, arrived);
  }
}

const ANSWERS: Record<ReceiveResult['outcome'], [status: number, text: string]> = {
  new: [200, 'kept'],
  duplicate: [200, 'kept before'],
  invalid: [401, 'the signature does not verify'],
  malformed: [400, 'signed, but not a delivery'],
};

/** Returns the answer to a request whose body need not be read; null where it is to be read. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { allows, trustProxy = false, path, onProbe }: ReceiverOptions,
): [status: number, text: string] | null {
  const { method, url = '/', headers } = request;
  const probe = headers[PROBE_HEADER];
  const known = typeof probe === 'string' ? onProbe?.(probe) : null;
  if (typeof known === 'string') return [200, known];
  if (allows && !allows(peerOf(request, trustProxy))) return [403, 'this address may not send here'];
  if (path !== undefined && url.replace(/[?#].*$/, '') !== path) return [404, 'nothing is here'];
  if (method === 'POST') return null;
  response.setHeader('allow', 'POST');
  return [405, 'only POST is taken here'];
}

/** Names and values alternate in what Node gives. */
function pairs(raw: readonly string[]): RawHeaders {
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] as string, raw[i + 1] as string]);
  return headers;
}

async function listen(
  server: Server,
  { port, host, scheme }: { port: number; host: string; scheme: string },
): Promise<{ port: number; url: string }> {
  await once(server.listen(port, host), 'listening');
  const bound = (server.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return { port: bound, url: `${scheme}://${name}:${bound}` };
}

interface Reply {
  status: number;
  text: string;
  close: boolean;
}

/** Answers once; a second answer, after a failure in what follows the first, changes nothing. */
function send(request: IncomingMessage, response: ServerResponse, { status, text, close }: Reply): void {
  if (response.headersSent || request.socket.destroyed) return;
  const body = `${text}\n`;
  const headers = ['content-type', 'text/plain; charset=utf-8', 'content-length', String(body.length)];
  /* What is left of a body that was not read must not be taken for the next request. */
  if (close || !request.complete) headers.push('connection', 'close');
  response.writeHead(status, headers);
  endAfterBody(request, response, body);
}
