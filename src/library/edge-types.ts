/** The public types of `remit-cli/edge`: signing and verification by WebCrypto, where there are no modules of Node. */
import type { OptionErrorCode } from '../core/check-options.ts';
import type { DeliveryErrorCode } from './delivery-error.ts';
import type { WebhookEvent, WebhookHeaders, WebhookRequest } from './webhooks-types.ts';

export type { DeliveryErrorCode, OptionErrorCode, WebhookEvent, WebhookHeaders, WebhookRequest };

/** An option is missing, unknown, or has a value that it cannot have. */
export declare class OptionError extends TypeError {
  readonly name: 'OptionError';
  readonly code: OptionErrorCode;
  /** Its name, such as `secret`. */
  readonly option: string;
}

/** A body that no event can be made of. */
export declare class DeliveryError extends TypeError {
  readonly name: 'DeliveryError';
  readonly code: DeliveryErrorCode;
}

export interface UnsignedRequest {
  key: string;
  secret: string;
  method: string;
  /** Exactly as it will be sent: scheme, host, port when not the default, path and query. */
  url: string;
  /** The exact text or bytes that will be sent. */
  body?: string | Uint8Array | undefined;
  /** A fresh one for each request; made where it is absent. */
  nonce?: string | undefined;
}

export interface SignedHeaders {
  'Authorization-Key': string;
  'Authorization-Nonce': string;
  'Authorization-Signature': string;
}

/** A fresh signature is as good as the secret for its one request: it is not to be logged. */
export declare function signRequest(request: UnsignedRequest): Promise<SignedHeaders>;

export type EdgeVerdict =
  | {
      valid: true;
      /** Remember it: a signature has no time of its own, and a copy would verify for ever. */
      nonce: string;
      /** @throws DeliveryError when the body is not `{webhook, event, object}` */
      event(): WebhookEvent;
    }
  | { valid: false };

/** Is it from the service, for this key, and unaltered? Nothing is parsed. @throws OptionError without key or secret */
export declare function verifyWebhook(request: WebhookRequest): Promise<EdgeVerdict>;
