/**
 * Writes that move money, under an intent each, and what became of those that a process left behind. What happens if the process
 * dies after each step is listed in `client/intents.ts`. Nobody is told by a promise that resolves, so the intent of an applied write
 * stays untold: the same write again, after a crash too, is answered with what stands, and nothing is sent.
 */
import type { Client } from '../../client/client.ts';
import type { Earlier } from '../../client/earlier.ts';
import { isCallError } from '../../client/errors.ts';
import { isSameAccount } from '../../client/identity.ts';
import { type About, type Meeting, record, settleIntent } from '../../client/intents.ts';
import type { Plan } from '../../client/outcome.ts';
import { type Asked, isPlanned, operationOf, planOf } from '../../client/writes.ts';
import { invariant } from '../../core/invariants.ts';
import { type Intent, isUnsettled, UNSETTLED } from '../../core/ports/intents.ts';
import { isRunning, type Self } from '../../profiles/alive.ts';
import type * as Public from '../client-types.ts';
import { outcomeOf, unknown } from './outcome.ts';
import { readResult } from './result.ts';
import type { Scope } from './scope.ts';

export interface MoneyWrite {
  asked: Asked;
  externalId?: string | undefined;
  subject?: string | undefined;
  transactionId?: string | undefined;
  /** Without personal data. */
  summary: string;
}

export interface Machine extends Self {
  beganAt: number;
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

type Thing = { id?: string | null | undefined };
type SettledRecord = Public.Transaction | Public.Recipient | Public.PayoutMethod | Public.PayinMethod;

export interface Money {
  write<T extends Thing>(request: MoneyWrite, options?: Public.CallOptions): Promise<Public.Outcome<T>>;
  unsettled(): Promise<Public.Unsettled[]>;
  settle(
    intent: Public.Intent | string,
    options?: Public.SettleOptions,
  ): Promise<Public.Outcome<SettledRecord>>;
}

const PAUSE_MS = 50;

export function moneyOf(scope: Scope, machine: Machine): Money {
  const { account, intents } = scope;
  /** Of this client, on their way now. */
  const underWay = new Set<string>();
  /** Their outcome could not be written down: they stand open, and nobody is at them. */
  const leftOpen = new Set<string>();
  const settling = new Map<string, Promise<Public.Outcome<SettledRecord>>>();

  function isUnderWay(intent: Intent): boolean {
    if (intent.state !== 'open' || leftOpen.has(intent.id)) return false;
    return underWay.has(intent.id) || isRunning(intent, machine, machine.now());
  }

  function ended(intent: Intent, unrecorded: unknown): void {
    underWay.delete(intent.id);
    if (unrecorded === undefined) return;
    leftOpen.add(intent.id);
    scope.log(
      `intent ${intent.id} could not be closed, and is to be settled: ${(unrecorded as Error).message}`,
    );
  }

  function meetingOf(signal: AbortSignal | undefined): Meeting & { ahead?: Intent; intent?: Intent } {
    const meeting: Meeting & { ahead?: Intent; intent?: Intent } = {
      beganAt: machine.beganAt,
      isRunning(intent) {
        const runs = isUnderWay(intent);
        if (runs) meeting.ahead = intent;
        return runs;
      },
      async pause() {
        await machine.sleep(PAUSE_MS, signal);
        if (signal?.aborted) throw new GaveUpWaiting();
      },
      opened(intent) {
        meeting.intent = intent;
        underWay.add(intent.id);
      },
    };
    return meeting;
  }

  async function write<T extends Thing>(
    request: MoneyWrite,
    options?: Public.CallOptions,
  ): Promise<Public.Outcome<T>> {
    const { asked } = request;
    const client = scope.client(options);
    const meeting = meetingOf(options?.signal as AbortSignal | undefined);
    const recording = { intents, about: aboutOf(scope, machine, request), asked, meeting };
    try {
      const recorded = await record<T>(client, { ...recording, once: scope.once(options) });
      if (recorded.kind === 'refused') return await met<T>(client, asked, recorded.earlier);
      const { intent, unrecorded, outcome } = recorded;
      ended(intent, unrecorded);
      return told({ ...outcomeOf(outcome), intent, ...(unrecorded === undefined ? {} : { unrecorded }) });
    } catch (error) {
      if (meeting.intent) ended(meeting.intent, undefined);
      if (error instanceof GaveUpWaiting && meeting.ahead)
        return {
          ...unknown('the same is under way elsewhere: its outcome was not waited for'),
          intent: meeting.ahead,
        };
      throw error;
    }
  }

  function told<T>(outcome: Public.Outcome<T>): Public.Outcome<T> {
    if (outcome.outcome === 'unknown') scope.log(`intent ${outcome.intent.id} has an unknown outcome`);
    return outcome;
  }

  async function unsettled(): Promise<Public.Unsettled[]> {
    const open = await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER });
    return open.flatMap((intent) =>
      intent.request !== undefined && isSameAccount(intent, account)
        ? [{ ...intent, request: intent.request, underWay: isUnderWay(intent) }]
        : [],
    );
  }

  async function settleOne(
    id: string,
    options: Public.SettleOptions,
  ): Promise<Public.Outcome<SettledRecord>> {
    const intent = await intents.get(id);
    if (intent === undefined) throw new RangeError(`there is no intent ${id} in this journal`);
    if (!isSameAccount(intent, account)) throw new RangeError(`intent ${id} is of another account`);
    const { look = false, ...terms } = options;
    const client = scope.client(terms);
    if (!isUnsettled(intent)) return { ...(await readResult(client, intent)), intent };
    if (isUnderWay(intent))
      return { ...unknown('another process may still be at it: settle it later'), intent };
    const { request } = intent;
    if (request === undefined || !isPlanned(request))
      return {
        ...unknown('nobody here knows how to look for it: remit history settle takes your word'),
        intent,
      };
    const mode = look ? 'look' : 'send';
    const {
      intent: closed,
      unrecorded,
      ...outcome
    } = await settleIntent<SettledRecord>(client, intents, { ...intent, request }, mode);
    if (unrecorded !== undefined) ended(intent, unrecorded);
    return told({
      ...outcomeOf(outcome),
      intent: closed,
      ...(unrecorded === undefined ? {} : { unrecorded }),
    });
  }

  return {
    write,
    unsettled,
    settle(intent, options = {}) {
      const id = typeof intent === 'string' ? intent : intent.id;
      // Whoever asks while it is being settled gets the same answer: it is not sent twice.
      const begun = settling.get(id) ?? settleOne(id, options).finally(() => settling.delete(id));
      settling.set(id, begun);
      return begun;
    },
  };
}

