/** Checks the options of the entries for webhooks: a handler whose limit is not a number would have no limit. */
import {
  aCount,
  aFunction,
  anObject,
  aText,
  bytes,
  type Checks,
  checkOptions,
  OptionError,
  someTexts,
} from '../core/check-options.ts';
import type { UnsignedRequest } from './edge-types.ts';
import type * as Public from './webhooks-types.ts';

const OF_REQUEST: Checks<Public.WebhookRequest> = {
  url: aText,
  headers: anObject,
  body: bytes,
  key: aText,
  secret: someTexts,
};

const OF_HANDLER: Checks<Public.WebhookHandlerOptions> = {
  url: aText,
  key: aText,
  secret: someTexts,
  onEvent: aFunction,
  nonces: anObject,
  onInvalid: aFunction,
  onError: aFunction,
  maxBytes: aCount,
};

const OF_SIGNING: Checks<UnsignedRequest> = {
  key: aText,
  secret: aText,
  method: aText,
  url: aText,
  body: bytes,
  nonce: aText,
};

/** @throws OptionError */
export function checkDelivery(request: Public.WebhookRequest): void {
  checkOptions('a delivery', OF_REQUEST, request);
  for (const name of ['url', 'headers', 'body'] as const)
    if (request[name] === undefined) throw new OptionError('missing', name, `${name} is missing`);
}

/** @throws OptionError */
export function checkHandler(options: Public.WebhookHandlerOptions): void {
  checkOptions('a webhook handler', OF_HANDLER, options);
  const { onEvent, nonces } = options;
  if (onEvent === undefined)
    throw new OptionError('missing', 'onEvent', 'onEvent is missing: without it every event would be lost');
  for (const name of ['claim', 'finish', 'release'] as const)
    if (nonces !== undefined && typeof nonces[name] !== 'function')
      throw new OptionError(
        'invalid',
        'nonces',
        `nonces has no ${name}: memoryNonces, sqliteNonces and postgresNonces have one`,
      );
}

/** @throws OptionError */
export function checkSigning(request: UnsignedRequest): void {
  checkOptions('signing', OF_SIGNING, request);
  for (const name of ['key', 'secret', 'method', 'url'] as const)
    if (!request[name]) throw new OptionError('missing', name, `${name} is missing`);
}

/** @throws OptionError */
export const checkMemory = (options: object): void =>
  checkOptions('memoryNonces', { keep: () => undefined }, options);

/** @throws OptionError */
export function checkPath(path: unknown): void {
  if (typeof path !== 'string' || path === '')
    throw new OptionError('missing', 'path', 'path is missing: sqliteNonces keeps what was taken in a file');
}

/** @throws OptionError */
export function checkTable(pool: { query?: unknown }, options: object): void {
  if (typeof pool?.query !== 'function')
    throw new OptionError('invalid', 'pool', 'pool has no query: give a Pool of the package pg');
  checkOptions('postgresNonces', { table: aText }, options);
}
