/**
 * Finding out what became of an intent that is open or unknown: by looking, by sending the same again where that cannot pay
 * twice, and by looking once more. One, or all of this account, one after the other.
 */

import type { Context } from '../../cli/context.ts';
import { type ExitCode, exitCodes, worst } from '../../cli/exit-codes.ts';
import { thousands, withProgress } from '../../cli/terminal/progress.ts';
import { type Settled, shownIntent } from '../../cli/views/intent.ts';
import type { Outcome } from '../../client/outcome.ts';
import { isoTime } from '../../core/clock.ts';
import type { Intent, Intents } from '../../core/ports/intents.ts';
import { configFailure, usage } from '../../core/problem.ts';
import { isRunning } from '../../profiles/alive.ts';
import { keyLast4 } from '../../profiles/connection.ts';
import { asFailure } from '../problem-of.ts';
import { type Amount, guard } from './gate.ts';
import { outcomeFailure, underWay } from './outcome-problem.ts';
import { intentAmounts } from './raw-amounts.ts';
import { sayUnrecorded } from './write.ts';

type Kept = Intent & { request: string };

export const isUnsettled = ({ state }: Intent): boolean => state === 'open' || state === 'unknown';

/** @throws Failure (usage) where there is nothing to look for, Failure (config) for another account's */
export async function settleable(context: Context, intent: Intent): Promise<Kept> {
  const { request } = intent;
  if (request === undefined)
    throw usage(
      'its request is not kept any more',
      `after asking the operator: remit history settle ${intent.id} --as not_applied`,
    );
  if ((JSON.parse(request) as { plan?: unknown }).plan === 'raw')
    throw usage(
      `remit does not know how to look for ${intent.summary}: look yourself, with remit api`,
      `then remit history settle ${intent.id.slice(0, 8)} --as applied, or --as not_applied`,
    );
  if (!(await isOfThisAccount(context, intent))) throw await otherAccount(intent);
  return { ...intent, request };
}

/** @throws Failure (unknown) while the process that sends it still runs */
export function refuseUnderWay({ world }: Context, intent: Intent): void {
  if (intent.pid !== world.pid && isRunning(intent, world.clock.now())) throw underWay(intent);
}

/** Looking for it on another account would find nothing, and prove nothing. */
async function isOfThisAccount(context: Context, intent: Intent): Promise<boolean> {
  const [{ isSameAccount }, { baseUrl, credentials }] = await Promise.all([
    import('../../client/identity.ts'),
    context.connection(),
  ]);
  return isSameAccount({ baseUrl, keyLast4: keyLast4(credentials.key) }, intent);
}

const otherAccount = async (intent: Intent) =>
  configFailure(
    'other_account',
    `this intent belongs to ${intent.profile} (${intent.baseUrl}, key …${intent.keyLast4}), and this is another account`,
    `remit history settle ${intent.id.slice(0, 8)} --profile ${intent.profile}`,
  );

export const guardSettling = async (context: Context, intents: readonly Intent[]): Promise<void> => {
  // Sent again it leaves like any payment. Together: what is above the limit is settled one by one, or looked for with --look.
  const amounts = await amountsOf(context, intents);
  await guard(context, {
    effect: 'money',
    amounts,
    what: [
      ...intents.map(({ summary }) => `settle: ${summary}`),
      'each is looked for first; only where it is not found is the same sent again, which cannot pay twice',
    ],
  });
};

async function amountsOf(context: Context, intents: readonly Intent[]): Promise<Amount[] | undefined> {
  const each = await Promise.all(
    intents.map(({ request }) => intentAmounts(context, JSON.parse(request ?? '{}') as { plan?: unknown })),
  );
  const known = each.flatMap((amounts) => amounts ?? []);
  return known.length === 0 ? undefined : known;
}

export async function settleIt(
  context: Context,
  intent: Kept,
  look: boolean,
): Promise<Outcome<{ id?: string | null | undefined }>> {
  const [{ settleIntent }, { intents }, client] = await Promise.all([
    import('../../client/intents.ts'),
    context.store(),
    context.client(),
  ]);
  const since = look ? undefined : madeSince(intents, intent);
  const outcome = await settleIntent(client, intents, intent, look || since ? 'look' : 'send');
  if (outcome.unrecorded !== undefined) sayUnrecorded(context, intent.id, outcome.unrecorded);
  if (outcome.kind === 'applied') context.willTell(intent.id, outcome.value);
  if (outcome.kind !== 'unknown' || since === undefined) return outcome;
  const why = `the same was made since, at ${isoTime(since.createdAt)}, so it is not sent again`;
  return { ...outcome, why, value: { id: since.resultId ?? since.externalId } };
}

