/** Webhooks: deliveries, their verification, the inbox, and tests of a handler. */
import * as z from 'zod/mini';
import { webhookLog } from '../contract/resources/log.ts';
import { webhookDefinition } from '../contract/resources/webhook.ts';
import { number, numberOrNull, own, shape, text, textOrNull, time, yesNo } from '../frame/shape.ts';

export const webhookShape = shape('webhook', webhookDefinition);
export const webhookLogShape = shape('webhook_log', webhookLog);
/** The name of an event that the service may send. */
export const eventNameShape = shape('event_name', own({ name: text, object: text, meaning: text }));

const received = {
  id: text,
  received_at: time,
  event: textOrNull,
  object_id: textOrNull,
  transaction_id: textOrNull,
  webhook: textOrNull,
  /** How far the hand-over is; `invalid` for what did not verify. */
  state: text,
  repeat: yesNo,
  late: yesNo,
  recovered: yesNo,
  attempts: number,
  /** The answer to the last attempt, or the reason why it did not verify. */
  answer: textOrNull,
  changed_at: time,
};
export const receivedShape = shape('received_event', own(received));

/** A delivery with its body. Nonce and signature are cut short wherever something is printed. */
export const deliveryShape = shape(
  'received_delivery',
  own({
    ...received,
    url: text,
    headers: z.record(text, text),
    /** Parsed where it is JSON, else its text. */
    body: z.unknown(),
    body_bytes: number,
  }),
);

const tried = own({
  cause: text,
  result: z.enum(['fits', 'does not fit', 'not tried']),
  /** How many ways to have it were tried. */
  ways: number,
});
export const verificationShape = shape(
  'verification',
  own({
    verdict: z.enum(['VALID', 'INVALID', 'MALFORMED', 'UNCHECKED']),
    event: textOrNull,
    object_id: textOrNull,
    cause: textOrNull,
    message: textOrNull,
    hint: textOrNull,
    /** The attempts, which are listed only on request. */
    tried: z.optional(z.array(tried)),
  }),
);

export const signedDeliveryShape = shape(
  'signed_delivery',
  own({
    event: text,
    url: text,
    method: text,
    /**
     * Lines as they go over the wire, and the exact body: nothing in them is masked, since a delivery with a letter changed does not
     * verify. What a real secret signed never gets here whole.
     */
    header_lines: z.array(text),
    raw_body: text,
    /** The file that it was saved to. Then its nonce and signature are cut short in what is printed. */
    saved: textOrNull,
  }),
);
export const sentDeliveryShape = shape(
  'sent_delivery',
  own({ nr: number, event: text, status: numberOrNull, latency_ms: number, answer: text }),
);

export const conformanceShape = shape(
  'conformance',
  own({ case: text, result: z.enum(['pass', 'fail', 'advice']), asks: text, source: text, saw: text }),
);
export const conformanceCaseShape = shape(
  'conformance_case',
  own({ id: text, kind: z.enum(['must', 'advice']), asks: text, source: text }),
);

/** Says of a delivery that was missed and is not recovered. */
export const NOT_WHOLE = 'the log does not have the whole body';

export const missedEventShape = shape(
  'missed_event',
  own({ happened_at: text, event: text, object_id: text, recovered: yesNo, id: textOrNull }),
);
export const replayShape = shape(
  'replay',
  own({
    id: text,
    event: text,
    object_id: text,
    /** `waiting` for the listener, `handed_on` or `failed` with --to. */
    state: text,
    answer: textOrNull,
    latency_ms: numberOrNull,
  }),
);
/** `space`: the fate of the space that they took. */
export const prunedShape = shape('pruned', own({ pruned: number, older_than: text, space: text }));

/** The lines of the stream of `webhooks listen`, behind `ready`: each event, each ending of a hand-over, a gap, and the end. */
const handedOn = {
  id: textOrNull,
  event: textOrNull,
  object_id: textOrNull,
  state: textOrNull,
  attempts: number,
  forward_status: numberOrNull,
  forward_error: textOrNull,
  latency_ms: numberOrNull,
  late: yesNo,
};
export const settledShape = shape('settled', own(handedOn));
export const gapShape = shape(
  'gap',
  own({
    /** When the first and the last of what was missed happened, in the service's time. */
    from: text,
    to: text,
    missed: number,
    recovered: number,
    /** Deliveries that the log has without a whole body: they cannot be recovered. */
    unrecoverable: number,
    events: z.record(text, number),
  }),
);
export const stoppedShape = shape(
  'stopped',
  z.looseObject({ reason: text, received: number, handed_on: number, waiting: numberOrNull }),
);
/** One delivery as it is shown, with a member for each question that a reader has. One that did not verify has nothing that its body claims. */
export const listenShape = shape(
  'event',
  own({
    ...handedOn,
    id: text,
    received_at: time,
    webhook: textOrNull,
    object: z.nullable(z.looseObject({ id: z.nullish(text) })),
    signature: z.enum(['valid', 'invalid', 'recovered']),
    /** Why it did not verify; null where it did, or where that was not looked into. */
    cause: textOrNull,
    message: textOrNull,
    hint: textOrNull,
    /** Here before, nonce and all: it was dropped. */
    duplicate: yesNo,
    /** The same event was here before, under another nonce. */
    repeat: yesNo,
    recovered: yesNo,
    /** Others before it that did not verify and were only counted. */
    unshown: number,
    from: textOrNull,
    /** The raw body; null unless it may be shown whole. */
    body_b64: textOrNull,
  }),
);
