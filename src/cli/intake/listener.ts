/**
 * A listener, put together: receiver, inbox, hand-over, refusals. What happens is told as lines of one shape; who calls decides
 * how they look.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Delivery } from '../../contract/resources/webhook.ts';
import type { Credentials } from '../../contract/signing.ts';
import type { Inbox, Settlement } from '../../core/ports/inbox.ts';
import type { Allows } from '../../intake/address.ts';
import type { Finding, ReceivedRequest } from '../../intake/finding.ts';
import { type ForwardOptions, forwardInvalid } from '../../intake/forward.ts';
import { startHandOver } from '../../intake/hand-over.ts';
import { createReceiver, type Receiver } from '../../intake/receiver.ts';
import { createRefusals, type Refused } from '../../intake/refusals.ts';
import { type Arrived, createTakeIn, type Taken } from '../../intake/take-in.ts';
import type { Target } from '../../intake/target.ts';
import type { World } from '../world.ts';
import { type Told, toldAttempt, toldRefused, toldTaken } from './told.ts';

export interface ListenerOptions {
  world: Pick<World, 'clock' | 'random' | 'pid'>;
  inbox: Inbox;
  secrets: readonly Credentials[];
  wanted: (delivery: Delivery) => boolean;
  /** Absent where nobody asked for deliveries to be handed on: they are kept and told. */
  target?:
    | { hand: Target; attemptMs: number; concurrency: number; attempts?: number | undefined }
    | undefined;
  /** Where what does not verify goes, for those who ask for it. */
  invalidTo?: ForwardOptions | undefined;
  /** Told by `target` itself: nothing more is said about what was handed on. */
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
  onTold: (told: Told) => void;
  /** What became in the end of one that was told as tried again. */
  onSettled: (told: Told) => void;
  onError: (error: unknown) => void;
}

export interface Counts {
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
  /** Something was put into the inbox by another way. */
  wake(): void;
  counts: Readonly<Counts>;
  /** Takes nothing new, then lets what was begun be handed on, at most so long. */
  close(drainMs: number): Promise<void>;
}

const STATES: Record<Settlement['outcome'], 'handed_on' | 'waiting' | 'dead_letter'> = {
  handed_on: 'handed_on',
  again: 'waiting',
  dead_letter: 'dead_letter',
  not_tried: 'waiting',
};

export function createListener(options: ListenerOptions): Listener {
  const { world, inbox, target, onTold, onError } = options;
  const counts: Counts = {
    received: 0,
    duplicates: 0,
    invalid: 0,
    handedOn: 0,
    deadLetters: 0,
    lastAt: null,
  };
  const refusals = createRefusals({
    inbox,
    ...world,
    examine: options.examine,
    onRefused: (refused) => void tellRefused(options, refused),
    onError,
  });
  const handOver = target && startHandOver(handOverOptions(options, target, counts));

  const onTaken = (taken: Taken, request: Arrived): void => {
    if (!('received' in taken)) {
      counts.invalid += 1;
      refusals.add(request, taken.receivedAt, taken.outcome === 'malformed' ? NOT_A_DELIVERY : undefined);
      return;
    }
    const duplicate = taken.outcome === 'duplicate';
    counts.lastAt = taken.received.receivedAt;
    counts[duplicate ? 'duplicates' : 'received'] += 1;
    if (!taken.wanted) return;
    if (handOver && !duplicate) handOver.wake();
    else onTold(toldTaken(taken.received, { ...taken, duplicate, object: taken.delivery.object }));
  };

  const receiver = createReceiver({
    ...options,
    takeIn: createTakeIn({
      secrets: options.secrets,
      inbox,
      clock: world.clock,
      wanted: options.wanted,
      handsOn: target !== undefined,
    }),
    onTaken,
  });
  return {
    listen: receiver.listen,
    wake: () => handOver?.wake(),
    counts,
    async close(drainMs) {
      await receiver.close();
      await handOver?.stop(drainMs);
    },
  };
}

function handOverOptions(
  { inbox, world, onError, onTold, onSettled, quietTarget }: ListenerOptions,
  { hand, ...limits }: NonNullable<ListenerOptions['target']>,
  counts: Counts,
): Parameters<typeof startHandOver>[0] {
  return {
    inbox,
    target: hand,
    clock: world.clock,
    owner: `${hostname()} ${world.pid} ${randomUUID()}`,
    ...limits,
    onAttempt(delivery, attempt, outcome) {
      if (outcome === 'handed_on') counts.handedOn += 1;
      if (outcome === 'dead_letter') counts.deadLetters += 1;
      if (quietTarget) return;
      const told = toldAttempt(delivery, attempt, STATES[outcome]);
      if (delivery.attempts === 0) onTold(told);
      else if (outcome !== 'again') onSettled(told);
    },
    onError,
  };
}

async function tellRefused({ invalidTo, onTold, onError }: ListenerOptions, refused: Refused): Promise<void> {
  try {
    const { rawHeaders, rawBody } = refused.request;
    const forwarded = invalidTo
      ? await forwardInvalid(invalidTo, { headers: rawHeaders(), body: rawBody })
      : null;
    onTold(toldRefused(refused, forwarded));
  } catch (error) {
    onError(error);
  }
}

const NOT_A_DELIVERY: Finding = {
  cause: 'not_a_delivery',
  message:
    'the signature is right, but the body is not a delivery: {"webhook", "event", "object"} is expected',
  hint: 'check what was sent to this address: a request of the API is not a webhook',
};
