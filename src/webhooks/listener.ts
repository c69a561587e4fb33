/**
 * A listener, put together: receiver, inbox, hand-over, refusals. What happens is told as lines of one shape; who calls decides
 * how they look.
 */

import type { Delivery } from '../contract/resources/webhook.ts';
import type { Cause, Finding, ReceivedRequest } from '../contract/signatures/finding.ts';
import type { Credentials } from '../contract/signed-text.ts';
import type { Clock } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import type { Random } from '../core/random.ts';
import type { Allows } from './intake/address.ts';
import { type ForwardOptions, forwardInvalid } from './intake/forward.ts';
import { HandOver, type HandOverOptions } from './intake/hand-over.ts';
import { NOT_A_DELIVERY } from './intake/judge.ts';
import { createTakeIn, type IncomingRequest, type ReceiveResult, type TakeIn } from './intake/receive.ts';
import { createReceiver, type Receiver } from './intake/receiver.ts';
import { createRefusals, type Refused } from './intake/refusals.ts';
import type { Attempt, Target } from './intake/target.ts';
import type {
  DeliveryKeeper,
  HandOverQueue,
  HandOverRecord,
  KeptDelivery,
  ReceivedDelivery,
  RefusalLog,
} from './store/port.ts';
import { type ListenEvent, toldAttempt, toldRefused, toldTaken } from './told.ts';

export interface ListenerOptions {
  clock: Clock;
  random: Random;
  /** Names this run; no other has the same name. */
  owner: string;
  inbox: DeliveryKeeper & HandOverQueue & RefusalLog;
  secrets: readonly Credentials[];
  wanted: (delivery: Delivery) => boolean;
  /** Absent where deliveries are not to be handed on: they are kept and told. */
  target?:
    | { hand: Target; attemptMs: number; concurrency: number; attempts?: number | undefined }
    | undefined;
  /** Receives deliveries that do not verify, where the caller asked for them. */
  invalidTo?: ForwardOptions | undefined;
  /** `target` itself tells what was handed on: the listener does not. */
  quietTarget?: boolean;
  publicUrl?: string | undefined;
  path?: string | undefined;
  tls?: { cert: string; key: string } | undefined;
  allows?: Allows | undefined;
  trustProxy: boolean;
  maxBytes?: number | undefined;
  onProbe?: ((token: string) => string | null) | undefined;
  /** Why one did not verify; costly. */
  examine: (request: ReceivedRequest) => Finding;
  /** Counts each delivery that came whole, once it is answered; `cause` is null where none was looked for. It must not fail. */
  onCounted?: ((verdict: DeliveryVerdict, cause: Cause | null) => void) | undefined;
  /** Called for each delivery that is kept and answered, once. It must not fail or take long. */
  onKept?: ((received: ReceivedDelivery) => void) | undefined;
  /** Hears of each that was kept, or dropped as a duplicate, with its headers. It must not fail, and not take long. */
  onTakenIn?: ((taken: TakenIn) => void) | undefined;
  /** Hears of each attempt to hand one on, with the state that it has then. It must not fail, and not take long. */
  onTried?: ((delivery: KeptDelivery, attempt: Attempt, state: HandedState) => void) | undefined;
  onTold: (told: ListenEvent) => void;
  /** Hears the end of a delivery that was told as tried again. */
  onEnded: (told: ListenEvent) => void;
  onError: (error: unknown) => void;
}

/** The finding on a delivery that came whole; `not_kept` is answered 503, and comes again. */
export type DeliveryVerdict = 'verified' | 'duplicate' | 'invalid' | 'malformed' | 'not_kept';

export interface ListenerCounts {
  received: number;
  duplicates: number;
  invalid: number;
  handedOn: number;
  deadLetters: number;
  /** When the last genuine one came, in milliseconds since 1970. */
  lastAt: number | null;
}

export interface Listener {
  listen: Receiver['listen'];
  /** Everything is verified for this URL from now on. */
  verifyFor(url: string): void;
  /** Begins to hand on what waits. */
  start(): void;
  /** How many are being handed on. */
  readonly busy: number;
  /** Something was put into the inbox by another way. */
  wake(): void;
  counts: Readonly<ListenerCounts>;
  /** A delivery could not be kept, and none was kept since. */
  readonly hasUnkept: boolean;
  /** Tries to keep that one again, so that its copy is a duplicate. @throws StoreError, Error */
  keepAgain(): Promise<void>;
  /** Takes nothing new, then waits for hand-overs that began, up to a limit. */
  close(drainMs: number): Promise<void>;
}

export type TakenIn = Extract<ReceiveResult, { received: ReceivedDelivery }>;
export type HandedState = 'handed_on' | 'waiting' | 'dead_letter';

const STATES: Record<HandOverRecord['outcome'], HandedState> = {
  handed_on: 'handed_on',
  again: 'waiting',
  dead_letter: 'dead_letter',
  not_tried: 'waiting',
};

const NOTHING_YET: ListenerCounts = {
  received: 0,
  duplicates: 0,
  invalid: 0,
  handedOn: 0,
  deadLetters: 0,
  lastAt: null,
};

