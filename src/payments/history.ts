/**
 * The history of the writes that were sent with money: those that are asked for, the one that is meant, and how one or all of them
 * are settled.
 */

import { type Intent, type IntentState, isByWord, isUnsettled, UNSETTLED } from '../client/store/port.ts';
import { createDebits } from '../contract/operations/accounts.ts';
import { isoTime } from '../core/clock.ts';
import { isBeginning } from '../core/ids.ts';
import { type Hint, hint } from '../core/next.ts';
import { type Category, notFound, Problem, usage } from '../core/problem.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from './desk.ts';
import type { Confirmer, WritePermit } from './gate.ts';
import { instantOf, type When } from './lists/period.ts';
import { outcomeProblem } from './outcome-problem.ts';
import { problemOf } from './problem-of.ts';
import type { intentShape } from './shapes/payments.ts';

/** An intent as JSON has it: names and times as everywhere else. */
export type ShownIntent = DataOf<typeof intentShape>;

/** The request holds personal data in full: it is for settling, never for showing. */
export const shownIntent = (intent: Intent): ShownIntent => ({
  id: intent.id,
  state: intent.state,
  user: intent.user ?? null,
  command: intent.command,
  operation: intent.operation,
  amount: intent.amount ?? null,
  currency: intent.currency ?? null,
  summary: intent.summary,
  note: intent.note ?? null,
  result_id: intent.resultId ?? null,
  external_id: intent.externalId ?? null,
  subject: intent.subject ?? null,
  transaction_id: intent.transactionId ?? null,
  profile: intent.profile,
  environment: intent.environment,
  base_url: intent.baseUrl,
  key: `…${intent.keyLast4}`,
  created_at: isoTime(intent.createdAt),
  updated_at: isoTime(intent.updatedAt),
});

export const OUTCOMES: readonly IntentState[] = ['open', 'applied', 'not_applied', 'unknown', 'conflict'];

export interface HistoryFilter {
  states: readonly IntentState[];
  since: When | undefined;
  until: When | undefined;
  command: string | undefined;
  /** Undefined for those of every profile. */
  profile: string | undefined;
}

/** Returns the latest of those that fit, and how many there are. */
export async function listIntents(
  { store, clock, zone }: Desk,
  { states, since, until, command, profile }: HistoryFilter,
  limit: number,
): Promise<{ entries: ShownIntent[]; total: number }> {
  const { intents } = await store();
  const at = { now: clock.now(), zone };
  const filter = {
    states: states.length === 0 ? undefined : states,
    profile,
    command,
    from: since && instantOf(since, { ...at, toEnd: false }),
    to: until && instantOf(until, { ...at, toEnd: true }),
  };
  const found = await intents.list({ ...filter, limit: Math.min(limit, Number.MAX_SAFE_INTEGER) });
  return { entries: found.map(shownIntent), total: await intents.count(filter) };
}

/** Counts those of every account of this machine. */
export const countUnsettled = async ({ store }: Desk): Promise<number> =>
  (await store()).intents.count({ states: UNSETTLED });

/** @param id the id, or how it begins. @throws Problem (not found, or usage for the beginning of several) */
export async function findIntent(desk: Desk, id: string): Promise<Intent> {
  const { intents } = await desk.store();
  const exact = await intents.get(id);
  if (exact) return exact;
  const found = isBeginning(id) ? await intents.list({ prefix: id.toLowerCase() }) : [];
  const [one] = found;
  if (found.length > 1)
    throw usage(`"${id}" stands for ${found.length} intents`, found.map((intent) => intent.id).join(', '));
  if (one === undefined)
    throw notFound(`there is no intent ${id}`, hint`${{ do: 'look_at_history' }} lists them`);
  return one;
}

/** @param id see `findIntent` */
export const showIntent = async (desk: Desk, id: string): Promise<ShownIntent> =>
  shownIntent(await findIntent(desk, id));

/** An intent of several, with what was found out about it. */
export interface SettledIntent {
  intent: ShownIntent;
  why: Hint;
}

/** Settles every unsettled one of this account. `endings` has one more where it was stopped early. */
export async function settleEvery(
  desk: Desk,
  { look, confirmer }: { look: boolean; confirmer: Confirmer },
): Promise<{ settled: SettledIntent[]; endings: (Category | 'done')[] }> {
  const { authorizeSettling, settleAll, unsettledOf } = await import('./settle.ts');
  const runs = await desk.ports.runs?.();
  const open = await unsettledOf(desk);
  const stops = () => (look ? undefined : runs?.onlyLookedFor(desk, open));
  let stopped = await stops();
  const free = look ? [] : open.filter(({ id }) => !stopped?.has(id));
  const how = free.length === 0 ? 'look' : await authorizeSettling(desk, free, confirmer);
  // The question may have stood for hours, and a run may have been stopped since.
  if (how !== 'look') stopped = await stops();
  const found = await settleAll(desk, open, how, stopped);
  const endings = found.map(({ category }) => category);
  return {
    settled: found.map(({ intent, why }) => ({ intent: shownIntent(intent), why })),
    endings: found.length < open.length ? [...endings, 'interrupted'] : endings,
  };
}

