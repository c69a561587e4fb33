/**
 * Takes one request in for a partner's own service, whatever server it runs on: verifies it, drops a delivery that
 * came before, calls the handler, and answers as the service wants to be answered.
 *
 * What happens if the process dies: before the nonce is claimed, nothing was done and the service sends again; after
 * it and before the nonce is finished, a copy is put off for a while in which the handler could still be at it, and
 * then handled; after that and before the answer, a copy is dropped. The service may send again under a new nonce all
 * the same, so the handler may see the event twice: it should know events by their object and state.
 */
import type { Delivery } from '../../contract/resources/webhook.ts';
import type { Headers } from '../../contract/signatures/finding.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import type { NonceStore } from '../store/nonces-port.ts';
import { deliveryFingerprint } from './fingerprints.ts';
import { readDelivery, verifySignature } from './verify.ts';

export interface Accepting {
  secrets: readonly Credentials[];
  nonces?: NonceStore | undefined;
  onEvent: (delivery: Delivery) => unknown;
  /** By print: a copy of one that is being handled waits for it and shares its answer. */
  underWay: Map<string, Promise<IntakeAnswer>>;
  /** An error that changes no answer. */
  onError: (error: unknown) => unknown;
  /** Told of what did not verify. */
  onInvalid?: ((request: { url: string; headers: Headers; body: Uint8Array }) => unknown) | undefined;
}

export interface IntakeAnswer {
  status: number;
  text: string;
}

/** Errors of the handler are passed on after its nonce was given back. */
export async function accept(
  request: { url: string; headers: Headers; body: Uint8Array },
  accepting: Accepting,
): Promise<IntakeAnswer> {
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
  const print = deliveryFingerprint(genuine.nonce, genuine.bodyDigest);
  return takeOnce(print, accepting.underWay, () =>
    takeNew(nonces, print, { handle: () => onEvent(delivery), onError: accepting.onError }),
  );
}

const TAKEN: IntakeAnswer = { status: 200, text: 'taken' };
const TAKEN_BEFORE: IntakeAnswer = { status: 200, text: 'taken before' };
const UNDER_WAY: IntakeAnswer = { status: 503, text: 'a copy is being handled: send it again' };

/**
 * Makes a copy wait for the delivery that is still being handled: that may fail yet, so the copy must not be
 * acknowledged before.
 */
async function takeOnce(
  print: string,
  underWay: Map<string, Promise<IntakeAnswer>>,
  take: () => Promise<IntakeAnswer>,
): Promise<IntakeAnswer> {
  const earlier = underWay.get(print);
  if (earlier) {
    const answer = await earlier;
    return answer === TAKEN ? TAKEN_BEFORE : answer;
  }
  const taking = take();
  underWay.set(print, taking);
  try {
    return await taking;
  } finally {
    underWay.delete(print);
  }
}

interface Handling {
  handle: () => unknown;
  onError: (error: unknown) => unknown;
}

async function takeNew(
  nonces: NonceStore,
  print: string,
  { handle, onError }: Handling,
): Promise<IntakeAnswer> {
  const claimed = await nonces.claim(print);
  if (claimed === 'taken') return TAKEN_BEFORE;
  if (claimed === 'under_way') return UNDER_WAY;
  try {
    await handle();
  } catch (error) {
    await giveBack(nonces, print, error);
    throw error;
  }
  // It was handled: to ask for it again would have it handled twice.
  await finish(nonces, print).catch(onError);
  return TAKEN;
}

/** Twice: what is not finished would be handled again when a copy comes, and a pool gives another connection the second time. */
const finish = (nonces: NonceStore, print: string): Promise<void> =>
  nonces.finish(print).catch(() => nonces.finish(print));

/** @throws AggregateError when the nonce stays taken: the same delivery will be answered as a copy, a new one is needed */
async function giveBack(nonces: NonceStore, print: string, cause: unknown): Promise<void> {
  try {
    await nonces.release(print);
  } catch (error) {
    throw new AggregateError([cause, error], 'the handler failed, and its nonce could not be given back');
  }
}
