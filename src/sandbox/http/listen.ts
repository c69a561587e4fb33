/** Opens a port on this machine for a sandbox, and runs its clock's work as it becomes due. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../../core/hosts.ts';
import { endAfterBody } from '../../core/rest-of-body.ts';
import type { Sandbox } from '../sandbox.ts';
import type { RawAnswer } from './answer.ts';
import { isRestore, maxBytes } from './body.ts';
import { targetOf } from './target.ts';

export interface PortOptions {
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

/** The part of a sandbox that a port needs. */
export type ServedSandbox = Pick<
  Sandbox,
  'handle' | 'refusedUnread' | 'runDue' | 'nextDue' | 'onDue' | 'servedAt'
> & { readonly clock: Pick<Sandbox['clock'], 'mode' | 'now'> };

/** @throws the error of the socket, such as EADDRINUSE */
export async function listen(
  sandbox: ServedSandbox,
  { port, host = '127.0.0.1' }: PortOptions,
): Promise<Listening> {
  const pump = createPump(sandbox);
  const names = namesOf(host);
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    void answer(sandbox, pump, names, request, response);
  });
  await once(server.listen(port, host), 'listening');
  pump.wake();
  const bound = (server.address() as AddressInfo).port;
  const origin = `http://${addressOf(host)}:${bound}`;
  sandbox.servedAt(origin);
  return {
    url: `${origin}/v1`,
    port: bound,
    async close() {
      pump.stop();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** All addresses have this machine's own among them. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function answer(
  sandbox: ServedSandbox,
  pump: Pump,
  names: ReadonlySet<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  if (!isOurs(headers.host, names))
    return send(response, refusal(403, 'this sandbox answers to this machine only'));
  if (url === '/')
    return send(response, { status: 200, headers: TEXT, body: 'remit sandbox: the service is at /v1\n' });
  const unread = sandbox.refusedUnread({ method, url, headers });
  if (unread) return sendAndClose(request, response, unread);
  const { path } = targetOf(url);
  if (isRestore(path)) {
    await restore(sandbox, request, response);
    return pump.wake();
  }
  const body = await readBody(request, maxBytes(path));
  if (body === 'too large') return sendAndClose(request, response, tooLarge(path));
  if (body === 'cut') return;
  const gone = () => whenGone(response);
  await pump.turn();
  try {
    send(response, await sandbox.handle({ method, url, headers, body, gone }));
  } catch (error) {
    send(response, refusal(500, error instanceof Error ? error.message : 'a defect of the sandbox'));
  }
  pump.wake();
}

/** Made for those who ask alone: to fire a signal takes as long as to verify a request. */
function whenGone(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  if (response.closed) left.abort();
  else response.once('close', () => left.abort());
  return left.signal;
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
function isOurs(hostHeader: string | undefined, names: ReadonlySet<string>): boolean {
  const name = (hostHeader ?? '').replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || names.has(name);
}

/** The names that others call this machine by, where it listens on all of its addresses. */
function namesOf(host: string): ReadonlySet<string> {
  if (host !== '0.0.0.0' && host !== '::') return new Set([host.toLowerCase()]);
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return new Set([hostname().toLowerCase(), ...addresses.map(({ address }) => address)]);
}

function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined | 'too large' | 'cut'> {
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : first);
    });
    request.on('error', () => resolve('cut'));
  });
}

const tooLarge = (path: string): RawAnswer => refusal(413, `a body has at most ${maxBytes(path)} bytes`);

/** A snapshot is unpacked as it comes: what is wrong with it shows before all of it is there. */
async function restore(
  sandbox: ServedSandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'POST', url = '/', headers } = request;
  const { path } = targetOf(url);
  const most = maxBytes(path);
  if (Number(headers['content-length'] ?? 0) > most) return sendAndClose(request, response, tooLarge(path));
  try {
    const stream = within(request, most);
    sendAndClose(request, response, await sandbox.handle({ method, url, headers, stream }));
  } catch (error) {
    if (error instanceof TooLarge) sendAndClose(request, response, tooLarge(path));
    else if (request.errored || request.destroyed) response.destroy();
    else sendAndClose(request, response, refusal(500, 'a defect of the sandbox'));
  }
}

class TooLarge extends Error {}

async function* within(request: IncomingMessage, most: number): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > most) throw new TooLarge();
    yield chunk;
  }
}

function sendAndClose(request: IncomingMessage, response: ServerResponse, answer: RawAnswer): void {
  const { status, headers, body } = answer;
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': length });
  endAfterBody(request, response, body);
}

function send(response: ServerResponse, { status, headers, body, cut }: RawAnswer): void {
  if (cut === 'refused' || cut === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  if (cut === undefined) response.end(body);
  else {
    const bytes = Buffer.from(body);
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  }
}

/**
 * Runs due work by itself: right after an answer went out, and on a running clock when the next task's time
 * comes.
 */
interface Pump {
  wake(): void;
  /**
   * Resolves when all requests of this turn of the event loop have been read. Worked on one behind the other, and answered
   * likewise, they find code and data in the caches of the processor: a payment takes less than two thirds (bench/README.md).
   */
  turn(): Promise<void>;
  stop(): void;
}

/** Taken before a partner's tests put fake timers in its place: the sandbox answers under these too. */
const endOfTurn = setImmediate;

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function createPump(sandbox: ServedSandbox): Pump {
  let waking: NodeJS.Immediate | undefined;
  let alarm: NodeJS.Timeout | undefined;
  let stopped = false;
  const setAlarm = () => {
    clearTimeout(alarm);
    const due = sandbox.nextDue();
    if (stopped || due === undefined || sandbox.clock.mode === 'standing') return;
    alarm = setTimeout(wake, Math.min(Math.max(0, due - sandbox.clock.now()), MAX_TIMER_MS));
    alarm.unref();
  };
  const run = () => {
    waking = undefined;
    sandbox.runDue();
    setAlarm();
  };
  const wake = () => {
    if (stopped) return;
    waking ??= setImmediate(run);
  };
  let ending: Promise<void> | undefined;
  const turn = () => {
    ending ??= new Promise((resolve) => {
      endOfTurn(() => {
        ending = undefined;
        resolve();
      });
    });
    return ending;
  };
  sandbox.onDue(wake);
  return {
    wake,
    turn,
    stop() {
      stopped = true;
      clearImmediate(waking);
      clearTimeout(alarm);
    },
  };
}
