/**
 * Is this webhook from the service, for us, and unaltered? (docs/wire.md 1).
 * It works on the raw bytes and on the public URL exactly as it was registered. Why not is another question, and a costly one:
 * `diagnose.ts` answers it.
 */
import { isDelivery } from '../../contract/is-delivery.ts';
import type { Delivery } from '../../contract/resources/webhook.ts';
import type { Headers, ReceivedRequest } from '../../contract/signatures/finding.ts';
import { type Credentials, headerNames, headerValue, signedText } from '../../contract/signed-text.ts';
import { bodyDigest, equalInConstantTime, sign } from '../../contract/signing.ts';
import { asBuffer } from '../../core/bytes.ts';

/** The facts of a request that proved genuine: the nonce, the body's digest, and whose secret it was signed with. */
export interface VerifiedSignature {
  nonce: string;
  /** SHA-512 of the raw body, in hex. */
  bodyDigest: string;
  credentials: Credentials;
}

/** Null when no secret fits. Several are tried while secrets are being rotated. */
export function verifySignature(
  { rawBody, url, headers, method = 'POST' }: ReceivedRequest,
  secrets: readonly Credentials[],
): VerifiedSignature | null {
  const key = headerValue(headers, headerNames.key);
  const nonce = headerValue(headers, headerNames.nonce);
  const signature = headerValue(headers, headerNames.signature);
  if (key === undefined || !nonce || !signature) return null;
  const ours = secrets.filter((credentials) => credentials.key === key);
  if (ours.length === 0) return null;
  const digest = bodyDigest(rawBody);
  const text = signedText({ nonce, method, url }, digest);
  for (const credentials of ours) {
    if (equalInConstantTime(sign(credentials.secret, text), signature))
      return { nonce, bodyDigest: digest, credentials };
  }
  return null;
}

/** Null when the body is not `{"webhook", "event", "object"}`. */
export function readDelivery(rawBody: Uint8Array): Delivery | null {
  try {
    const value: unknown = JSON.parse(asBuffer(rawBody).toString('utf8'));
    return isDelivery(value) ? value : null;
  } catch {
    return null;
  }
}

/** Names are read whatever their case here; a library that wants exactly one spelling finds nothing. */
export function remarkOn(headers: Headers): string | undefined {
  if (Object.hasOwn(headers, headerNames.signature)) return undefined;
  return `header names did not arrive as ${headerNames.signature}: code that looks them up in exactly this spelling finds nothing`;
}