export function createListener(options: ListenerOptions): Listener {
  const { clock, random, inbox, target, secrets, wanted, onTold, onError } = options;
  const counts: ListenerCounts = { ...NOTHING_YET };
  const refusals = createRefusals({
    inbox,
    clock,
    random,
    examine: options.examine,
    onRefused: tellRefused(options),
    onError,
  });
  let handOver: HandOver | undefined;
  let verified = options.publicUrl;

  const takeIn = createTakeIn({ secrets, inbox, clock, wanted, handsOn: target !== undefined });
  const unkept = new Unkept();

  const onTaken = (taken: ReceiveResult, request: IncomingRequest): void => {
    if (taken.outcome === 'new') unkept.request = undefined;
    if (!('received' in taken)) {
      counts.invalid += 1;
      const known = taken.outcome === 'malformed' ? NOT_A_DELIVERY : undefined;
      const finding = refusals.add(request, taken.receivedAt, known);
      options.onCounted?.(taken.outcome, finding?.cause ?? null);
      return;
    }
    const duplicate = taken.outcome === 'duplicate';
    tellTakenIn(taken, counts, options);
    if (!taken.wanted) return;
    if (target && !duplicate) handOver?.wake();
    else onTold(toldTaken(taken.received, { id: taken.id, repeat: taken.repeat, duplicate }));
  };

  const receiver = createReceiver({
    ...options,
    get publicUrl() {
      return verified;
    },
    takeIn,
    onTaken,
    onError(error, request) {
      unkept.hear(error, request);
      options.onCounted?.('not_kept', null);
      onError(error);
    },
  });
  return {
    listen: receiver.listen,
    verifyFor(url) {
      verified = url;
    },
    start() {
      invariant(secrets.length > 0, 'a listener verifies with a secret before it hands anything on');
      if (target) handOver ??= new HandOver(handOverOptions(options, target, counts));
    },
    wake: () => handOver?.wake(),
    get busy() {
      return handOver?.busy ?? 0;
    },
    counts,
    get hasUnkept() {
      return unkept.request !== undefined;
    },
    keepAgain: () => unkept.keep(takeIn, onTaken),
    async close(drainMs) {
      // At once: what is kept in the meantime is handed on by the next run.
      await Promise.all([receiver.close(), handOver?.stop(drainMs)]);
    },
  };
}

function tellTakenIn(
  taken: TakenIn,
  counts: ListenerCounts,
  { onCounted, onTakenIn, onKept }: ListenerOptions,
): void {
  const duplicate = taken.outcome === 'duplicate';
  counts.lastAt = taken.received.receivedAt;
  counts[duplicate ? 'duplicates' : 'received'] += 1;
  onCounted?.(duplicate ? 'duplicate' : 'verified', null);
  onTakenIn?.(taken);
  if (!duplicate) onKept?.(taken.received);
}

/** The delivery that the store last failed to keep, until one is kept. */
class Unkept {
  request: IncomingRequest | undefined;

  hear(error: unknown, request: IncomingRequest): void {
    if (error instanceof Error && error.name === 'StoreError') this.request = request;
  }

  async keep(
    takeIn: TakeIn,
    onTaken: (taken: ReceiveResult, request: IncomingRequest) => void,
  ): Promise<void> {
    const { request } = this;
    if (request === undefined) return;
    onTaken(await takeIn(request), request);
    if (this.request === request) this.request = undefined;
  }
}

function handOverOptions(
  { inbox, owner, onError, onTold, onEnded, onTried, quietTarget }: ListenerOptions,
  { hand, ...limits }: NonNullable<ListenerOptions['target']>,
  counts: ListenerCounts,
): HandOverOptions {
  return {
    inbox,
    target: hand,
    owner,
    ...limits,
    onAttempt(delivery, attempt, outcome) {
      if (outcome === 'handed_on') counts.handedOn += 1;
      if (outcome === 'dead_letter') counts.deadLetters += 1;
      if (quietTarget) return;
      if (outcome !== 'not_tried') onTried?.(delivery, attempt, STATES[outcome]);
      const told = toldAttempt(delivery, attempt, STATES[outcome]);
      if (delivery.attempts === 0) onTold(told);
      else if (outcome !== 'again') onEnded(told);
    },
    onError,
  };
}

/**
 * The number of deliveries that do not verify and wait for their target's answer at once, and their bytes;
 * one waits in any case. The rest is only told.
 */
const FORWARDED_AT_ONCE = 4;
const FORWARDED_BYTES = 4 * 1024 * 1024;
const NOT_FORWARDED = 'not forwarded: too many at once';

function tellRefused({ invalidTo, onTold, onError }: ListenerOptions): (refused: Refused) => void {
  const underWay = { count: 0, bytes: 0 };
  const forward = async (to: ForwardOptions, { rawHeaders, rawBody }: IncomingRequest): Promise<Attempt> => {
    underWay.count += 1;
    underWay.bytes += rawBody.length;
    try {
      return await forwardInvalid(to, { headers: rawHeaders(), body: rawBody });
    } finally {
      underWay.count -= 1;
      underWay.bytes -= rawBody.length;
    }
  };
  const isFull = (more: number): boolean =>
    underWay.count >= FORWARDED_AT_ONCE || (underWay.count > 0 && underWay.bytes + more > FORWARDED_BYTES);
  const tell = async (refused: Refused): Promise<void> => {
    if (!invalidTo) return onTold(toldRefused(refused, null));
    if (isFull(refused.request.rawBody.length))
      return onTold({ ...toldRefused(refused, null), forward_error: NOT_FORWARDED });
    onTold(toldRefused(refused, await forward(invalidTo, refused.request)));
  };
  return (refused) => void tell(refused).catch(onError);
}
