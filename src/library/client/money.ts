/**
 * A write that moves money, under an intent. What happens if the process dies after each step is listed in `client/intents.ts`. A
 * resolved promise tells no user, so the intent of an applied write stays untold: the same write again, after a crash too, is
 * answered with what stands, and nothing is sent.
 */
import type { Earlier } from '../../client/duplicate-check.ts';
import { NotReadyError } from '../../client/errors.ts';
import { type IntentAbout, type Recorded, record } from '../../client/intents.ts';
import { roundedIn } from '../../client/rounding.ts';
import type { Intent } from '../../client/store/port.ts';
import { type Asked, operationOf } from '../../client/writes.ts';
import type * as Public from '../client-types.ts';
import { CheckError } from './errors.ts';
import { notSent, outcomeOf, unknown } from './outcome.ts';
import { met, type Settle, settleEarlier, type WithId } from './repeat.ts';
import { type Scope, termsOf } from './scope.ts';
import { GaveUpWaiting, type UnderWay } from './under-way.ts';

export interface MoneyWrite {
  asked: Asked;
  externalId?: string | undefined;
  subject?: string | undefined;
  transactionId?: string | undefined;
  amount?: string | undefined;
  currency?: string | undefined;
  /** Without personal data. */
  summary: string;
  /** Asked before anything is written down, unless an earlier try of the same stands. What it throws keeps the write from being sent. */
  check?: (() => Promise<void>) | undefined;
  /** It is held to a limit: an earlier try of the same that is not is only looked for, and never sent again. */
  isBound?: boolean | undefined;
}

/** Carries out one write of money. @throws RequestError, and what the journal throws when it cannot be written: nothing was sent */
export type WriteMoney = <T extends WithId>(
  request: MoneyWrite,
  options?: Public.MoneyOptions,
) => Promise<Public.Outcome<T>>;

export function moneyWriter(scope: Scope, underWay: UnderWay, settle: Settle): WriteMoney {
  const written = async <T extends WithId>(request: MoneyWrite, options: Public.MoneyOptions) => {
    const terms = termsOf(options);
    const { settle: settles = true, newPayment = false } = options;
    const { asked, externalId, isBound = false } = request;
    const repeat = { scope, asked, externalId, terms, isBound };
    const tried = new Set<string>();
    for (;;) {
      const ended = await tryOnce<T>(scope, underWay, request, { terms, newPayment });
      if ('outcome' in ended) return ended;
      const { kind, intent } = ended;
      // An intent whose settling could not be written down is met again: it is settled once in a call.
      if (kind !== 'unsettled' || !settles || tried.has(intent.id)) return met<T>(repeat, ended);
      tried.add(intent.id);
      const settled = await settleEarlier<T>(repeat, intent, settle);
      if (settled.outcome !== 'not_applied') return settled;
    }
  };
  return async <T extends WithId>(request: MoneyWrite, options: Public.MoneyOptions = {}) => ({
    ...(await written<T>(request, options)),
    ...roundingOf(request.asked),
  });
}

/** Lists the amounts that the service rounds, beside every outcome of a payment; none where nothing is rounded. */
export function roundingOf(asked: Asked): { rounded?: Public.Rounded[] } {
  const rounded = asked.plan === 'create' ? roundedIn(asked.transaction) : [];
  return rounded.length === 0 ? {} : { rounded };
}

/** How it ended, or the earlier write of the same that stands in the way: then nothing was sent. */
async function tryOnce<T extends WithId>(
  scope: Scope,
  underWay: UnderWay,
  request: MoneyWrite,
  { terms, newPayment }: { terms: Public.CallOptions; newPayment: boolean },
): Promise<Public.Outcome<T> | Earlier> {
  const { asked, check } = request;
  const { intents } = scope;
  const meeting = underWay.meeting(terms.signal as AbortSignal | undefined, newPayment);
  if (check !== undefined) meeting.check = check;
  const recording = { intents, about: aboutOf(scope, request), asked, meeting, once: scope.once(terms) };
  try {
    const recorded = await record<T>(scope.client(terms), recording);
    if (recorded.kind === 'refused') return recorded.earlier;
    if (recorded.kind === 'unsure') return unsure<T>(scope, underWay, recorded);
    underWay.end(recorded.intent, recorded.unrecorded);
    return ended<T>(scope, recorded);
  } catch (error) {
    const left = meeting.intent && (await leftOpen<T>(scope, underWay, meeting.intent, error));
    if (left) return left;
    if (error instanceof NotReadyError || error instanceof CheckError) return notSent(error);
    if (!(error instanceof GaveUpWaiting) || meeting.ahead === undefined) throw error;
    const why = 'the same is under way elsewhere: its outcome was not waited for';
    return { ...unknown(why), intent: meeting.ahead };
  }
}

/** It was not sent. If its intent stands, settling sends it: so the caller knows of it. */
function unsure<T extends WithId>(
  scope: Scope,
  underWay: UnderWay,
  { intent, error }: Extract<Recorded<T>, { kind: 'unsure' }>,
): Public.Outcome<T> {
  underWay.end(intent, error);
  const why = `it was not sent, and nobody can say whether its intent stands in the journal: ${error.message}`;
  return told<T>(scope, { ...unknown(why), intent });
}

/** It broke off behind the intent: where that stands open, it may be on its way. */
async function leftOpen<T extends WithId>(
  scope: Scope,
  underWay: UnderWay,
  opened: Intent,
  error: unknown,
): Promise<Public.Outcome<T> | undefined> {
  // Where the journal cannot be read it may stand open.
  const intent = await scope.intents.get(opened.id).catch(() => opened);
  // The call is over, be it closed or not.
  if (intent) underWay.end(intent, error);
  if (intent?.state !== 'open') return undefined;
  const why = `it broke off, and may have been applied: ${(error as Error).message}`;
  return told<T>(scope, { ...unknown(why), intent });
}

function aboutOf({ account }: Scope, { asked, check: _, isBound: __, ...facts }: MoneyWrite): IntentAbout {
  const command = `client ${operationOf(asked).id}`;
  return { command, ...account, ...facts };
}

function ended<T extends WithId>(
  scope: Scope,
  { intent, outcome, unrecorded }: Extract<Recorded<T>, { kind: 'carried_out' }>,
): Public.Outcome<T> {
  return told(scope, { ...outcomeOf(outcome), intent, ...(unrecorded === undefined ? {} : { unrecorded }) });
}

/** Logs an outcome that a person must look at: an unknown one, or one that could not be written down. */
export function told<T extends WithId>(
  { log }: Scope,
  outcome: Exclude<Public.Outcome<T>, Public.NotSent>,
): Public.Outcome<T> {
  const { intent, unrecorded } = outcome;
  if (outcome.outcome === 'unknown') log(`intent ${intent.id} has an unknown outcome: settle it`);
  if (unrecorded !== undefined)
    log(`intent ${intent.id} could not be closed (${(unrecorded as Error).message}): settle it`);
  return outcome;
}
