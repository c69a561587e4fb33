/**
 * Is this webhook from the service, for us, and unaltered? (`spec` wire facts 1, "Webhooks").
 * It works on the raw bytes and on the public URL exactly as it was registered.
 */
import { type Delivery, delivery } from '../contract/resources/webhook.ts';
import { type Credentials, headerNames, headerValue, verify } from '../contract/signing.ts';
import { diagnose } from './diagnose.ts';
import type { Finding, Headers, ReceivedRequest } from './finding.ts';

export type Verdict =
  | { ok: true; delivery: Delivery; nonce: string; remark?: string | undefined }
  | ({ ok: false } & Finding);

export function verifyDelivery(request: ReceivedRequest, credentials: Credentials): Verdict {
  const { rawBody, url, headers, method = 'POST' } = request;
  const key = headerValue(headers, headerNames.key);
  const nonce = headerValue(headers, headerNames.nonce);
  const signature = headerValue(headers, headerNames.signature);
  const whole = key === credentials.key && nonce !== undefined && signature !== undefined;
  const signed = whole && verify(credentials.secret, { nonce, method, url, body: rawBody }, signature);
  if (!signed) return { ok: false, ...diagnose(request, credentials) };
  const read = readDelivery(rawBody);
  if (!read) return { ok: false, ...NOT_A_DELIVERY };
  return { ok: true, delivery: read, nonce, remark: remarkOn(headers) };
}

const NOT_A_DELIVERY: Finding = {
  cause: 'not_a_delivery',
  message:
    'the signature is right, but the body is not a delivery: {"webhook", "event", "object"} is expected',
  hint: 'check what was sent to this address: a request of the API is not a webhook',
};

function readDelivery(rawBody: Uint8Array): Delivery | null {
  try {
    const parsed = delivery.safeParse(JSON.parse(Buffer.from(rawBody).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Names are read whatever their case here; a library that wants exactly one spelling finds nothing. */
function remarkOn(headers: Headers): string | undefined {
  if (Object.hasOwn(headers, headerNames.signature)) return undefined;
  return `header names did not arrive as ${headerNames.signature}: code that looks them up in exactly this spelling finds nothing`;
}
