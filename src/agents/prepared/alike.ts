/**
 * The second guard (decision 0105): a payment of the last week to the same account, of the same amount, may be this one under another name. The plans of
 * agents, the journal and the books say which there are; the service says how each stands.
 */

import { type Intent, isUnsettled } from '../../client/store/port.ts';
import { listRecipients } from '../../contract/operations/recipients.ts';
import { getTransaction } from '../../contract/operations/transactions.ts';
import type { RecipientWrite, Transaction, TransactionWrite } from '../../contract/resources/transaction.ts';
import { isCalledOff } from '../../contract/states/money.ts';
import { isSameUrl } from '../../core/account.ts';
import { isoTime } from '../../core/clock.ts';
import { booksOf, type Desk } from '../../payments/desk.ts';
import { accountTexts } from '../../payments/finds.ts';
import { shownSummary } from '../../payments/words/payment-lines.ts';
import { ALIKE_MS, type Prepared } from '../store/port.ts';
import { arriving, likenessOf, type Wish } from './wish.ts';

/** A payment or a plan that may be the same. */
export interface SimilarWrite {
  /** The handle of a plan, the id of a transaction, or the id of an intent that has none yet. */
  id: string;
  from: 'plan' | 'payment' | 'request';
  /** Masked. */
  summary: string;
  state: string;
  at: string;
  /** The reference of the payment, where it has one. */
  reference: string | undefined;
}

/** How many of each are looked at: the newest. */
const MOST = 2_000;
const MOST_READ = 20;

/** @param own external ids of what is wished: its payments are not others */
export async function paidAlike(
  desk: Desk,
  { recipients, own }: { recipients: readonly RecipientWrite[]; own: readonly string[] },
  notTheSameAs: readonly string[],
): Promise<SimilarWrite[]> {
  if (recipients.length === 0) return [];
  const { baseUrl } = await desk.connection();
  const like = new Set(recipients.flatMap((one) => likenessOf(baseUrl, one)));
  const isAlike = (of: Pick<TransactionWrite, 'recipients'> | Transaction): boolean =>
    (of.recipients ?? []).some(
      (one) =>
        !isCalledOff('state' in one ? one.state : undefined) &&
        likenessOf(baseUrl, one).some((text) => like.has(text)),
    );
  const isOther = (one: {
    id?: string | null | undefined;
    external_id?: string | null | undefined;
  }): boolean =>
    !own.includes(one.external_id ?? '') &&
    !notTheSameAs.includes(one.id ?? '') &&
    !notTheSameAs.includes(one.external_id ?? '');
  const intents = await journalled(desk, recipients);
  const ids = new Set([
    ...intents.flatMap(({ resultId }) => resultId ?? []),
    ...(await inBooks(desk, recipients)),
    ...(await listedLately(desk, isAlike)),
  ]);
  const read = await Promise.all([...ids].slice(0, MOST_READ).map((id) => readNow(desk, id)));
  const paid = read.filter((one) => one !== undefined && isOther(one) && isAlike(one)) as Transaction[];
  const open = intents.filter(
    (one) => isUnsettled(one) && isOther({ id: one.id, external_id: one.externalId }),
  );
  return [
    ...open.filter((one) => isAlike(askedOf(one))).map(ofIntent),
    ...paid.map((one) => ofPayment(desk, one)),
  ];
}

/** The payees of a wish as `paidAlike` compares them: none for a wish without a payee, or a run of many rows. */
export const wishPayees = (wish: Wish): Parameters<typeof paidAlike>[1] =>
  wish.kind === 'payment'
    ? { recipients: wish.body.recipients, own: [wish.body.external_id] }
    : {
        recipients: (wish.kind === 'run' && wish.recipients) || [],
        own: (wish.kind === 'run' && wish.ids) || [],
      };

export const ofPlan = (plan: Prepared): SimilarWrite => ({
  id: plan.handle,
  from: 'plan',
  summary: plan.summary,
  state: 'planned',
  at: isoTime(plan.createdAt),
  reference: undefined,
});

/** Payments of this machine in the last week, of this amount and currency. */
async function journalled(desk: Desk, recipients: readonly RecipientWrite[]): Promise<Intent[]> {
  const [{ intents }, account] = await Promise.all([desk.store(), desk.connection()]);
  const amounts = new Set(recipients.map((one) => arriving(one.requested_amount, one.requested_currency)));
  const found = await intents.list({ from: desk.clock.now() - ALIKE_MS, limit: MOST });
  return found.filter(
    (one) =>
      isSameUrl(one, account) &&
      one.state !== 'not_applied' &&
      // A payment of several payees is looked into, whatever it comes to.
      (one.amount === undefined || amounts.has(arriving(one.amount, one.currency))),
  );
}

async function inBooks(desk: Desk, recipients: readonly RecipientWrite[]): Promise<string[]> {
  const opened = await booksOf(desk);
  if (opened === undefined) return [];
  const { books, hider } = opened;
  const accounts = recipients.flatMap((one) => accountTexts({ payout_method: one.payout_method }));
  if (accounts.length === 0) return [];
  const texts = hider === undefined ? accounts : accounts.map(hider().hash);
  const now = desk.clock.now();
  const entries = await books.find([texts], { limit: MOST_READ, from: now - ALIKE_MS, to: now + ALIKE_MS });
  return entries.map(({ id }) => id);
}

/** The newest payouts that the service lists: books may be old, and other machines pay too. */
async function listedLately(desk: Desk, isAlike: (of: Transaction) => boolean): Promise<string[]> {
  const from = isoTime(desk.clock.now() - ALIKE_MS).slice(0, 10);
  const client = await desk.client();
  const { object } = await client.call(listRecipients, { query: { per: 100, created_at_from: from } });
  return object.flatMap((one) =>
    isAlike({ recipients: [one] } as Transaction) ? (one.transaction_id ?? []) : [],
  );
}

/** Undefined for a payment that the service no longer lists. @throws CallError where it cannot say */
export async function readNow(desk: Desk, id: string): Promise<Transaction | undefined> {
  const { ApiError } = await import('../../client/errors.ts');
  try {
    const client = await desk.client();
    return (await client.call(getTransaction, { path: { transaction_id: id } })).object;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The body of an intent whose outcome is not known: it is kept until then. */
function askedOf({ request }: Intent): Pick<TransactionWrite, 'recipients'> {
  const asked = JSON.parse(request ?? '{}') as { transaction?: TransactionWrite };
  return asked.transaction ?? { recipients: [] };
}

const ofIntent = (intent: Intent): SimilarWrite => ({
  id: intent.id,
  from: 'request',
  summary: intent.summary,
  state: 'unknown',
  at: isoTime(intent.createdAt),
  reference: intent.externalId,
});

const ofPayment = (
  desk: Desk,
  { id, external_id, state, created_at, recipients }: Transaction,
): SimilarWrite => ({
  id: id ?? '',
  from: 'payment',
  summary: (recipients ?? [])
    .map((one) => shownSummary({ recipients: [one] } as never, desk.mask))
    .join('; '),
  state: state ?? 'unknown',
  at: created_at ?? '',
  reference: external_id ?? undefined,
});
