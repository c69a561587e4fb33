/**
 * Settling finds out what became of an intent that is open or unknown (decision 0034): by looking, by sending the same again where that cannot pay
 * twice, and by looking once more. One, or all of this account, one after the other.
 */

import { closingOf } from '../client/closing.ts';
import type { Outcome } from '../client/outcome.ts';
import { type Intent, isUnsettled, UNSETTLED } from '../client/store/port.ts';
import { accountRelation, type Kinship } from '../core/account.ts';
import { isoTime } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { type Category, configProblem, usage } from '../core/problem.ts';
import { accountOf } from '../profiles/connection.ts';
import { isRunning } from '../profiles/worker.ts';
import { byName, byTotal } from './confirmation.ts';
import type { Desk } from './desk.ts';
import { authorizeWrite, type Confirmer, checkPass, type WritePermit } from './gate.ts';
import type { Amount } from './limits.ts';
import { outcomeProblem, sayUnrecorded, underWay } from './outcome-problem.ts';
import { problemOf } from './problem-of.ts';
import { intentAmounts } from './raw-amounts.ts';
import { type AccountWord, onAccount } from './words/questions.ts';

type Kept = Intent & { request: string };

/** @throws Problem (usage) where there is nothing to look for, Problem (config) for another account's */
export async function settleable(desk: Desk, intent: Intent): Promise<Kept> {
  const { request } = intent;
  if (request === undefined)
    throw usage(
      'its request is not kept any more',
      hint`after asking the operator: ${{ do: 'settle', id: intent.id, as: 'not_applied' }}`,
    );
  if ((JSON.parse(request) as { plan?: unknown }).plan === 'raw')
    throw usage(
      `nothing says how to look for ${intent.summary}`,
      hint`look yourself, with ${{ do: 'call_raw' }}; then ${{ do: 'settle', id: intent.id, as: 'applied' }}, or ${{ give: 'as', value: 'not-applied' }}`,
    );
  if (!(await isOfThisAccount(desk, intent))) throw await otherAccount(intent);
  return { ...intent, request };
}

/** @throws Problem (unknown) while the process that sends it still runs */
export function refuseUnderWay({ machine, clock }: Desk, intent: Intent): void {
  if (intent.pid !== machine.pid && isRunning(intent, machine, clock.now())) throw underWay(intent);
}

/** Returns the kinship of the key in use to the key of the intent. */
export async function accountRelationOf(desk: Desk, intent: Intent): Promise<Kinship> {
  const [connection, { intents }] = await Promise.all([desk.connection(), desk.store()]);
  return accountRelation(accountOf(connection), intent, await intents.joins());
}

/** Looking for it on another account would find nothing, and prove nothing. */
async function isOfThisAccount(desk: Desk, intent: Intent): Promise<boolean> {
  return (await accountRelationOf(desk, intent)) !== 'other';
}

const otherAccount = async (intent: Intent) =>
  configProblem(
    'other_account',
    `this intent belongs to ${intent.profile} (${intent.baseUrl}, key …${intent.keyLast4}), and this is another account`,
    hint`${{ do: 'settle', id: intent.id, profile: intent.profile }}`,
  );

export async function authorizeSettling(
  desk: Desk,
  intents: readonly Intent[],
  confirmer: Confirmer,
): Promise<WritePermit> {
  // Sent again it leaves like any payment. Together: what is above the limit is settled one by one, or looked for with --look.
  const amounts = await amountsOf(desk, intents);
  const step = {
    effect: 'money' as const,
    amounts,
    confirm: byTotal(amounts ?? intents, byName(intents[0]?.id.slice(0, 8) ?? '', intents[0]?.id)),
    question: (account: AccountWord) =>
      `Look for ${intents.length === 1 ? 'it' : `these ${intents.length}`}, and send again what is not there, ${onAccount(account)}?`,
    what: [
      ...intents.map(({ summary }) => `settle: ${summary}`),
      `each is looked for first; what is not found is sent now: it may ${settlingActs(intents)}, and that cannot pay twice`,
    ],
  };
  return authorizeWrite(desk, step, confirmer);
}

/** Names the acts that settling may do, beside looking. */
export function settlingActs(intents: readonly Pick<Intent, 'request'>[]): string {
  const plans = new Set(
    intents.map(({ request }) => (JSON.parse(request ?? '{}') as { plan?: string }).plan),
  );
  const named = [
    ...(plans.has('create') || plans.has('debit') ? ['pay'] : []),
    ...([...plans].some((plan) => plan?.endsWith('edit')) ? ['change where money goes'] : []),
    ...([...plans].some((plan) => plan?.endsWith('cancel')) ? ['cancel'] : []),
    ...(plans.has('payin_method_retry') ? ['collect'] : []),
  ];
  return named.length === 0 ? 'act' : named.join(', or ');
}

async function amountsOf(desk: Desk, intents: readonly Intent[]): Promise<Amount[] | undefined> {
  const each = await Promise.all(
    intents.map(({ request, externalId }) =>
      intentAmounts(desk, JSON.parse(request ?? '{}') as { plan?: unknown }, externalId),
    ),
  );
  const known = each.flatMap((amounts) => amounts ?? []);
  return known.length === 0 ? undefined : known;
}

