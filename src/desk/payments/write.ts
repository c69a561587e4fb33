/** A money-moving write from the command line: intent, call, and the words for what became of it. */

import type { Context } from '../../cli/context.ts';
import { withProgress } from '../../cli/terminal/progress.ts';
import { userOf } from '../../cli/world.ts';
import type { Meeting } from '../../client/intents.ts';
import type { Asked } from '../../client/writes.ts';
import type { Intent } from '../../core/ports/intents.ts';
import { interrupted } from '../../core/problem.ts';
import { isRunning } from '../../profiles/alive.ts';
import { keyLast4 } from '../../profiles/connection.ts';
import { dropCached } from '../read-cache.ts';
import { meetEarlier } from './earlier.ts';
import { outcomeFailure } from './outcome-problem.ts';

export interface Written<T> {
  value: T;
  /** `earlier`: an earlier run made it, and nothing was sent this time. */
  how: 'answered' | 'existing' | 'found' | 'earlier';
  intentId: string;
}

export interface WriteRequest {
  asked: Asked;
  externalId?: string | undefined;
  subject?: string | undefined;
  transactionId?: string | undefined;
  /** Personal data masked. */
  summary: string;
  newPayment?: boolean | undefined;
}

/** The written record, however it is known to be written. @throws Failure when it was not, or nobody can say */
export async function write<T extends { id?: string | null | undefined }>(
  context: Context,
  request: WriteRequest,
  isPassed: (intent: Intent) => boolean = () => false,
): Promise<Written<T>> {
  const [{ record }, client, { intents }, about] = await Promise.all([
    import('../../client/intents.ts'),
    context.writingClient(),
    context.store(),
    aboutOf(context, request),
  ]);
  const meeting = { ...meetingOf(context), newPayment: request.newPayment ?? false, isPassed };
  const recorded = await undisturbed(
    context,
    () => record<T>(client, { intents, about, asked: request.asked, meeting }),
    meeting.isWaiting,
  );
  await dropCached(context);
  if (recorded.kind === 'refused') {
    const { asked } = request;
    const met = await meetEarlier(context, recorded.earlier, {
      fund: asked.plan === 'create' && asked.fund,
      givenId: asked.plan === 'create' && !asked.madeId ? request.externalId : undefined,
    });
    if (met.kind === 'another') return write(context, request, (one) => isPassed(one) || met.isPassed(one));
    const { id } = recorded.earlier.intent;
    context.willTell(id, met.value);
    return { value: met.value as unknown as T, how: 'earlier', intentId: id };
  }
  const { intent, outcome } = recorded;
  if (recorded.unrecorded !== undefined) sayUnrecorded(context, intent.id, recorded.unrecorded);
  if (outcome.kind !== 'applied') throw outcomeFailure(outcome, intent.id);
  context.willTell(intent.id, outcome.value);
  return { value: outcome.value, how: outcome.how, intentId: intent.id };
}

/** Who, where and what, for the journal. */
export async function aboutOf(context: Context, request: Omit<WriteRequest, 'asked' | 'newPayment'>) {
  const { name, environment, baseUrl, credentials } = await context.connection();
  const { externalId, subject, transactionId, summary } = request;
  return {
    command: context.words,
    user: userOf(context.world),
    pid: context.world.pid,
    profile: name,
    environment,
    baseUrl,
    keyLast4: keyLast4(credentials.key),
    externalId,
    subject,
    transactionId,
    summary,
  };
}

const PAUSE_MS = 100;

/** While another process is at the same, nothing of ours is on its way: Ctrl-C ends the waiting. */
export function meetingOf({ world, beganAt, note }: Context): Meeting & { isWaiting(): boolean } {
  let pauses = 0;
  let isWaiting = false;
  return {
    beganAt,
    isRunning: (intent) => isRunning(intent, world.clock.now()),
    isWaiting: () => isWaiting,
    async pause() {
      isWaiting = true;
      if (pauses++ === 0) note('the same is under way in another process: waiting for its outcome');
      await world.sleep(PAUSE_MS, world.interrupt);
      // Whoever else runs in this process goes on meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      if (world.interrupt.aborted) throw interrupted();
      isWaiting = false;
    },
  };
}

export function sayUnrecorded(context: Context, intentId: string, error: unknown): void {
  context.say(
    `remit: the outcome could not be written down (${(error as Error).message}): once there is room, remit history settle ${intentId.slice(0, 8)}`,
  );
}

/** The first Ctrl-C does not leave money on its way unknown: it is said, and the answer awaited. */
export async function undisturbed<T>(
  context: Context,
  work: () => Promise<T>,
  isWaiting: () => boolean = () => false,
): Promise<T> {
  const { interrupt } = context.world;
  const explain = (): void => {
    if (isWaiting()) return;
    context.say(
      'it is on its way: waiting for the answer (Ctrl-C again leaves it unknown; remit history settles it)',
    );
  };
  interrupt.addEventListener('abort', explain, { once: true });
  try {
    return await withProgress(context, 'waiting for the answer of the service', work);
  } finally {
    interrupt.removeEventListener('abort', explain);
  }
}
