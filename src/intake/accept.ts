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
  /** By print: a copy of one that is being handled waits for it and shares its answer. */
  underWay: Map<string, Promise<unknown>>;
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
  accepting: Accepting,
): Promise<Answer> {
  const { url, headers, body } = request;
  const { nonces, onEvent } = accepting;
  const genuine = verifySignature({ rawBody: body, url, headers }, accepting.secrets);
  if (!genuine) {
    await accepting.onInvalid?.(request);
    return { status: 401, text: 'the signature does not verify' };
  }
  const delivery = readDelivery(body);
  if (!delivery) return { status: 400, text: 'signed, but not a delivery' };
  if (!nonces) {
    await onEvent(delivery);
    return TAKEN;
  }
  const print = deliveryPrint(genuine.nonce, genuine.bodyDigest);
  return takeOnce(print, accepting.underWay, () => takeNew(nonces, print, () => onEvent(delivery)));
}

const TAKEN: Answer = { status: 200, text: 'taken' };
const TAKEN_BEFORE: Answer = { status: 200, text: 'taken before' };

/** What is still being handled may fail yet: a copy of it must not be acknowledged before. */
async function takeOnce(
  print: string,
  underWay: Map<string, Promise<unknown>>,
  take: () => Promise<Answer>,
): Promise<Answer> {
  const earlier = underWay.get(print);
  if (earlier) {
    await earlier;
    return TAKEN_BEFORE;
  }
  const taking = take();
  underWay.set(print, taking);
  try {
    return await taking;
  } finally {
    underWay.delete(print);
  }
}

async function takeNew(nonces: NonceStore, print: string, handle: () => unknown): Promise<Answer> {
  if (!(await nonces.claim(print))) return TAKEN_BEFORE;
  try {
    await handle();
  } catch (error) {
    await giveBack(nonces, print, error);
    throw error;
  }
  return TAKEN;
}

/** @throws AggregateError when the nonce stays taken: the same delivery will be answered as a copy, a new one is needed */
async function giveBack(nonces: NonceStore, print: string, cause: unknown): Promise<void> {
  try {
    await nonces.release(print);
  } catch (error) {
    throw new AggregateError([cause, error], 'the handler failed, and its nonce could not be given back');
  }
}
