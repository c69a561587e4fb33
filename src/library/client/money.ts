/**
 * A write that moves money, under an intent. What happens if the process dies after each step is listed in `client/intents.ts`. Nobody
 * is told by a promise that resolves, so the intent of an applied write stays untold: the same write again, after a crash too, is
 * answered with what stands, and nothing is sent.
 */
import type { Client } from '../../client/client.ts';
import type { Earlier } from '../../client/earlier.ts';
import { isCallError } from '../../client/errors.ts';
import { type About, type Recorded, record } from '../../client/intents.ts';
import type { Plan } from '../../client/outcome.ts';
import { type Asked, operationOf, planOf } from '../../client/writes.ts';
import { invariant } from '../../core/invariants.ts';
import type { Intent } from '../../core/ports/intents.ts';
import type * as Public from '../client-types.ts';
import { outcomeOf, unknown } from './outcome.ts';
import type { Scope } from './scope.ts';
import { GaveUpWaiting, type UnderWay } from './under-way.ts';

export interface MoneyWrite {
  asked: Asked;
  externalId?: string | undefined;
  subject?: string | undefined;
  transactionId?: string | undefined;
  /** Without personal data. */
  summary: string;
}

type Thing = { id?: string | null | undefined };

/** Carries out one write of money. @throws NotReadyError, RequestError, and what the journal throws when it cannot be written: nothing was sent */
export type WriteMoney = <T extends Thing>(
  request: MoneyWrite,
  options?: Public.CallOptions,
) => Promise<Public.Outcome<T>>;

export function moneyWriter(scope: Scope, underWay: UnderWay): WriteMoney {
  return async <T extends Thing>(request: MoneyWrite, options?: Public.CallOptions) => {
    const { asked } = request;
    const client = scope.client(options);
    const meeting = underWay.meeting(options?.signal as AbortSignal | undefined);
    const { intents } = scope;
    const recording = { intents, about: aboutOf(scope, request), asked, meeting, once: scope.once(options) };
    try {
      const recorded = await record<T>(client, recording);
      if (recorded.kind === 'refused') return await met<T>(client, asked, recorded.earlier);
      underWay.end(recorded.intent, recorded.unrecorded);
      return ended<T>(scope, recorded);
    } catch (error) {
      const left = meeting.intent && (await leftOpen<T>(scope, underWay, meeting.intent, error));
      if (left) return left;
      if (!(error instanceof GaveUpWaiting) || meeting.ahead === undefined) throw error;
      const why = 'the same is under way elsewhere: its outcome was not waited for';
      return { ...unknown(why), intent: meeting.ahead };
    }
  };
}

/** It broke off behind the intent: where that stands open, it may be on its way. */
async function leftOpen<T>(
  scope: Scope,
  underWay: UnderWay,
  { id }: Intent,
  error: unknown,
): Promise<Public.Outcome<T> | undefined> {
  const intent = await scope.intents.get(id);
  // Whether it is closed or not, nobody is at it any more.
  if (intent) underWay.end(intent, error);
  if (intent?.state !== 'open') return undefined;
  const why = `it broke off, and may have been applied: ${(error as Error).message}`;
  return told(scope, { ...unknown(why), intent });
}

function aboutOf({ account }: Scope, { asked, ...facts }: MoneyWrite): About {
  const { baseUrl, keyLast4, environment, profile, host, pid } = account;
  const command = `client ${operationOf(asked).id}`;
  return { command, profile, environment, baseUrl, keyLast4, pid, host, ...facts };
}

function ended<T extends Thing>(
  scope: Scope,
  { intent, outcome, unrecorded }: Exclude<Recorded<T>, { kind: 'refused' }>,
): Public.Outcome<T> {
  return told(scope, { ...outcomeOf(outcome), intent, ...(unrecorded === undefined ? {} : { unrecorded }) });
}

/** What somebody has to look at is said where the service keeps its log. */
export function told<T>({ log }: Scope, outcome: Public.Outcome<T>): Public.Outcome<T> {
  const { intent, unrecorded } = outcome;
  if (outcome.outcome === 'unknown') log(`intent ${intent.id} has an unknown outcome: settle it`);
  if (unrecorded !== undefined)
    log(`intent ${intent.id} could not be closed (${(unrecorded as Error).message}): settle it`);
  return outcome;
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
    const why = 'by the journal it was applied, and it cannot be read now';
    return { outcome: 'unknown', why, error, intent };
  }
  const why = 'by the journal the same was applied, and the service does not show it as it was asked';
  return { ...unknown(why), intent };
}