export interface SettleWish {
  /** The name that was given: the whole id, or its beginning. */
  id: string;
  /** True where nothing may be sent. */
  look: boolean;
  /** The outcome by a person's word, with its reason. */
  as: 'applied' | 'not_applied' | undefined;
  because: string | undefined;
  confirmer: Confirmer;
}

/** Settles one, and says how it stands then. @throws Problem (unknown, conflict) where it could not be found out */
export async function settleOne(
  desk: Desk,
  { id, look, as, because, confirmer }: SettleWish,
): Promise<{ intent: ShownIntent; notes: Hint[] }> {
  const intent = await findIntent(desk, id);
  const { intents } = await desk.store();
  const standing = async (...notes: Hint[]) => ({
    intent: shownIntent((await intents.get(intent.id)) ?? intent),
    notes,
  });
  if (!isUnsettled(intent)) {
    await refuseUnpaid(desk, intent);
    const notes = isByWord(intent) ? await lookAgain(desk, intent) : [];
    desk.willTell(intent.id, { id: intent.resultId, external_id: intent.externalId });
    const { state } = (await intents.get(intent.id)) ?? intent;
    return standing(`it is settled: ${state.replace('_', ' ')}`, ...notes);
  }
  if (as !== undefined) {
    const { checkReason, settleManually } = await import('./manual-outcome.ts');
    const word = { as, because: checkReason(because), isExplicit: id === intent.id };
    const found = await settleManually(desk, intent, word, confirmer);
    return found === undefined
      ? standing()
      : standing(`it was found out by looking, so your word was not needed: ${found.kind.replace('_', ' ')}`);
  }
  const { authorizeSettling, overtakenWords, refuseUnderWay, settleable, settleIt } = await import(
    './settle.ts'
  );
  refuseUnderWay(desk, intent);
  const kept = await settleable(desk, intent);
  const runs = await desk.ports.runs?.();
  const stop = async () => (look ? undefined : (await runs?.onlyLookedFor(desk, [intent]))?.get(intent.id));
  let stopped = await stop();
  let how: WritePermit | 'look' =
    look || stopped !== undefined ? 'look' : await authorizeSettling(desk, [intent], confirmer);
  if (how !== 'look') stopped = await stop();
  if (stopped !== undefined) how = 'look';
  const outcome = await settleIt(desk, kept, how);
  if (outcome.kind === 'conflict' && outcome.overtakenBy !== undefined)
    return standing(overtakenWords(outcome.overtakenBy));
  if (outcome.kind === 'unknown' || outcome.kind === 'conflict') {
    const problem = outcomeProblem(outcome, intent.id);
    throw stopped === undefined ? problem : new Problem({ ...problem.facts, hint: stopped });
  }
  return outcome.kind === 'applied'
    ? standing(`applied: ${outcome.value.id ?? ''}`, ...unpaidNotes(outcome.value))
    : standing('not applied: it can be sent again');
}

/** A debit may have been applied, whatever a person said of it: where it reads so, `hearFunded` changes the history. */
async function lookAgain(desk: Desk, { operation, subject }: Intent): Promise<Hint[]> {
  if (operation !== createDebits.id || subject === undefined) return [];
  const { findTransaction } = await import('./lookup/transaction.ts');
  try {
    await findTransaction(desk, subject, 'read');
    return [];
  } catch (error) {
    return [`it could not be looked for again: ${problemOf(error).message}`];
  }
}

/** @throws Problem (unknown) where the payment was made, and the debit that pays it was not sent */
async function refuseUnpaid(desk: Desk, { state, awaitsDebit, resultId }: Intent): Promise<void> {
  if (state !== 'applied' || !awaitsDebit || resultId === undefined) return;
  const [{ readTransaction }, { claimOfWhole }, client] = await Promise.all([
    import('../client/debit-plan.ts'),
    import('../client/bound.ts'),
    desk.client(),
  ]);
  const value = await readTransaction(client, resultId);
  const outcome = claimOfWhole({ awaitsDebit }, { kind: 'applied', how: 'found', value });
  if (outcome.kind === 'unknown') throw outcomeProblem(outcome, '');
}

/** A payment that was only created is not paid by being settled. */
const unpaidNotes = ({ id, state }: { id?: string | null | undefined; state?: unknown }): Hint[] =>
  id && state === 'approved' ? [hint`It is not paid: ${{ do: 'fund', id }} pays it within its hour.`] : [];
