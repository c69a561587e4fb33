/** The headers of a delivery, as the service sends it. */
import type { Credentials } from '../../contract/signed-text.ts';
import { signedHeaders } from '../../contract/signing.ts';

export interface ToSign {
  url: string;
  body: Uint8Array;
  nonce: string;
}

export function deliveryHeaders(
  credentials: Credentials,
  { url, body, nonce }: ToSign,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    ...signedHeaders(credentials, { nonce, method: 'POST', url, body }),
  };
}

/** It has the right shape and fits nothing: the digits are turned round one by one. */
export function badSignature(signature: string): string {
  return signature.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}