class GaveUpWaiting extends Error {}

function aboutOf({ account }: Scope, { pid }: Machine, { asked, ...facts }: MoneyWrite): About {
  const { baseUrl, keyLast4, environment, profile, host } = account;
  const command = `client ${operationOf(asked).id}`;
  return { command, profile, environment, baseUrl, keyLast4, pid, host, ...facts };
}

/** An earlier write of the same stands in the way: nothing was sent this time. */
async function met<T extends Thing>(
  client: Client,
  asked: Asked,
  { kind, intent }: Earlier,
): Promise<Public.Outcome<T>> {
  if (kind === 'under_way')
    return { ...unknown('the same is under way in another process: settle it later'), intent };
  if (kind === 'unsettled' || kind === 'perhaps')
    return { ...unknown('an earlier write of the same has an unknown outcome: settle it first'), intent };
  invariant(intent.state === 'applied', 'only what was applied is answered with what stands');
  try {
    const looked = await (planOf(client, asked) as Plan<unknown> as Plan<T>).look();
    if (looked.kind === 'applied')
      return { outcome: 'applied', record: looked.value, how: 'earlier', intent };
  } catch (error) {
    if (!isCallError(error)) throw error;
    return {
      outcome: 'unknown',
      why: 'by the journal it was applied, and it cannot be read now',
      error,
      intent,
    };
  }
  return {
    ...unknown('by the journal the same was applied, and the service does not show it as it was asked'),
    intent,
  };
}
