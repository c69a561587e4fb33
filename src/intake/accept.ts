/**
 * What a partner's own service does with one request, whatever server it runs on: verify, drop what came before, call the
 * handler, and answer as the service wants to be answered.
 *
 * What happens if the process dies: before the nonce is claimed, nothing was done and the service sends again; after it and
 * before the answer, the service sends again under a new nonce, so the handler may see the event twice: it should know events
 * by their object and state.
 */
import type { Delivery } from '../contract/resources/webhook.ts';
import type { Credentials } from '../contract/signing.ts';
import type { Headers } from './finding.ts';
import type { NonceStore } from './nonces.ts';
import { deliveryPrint } from './prints.ts';
import { readDelivery, verifySignature } from './verify.ts';

export interface Accepting {
  secrets: readonly Credentials[];
  nonces?: NonceStore | undefined;
  onEvent: (delivery: Delivery) => unknown;
  /** What did not verify. */
  onInvalid?: ((request: { url: string; headers: Headers; body: Uint8Array }) => unknown) | undefined;
}

export interface Answer {
  status: number;
  text: string;
}

/** Errors of the handler are passed on after its nonce was given back. */
export async function accept(
  request: { url: string; headers: Headers; body: Uint8Array },
  { secrets, nonces, onEvent, onInvalid }: Accepting,
): Promise<Answer> {
  const { url, headers, body } = request;
  const genuine = verifySignature({ rawBody: body, url, headers }, secrets);
  if (!genuine) {
    await onInvalid?.(request);
    return { status: 401, text: 'the signature does not verify' };
  }
  const delivery = readDelivery(body);
  if (!delivery) return { status: 400, text: 'signed, but not a delivery' };
  const print = deliveryPrint(genuine.nonce, genuine.bodyDigest);
  if (nonces && !(await nonces.claim(print))) return { status: 200, text: 'taken before' };
  try {
    await onEvent(delivery);
  } catch (error) {
    await nonces?.release(print);
    throw error;
  }
  return { status: 200, text: 'taken' };
}
