/**
 * Receives one answer. It speaks the older of undici's two handler interfaces, the one that undici's own `request` uses:
 * the newer one is put around it, object by object, and took a fifth of the whole request (bench/README.md).
 */
import type { Dispatcher } from 'undici';
import util from 'undici/lib/core/util.js';
import { TransportError, type WireResponse } from '../core/ports/transport.ts';

type Headers = Record<string, string | string[] | undefined>;

/** A page of a list has a hundred records; a list goes on by pages. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface ReceptionLimits {
  encoding: BufferEncoding;
  maxBytes: number;
  /** For the whole exchange, from its first byte. A body that drips would otherwise be waited for for ever. */
  wholeMs: number;
}

export class Reception implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (error: TransportError) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #limits: ReceptionLimits;
  #late: NodeJS.Timeout | undefined;
  #length = 0;
  #stop: ((reason: Error) => void) | undefined;
  #status = 0;
  #rawHeaders: Buffer[] = [];
  #body: Buffer | undefined;
  #more: Buffer[] | undefined;

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

  onConnect(abort: (reason?: Error) => void): void {
    // Called when the connection stands and the first byte is about to be written: from here on nobody can say that
    // nothing arrived.
    if (this.#signal?.aborted) {
      abort(abortReason());
      return;
    }
    this.#stop = abort;
    this.#late ??= setTimeout(() => abort(new AnswerError('ANSWER_TOO_SLOW')), this.#limits.wholeMs);
  }

  onHeaders(status: number, rawHeaders: Buffer[]): boolean {
    this.#status = status;
    this.#rawHeaders = rawHeaders;
    this.#body = undefined;
    this.#more = undefined;
    this.#length = 0;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#length += chunk.length;
    if (this.#length > this.#limits.maxBytes) {
      this.#body = undefined;
      this.#more = undefined;
      this.#stop?.(new AnswerError('ANSWER_TOO_LARGE'));
      return false;
    }
    if (this.#body === undefined) this.#body = chunk;
    else if (this.#more === undefined) this.#more = [this.#body, chunk];
    else this.#more.push(chunk);
    return true;
  }

  onComplete(): void {
    const bytes = this.#more ? Buffer.concat(this.#more) : this.#body;
    this.#settled();
    this.#resolve({
      status: this.#status,
      headers: flat(util.parseHeaders(this.#rawHeaders)),
      body: bytes === undefined ? '' : bytes.toString(this.#limits.encoding),
    });
  }

  onError(error: Error): void {
    this.#settled();
    this.#reject(transportError(error, this.#stop !== undefined));
  }

  #settled(): void {
    clearTimeout(this.#late);
    this.#signal?.removeEventListener('abort', this.#interrupted);
  }

  /** Before the first byte nothing was sent, and `onConnect` sees to it that nothing will be. */
  readonly #interrupted = (): void => (this.#stop ? this.#stop(abortReason()) : this.onError(abortReason()));
}

/** The answer is given up: what the request did is not known by it. */
class AnswerError extends Error {
  constructor(readonly code: 'ANSWER_TOO_LARGE' | 'ANSWER_TOO_SLOW') {
    super(code);
  }
}

export const abortReason = (): Error => new DOMException('interrupted', 'AbortError');

function flat(headers: Headers): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) result[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return result;
}

export function transportError(error: Error & { code?: unknown }, started: boolean): TransportError {
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
  ANSWER_TOO_LARGE: 'the answer was broken off: it is larger than any answer of the service',
  ANSWER_TOO_SLOW: 'the answer was broken off: it did not end in time',
  AbortError: 'interrupted',
};

function explain(code: string, error: Error): string {
  return EXPLANATIONS[code] ?? error.message;
}
