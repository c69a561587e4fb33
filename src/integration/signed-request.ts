/**
 * The signature of a request from another program, part by part (docs/wire.md 1), and why its own is another. A signature
 * of a real account with its nonce is a request that others may send once: it is never shown.
 */
import { diagnose } from '../contract/signatures/diagnose.ts';
import { type Credentials, headerNames, signedText } from '../contract/signed-text.ts';
import { bodyDigest, equalInConstantTime, sign } from '../contract/signing.ts';
import type { DataOf } from '../frame/shape.ts';
import { NONCE } from '../payments/dry-run.ts';
import type { signedRequestShape } from '../payments/shapes/machine.ts';

export type SignedRequest = DataOf<typeof signedRequestShape>;

export interface RequestToSign {
  method: string;
  url: string;
  body: Uint8Array;
  nonce: string | undefined;
  /** The signature that the other program made for exactly this, to compare. */
  signature: string | undefined;
}

/** @param credentials.isShown whether its signatures may be shown: of a sandbox, or of a key that was given for this */
export function signedRequest(
  request: RequestToSign,
  credentials: (Credentials & { isShown: boolean }) | undefined,
): SignedRequest {
  const { method, url, body, nonce, signature } = request;
  const digest = bodyDigest(body);
  const text = signedText({ nonce: nonce ?? NONCE, method, url }, digest);
  const ours = credentials && nonce !== undefined ? sign(credentials.secret, text) : undefined;
  const matches =
    ours === undefined || signature === undefined ? null : equalInConstantTime(ours, signature.trim());
  const finding =
    matches === false && credentials !== undefined && nonce !== undefined
      ? diagnose(
          { rawBody: body, url, method, headers: headersOf(credentials.key, nonce, signature ?? '') },
          { credentials, sentBy: 'caller' },
        )
      : undefined;
  return {
    method: method.toUpperCase(),
    url,
    nonce: nonce ?? null,
    body_bytes: body.length,
    body_digest: digest,
    string_to_sign: text,
    key: credentials?.isShown ? credentials.key : null,
    signature: credentials?.isShown ? (ours ?? null) : null,
    matches,
    cause: finding?.cause ?? null,
    why: finding?.message ?? null,
    next: finding?.hint ?? null,
  };
}

const headersOf = (key: string, nonce: string, signature: string): Record<string, string> => ({
  [headerNames.key]: key,
  [headerNames.nonce]: nonce,
  [headerNames.signature]: signature,
});
