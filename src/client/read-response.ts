/**
 * Receives one answer from undici as its public handler, and bounds it (decision 0001). It is a handler, not `request()`,
 * because of `onRequestStart`: undici calls it when the connection stands and nothing is written yet, so whatever fails before
 * it was certainly not sent.
 */
import type { Dispatcher } from 'undici';
import { TransportError, type WireResponse } from '../core/transport.ts';

type Controller = Dispatcher.DispatchController;

/** A page of a list has a hundred records; a list goes on by pages. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Connections per server. More than are busy is slower: undici looks twice at a connection that had nothing to do. */
export const CONNECTIONS = 32;
/** The most that a pay run may have under way: a request that waits for a connection is not under way. */
export const MOST_CONNECTIONS = 1000;
export const KEPT_MS = 10_000;
/** undici looks at its own clocks once a second: what it finds late is reported in its words. */
export const SLACK_MS = 2_000;

export interface ReceptionLimits {
  encoding: BufferEncoding;
  maxBytes: number;
  /** Limits the exchange, from its first byte: each piece of a body that drips comes in time, and its end never does. */
  wholeMs: number;
}

export class Reception implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #limits: ReceptionLimits;
  #late: NodeJS.Timeout | undefined;
  /** Set from the moment when something may have arrived. */
  #started: Controller | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(
    resolve: (response: WireResponse) => void,
    reject: (error: TransportError) => void,
    signal: AbortSignal | undefined,
    limits: ReceptionLimits,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#limits = limits;
    signal?.addEventListener('abort', this.#interrupted, { once: true });
  }

  onRequestStart(controller: Controller): void {
    if (this.#signal?.aborted) {
      controller.abort(abortReason());
      return;
    }
    this.#started = controller;
    this.#late ??= setTimeout(
      () => controller.abort(new AnswerError('ANSWER_TOO_SLOW')),
      this.#limits.wholeMs,
    );
  }

  /** Called again for the answer itself where an interim one (1xx) came first. */
  onResponseStart(
    _: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = flat(headers);
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= this.#limits.maxBytes) {
      this.#pieces.push(piece);
      return;
    }
    this.#pieces = [];
    controller.abort(new AnswerError('ANSWER_TOO_LARGE'));
  }

  onResponseEnd(): void {
    this.#letGo();
    const body = Buffer.concat(this.#pieces).toString(this.#limits.encoding);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Controller | null, error: Error): void {
    this.#letGo();
    this.#reject(transportError(error, this.#started !== undefined));
  }

  #letGo(): void {
    clearTimeout(this.#late);
    this.#signal?.removeEventListener('abort', this.#interrupted);
  }

  /** Before the first byte nothing was sent, and `onRequestStart` sees to it that nothing will be. */
  readonly #interrupted = (): void =>
    this.#started ? this.#started.abort(abortReason()) : this.onResponseError(null, abortReason());
}

/** The exchange is given up here. */
export class AnswerError extends Error {
  constructor(readonly code: keyof typeof EXPLANATIONS) {
    super(code);
  }
}

export const abortReason = (): Error => new DOMException('interrupted', 'AbortError');

export function flat(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result[name] = typeof value === 'string' ? value : value.join(', ');
  return result;
}

export function transportError(error: Error & { code?: unknown }, started: boolean): TransportError {
  // A DOMException's code is a number that says nothing.
  const code = typeof error.code === 'string' ? error.code : error.name;
  return new TransportError(started ? 'may_have_arrived' : 'not_sent', code, explain(code, error), {
    cause: error,
  });
}

const EXPLANATIONS = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half way',
  ANSWER_TOO_LARGE: 'the answer was broken off: it is larger than any answer of the service',
  ANSWER_TOO_SLOW: 'the answer was broken off: it did not end in time',
  AbortError: 'interrupted',
} as const;

const explain = (code: string, error: Error): string =>
  (EXPLANATIONS as Readonly<Record<string, string>>)[code] ?? error.message;

/** The path as it was signed: the URL class would encode a byte here and there anew. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : url.slice(start);
}
