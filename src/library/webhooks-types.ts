/**
 * The public types of `remit-cli/webhooks`, as a partner's compiler reads them: the build writes the names of events, which it takes
 * from the contract, beside this file.
 */

import type { EventName } from '../contract/events.ts';

type Of<Kind extends string> = Extract<EventName, `${Kind}.${string}`>;

export type TransactionEventName = Of<'transaction'>;
export type RecipientEventName = Of<'recipient'>;
export type SenderEventName = Of<'sender'>;
export type PayinMethodEventName = Of<'payin_method'>;
export type PayoutMethodEventName = Of<'payout_method'>;
export type DocumentEventName = Of<'document'>;
export type TransactionRequestEventName = Of<'transaction_request'>;

/** Members that the service adds later are there too, whatever their type. */
interface Open {
  [member: string]: unknown;
}

/** An amount as the service writes it: a number or a decimal text. Never count with it as a float. */
export type Amount = string | number | null;

export interface StateReason extends Open {
  code?: string | null;
  category?: string | null;
  description?: string | null;
  messages?: readonly string[] | null;
}

export interface RecipientObject extends Open {
  id: string;
  state?: string | null;
  state_reason?: string | null;
  state_reason_details?: StateReason | null;
  transaction_id?: string | null;
  transaction_external_id?: string | null;
  external_id?: string | null;
  requested_amount?: Amount;
  requested_currency?: string | null;
  output_amount?: Amount;
  output_currency?: string | null;
}

export interface TransactionObject extends Open {
  id: string;
  external_id?: string | null;
  state?: string | null;
  input_amount?: Amount;
  input_currency?: string | null;
  recipients?: readonly RecipientObject[] | null;
}

export interface SenderObject extends Open {
  id: string;
  external_id?: string | null;
  state?: string | null;
}

export interface MethodObject extends Open {
  id: string;
  type?: string | null;
  state?: string | null;
  transaction_id?: string | null;
}

export interface OtherObject extends Open {
  id?: string | null;
}

interface Envelope<Name extends string, Subject> {
  /** The id of the webhook definition. */
  webhook: string;
  event: Name;
  object: Subject;
}

export type KnownWebhookEvent =
  | Envelope<TransactionEventName, TransactionObject>
  | Envelope<RecipientEventName, RecipientObject>
  | Envelope<SenderEventName, SenderObject>
  | Envelope<PayinMethodEventName, MethodObject>
  | Envelope<PayoutMethodEventName, MethodObject>
  | Envelope<DocumentEventName, OtherObject>
  | Envelope<TransactionRequestEventName, OtherObject>;

/** `switch (event.event)` narrows the object. Names that the service adds later come too: have a default. */
export type WebhookEvent = KnownWebhookEvent;

/** As Node gives them (`request.headers`), or as Fetch does. Names are found whatever their case. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface WebhookRequest {
  /** The URL exactly as it is registered: it is part of what is signed. */
  url: string;
  headers: WebhookHeaders;
  /** The raw bytes, before anything parsed them. */
  body: Uint8Array | string;
  key: string;
  /** Several while secrets are being rotated. */
  secret: string | readonly string[];
}

export type WebhookVerdict =
  | {
      valid: true;
      nonce: string;
      /** The body as an event. @throws Error when it is not one */
      event(): WebhookEvent;
    }
  | { valid: false };

/** Is it from the service, for this key, and unaltered? Nothing is parsed. */
export declare function verifyWebhook(request: WebhookRequest): WebhookVerdict;

/** @throws Error when the body is not `{webhook, event, object}` */
export declare function parseWebhook(body: Uint8Array | string): WebhookEvent;

export interface WebhookDiagnosis {
  /** A word for programs, such as `url_scheme`. */
  cause: string;
  /** What is wrong, in one sentence. No secret, nonce or signature is in it whole. */
  message: string;
  /** What to do about it. */
  hint: string;
}

/** Why it does not verify, as one cause: advice for people, never a reason to accept it. Null when it verifies. */
export declare function diagnoseWebhook(request: WebhookRequest): WebhookDiagnosis | null;

/** Which deliveries were taken. A store of your own is asked only about what verified. */
export interface NonceStore {
  /**
   * Durable when it resolves: `new` for who may handle it. `taken` when it was handled before (answered 200), `under_way` when
   * somebody else is at it, who may yet fail (answered 503).
   */
  claim(print: string): Promise<'new' | 'taken' | 'under_way'>;
  /** It was handled. */
  finish(print: string): Promise<void>;
  /** It was not handled after all. */
  release(print: string): Promise<void>;
}

/**
 * In the memory of this process: for one process, until it ends.
 * @param options.keep `all`, or how many: the oldest are forgotten, and their signatures would be accepted again
 */
export declare function memoryNonces(options: { keep: number | 'all' }): NonceStore & {
  readonly size: number;
};

export interface PostgresNonces extends NonceStore {
  /** Makes the table where it is missing. */
  prepare(): Promise<void>;
  /** Forgets what was claimed before; answers how many. */
  forget(before: Date): Promise<number>;
}

/**
 * In a table of yours, for all processes. `pool` is a Pool or Client of the package `pg`. What a process claimed and neither finished
 * nor released within 30 s is given to the next copy: it may have died.
 */
export declare function postgresNonces(
  pool: { query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }> },
  options?: { table?: string | undefined },
): PostgresNonces;

export interface WebhookHandlerOptions {
  /** The URL exactly as it is registered. */
  url: string;
  key: string;
  secret: string | readonly string[];
  /** Called once for each event, before it is acknowledged. What it throws is answered with 500: the service sends again. */
  onEvent(event: WebhookEvent): unknown;
  /** Remembers what was taken: without it a copy of an old delivery is taken again. */
  nonces?: NonceStore | undefined;
  /** Told about what does not verify, after 401 was decided. */
  onInvalid?: ((request: { url: string; diagnose(): WebhookDiagnosis | null }) => unknown) | undefined;
  /** Told about what `onEvent`, `onInvalid` or the nonce store threw. What it throws itself is dropped. */
  onError?: ((error: unknown) => unknown) | undefined;
  /** 1 MB where it is absent: 413 above. */
  maxBytes?: number | undefined;
}

interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body?: unknown;
  rawBody?: unknown;
  /** Whether all of it has come. */
  readonly complete?: boolean;
  /** Whether all of it was read, by whomever. */
  readonly readableEnded?: boolean;
}
interface NodeResponse {
  writeHead(status: number, headers?: Record<string, string>): unknown;
  end(text?: string): unknown;
}

/** For `http.createServer(handler)`. */
export declare function nodeWebhookHandler(
  options: WebhookHandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void>;

/**
 * For `app.post(path, handler)`. It needs the raw body: mount it before `express.json()`, or behind `express.raw({type: () => true})`.
 * A body that was parsed before is an error that says so.
 */
export declare function expressWebhookHandler(
  options: WebhookHandlerOptions,
): (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void) => Promise<void>;

/** For servers that take a Request and answer a Response. */
export declare function fetchWebhookHandler(
  options: WebhookHandlerOptions,
): (request: Request) => Promise<Response>;
