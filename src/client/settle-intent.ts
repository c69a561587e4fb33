/** Finds out what became of an intent of an earlier run (docs/rules.md 1, decision 0034), and closes it. */
import { type AccountKey, accountRelation, type KeyJoin } from '../core/account.ts';
import { isoTime } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { overtakenBy, weighed } from './closing.ts';
import { mayBeSamePayment } from './duplicate-check.ts';
import { tryClose, type Unrecorded } from './intents.ts';
import { judgeOvertaken } from './older-edits.ts';
import { type Outcome, settle, settleByLooking, type WritePlan } from './outcome.ts';
import type { Intent, IntentState, Intents } from './store/port.ts';
import { type Asked, mustBeAskedFor, writePlanOf } from './writes.ts';

export interface Settling {
  intent: Intent & { request: string };
  /** The key that settles it. */
  account: AccountKey;
  mode: 'look' | 'send';
}

/**
 * Settles an intent of an earlier run from the journal alone. `look` never sends, and neither does a key of which no record shows that it is of
 * the same account. A row of a stopped pay run is only looked for. So is an older one beside a later wish for the same thing: sent
 * now, it would be made a second time, or undo what came after it.
 */
export async function settleIntent<T extends { id?: string | null | undefined }>(
  client: Client,
  intents: Intents,
  { intent, account, mode }: Settling,
): Promise<Outcome<T> & Unrecorded & { intent: Intent }> {
  const asked = JSON.parse(intent.request) as Asked;
  const plan = writePlanOf(client, asked, intent.resultId) as WritePlan<unknown> as WritePlan<T>;
  const joins = await intents.joins();
  const kin = accountRelation(account, intent, joins);
  invariant(kin !== 'other', 'an intent is settled with a key of its own account');
  const isLook = mode === 'look' || kin === 'unproven' || (await intents.isStopped?.(intent.id)) === true;
  const later = isLook ? undefined : await laterOf(intents, { intent, asked, joins });
  const newer = overtakenBy(intent);
  const looked = isLook || later || newer ? await settleByLooking(plan) : await settle(plan);
  const date = client.date();
  const emptySince = newer === undefined ? intent.emptySince : (intent.emptySince ?? date);
  const found =
    newer === undefined
      ? besideLater(looked, later)
      : judgeOvertaken(looked, { newer, since: emptySince, date });
  const evidence = { emptySince, date, isLook: isLook || later !== undefined || newer !== undefined };
  const { outcome, closing } = weighed(kin === 'unproven' ? onlyApplied(found) : found, evidence);
  if (outcome.kind === 'applied') mustBeAskedFor(asked, outcome.value);
  return { ...outcome, ...(await tryClose(intents, intent, closing)) };
}

/** Where it may be another account, only the record that was asked for counts: what is not there, or differs, may be another account's. */
const onlyApplied = <T>(outcome: Outcome<T>): Outcome<T> =>
  outcome.kind === 'applied' || outcome.kind === 'unknown'
    ? outcome
    : {
        kind: 'unknown',
        error: undefined,
        why: 'it was sent with a key of which nothing shows that it is of this account',
      };

/** The newest intent of the account that was written after this one for the same thing: the same payment, recipient or debit. */
async function laterOf(
  intents: Intents,
  { intent, asked, joins }: { intent: Intent; asked: Asked; joins: readonly KeyJoin[] },
): Promise<Intent | undefined> {
  const { id, subject } = intent;
  const after = { after: id, states: MAYBE_MADE, limit: Number.MAX_SAFE_INTEGER };
  for (const digest of [intent.digest, asked.plan === 'debit' ? asked.payment : undefined]) {
    if (digest === undefined) continue;
    const alike = (await intents.list({ ...after, digest })).find(
      (one) => mayBeSamePayment(intent, one) && accountRelation(intent, one, joins) !== 'other',
    );
    if (alike !== undefined) return alike;
  }
  return subject === undefined ? undefined : (await intents.list({ ...after, subject, limit: 1 }))[0];
}

/** In every other state it is known that it was not applied. */
const MAYBE_MADE: readonly IntentState[] = ['open', 'unknown', 'applied', 'conflict'];

/** Says why an intent that was not found was not sent again. */
function besideLater<T>(outcome: Outcome<T>, later: Intent | undefined): Outcome<T> {
  if (outcome.kind !== 'unknown' || outcome.why !== undefined || later === undefined) return outcome;
  const at = isoTime(later.createdAt);
  const why = `the same was asked for again later, at ${at} (${later.id}), so it is not sent again`;
  return { ...outcome, why, value: { id: later.resultId ?? later.externalId } };
}