/** @param how by looking only, or by sending it again too, which takes a permit */
export async function settleIt(
  desk: Desk,
  intent: Kept,
  how: WritePermit | 'look',
): Promise<Outcome<{ id?: string | null | undefined }>> {
  if (how !== 'look') await checkPass(desk, how, 'money');
  const [{ settleIntent }, { claimOfWhole }, { intents }, client, connection] = await Promise.all([
    import('../client/settle-intent.ts'),
    import('../client/bound.ts'),
    desk.store(),
    desk.client(),
    desk.connection(),
  ]);
  invariant(isUnsettled(intent), `intent ${intent.id} is open or unknown when it is settled`);
  const found = await settleIntent(client, intents, {
    intent,
    account: accountOf(connection),
    mode: how === 'look' ? 'look' : 'send',
  });
  if (found.unrecorded !== undefined) sayUnrecorded(desk, intent.id, found.unrecorded);
  invariant(
    found.unrecorded !== undefined ||
      found.kind === 'unknown' ||
      (await intents.get(intent.id))?.state === closingOf(found).state,
    `intent ${intent.id} is closed as what was found out`,
  );
  const outcome = claimOfWhole<{ id?: string | null | undefined }>(intent, found);
  if (outcome.kind === 'applied') desk.willTell(intent.id, outcome.value);
  return outcome;
}

/**
 * Settles by looking whatever an earlier run left open about one thing: once the thing reads as asked,
 * nothing is to be sent and nothing may stay open. An intent that cannot be looked at stays for
 * `history settle`.
 */
export async function settleLeftOpen(
  desk: Desk,
  operation: string,
  subject: string | null | undefined,
): Promise<string[]> {
  const notes: string[] = [];
  const { intents } = await desk.store();
  for (const intent of await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER })) {
    if (intent.operation !== operation || intent.subject !== subject) continue;
    if (!(await isOfThisAccount(desk, intent))) continue;
    const outcome = await settleIt(desk, await settleable(desk, intent), 'look');
    if (outcome.kind === 'applied')
      notes.push(`the earlier try of ${isoTime(intent.createdAt)} was applied: it is settled now`);
    if (outcome.kind === 'not_applied')
      notes.push(`the earlier try of ${isoTime(intent.createdAt)} was not applied: it is settled now`);
  }
  return notes;
}

/**
 * Returns the notes where the thing reads already as asked: whatever an earlier run left open about it is
 * settled, and nothing is sent.
 */
export const unchangedNotes = async (
  desk: Desk,
  operation: string,
  subject: string | null | undefined,
): Promise<string[]> => [
  'nothing to change: these are its details already; nothing was sent',
  ...(await settleLeftOpen(desk, operation, subject)),
];

/** One intent of several, with what was found out about it. */
export interface FoundOut {
  intent: Intent;
  why: Hint;
  category: Category | 'done';
}

/** Every unsettled one of this account, newest first. */
export async function unsettledOf(desk: Desk): Promise<Intent[]> {
  const { intents } = await desk.store();
  const open: Intent[] = [];
  for (const intent of await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER }))
    if (await isOfThisAccount(desk, intent)) open.push(intent);
  return open;
}

/** @param newer the edit that took its place */
export const overtakenWords = (newer: string): string =>
  `a newer edit (${newer}) took its place, and nothing of it is on its way any more`;

/**
 * Each by itself: one that cannot be settled keeps none of the others from it. It ends early where the desk's signal fires.
 * @param stopped why some are only looked for, by id
 */
export function settleAll(
  desk: Desk,
  open: readonly Intent[],
  how: WritePermit | 'look',
  stopped: ReadonlyMap<string, Hint> = new Map(),
): Promise<FoundOut[]> {
  return desk.working(`settling ${open.length}`, async (progress) => {
    const { intents } = await desk.store();
    const found: FoundOut[] = [];
    for (const intent of open) {
      if (desk.signal.aborted) break;
      const stop = stopped.get(intent.id);
      const { why, category } = await settleOrSay(desk, intent, stop === undefined ? how : 'look');
      const words = stop === undefined || category === 'done' ? why : hint`${why}. ${stop}`;
      found.push({ intent: (await intents.get(intent.id)) ?? intent, why: words, category });
      progress.tell(found.length, open.length);
    }
    return found;
  });
}

async function settleOrSay(
  desk: Desk,
  intent: Intent,
  how: WritePermit | 'look',
): Promise<Pick<FoundOut, 'why' | 'category'>> {
  try {
    refuseUnderWay(desk, intent);
    const outcome = await settleIt(desk, await settleable(desk, intent), how);
    if (outcome.kind === 'applied') return { why: `applied: ${outcome.value.id ?? ''}`, category: 'done' };
    if (outcome.kind === 'not_applied') return { why: 'not applied: it can be sent again', category: 'done' };
    if (outcome.kind === 'conflict' && outcome.overtakenBy !== undefined)
      return { why: overtakenWords(outcome.overtakenBy), category: 'done' };
    const { message, facts } = outcomeProblem(outcome, intent.id);
    return { why: message, category: facts.category };
  } catch (error) {
    const { message, facts } = problemOf(error);
    // A payment that cannot be looked for stays unknown, whatever kept us from it.
    return {
      why: facts.hint === undefined ? message : hint`${message}; ${facts.hint}`,
      category: facts.category === 'interrupted' ? 'interrupted' : 'unknown',
    };
  }
}
