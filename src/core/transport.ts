/**
 * The one way bytes leave the process: a signed request goes in, a whole answer comes out.
 * The undici transport implements it over the network; tests and the sandbox implement it in memory.
 */
export interface WireRequest {
  method: string;
  /** Absolute, exactly as it was signed. */
  url: string;
  headers: Record<string, string>;
  /** The exact text that was signed; absent for no body. */
  body?: string | undefined;
  /** Both bodies are bytes, one character each: a snapshot of a sandbox. */
  binary?: true;
  connectTimeoutMs: number;
  /** How long to wait for the answer to begin, and between two pieces of it. The whole has twice as long. */
  responseTimeoutMs: number;
  /** Bytes of the answer at most, 32 MB by default: a body without end would take all the memory there is. */
  maxAnswerBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** How far a request came that got no answer: nothing left the socket, or it may have arrived. */
export type Reach = 'not_sent' | 'may_have_arrived';

/** Codes of an answer that had begun and was given up: it had no end in size, or none in time. */
export const ANSWER_GIVEN_UP = ['ANSWER_TOO_LARGE', 'ANSWER_TOO_SLOW'] as const;

export class TransportError extends Error {
  override readonly name = 'TransportError';
  constructor(
    readonly reach: Reach,
    /** A machine word such as ECONNREFUSED, for people who search. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
