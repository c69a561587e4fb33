/** A money-moving write from the command line: intent, call, and the words for what became of it. */
import type { Outcome } from '../client/outcome.ts';
import type { Asked } from '../client/writes.ts';
import { dropCached } from './cache.ts';
import { keyLast4 } from './config/connection.ts';
import type { Context } from './context.ts';
import { asFailure } from './errors.ts';
import { Failure } from './failure.ts';
import { withProgress } from './terminal/progress.ts';
import { userOf } from './world.ts';

export interface Written<T> {
  value: T;
  how: 'answered' | 'existing' | 'found';
  intentId: string;
}

export interface WriteRequest {
  asked: Asked;
  identity: unknown;
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
): Promise<Written<T>> {
  const [{ record }, client, store, connection] = await Promise.all([
    import('../client/intents.ts'),
    context.writingClient(),
    context.store(),
    context.connection(),
  ]);
  const recorded = await undisturbed(context, () =>
    record<T>(client, {
      intents: store.intents,
      about: {
        command: context.words,
        user: userOf(context.world),
        profile: connection.name,
        environment: connection.environment,
        baseUrl: connection.baseUrl,
        keyLast4: keyLast4(connection.credentials.key),
        externalId: request.externalId,
        subject: request.subject,
        transactionId: request.transactionId,
        summary: request.summary,
      },
      asked: request.asked,
      identity: request.identity,
      anyway: request.newPayment ?? false,
    }),
  );
  await dropCached(context);
  if (recorded.kind === 'refused') throw unsettledFailure(recorded.earlier.id, recorded.earlier.summary);
  const { intent, outcome } = recorded;
  if (recorded.unrecorded !== undefined)
    context.say(
      `remit: the outcome could not be written down (${(recorded.unrecorded as Error).message}): once there is room, remit history settle ${intent.id.slice(0, 8)}`,
    );
  if (outcome.kind === 'applied') return { value: outcome.value, how: outcome.how, intentId: intent.id };
  throw outcomeFailure(outcome, intent.id);
}

/** The first Ctrl-C does not leave money on its way unknown: it is said, and the answer awaited. */
export async function undisturbed<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const { interrupt } = context.world;
  const explain = (): void =>
    context.say(
      'it is on its way: waiting for the answer (Ctrl-C again leaves it unknown; remit history settles it)',
    );
  interrupt.addEventListener('abort', explain, { once: true });
  try {
    return await withProgress(context, 'waiting for the answer of the service', work);
  } finally {
    interrupt.removeEventListener('abort', explain);
  }
}

export function unsettledFailure(id: string, summary: string): Failure {
  return new Failure({
    category: 'unknown',
    code: 'unsettled_intent',
    message: `the same was sent before and nobody knows yet whether it was applied: ${summary}`,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent this time; the earlier one is unknown',
    hint: `remit history settle ${id.slice(0, 8)}     finds out; --new-payment sends a second one on purpose`,
  });
}

/** The words for every outcome but a success. */
export function outcomeFailure<T>(
  outcome: Exclude<Outcome<T>, { kind: 'applied' }>,
  intentId: string,
): Failure {
  if (outcome.kind === 'conflict') return conflictFailure(outcome);
  const settle = `remit history settle ${intentId.slice(0, 8)}`;
  const cause = outcome.error === undefined ? undefined : asFailure(outcome.error).facts;
  if (outcome.kind === 'unknown') {
    return new Failure({
      category: 'unknown',
      code: 'outcome_unknown',
      message: `nobody can say yet whether it was applied: ${cause?.message ?? 'it was not found by looking'}`,
      hint: settle,
      outcome: 'unknown',
      outcomeNote: 'do not send it again by hand',
      status: cause?.status,
      requestId: cause?.requestId,
    });
  }
  if (outcome.why !== undefined) {
    return new Failure({
      category: 'conflict',
      code: 'too_late',
      message: outcome.why,
      outcome: 'not applied',
    });
  }
  const failure = asFailure(outcome.error);
  return new Failure({ ...failure.facts, outcome: 'not applied' }, { cause: outcome.error });
}

function conflictFailure(outcome: { value: unknown; differences: string[]; why?: string }): Failure {
  const id = (outcome.value as { id?: string })?.id;
  // What stands may have been ours and changed since: then nobody can say that nothing was applied.
  if (outcome.why !== undefined)
    return new Failure({
      category: 'conflict',
      code: 'changed_since',
      message: outcome.why,
      outcome: 'unknown',
    });
  if (outcome.differences.every((name) => name.startsWith('state:'))) {
    return new Failure({
      category: 'conflict',
      code: 'exists_unfunded',
      message: `this transaction exists already, the same in every amount and detail, and is not funded (${id})`,
      hint: `remit tx fund ${id}`,
      outcome: 'not applied',
    });
  }
  return new Failure({
    category: 'conflict',
    code: 'external_id_taken',
    message: `another transaction has this external id${id ? ` (${id})` : ''}; it differs in ${outcome.differences.join(', ')}`,
    hint: id ? `remit tx show ${id}` : 'choose another --external-id',
    outcome: 'not applied',
  });
}
