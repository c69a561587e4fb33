/** `remit-cli/edge`: the signing scheme by WebCrypto, for runtimes without the modules of Node. */
import { isDelivery } from '../contract/is-delivery.ts';
import { emptyBodyDigest, headerNames, headerValue, signedText } from '../contract/signed-text.ts';
import { OptionError } from '../core/check-options.ts';
import { DeliveryError } from './delivery-error.ts';
import type * as Public from './edge-types.ts';
import { checkDelivery, checkSigning } from './webhooks-options.ts';

export { DeliveryError, OptionError };

const HMAC = { name: 'HMAC', hash: 'SHA-512' };
const encoder = new TextEncoder();

export const signRequest: typeof Public.signRequest = async (request) => {
  checkSigning(request);
  const { key, secret, method, url, body, nonce } = request;
  const fresh = nonce ?? crypto.randomUUID();
  const text = signedText({ nonce: fresh, method, url }, await digestOf(body));
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(secret, 'sign'), encoder.encode(text));
  return {
    'Authorization-Key': key,
    'Authorization-Nonce': fresh,
    'Authorization-Signature': toHex(signature),
  };
};

export const verifyWebhook: typeof Public.verifyWebhook = async (request) => {
  checkDelivery(request);
  const { url, headers, body, key, secret } = request;
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  if (typeof key !== 'string' || key === '' || secrets.length === 0 || secrets.some((one) => !one))
    throw new OptionError(
      'missing',
      'secret',
      'key and secret are missing: without them nothing can be verified',
    );
  const nonce = headerOf(headers, headerNames.nonce);
  const signature = fromHex(headerOf(headers, headerNames.signature) ?? '');
  if (headerOf(headers, headerNames.key) !== key || !nonce || signature === undefined)
    return { valid: false };
  const text = encoder.encode(signedText({ nonce, method: 'POST', url }, await digestOf(body)));
  for (const one of secrets) {
    // WebCrypto compares in a time that does not tell where they differ.
    if (await crypto.subtle.verify('HMAC', await hmacKey(one, 'verify'), signature, text))
      return { valid: true, nonce, event: () => eventOf(body) };
  }
  return { valid: false };
};

const hmacKey = (secret: string, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', encoder.encode(secret), HMAC, false, [use]);

async function digestOf(body: string | Uint8Array | undefined): Promise<string> {
  if (body === undefined || body.length === 0) return emptyBodyDigest;
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  return toHex(await crypto.subtle.digest('SHA-512', bytes));
}

const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** 128 digits in lower case, as the service writes them; undefined for anything else. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{128}$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function headerOf(headers: Public.WebhookHeaders, name: string): string | undefined {
  if (typeof (headers as { get?: unknown }).get === 'function')
    return (headers as { get(name: string): string | null }).get(name) ?? undefined;
  return headerValue(headers as Parameters<typeof headerValue>[0], name);
}

function eventOf(body: string | Uint8Array): Public.WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const value = parsed(text);
  if (!isDelivery(value)) throw new DeliveryError('not_a_delivery');
  return value as unknown as Public.WebhookEvent;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
