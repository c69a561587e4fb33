/**
 * The same payment made before (docs/rules.md 2). Where its end was not told, the same command again is answered with
 * what stands, and nothing is sent. Where it was told, a second one without an id of its own is asked about for a day.
 */

import { isSamePayment } from '../client/bound.ts';
import type { Client } from '../client/client.ts';
import { isMadeOtherwise } from '../client/closing.ts';
import { type Earlier, isToldSince } from '../client/duplicate-check.ts';
import { ApiError } from '../client/errors.ts';
import { isFunded } from '../client/funded.ts';
import type { Intent } from '../client/store/port.ts';
import { getTransaction, listTransactions } from '../contract/operations/transactions.ts';
import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { isCalledOff } from '../contract/states/money.ts';
import { accountRelation } from '../core/account.ts';
import { isoTime } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { interrupted, type Problem, refuse, usage } from '../core/problem.ts';
import { accountOf } from '../profiles/connection.ts';
import { beganOf } from '../profiles/worker.ts';
import { type Desk, tell } from './desk.ts';
import type { WritePermit } from './gate.ts';
import { existsUnfunded, madeOtherwise, unsettledProblem } from './outcome-problem.ts';

export type Met =
  /** The transaction that was asked for stands already. */
  | { kind: 'stands'; value: Transaction }
  /** Another one is wanted, after all: beside those that are passed, and no others. */
  | { kind: 'another'; isPassed(intent: Intent): boolean };

export interface PaymentTerms {
  fund: boolean;
  /** It is paid by a debit of its own, so what stands unpaid is gone on with. */
  goesOn?: boolean;
  /** The caller's own id for the payment, where one was given. */
  givenId: string | undefined;
  /** The payment that was asked for; undefined of another write. */
  payment: TransactionWrite | undefined;
}

type Asked = Pick<WritePermit, 'confirmer' | 'confirm'>;

/** @throws Problem where nothing may be sent, interrupted where the user declined */
export async function meetEarlier(
  desk: Desk,
  { confirmer, confirm }: Asked,
  { kind, intent }: Earlier,
  wanted: PaymentTerms,
): Promise<Met> {
  if (kind === 'untold') return { kind: 'stands', value: await answerWith(desk, intent, wanted) };
  if (kind === 'other_key') return besideOtherKey({ confirmer, confirm }, intent);
  if (kind !== 'repeated') throw unsettledProblem(intent.id, intent.summary);
  const first = await whatStands(desk, intent).catch(() => undefined);
  // The first is not paid, so another is no repeat. Payments before it are still looked at.
  if (first !== undefined && paysNobody(first))
    return { kind: 'another', isPassed: ({ id }) => id === intent.id };
  // It was made and never paid, within this hour: to pay that one is what was asked for.
  if (wanted.goesOn && first?.state === 'approved') return { kind: 'stands', value: first };
  const told = `this payment was made already at ${timeOf(intent)}: ${nameOf(intent, first)}`;
  // The user was told of the first, whatever comes next.
  await (await desk.store()).intents.told(intent.id);
  if (!confirmer.isAttended) throw repeated(told, intent);
  if (!(await confirmer.confirm({ about: 'second_payment', said: told, confirm }))) throw interrupted();
  return { kind: 'another', isPassed: ({ createdAt }) => createdAt <= intent.createdAt };
}

/** Another key of the same account may have made it: only a person knows whose key that is. */
async function besideOtherKey({ confirmer, confirm }: Asked, intent: Intent): Promise<Met> {
  const words = `the same was sent with another key (…${intent.keyLast4}, profile ${intent.profile}) at ${timeOf(intent)}, and it is not known whether it was applied: ${intent.summary}`;
  if (!confirmer.isAttended)
    throw usage(
      words,
      hint`where that key is of another account, ${{ give: 'new_payment' }} goes on; where this key took its place, ${{ do: 'join_keys' }}; ${{ do: 'settle', id: intent.id, profile: intent.profile }} finds out what became of it`,
    );
  if (!(await confirmer.confirm({ about: 'second_payment', said: words, confirm }))) throw interrupted();
  return { kind: 'another', isPassed: ({ id }) => id === intent.id };
}

/** A transaction whose money came back may have paid some of its recipients: each is looked at. */
export const paysNobody = ({ state, recipients }: Transaction): boolean =>
  isCalledOff(state) && (recipients?.every((one) => isCalledOff(one.state)) ?? false);

/**
 * A debit of an earlier run that funded this transaction, or is found out to have: the words for it, undefined where there is
 * none that was not told.
 */
