/**
 * Takes one request in: it is verified on its raw bytes, kept before it is acknowledged, and dropped if it was here
 * before. The answer's status follows from that alone; handing it on comes later and changes nothing about it.
 */
import type { Delivery } from '../../contract/resources/webhook.ts';
import type { ReceivedRequest } from '../../contract/signatures/finding.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import type { Clock } from '../../core/clock.ts';
import { groupCommit } from '../../core/group-commit.ts';
import { invariant } from '../../core/invariants.ts';
import type { DeliveryKeeper, NewDelivery, ReceivedDelivery, StoreResult } from '../store/port.ts';
import { deliveryFingerprint, eventPrint } from './fingerprints.ts';
import { readDelivery, type VerifiedSignature, verifySignature } from './verify.ts';

export type RawHeaders = readonly (readonly [name: string, value: string])[];

/** A request with everything that is kept of it. */
export interface IncomingRequest extends ReceivedRequest {
  target: string;
  /** The peer's address. */
  from: string;
  rawHeaders: () => RawHeaders;
}

/** `malformed`: signed, and yet no delivery. */
export type ReceiveResult =
  | {
      outcome: 'new' | 'duplicate';
      id: string;
      repeat: boolean;
      wanted: boolean;
      received: ReceivedDelivery;
    }
  | { outcome: 'invalid' | 'malformed'; receivedAt: number };

export interface ReceiveOptions {
  /** Several while secrets are being rotated. */
  secrets: readonly Credentials[];
  inbox: Pick<DeliveryKeeper, 'keep'>;
  clock: Clock;
  /** True for a delivery that is to be handed on; any other is kept all the same. */
  wanted: (delivery: Delivery) => boolean;
  /** True where there is a handler to hand wanted deliveries on to. */
  handsOn: boolean;
}

export type Receive = (request: IncomingRequest) => Promise<ReceiveResult>;

/** @throws StoreError from what it returns, when it was not kept: then it must not be acknowledged */
export function createReceive({ secrets, inbox, clock, wanted, handsOn }: ReceiveOptions): Receive {
  const keep = groupCommit<NewDelivery, StoreResult>((deliveries) => inbox.keep(deliveries));
  return async (request) => {
    const judged = judge(request, { secrets, clock, wanted });
    if ('outcome' in judged) return judged;
    const { received, isWanted } = judged;
    const { outcome, id, repeat } = await keep({ ...received, handOn: isWanted && handsOn });
    invariant(id !== '', 'nothing is acknowledged that has no place in the inbox');
    return { outcome, id, repeat, wanted: isWanted, received };
  };
}

/**
 * Verifies and reads a request, and lets the parsed body go at its end: nested deep, that takes 28 times the room of
 * its bytes, and many wait at once to be kept.
 */
function judge(
  request: IncomingRequest,
  { secrets, clock, wanted }: Pick<ReceiveOptions, 'secrets' | 'clock' | 'wanted'>,
): Extract<ReceiveResult, { receivedAt: number }> | { received: ReceivedDelivery; isWanted: boolean } {
  const genuine = verifySignature(request, secrets);
  if (!genuine) return { outcome: 'invalid', receivedAt: clock.now() };
  const delivery = readDelivery(request.rawBody);
  if (!delivery) return { outcome: 'malformed', receivedAt: clock.now() };
  const received = receivedFrom(delivery, genuine, {
    body: request.rawBody,
    url: request.url,
    headers: request.rawHeaders(),
    receivedAt: clock.now(),
    recovered: false,
    late: false,
  });
  return { received, isWanted: wanted(delivery) };
}

/** How it came; what it is stands in its body. */
type Arrival = Pick<ReceivedDelivery, 'body' | 'url' | 'headers' | 'receivedAt' | 'recovered' | 'late'>;

/** One literal: made for every delivery, it costs a tenth of what spreading parts into each other does. */
export function receivedFrom(
  { webhook, event, object }: Delivery,
  { nonce, bodyDigest }: Pick<VerifiedSignature, 'nonce' | 'bodyDigest'>,
  arrival: Arrival,
): ReceivedDelivery {
  return {
    webhook,
    event,
    objectId: object.id ?? '',
    transactionId: transactionOf(event, object),
    deliveryPrint: deliveryFingerprint(nonce, bodyDigest),
    eventPrint: eventPrint(bodyDigest),
    body: arrival.body,
    url: arrival.url,
    headers: arrival.headers,
    receivedAt: arrival.receivedAt,
    recovered: arrival.recovered,
    late: arrival.late,
  };
}

function transactionOf(event: string, object: Delivery['object']): string | null {
  const id = event.startsWith('transaction.') ? object.id : object.transaction_id;
  return typeof id === 'string' && id !== '' ? id : null;
}
