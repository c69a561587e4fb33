/**
 * What becomes of one delivery: verified on its raw bytes, kept before it is acknowledged, passed on once.
 * The answer's status follows from that alone.
 */
import type { Delivery } from '../contract/resources/webhook.ts';
import { bodyDigest, type Credentials } from '../contract/signing.ts';
import type { Clock } from '../core/clock.ts';
import type { Inbox } from '../core/ports/inbox.ts';
import type { Finding, ReceivedRequest } from './finding.ts';
import { type Forwarding, type ForwardResult, forward, succeeded } from './forward.ts';
import { verifyDelivery } from './verify.ts';

export interface DeliveryRecord {
  receivedAt: number;
  /** From the whole body being there to our answer, in milliseconds. */
  ms: number;
  verdict: 'new' | 'duplicate' | 'refused';
  /** What we answered. */
  status: number;
  /** The id in the inbox; of the earlier delivery for a duplicate. */
  id?: string;
  delivery?: Delivery;
  /** Why it was refused. */
  finding?: Finding;
  forward?: ForwardResult;
}

export interface TakeIn {
  credentials: Credentials;
  inbox: Inbox;
  clock: Clock;
  forwarding?: Forwarding | undefined;
  /** Sends the answer; called once, and never before the delivery is kept. */
  answer: (status: number, text: string) => void;
  /** Deliveries that the handler has taken; only a strict forwarding looks at it. */
  taken: Set<string>;
}

/** @throws StoreError when it cannot be kept: nothing was answered then */
export async function takeIn(request: ReceivedRequest, way: TakeIn): Promise<DeliveryRecord> {
  const receivedAt = way.clock.now();
  const answered = (status: number, text: string) => {
    way.answer(status, text);
    return { receivedAt, status, ms: way.clock.now() - receivedAt };
  };
  const verdict = verifyDelivery(request, way.credentials);
  if (!verdict.ok) {
    const { cause, message, hint } = verdict;
    const status = cause === 'not_a_delivery' ? 400 : 401;
    return { ...answered(status, cause), verdict: 'refused', finding: { cause, message, hint } };
  }
  const { delivery } = verdict;
  const { id, outcome } = keep(way.inbox, request, delivery);
  const known = { id, delivery, verdict: outcome };
  if (!isOwed(way, outcome, id)) return { ...answered(200, outcome), ...known };
  if (!way.forwarding.strict) {
    const done = answered(200, outcome);
    return { ...done, ...known, forward: await forward(way.forwarding, request.headers, request.rawBody) };
  }
  const result = await forward(way.forwarding, request.headers, request.rawBody);
  const done = succeeded(result) ? answered(200, outcome) : answered(502, 'the handler did not take it');
  if (done.status === 200) way.taken.add(id);
  return { ...done, ...known, forward: result };
}

type Forwarded = TakeIn & { forwarding: Forwarding };

/** A duplicate is passed on again only where the handler's failure is why it came again. */
function isOwed(way: TakeIn, outcome: 'new' | 'duplicate', id: string): way is Forwarded {
  if (!way.forwarding) return false;
  return outcome === 'new' || (way.forwarding.strict === true && !way.taken.has(id));
}

function keep(inbox: Inbox, { rawBody, url }: ReceivedRequest, { webhook, event, object }: Delivery) {
  return inbox.keep({
    webhook,
    event,
    objectId: object.id ?? '',
    bodyDigest: bodyDigest(rawBody),
    body: rawBody,
    url,
  });
}
