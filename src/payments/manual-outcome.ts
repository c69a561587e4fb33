/**
 * The outcome of an intent by a person's word, for what cannot be found out: a key that may write, not read, a call that cannot be looked for.
 * It is looked for first, and what is found counts, whatever the person says. What a person calls not applied may be made again; its external id
 * is used again, so the service rejects a late first call.
 *
 * If the process dies before the journal is written, nothing is changed; after it, the word stands. Nothing is sent either way.
 */

import { isRefusedForAnHour } from '../client/closing.ts';
import { isWithoutRight } from '../client/errors.ts';
import type { Outcome } from '../client/outcome.ts';
import { BY_WORD, type Intent, isByWord } from '../client/store/port.ts';
import type { Asked } from '../client/writes.ts';
import { accountRelation } from '../core/account.ts';
import { invariant } from '../core/invariants.ts';
import { hint } from '../core/next.ts';
import { Problem, usage } from '../core/problem.ts';
import { accountOf } from '../profiles/connection.ts';
import { byName } from './confirmation.ts';
import type { Desk } from './desk.ts';
import { authorizeWrite, type Confirmer } from './gate.ts';
import { outcomeProblem } from './outcome-problem.ts';
import { problemOf } from './problem-of.ts';
import { accountRelationOf, refuseUnderWay, settleable, settleIt } from './settle.ts';

export interface ManualOutcome {
  as: 'applied' | 'not_applied';
  because: string;
  /** It was named in full. */
  isExplicit: boolean;
}

const MOST_REASON = 500;

const OF_AN_OUTCOME = {
  of: 'an outcome by your word',
  such: '"the operator says that it never arrived, ticket 4711"',
};

/** @throws Problem (usage) where it is no sentence */
export function checkReason(because: string | undefined, { of, such } = OF_AN_OUTCOME): string {
  const text = because?.trim().replace(/\s+/g, ' ') ?? '';
  if (text.length < 3 || text.length > MOST_REASON)
    throw usage(
      `${of} needs its reason, in 3 to 500 characters`,
      hint`for example ${{ give: 'because', value: such }}`,
    );
  return text;
}

/** The journal's note: who says it, why. */
export const manualOutcomeNote = (desk: Desk, because: string): string =>
  `${BY_WORD}${desk.by.user ?? 'somebody'}: ${because}`;

/**
 * Returns the outcome that was found, where one was found; undefined where the word was written down.
 * @throws Problem where it cannot be looked for now, or the user declined
 */
export async function settleManually(
  desk: Desk,
  intent: Intent,
  { as, because, isExplicit }: ManualOutcome,
  confirmer: Confirmer,
): Promise<Outcome<{ id?: string | null | undefined }> | undefined> {
  refuseUnderWay(desk, intent);
  await (await desk.ports.runs?.())?.refuseRowOfTwo(desk, intent);
  const looked = await lookFirst(desk, intent);
  if (looked.found !== undefined) return looked.found;
  await authorizeWrite(
    desk,
    {
      effect: 'money',
      explicitId: isExplicit,
      word: as.replace('_', ' '),
      confirm: byName(intent.id),
      what: [`record as ${as.replace('_', ' ')}: ${intent.summary}`, `because: ${because}`, ...looked.words],
      warnings:
        as === 'not_applied' ? ['if it was applied all the same, to make it again pays it twice'] : [],
    },
    confirmer,
  );
  const { intents } = await desk.store();
  const standing = await intents.close(intent.id, { state: as, note: manualOutcomeNote(desk, because) });
  invariant(standing.state !== 'open', 'what a person decided is not open any more');
  return undefined;
}

interface LookedFirst {
  found: Outcome<{ id?: string | null | undefined }> | undefined;
  /** The words that tell the person of the look. */
  words: string[];
}

async function lookFirst(desk: Desk, intent: Intent): Promise<LookedFirst> {
  const words = await hindranceOf(desk, intent);
  if (words !== undefined) return { found: undefined, words: [words] };
  const outcome = await settleIt(desk, await settleable(desk, intent), 'look');
  if (outcome.kind === 'conflict' || (outcome.kind === 'unknown' && outcome.isUnpaid))
    throw outcomeProblem(outcome, intent.id);
  if (outcome.kind !== 'unknown') return { found: outcome, words: [] };
  const { error } = outcome;
  if (error === undefined) return { found: undefined, words: ['it was looked for just now, and not found'] };
  // No right to it, or nothing there to read: another look would say the same.
  if (isWithoutRight(error))
    return { found: undefined, words: [`it cannot be looked for with this key (${error.status})`] };
  const { facts } = problemOf(error);
  throw new Problem(
    {
      ...facts,
      message: `it has to be looked for first: ${facts.message}`,
      outcome: 'unknown',
      outcomeNote: 'nothing was recorded',
    },
    { cause: error },
  );
}

/** Why it cannot be looked for here. @throws Problem (config) where another profile can */
async function hindranceOf(desk: Desk, intent: Intent): Promise<string | undefined> {
  const { request } = intent;
  const plan = request === undefined ? undefined : (JSON.parse(request) as { plan?: unknown }).plan;
  if (plan === undefined || plan === 'raw') return 'nothing says how to look for it: look yourself first';
  const { name } = await desk.connection();
  const isChanged = name === intent.profile && (await accountRelationOf(desk, intent)) === 'other';
  return isChanged
    ? `it was sent with another key (…${intent.keyLast4}), so it cannot be looked for`
    : undefined;
}

/**
 * The id that was made for the same payment, where a person said that it was not applied, or the service refused it for an hour and it was not
 * found: it goes on with the next one, so that the service refuses the second of the two.
 */
export async function reusableExternalId(
  desk: Desk,
  asked: Extract<Asked, { plan: 'create' }>,
): Promise<string | undefined> {
  const [{ requestDigest, payerOf }, { intents }, connection] = await Promise.all([
    import('../client/identity.ts'),
    desk.store(),
    desk.connection(),
  ]);
  const digest = requestDigest(connection, asked);
  const payer = payerOf(asked);
  const joins = await intents.joins();
  const account = accountOf(connection);
  const last = (await intents.list({ digest })).find(
    (one) => one.payer === payer && accountRelation(account, one, joins) !== 'other',
  );
  if (last?.state !== 'not_applied' || last.madeId !== true) return undefined;
  return isByWord(last) || isRefusedForAnHour(last) ? last.externalId : undefined;
}
