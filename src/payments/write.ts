/** A money-moving write: intent, call, and the words for what became of it. It takes a write permit of the gate. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Meeting, Recorded } from '../client/intents.ts';
import type { Intent } from '../client/store/port.ts';
import type { Asked } from '../client/writes.ts';
import { invariant } from '../core/invariants.ts';
import { hint } from '../core/next.ts';
import { interrupted } from '../core/problem.ts';
import { accountOf } from '../profiles/connection.ts';
import { beganOf, isRunning, processName } from '../profiles/worker.ts';
import { type Desk, note, tell } from './desk.ts';
import { meetEarlier } from './duplicate-check.ts';
import { checkPass, type WritePermit } from './gate.ts';
import { olderMayArrive, outcomeProblem, sayUnrecorded, unsureProblem } from './outcome-problem.ts';
import { dropCached } from './read-cache.ts';

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
  /** The amount that it is about, where that is one currency. */
  amount?: string | undefined;
  currency?: string | undefined;
  newPayment?: boolean | undefined;
  /** True where a transaction that stands unpaid of an earlier try is gone on with. */
  goesOn?: boolean | undefined;
  /** Asked before anything is written down, unless an earlier try of the same stands. What it throws keeps the write from being sent. */
  check?: (() => Promise<void>) | undefined;
}

/** The written record, however it is known to be written. @throws Problem when it was not, or it is unknown */
export async function write<T extends { id?: string | null | undefined }>(
  desk: Desk,
  permit: WritePermit,
  request: WriteRequest,
): Promise<Written<T>> {
  const { operationOf } = await import('../client/writes.ts');
  await checkPass(desk, permit, operationOf(request.asked).effect);
  const [{ record }, client, { intents }, about] = await Promise.all([
    import('../client/intents.ts'),
    desk.writingClient(),
    desk.store(),
    intentAbout(desk, request),
  ]);
  const { asked, newPayment = false, check } = request;
  for (let isPassed: (intent: Intent) => boolean = () => false; ; ) {
    const meeting = { ...(await meetingOf(desk)), newPayment, isPassed, ...(check && { check }) };
    const recorded = await undisturbed(
      desk,
      () => record<T>(client, { intents, about, asked, meeting }),
      meeting.isWaiting,
    );
    await dropCached(desk);
    if (recorded.kind === 'unsure') throw unsureProblem(recorded);
    if (recorded.kind === 'carried_out') return ended(desk, recorded);
    const met = await meetEarlier(desk, permit, recorded.earlier, {
      fund: asked.plan === 'create' && asked.fund,
      ...(request.goesOn && { goesOn: true }),
      givenId: asked.plan === 'create' && !asked.madeId ? request.externalId : undefined,
      payment: asked.plan === 'create' ? asked.transaction : undefined,
    });
    if (met.kind === 'stands') {
      const { id } = recorded.earlier.intent;
      desk.willTell(id, met.value);
      return { value: met.value as unknown as T, how: 'earlier', intentId: id };
    }
    const before = isPassed;
    isPassed = (one) => before(one) || met.isPassed(one);
  }
}

/** @throws Problem where it was not applied, or it is unknown */
function ended<T extends { id?: string | null | undefined }>(
  desk: Desk,
  { intent, outcome, unrecorded }: Extract<Recorded<T>, { kind: 'carried_out' }>,
): Written<T> {
  if (unrecorded !== undefined) sayUnrecorded(desk, intent.id, unrecorded);
  if (outcome.kind !== 'applied') throw outcomeProblem(outcome, intent.id);
  invariant(outcome.value !== undefined, 'what was applied is shown by its record');
  if (outcome.mayArrive !== undefined) tell(desk, olderMayArrive(outcome.mayArrive));
  desk.willTell(intent.id, outcome.value);
  return { value: outcome.value, how: outcome.how, intentId: intent.id };
}

/** Who, where and what, for the journal. */
export async function intentAbout(
  desk: Desk,
  request: Omit<WriteRequest, 'asked' | 'newPayment' | 'check' | 'goesOn'>,
) {
  const connection = await desk.connection();
  const { externalId, subject, transactionId, summary, amount, currency } = request;
  return {
    command: desk.by.words,
    user: desk.by.user,
    pid: desk.machine.pid,
    process: processName(desk.machine),
    profile: connection.name,
    environment: connection.environment,
    ...accountOf(connection),
    externalId,
    subject,
    transactionId,
    summary,
    amount,
    currency,
  };
}

const PAUSE_MS = 100;

/** While another process is at the same, nothing of ours is on its way: the caller may end the wait. */
export async function meetingOf(desk: Desk): Promise<Meeting & { isWaiting(): boolean }> {
  const { lastTold } = await desk.store();
  let pauses = 0;
  let isWaiting = false;
  return {
    lastTold,
    began: beganOf(desk.machine),
    now: () => desk.clock.now(),
    isRunning: (intent) => isRunning(intent, desk.machine, desk.clock.now()),
    isWaiting: () => isWaiting,
    async pause() {
      isWaiting = true;
      if (pauses++ === 0) note(desk, 'the same is under way in another process: waiting for its outcome');
      await desk.sleep(PAUSE_MS, desk.signal);
      // Other work in this process goes on meanwhile.
      await nextTurn();
      if (desk.signal.aborted) throw interrupted();
    },
    beside: ({ id, keyLast4 }) =>
      note(
        desk,
        hint`the same was sent here with another key (…${keyLast4}), and it is not known what became of it: ${{ do: 'show_intent', id }}`,
      ),
    opened() {
      isWaiting = false;
    },
  };
}

/** A wish to end does not leave money on its way unknown: that is reported, and the answer awaited. */
export async function undisturbed<T>(
  desk: Desk,
  work: () => Promise<T>,
  isWaiting: () => boolean = () => false,
): Promise<T> {
  const explain = (): void => {
    if (isWaiting()) return;
    tell(
      desk,
      hint`it is on its way: waiting for the answer (${{ interrupt: true }} again leaves it unknown; ${{ do: 'look_at_history' }} settles it)`,
    );
  };
  desk.signal.addEventListener('abort', explain, { once: true });
  try {
    return await desk.working('waiting for the answer of the service', work);
  } finally {
    desk.signal.removeEventListener('abort', explain);
  }
}
