/** Makes the listener of `webhooks listen` from its flags, with who hears what it does. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { usage } from '../../../../core/problem.ts';
import type { LogEventName } from '../../../../frame/log/events.ts';
import type { Log } from '../../../../frame/log/log.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import { programOutput } from '../../../../payments/cli/output/hook-programs.ts';
import { problemOf } from '../../../../payments/problem-of.ts';
import { allowedFrom } from '../../../intake/address.ts';
import { forwardTo } from '../../../intake/forward.ts';
import { runProgram } from '../../../intake/run-program.ts';
import type { Target } from '../../../intake/target.ts';
import { keptEvent, type ListenEvent } from '../../../listen-event.ts';
import { createListener, type Listener, type ListenerOptions } from '../../../listener.ts';
import type { OpenedInbox } from '../../../open-inbox.ts';
import { acceptedSecrets, examinerFor } from '../../../secrets.ts';
import { wantedBy } from '../../../wanted.ts';
import type { ListenOptions } from './listen-flags.ts';
import type { Teller } from './teller.ts';

/** The events of `--log json` about deliveries: each that came, and each attempt to hand one on. */
type Hooks = Required<Pick<ListenerOptions, 'onTakenIn' | 'onTried'>>;
type Taken = Parameters<NonNullable<Hooks['onTakenIn']>>[0];
type Tried = Parameters<NonNullable<Hooks['onTried']>>;

interface DeliveryLog {
  onTakenIn(taken: Taken): void;
  onTried(...tried: Tried): void;
  /** One that did not verify has nothing that it claims, not even its trace. */
  refused(told: ListenEvent): void;
  /** Told once, until the store keeps a delivery again. */
  storeLost(message: string): void;
}

export function deliveryLog(log: Log): DeliveryLog {
  let isLost = false;
  return {
    onTakenIn({ outcome, id, repeat, received }) {
      if (isLost) log.event('store_back', { message: 'the inbox keeps deliveries again' });
      isLost = false;
      const about = factsOf(id, received);
      if (outcome === 'duplicate') log.event('delivery_duplicate', about);
      else log.event('delivery_verified', { ...about, repeat, late: received.late });
    },
    onTried(delivery, { ok, status, answer, ms }, state) {
      const error = ok || status !== null ? null : answer;
      const about = { ...factsOf(delivery.id, delivery), attempt: delivery.attempts + 1, status, ms };
      if (state === 'handed_on') log.event('delivery_forwarded', about);
      else log.event(FAILED[state], { ...about, error });
    },
    refused({ id, cause, from, unshown }) {
      log.event('delivery_invalid', { delivery: id, cause, from, unshown });
    },
    storeLost(message) {
      if (!isLost) log.event('store_lost', { message });
      isLost = true;
    },
  };
}

const FAILED = {
  waiting: 'delivery_failed',
  dead_letter: 'delivery_given_up',
} as const satisfies Record<string, LogEventName>;

const factsOf = (id: string, { event, objectId, transactionId, headers }: Taken['received']) => ({
  delivery: id,
  webhook_event: event,
  object_id: objectId,
  transaction_id: transactionId,
  trace_id: traceIdOf(headers),
});

/** Reads the header `traceparent` (W3C Trace Context). */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** Undefined where it carries none, or one that is not well formed. */
export function traceIdOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const found = headers.find(([name]) => name.toLowerCase() === 'traceparent');
  return TRACEPARENT.exec(found?.[1] ?? '')?.[1];
}

/** Where a listener hands on to, by its flags: a URL, a program, or the stream on stdout (decision 0038). */
const FORWARD_MS = 15_000;
/** At once: a handler sees no more than so many, however many wait. */
const FORWARDED_AT_ONCE = 32;
const PROGRAMS_AT_ONCE = 4;
const LINES_AT_ONCE = 256;
const LINE_MS = 60_000;
/** A reader that went away ends the listener; what it did not take is for the next run. */
const MANY_ATTEMPTS = 1_000;

type Chosen = Pick<ListenerOptions, 'target' | 'invalidTo' | 'quietTarget'>;

