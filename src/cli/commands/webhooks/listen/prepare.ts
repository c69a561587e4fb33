/** Makes the listener of `webhooks listen` from its flags, with who hears what it does. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { usage } from '../../../../core/problem.ts';
import { problemOf } from '../../../../desk/problem-of.ts';
import { createListener, type Listener, type ListenerOptions } from '../../../../desk/webhooks/listener.ts';
import type { OpenedInbox } from '../../../../desk/webhooks/open-inbox.ts';
import { acceptedSecrets, examinerFor } from '../../../../desk/webhooks/secrets.ts';
import { toldKept } from '../../../../desk/webhooks/told.ts';
import { wantedBy } from '../../../../desk/webhooks/wanted.ts';
import { allowedFrom } from '../../../../intake/address.ts';
import { forwardTo } from '../../../../intake/forward.ts';
import { runProgram } from '../../../../intake/run-program.ts';
import type { Target } from '../../../../intake/target.ts';
import type { Context } from '../../../context.ts';
import { deliveryLog } from '../../../log/deliveries.ts';
import { programOutput } from '../../../output/program-output.ts';
import type { ListenOptions } from './listen-flags.ts';
import type { Teller } from './teller.ts';

/** Where a listener hands on to, by its flags: a URL, a program, or the stream on stdout (decision 0042). */
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
    const taken = await teller.handOut(toldKept(delivery));
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
  const { clock } = context.world;
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

/** A handler that verifies refuses what was signed for another URL than its own. That is said once. */
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

function toProgram({ world }: Context, { attempts, programMs }: ListenOptions, command: string[]): Chosen {
  const hand = runProgram({
    command,
    cwd: world.cwd,
    env: world.env,
    clock: world.clock,
    timeoutMs: programMs,
    onOutput: programOutput(world),
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
export async function prepare(
  context: Context,
  options: ListenOptions,
  { inbox, teller, ...wiring }: Wiring,
): Promise<Listener> {
  const { world } = context;
  const log = world.log && deliveryLog(world.log);
  const read = (path: string) => readFile(resolve(world.cwd, path), 'utf8');
  const secrets = await acceptedSecrets(context, options);
  const tls = options.tls && { cert: await read(options.tls.cert), key: await read(options.tls.key) };
  return createListener({
    ...(await targetFor(context, options, teller)),
    clock: world.clock,
    random: world.random,
    owner: `${hostname()} ${world.pid} ${world.newId()}`,
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
