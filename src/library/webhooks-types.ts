/**
 * The public types of `remit-cli/webhooks`. The build writes out what comes from the contract and from the intake, so that a
 * partner's compiler needs one file.
 */
import type * as z from 'zod/mini';
import type { EventName } from '../contract/events.ts';
import type { document } from '../contract/resources/document.ts';
import type { payinMethod, payoutMethod } from '../contract/resources/payment-method.ts';
import type { sender } from '../contract/resources/sender.ts';
import type { recipient, transaction } from '../contract/resources/transaction.ts';
import type { OptionErrorCode } from '../core/check-options.ts';
import type { StoreErrorKind } from '../disk/store-error.ts';
import type { NonceStore, PostgresNonces, SqliteNonces } from '../webhooks/store/nonces-port.ts';
import type { DeliveryErrorCode } from './delivery-error.ts';

export type { DeliveryErrorCode, NonceStore, OptionErrorCode, PostgresNonces, SqliteNonces, StoreErrorKind };

type Of<Kind extends string> = Extract<EventName, `${Kind}.${string}`>;
/** A record as it stands in a body, before our client makes texts of amounts. */
type Sent<Schema extends z.core.$ZodType> = z.input<Schema>;
type Subject<Schema extends z.core.$ZodType> = Sent<Schema> & { id: string };

export type TransactionEventName = Of<'transaction'>;
export type RecipientEventName = Of<'recipient'>;
export type SenderEventName = Of<'sender'>;
export type PayinMethodEventName = Of<'payin_method'>;
export type PayoutMethodEventName = Of<'payout_method'>;
export type DocumentEventName = Of<'document'>;
export type TransactionRequestEventName = Of<'transaction_request'>;

/**
 * Members that the service adds later are there too, whatever their type: so it is with each of these. An amount is a number or a
 * decimal text. Never count with it as a float.
 */
export type RecipientObject = Subject<typeof recipient>;

export type TransactionObject = Subject<typeof transaction>;

export type SenderObject = Subject<typeof sender>;

export type PayinMethodObject = Subject<typeof payinMethod>;

export type PayoutMethodObject = Subject<typeof payoutMethod>;

export type DocumentObject = Sent<typeof document>;

/** The layout of its other members is not documented. */
export interface TransactionRequestObject {
  id?: string | null;
  [member: string]: unknown;
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
  | Envelope<PayinMethodEventName, PayinMethodObject>
  | Envelope<PayoutMethodEventName, PayoutMethodObject>
  | Envelope<DocumentEventName, DocumentObject>
  | Envelope<TransactionRequestEventName, TransactionRequestObject>;

/** `switch (event.event)` narrows the object. Names that the service adds later come too: have a default. */
export type WebhookEvent = KnownWebhookEvent;

/** Headers as Node gives them (`request.headers`), or as Fetch does. Names are found whatever their case. */
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
      /** The body as an event. @throws DeliveryError when it is not one */
      event(): WebhookEvent;
    }
  | { valid: false };

/** Is it from the service, for this key, and unaltered? Nothing is parsed. */
export declare function verifyWebhook(request: WebhookRequest): WebhookVerdict;

/** An option is missing, unknown, or has a value that it cannot have. */
export declare class OptionError extends TypeError {
  readonly name: 'OptionError';
  readonly code: OptionErrorCode;
  /** Its name, such as `onEvent`. */
  readonly option: string;
}

/** A body that no event can be made of. */
export declare class DeliveryError extends TypeError {
  readonly name: 'DeliveryError';
  readonly code: DeliveryErrorCode;
}

/** @throws DeliveryError when the body is not `{webhook, event, object}` */
export declare function parseWebhook(body: Uint8Array | string): WebhookEvent;

export interface WebhookDiagnosis {
  /** A word for programs, such as `url_scheme`. */
  cause: string;
  /** The fault, in one sentence. It contains no secret, nonce or signature in full. */
  message: string;
  /** The step that mends it. */
  hint: string;
}

/** Why it does not verify, as one cause: advice for people, never a reason to accept it. Null when it verifies. */
export declare function diagnoseWebhook(request: WebhookRequest): WebhookDiagnosis | null;

/**
 * In the memory of this process: for one process, until it ends.
 * @param options.keep `all`, or how many: the oldest are forgotten, and their signatures would be accepted again
 */
export declare function memoryNonces(options: { keep: number | 'all' }): NonceStore & {
  readonly size: number;
};

/**
 * In a table of yours, for all processes. `pool` is a Pool or Client of the package `pg`. The first claim makes the table where it is
 * missing; a user without the right to make tables can use one that is there. What a process claimed and neither finished
 * nor released within 30 s is given to the next copy: it may have died.
 */
export declare function postgresNonces(
  pool: { query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }> },
  options?: { table?: string | undefined },
): PostgresNonces;

/**
 * In one file of SQLite, for all processes of one machine, opened when it is first needed. What a process claimed and neither
 * finished nor released within 30 s is given to the next copy: it may have died.
 */
export declare function sqliteNonces(path: string): SqliteNonces;

/** The file of `sqliteNonces` cannot be used: the delivery is answered 500, and comes again. */
export declare class StoreError extends Error {
  readonly name: 'StoreError';
  readonly kind: StoreErrorKind;
  readonly path: string;
}

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
  /** Told about what `onEvent`, `onInvalid` or the nonce store threw. What it throws itself is dropped. `console.error` where it is absent. */
  onError?: ((error: unknown) => unknown) | undefined;
  /** 1 MB where it is absent: 413 above. */
  maxBytes?: number | undefined;
}

interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body?: unknown;
  rawBody?: unknown;
  /** True once the whole request has come. */
  readonly complete?: boolean;
  /** True once the whole body was read, by anybody. */
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

/** The types of Fetch, whichever a project has. */
type FetchRequest = typeof globalThis extends { Request: { prototype: infer One } } ? One : object;
type FetchResponse = typeof globalThis extends { Response: { prototype: infer One } } ? One : object;

/** For servers that take a Request and answer a Response. */
export declare function fetchWebhookHandler(
  options: WebhookHandlerOptions,
): (request: FetchRequest) => Promise<FetchResponse>;