async function targetFor(context: Context, options: ListenOptions, teller: Teller): Promise<Chosen> {
  const { forwardTo: to, program } = options;
  if (to !== undefined) return toUrl(context, options, { to, teller });
  if (program !== undefined) return toProgram(context, options, program);
  if (!teller.isStream) return {};
  const hand: Target = async (delivery) => {
    const taken = await teller.handOut(keptEvent(delivery));
    return { ok: taken, status: null, answer: taken ? 'printed' : 'nobody reads the output', ms: 0 };
  };
  return {
    target: { hand, attemptMs: LINE_MS, concurrency: LINES_AT_ONCE, attempts: MANY_ATTEMPTS },
    quietTarget: true,
  };
}

async function toUrl(
  context: Context,
  { attempts, resign, forwardInvalid }: ListenOptions,
  { to, teller }: { to: string; teller: Teller },
): Promise<Chosen> {
  const { clock } = context.process;
  const plain = { to, transport: await context.transport(), clock };
  const { credentials } = await context.connection();
  const hand = forwardTo(resign ? { ...plain, resign: { credentials, nonce: context.newId } } : plain);
  return {
    target: {
      hand: resign ? hand : naming401(hand, to, teller),
      attemptMs: FORWARD_MS,
      concurrency: FORWARDED_AT_ONCE,
      attempts,
    },
    invalidTo: forwardInvalid ? plain : undefined,
  };
}

/** A handler that verifies refuses a delivery signed for another URL than its own. Says so once. */
function naming401(hand: Target, to: string, teller: Teller): Target {
  let isSaid = false;
  return async (...delivery) => {
    const attempt = await hand(...delivery);
    const { status } = attempt;
    if (!isSaid && (status === 401 || status === 403)) {
      isSaid = true;
      teller.trouble(
        `${to} answered ${status}: if it verifies signatures, they are for the registered URL; --resign signs for this URL, with the secret of the profile`,
      );
    }
    return attempt;
  };
}

function toProgram({ process }: Context, { attempts, programMs }: ListenOptions, command: string[]): Chosen {
  const hand = runProgram({
    command,
    cwd: process.cwd,
    env: process.env,
    clock: process.clock,
    timeoutMs: programMs,
    onOutput: programOutput(process),
  });
  return { target: { hand, attemptMs: programMs, concurrency: PROGRAMS_AT_ONCE, attempts } };
}

interface Wiring {
  inbox: OpenedInbox['inbox'];
  teller: Teller;
  publicUrl: string | undefined;
  onProbe: ((token: string) => string | null) | undefined;
  onKept: ListenerOptions['onKept'];
  onCounted: ListenerOptions['onCounted'];
}

/** @throws Problem (usage) */
export async function prepareListener(
  context: Context,
  options: ListenOptions,
  { inbox, teller, ...wiring }: Wiring,
): Promise<Listener> {
  const { process } = context;
  const log = process.log && deliveryLog(process.log);
  const read = (path: string) => readFile(resolve(process.cwd, path), 'utf8');
  const secrets = await acceptedSecrets(context, options);
  const tls = options.tls && { cert: await read(options.tls.cert), key: await read(options.tls.key) };
  return createListener({
    ...(await targetFor(context, options, teller)),
    clock: process.clock,
    random: process.random,
    owner: `${hostname()} ${process.pid} ${process.newId()}`,
    ...wiring,
    inbox,
    secrets,
    wanted: await wantedBy(context, options),
    path: options.path,
    tls,
    allows: rangesIn(options.allowFrom),
    trustProxy: options.trustProxy,
    maxBytes: options.maxBytes,
    examine: await examinerFor(context, secrets, wiring.publicUrl),
    onTakenIn: log?.onTakenIn,
    onTried: log?.onTried,
    onTold(told) {
      if (told.signature === 'invalid') log?.refused(told);
      teller.event(told);
    },
    onEnded: (told) => teller.ended(told),
    onError(error) {
      const { message } = problemOf(error);
      if (log && (error as Error).name === 'StoreError') log.storeLost(message);
      else teller.trouble(message);
    },
  });
}

function rangesIn(ranges: readonly string[]): ReturnType<typeof allowedFrom> {
  try {
    return allowedFrom(ranges);
  } catch (error) {
    throw usage(`--allow-from: ${(error as Error).message}`);
  }
}
