/**
 * The transport of a program that only reads, over `node:http` and `node:https` (decision 0001): they are within Node, and undici,
 * which keeps many connections busy and says of a write what left, takes three times as long until one request is answered.
 * What it answers, refuses and bounds is the same as over undici, held by one suite over both.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as startHttp,
} from 'node:http';
import type { request as startHttps } from 'node:https';
import { createRequire } from 'node:module';
import { invariant } from '../core/invariants.ts';
import type { WireRequest, WireResponse } from '../core/transport.ts';
import type { NetworkOptions, NetworkTransport } from './network-transport.ts';
import {
  AnswerError,
  abortReason,
  CONNECTIONS,
  flat,
  KEPT_MS,
  MAX_ANSWER_BYTES,
  pathOf,
  SLACK_MS,
  transportError,
} from './read-response.ts';

/** Uses require: import() starts Node's ESM loader. Loaded on demand: TLS costs milliseconds that a sandbox does not need. */
const require = createRequire(import.meta.url);

interface Way {
  agent: HttpAgent;
  start: typeof startHttp | typeof startHttps;
  /** The event of a socket from which on something may be sent. */
  ready: 'connect' | 'secureConnect';
}

/** It knows no proxies. */
export function createReadTransport(options: Omit<NetworkOptions, 'proxy'> = {}): NetworkTransport {
  const { connectTimeoutMs = 10_000, connections = CONNECTIONS, keptMs = KEPT_MS, ca } = options;
  // The agent's time-out is of sockets that it keeps; those in use have the clocks of their exchange.
  const kept = { keepAlive: true, maxSockets: connections, timeout: keptMs };
  const ways = new Map<string, Way>();
  const wayOf = (protocol: string): Way => {
    const known = ways.get(protocol) ?? open(protocol);
    ways.set(protocol, known);
    return known;
  };
  const open = (protocol: string): Way => {
    if (protocol !== 'https:') return { agent: new HttpAgent(kept), start: startHttp, ready: 'connect' };
    const { Agent, request } = require('node:https') as typeof import('node:https');
    return { agent: new Agent({ ...kept, ...(ca ? { ca } : {}) }), start: request, ready: 'secureConnect' };
  };
  return {
    async send(request) {
      if (request.signal?.aborted) throw transportError(abortReason(), false);
      invariant(request.responseTimeoutMs > 0, 'an exchange ends, answered or not');
      const { protocol, hostname, port } = new URL(request.url);
      const { agent, start, ready } = wayOf(protocol);
      const sent = start({
        agent,
        protocol,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        path: pathOf(request.url),
        method: request.method,
        headers: request.headers,
      });
      return new Exchange(sent, request, { ready, connectTimeoutMs }).answer;
    },
    async close() {
      for (const { agent } of ways.values()) agent.destroy();
    },
  };
}

/** One request and its answer: it ends once, with every clock stopped. */
class Exchange {
  readonly answer: Promise<WireResponse>;
  readonly #sent: ClientRequest;
  readonly #wire: WireRequest;
  readonly #pieces: Buffer[] = [];
  #length = 0;
  /** Set from the moment when something may have arrived. */
  #started = false;
  /** Times a step: the connection, the beginning of the answer, the next piece of it. */
  #step: NodeJS.Timeout | undefined;
  #whole: NodeJS.Timeout | undefined;
  #resolve: (answer: WireResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(
    sent: ClientRequest,
    wire: WireRequest,
    { ready, connectTimeoutMs }: Pick<Way, 'ready'> & { connectTimeoutMs: number },
  ) {
    [this.#sent, this.#wire] = [sent, wire];
    this.answer = new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
    sent.once('socket', (socket) => {
      if (sent.reusedSocket) return this.#begin();
      this.#within(connectTimeoutMs, 'UND_ERR_CONNECT_TIMEOUT');
      socket.once(ready, () => this.#begin());
    });
    sent.once('response', (response) => this.#receive(response));
    sent.on('error', (error) => this.#fail(error));
    // Whatever it was that ended it without a word, such as an answer that asks for another protocol.
    sent.once('close', () => this.#fail(new AnswerError('ECONNRESET')));
    wire.signal?.addEventListener('abort', this.#interrupted, { once: true });
    sent.end(wire.binary ? Buffer.from(wire.body ?? '', 'latin1') : wire.body);
  }

  #begin(): void {
    this.#started = true;
    this.#within(this.#wire.responseTimeoutMs, 'UND_ERR_HEADERS_TIMEOUT');
    const whole = 2 * this.#wire.responseTimeoutMs + SLACK_MS;
    this.#whole = setTimeout(() => this.#fail(new AnswerError('ANSWER_TOO_SLOW')), whole);
  }

  #receive(response: IncomingMessage): void {
    const { responseTimeoutMs, maxAnswerBytes = MAX_ANSWER_BYTES, binary } = this.#wire;
    const wait = (): void => this.#within(responseTimeoutMs, 'UND_ERR_BODY_TIMEOUT');
    wait();
    response.on('data', (piece: Buffer) => {
      this.#length += piece.length;
      if (this.#length > maxAnswerBytes) return this.#fail(new AnswerError('ANSWER_TOO_LARGE'));
      this.#pieces.push(piece);
      wait();
    });
    response.on('error', (error) => this.#fail(error));
    response.once('end', () => {
      // Node ends an answer that was cut short like any other, but for this mark.
      if (!response.complete) return this.#fail(new AnswerError('ECONNRESET'));
      const status = response.statusCode ?? 0;
      invariant(status >= 200, 'only a final answer ends an exchange');
      const body = Buffer.concat(this.#pieces).toString(binary ? 'latin1' : 'utf8');
      this.#letGo();
      this.#resolve({ status, headers: flat(response.headers), body });
    });
  }

  #within(ms: number, code: AnswerError['code']): void {
    clearTimeout(this.#step);
    this.#step = setTimeout(() => this.#fail(new AnswerError(code)), ms);
  }

  readonly #interrupted = (): void => this.#fail(abortReason());

  /** Ends the read with an error. Events that come after the end change nothing: a promise settles once. */
  #fail(error: Error): void {
    this.#letGo();
    this.#pieces.length = 0;
    this.#reject(transportError(error, this.#started));
    this.#sent.destroy();
  }

  #letGo(): void {
    clearTimeout(this.#step);
    clearTimeout(this.#whole);
    this.#wire.signal?.removeEventListener('abort', this.#interrupted);
  }
}
