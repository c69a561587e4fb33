/**
 * Explains a wrong signature to a caller that signs by itself: the 401 says what the sandbox signed, and which known
 * mistake it was.
 */
import { type Credentials, headerNames, signedText } from '../../contract/signed-text.ts';
import { bodyDigest } from '../../contract/signing.ts';
import { asBuffer } from '../../core/bytes.ts';
import type { Answer } from '../handlers/handler.ts';
import { fullUrl, type Incoming } from './auth.ts';

/** A nonce is never written out: with its signature it is a request that anybody may send. */
const NONCE = `<${headerNames.nonce}>`;
/** Larger bodies are not looked into: each try hashes the body again. */
const EXAMINED_BYTES = 64 * 1024;

/** The answer to a signature that does not match. */
export async function mismatch(request: Incoming, credentials: Credentials): Promise<Answer> {
  const { method, headers, body = '' } = request;
  const rawBody = typeof body === 'string' ? Buffer.from(body) : asBuffer(body);
  const url = fullUrl(request);
  const { diagnose } = await import('../../contract/signatures/diagnose.ts');
  const found =
    rawBody.length > EXAMINED_BYTES
      ? undefined
      : diagnose({ rawBody, url, headers, method }, { credentials, sentBy: 'caller' });
  const why = found ? `: ${found.message}` : '';
  return {
    status: 401,
    body: {
      status: 401,
      error: 'Unauthorized',
      message: `the signature does not match${why}. The sandbox signed "string_to_sign" with HMAC-SHA-512 under the secret of this key`,
      cause: found?.cause ?? null,
      string_to_sign: signedText({ nonce: NONCE, method, url }, bodyDigest(rawBody)),
    },
  };
}