/**
 * The same payment, made on purpose after this one was left unknown (`--new-payment`). Where nobody named this one, to send it
 * again would pay beside that.
 */
function madeSince(intents: Intents, { id, digest, madeId, payer, createdAt }: Intent): Intent | undefined {
  if (!madeId) return undefined;
  const kindOf = (name: string): string => name.slice(0, name.indexOf(':'));
  // An id and an external id may be one sender.
  const isSamePayer = ({ payer: other }: Intent): boolean =>
    payer === undefined || other === undefined || payer === other || kindOf(payer) !== kindOf(other);
  return intents
    .list({ digest, state: 'applied', limit: Number.MAX_SAFE_INTEGER })
    .find((other) => other.id !== id && other.createdAt >= createdAt && isSamePayer(other));
}

/**
 * What an earlier run left open about one thing, settled by looking: once the thing reads as asked, nothing is to be sent and
 * nothing may stay open. What cannot be looked at stays for `history settle`.
 */
export async function settleLeftOpen(
  context: Context,
  operation: string,
  subject: string | null | undefined,
): Promise<string[]> {
  const notes: string[] = [];
  const { intents } = await context.store();
  for (const state of ['open', 'unknown'] as const)
    for (const intent of intents.list({ state, limit: Number.MAX_SAFE_INTEGER })) {
      if (intent.operation !== operation || intent.subject !== subject) continue;
      if (!(await isOfThisAccount(context, intent))) continue;
      const outcome = await settleIt(context, await settleable(context, intent), true);
      if (outcome.kind === 'applied')
        notes.push(`the earlier try of ${isoTime(intent.createdAt)} was applied: it is settled now`);
      if (outcome.kind === 'not_applied')
        notes.push(`the earlier try of ${isoTime(intent.createdAt)} was not applied: it is settled now`);
    }
  return notes;
}

/** Each by itself: one that cannot be settled keeps none of the others from it. */
export async function settleAll(
  context: Context,
  { look }: { look: boolean },
): Promise<{ rows: Settled[]; exit: ExitCode }> {
  const { intents } = await context.store();
  const open: Intent[] = [];
  for (const state of ['open', 'unknown'] as const)
    for (const intent of intents.list({ state, limit: Number.MAX_SAFE_INTEGER }))
      if (await isOfThisAccount(context, intent)) open.push(intent);
  if (open.length > 0 && !look) await guardSettling(context, open);
  const rows: Settled[] = [];
  const codes: ExitCode[] = [];
  // Newest first, as they are listed.
  open.sort((a, b) => b.createdAt - a.createdAt);
  await withProgress(context, `settling ${thousands(open.length)}`, async (progress) => {
    for (const intent of open) {
      if (context.world.interrupt.aborted) {
        codes.push(exitCodes.interrupted);
        break;
      }
      const { why, exit } = await settleOrSay(context, intent, look);
      rows.push({ ...shownIntent(intents.get(intent.id) ?? intent), why });
      codes.push(exit);
      progress.tell(rows.length, open.length);
    }
  });
  return { rows, exit: worst(codes) };
}

async function settleOrSay(
  context: Context,
  intent: Intent,
  look: boolean,
): Promise<{ why: string; exit: ExitCode }> {
  try {
    refuseUnderWay(context, intent);
    const outcome = await settleIt(context, await settleable(context, intent), look);
    if (outcome.kind === 'applied') return { why: `applied: ${outcome.value.id ?? ''}`, exit: exitCodes.ok };
    if (outcome.kind === 'not_applied')
      return { why: 'not applied: it can be sent again', exit: exitCodes.ok };
    const failure = outcomeFailure(outcome, intent.id);
    return { why: failure.message, exit: failure.exitCode };
  } catch (error) {
    const { message, facts, exitCode } = asFailure(error);
    // What cannot be looked for stays unknown, whatever kept us from it.
    return {
      why: facts.hint === undefined ? message : `${message}; ${facts.hint}`,
      exit: exitCode === exitCodes.interrupted ? exitCode : exitCodes.unknown,
    };
  }
}