export async function earlierDebit(desk: Desk, transactionId: string): Promise<string | undefined> {
  const [{ intents, lastTold }, { requestDigest }, connection] = await Promise.all([
    desk.store(),
    import('../client/identity.ts'),
    desk.connection(),
  ]);
  const account = accountOf(connection);
  const debit = { to_id: transactionId, to_type: 'Transaction' as const };
  const digest = requestDigest(account, { plan: 'debit', debit });
  const joins = await intents.joins();
  for (const intent of await intents.list({ digest })) {
    if (accountRelation(account, intent, joins) === 'other') continue;
    if (intent.state === 'open' || intent.state === 'unknown') await settleByLook(desk, intent);
    const now = (await intents.get(intent.id)) ?? intent;
    const wasTold = now.toldAt !== undefined && !isToldSince(now, { lastTold, began: beganOf(desk.machine) });
    if (now.state !== 'applied' || wasTold) continue;
    desk.willTell(now.id, { id: transactionId, external_id: now.externalId });
    return `it was funded already at ${timeOf(now)}; nothing was sent this time`;
  }
  return undefined;
}

async function settleByLook(desk: Desk, intent: Intent): Promise<void> {
  const { settleable, settleIt } = await import('./settle.ts');
  await settleIt(desk, await settleable(desk, intent), 'look');
}

async function answerWith(
  desk: Desk,
  intent: Intent,
  { fund, givenId, payment }: PaymentTerms,
): Promise<Transaction> {
  if (givenId !== undefined && givenId !== intent.externalId)
    throw usage(
      `this payment was made already at ${timeOf(intent)}, without this external id: ${nameOf(intent, undefined)}`,
      hint`${showing(intent)} shows it; ${{ give: 'new_payment' }} makes a second one on purpose`,
    );
  invariant(intent.state === 'applied', 'only what was applied is answered with what stands');
  const standing = await whatStands(desk, intent);
  if (payment && isMadeOtherwise(intent) && !isSamePayment(payment, standing) && !isCalledOff(standing.state))
    throw madeOtherwise({ ...payment, external_id: intent.externalId ?? '' }, standing);
  if (fund && !isFunded(standing) && !isCalledOff(standing.state)) throw existsUnfunded(standing.id);
  tell(
    desk,
    `it was made already at ${timeOf(intent)}, ${standing.state ?? 'state unknown'}; nothing was sent this time`,
  );
  return standing;
}

/** The transaction that an applied intent made or funded, as it stands now. */
async function whatStands(desk: Desk, intent: Intent): Promise<Transaction> {
  let found: Transaction | undefined;
  try {
    found = await lookUp(await desk.client(), intent);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw cannotShow(intent, error);
  }
  if (found !== undefined) return found;
  throw refuse(
    'conflict',
    'made_already',
    `the journal says that this payment was made already at ${timeOf(intent)} (${nameOf(intent, undefined)}), and the service does not list it`,
    {
      hint: hint`ask the operator; ${{ do: 'show_intent', id: intent.id }} shows it, ${{ give: 'new_payment' }} makes it on purpose`,
      note: 'by the journal; nothing was sent this time',
      outcome: 'applied',
    },
  );
}

async function lookUp(client: Client, { resultId, externalId }: Intent): Promise<Transaction | undefined> {
  if (resultId !== undefined)
    return (await client.call(getTransaction, { path: { transaction_id: resultId } })).object;
  if (externalId === undefined) return undefined;
  const { object } = await client.call(listTransactions, { query: { external_id: externalId } });
  return object.find(({ external_id }) => external_id === externalId);
}

const cannotShow = (intent: Intent, cause: unknown): Problem =>
  refuse(
    'network',
    'made_already',
    `this payment was made already at ${timeOf(intent)} (${nameOf(intent, undefined)}), and it cannot be read now`,
    {
      hint: hint`${showing(intent)} when the connection is back`,
      cause,
      note: 'by the earlier run; nothing was sent this time',
      outcome: 'applied',
    },
  );

const repeated = (told: string, intent: Intent): Problem =>
  usage(
    `${told}; without an external id a second one is made only if you say so`,
    hint`${showing(intent)} shows the first; ${{ give: 'new_payment' }} makes a second one on purpose, ${{ give: 'external_id' }} names each`,
  );

function showing({ resultId, externalId, id }: Intent): Hint {
  const made = resultId ?? externalId;
  return made ? hint`${{ do: 'show_transaction', id: made }}` : hint`${{ do: 'show_intent', id }}`;
}

const nameOf = (intent: Intent, standing: Transaction | undefined): string =>
  [`${intent.summary} (${intent.resultId ?? intent.externalId ?? intent.id})`, standing?.state]
    .filter(Boolean)
    .join(', ');

/** Times are shown in the service's zone, as everywhere else. */
const timeOf = ({ createdAt }: Intent): string => isoTime(createdAt);
