/**
 * A payment under a limit. A call that creates and pays at once takes the rate of that moment, so a limit could only be compared with the rate of
 * a moment before. Here the transaction is created, its amount is compared with the limit, and a debit of exactly that amount pays it: the
 * service refuses any other (decision 0064).
 *
 * If the process dies:
 *   before the creation's intent    nothing was sent.
 *   before its answer               the intent stands open. Settling finds the transaction, or creates it: nothing is paid by that.
 *   after it                        the transaction stands unpaid for its hour. The same command finds it, by its external id or in the journal,
 *                                   compares it with the limit of then, and pays it. Later the service has cancelled it, and nothing was paid.
 *   while it is called off          the same: what was not cancelled ends by itself.
 *   before the debit's answer       the debit's intent stands open. Settling reads the transaction before anything is sent.
 *   after it                        nobody was told: the same command is answered with what stands.
 */
import { transactionDifferences } from '../../client/compare.ts';
import { isCallError } from '../../client/errors.ts';
import { isFunded } from '../../client/funded.ts';
import { createDebits } from '../../contract/operations/accounts.ts';
import { getSender, listSenders } from '../../contract/operations/senders.ts';
import type { Sender } from '../../contract/resources/sender.ts';
import type { Transaction, TransactionWrite } from '../../contract/resources/transaction.ts';
import { isCalledOff } from '../../contract/states/money.ts';
import { invariant } from '../../core/invariants.ts';
import { gt, sub } from '../../core/money.ts';
import { type Said, said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';
import { type Desk, tell } from '../desk.ts';
import { readBalances } from '../lookup/balances.ts';
import { problemOf } from '../problem-of.ts';
import { money } from '../words/amount.ts';
import { cancelRecipients, planCancel } from './cancel.ts';
import { fund, planFunding } from './fund.ts';
import type { Pass } from './gate.ts';
import { byExternalId, freeId, hasExpired, idAfter } from './next-id.ts';
import { createPayment, type PaymentPlan } from './plan.ts';
import { settleLeftOpen } from './settle.ts';
import type { Written } from './write.ts';

export interface Bound {
  plan: PaymentPlan;
  /** Made by this same command before, and not paid: then its amount is what counts, and not that of a new calculation. */
  standing: Transaction | undefined;
  /** No transaction has its external id yet, as far as one can know. */
  isNew: boolean;
}

/**
 * What the limit is held against: a transaction of an earlier try, or a new one. One that ended unpaid after its hour has used up its external id, so
 * the next one is taken.
 */
export async function boundPayment(desk: Desk, plan: PaymentPlan): Promise<Bound> {
  const { external_id: asked } = plan.body;
  if (asked === undefined) return { plan, standing: undefined, isNew: true };
  const isOurs = (found: Transaction): boolean =>
    transactionDifferences({ ...plan.body, external_id: found.external_id ?? '' }, found).length === 0;
  const { externalId, standing } = await freeId(
    byExternalId(await desk.client()),
    asked,
    (found) => hasExpired(found) && isOurs(found),
  );
  if (externalId !== asked)
    tell(
      desk,
      `${asked} was not paid within its hour, and its external id is used up: this is ${externalId}`,
    );
  const named = { ...plan, body: { ...plan.body, external_id: externalId } };
  const isOpen = standing !== undefined && !isCalledOff(standing.state) && !isFunded(standing);
  return {
    plan: named,
    standing: isOpen && isOurs(standing) ? standing : undefined,
    isNew: standing === undefined,
  };
}

/** @throws Problem where it was not paid, or nobody can say */
export async function payWithin(
  desk: Desk,
  pass: Pass,
  {
    plan,
    isNew,
    calculation,
    newPayment,
  }: Omit<Bound, 'standing'> & { calculation: Transaction; newPayment: boolean },
): Promise<Written<Transaction>> {
  const { most } = plan;
  invariant(most !== undefined, 'a payment is bound by a limit');
  const created = await createPayment(
    desk,
    pass,
    { ...plan, fund: false },
    { newPayment, goesOn: true, ...(isNew && { check: () => refuseHopeless(desk, plan.body, calculation) }) },
  );
  const { value } = created;
  if (isFunded(value)) {
    // It was paid by an earlier try that did not live to see it.
    await settleLeftOpen(desk, createDebits.id, value.id);
    return created;
  }
  if (isCalledOff(value.state)) return created;
  if (isAbove(value, most)) throw await calledOff(desk, pass, created, plan);
  if (created.how === 'existing' || created.how === 'earlier')
    tell(desk, 'it was created before, and not paid: it is paid now');
  const { transaction, notes } = await paid(desk, pass, created, plan.body.external_id);
  for (const one of notes) tell(desk, one);
  return { ...created, value: transaction, how: created.how === 'found' ? 'found' : 'answered' };
}

/** An amount that cannot be read keeps no limit. */
const isAbove = ({ input_amount: amount, input_currency: currency }: Transaction, most: string): boolean =>
  !amount || !currency || gt(amount, most);

async function paid(
  desk: Desk,
  pass: Pass,
  { value: transaction, intentId }: Written<Transaction>,
  givenId: string | undefined,
) {
  try {
    const plan = planFunding(desk, { transaction, explicit: true });
    const { intents } = await desk.store();
    const payment = (await intents.get(intentId))?.digest;
    invariant(payment !== undefined, 'what was created is in the journal');
    return await fund(desk, pass, plan, { newPayment: false, half: { payment, givenId } });
  } catch (error) {
    const { facts } = problemOf(error);
    if (facts.outcome !== 'not applied') throw error;
    const until = transaction.expires_at ?? 'its hour is over';
    const goOn = said`the transaction stands unpaid until ${until}: the same command goes on with it`;
    throw new Problem(
      {
        ...facts,
        hint: facts.hint === undefined ? goOn : said`${facts.hint}; ${goOn}`,
        outcomeNote: 'nothing was paid',
      },
      { cause: error },
    );
  }
}

/** The rate moved between the calculation and the creation. */
async function calledOff(
  desk: Desk,
  pass: Pass,
  { value }: Written<Transaction>,
  { body, most }: PaymentPlan,
): Promise<Problem> {
  const { input_amount: amount, input_currency: currency, id } = value;
  const targets = (value.recipients ?? []).map((recipient) => ({ recipient, transaction: value }));
  const endings = await cancelRecipients(
    desk,
    pass,
    await planCancel(desk, targets, { request: false, waitMs: undefined }),
  );
  const isOff = endings.length > 0 && endings.every(({ ending }) => ending === 'cancelled before funding');
  const { external_id: externalId } = body;
  const again: Said =
    externalId === undefined
      ? 'run it again with another limit'
      : said`its external id is used up: for another limit take ${{ give: 'external_id', value: idAfter(externalId) }}`;
  return new Problem({
    category: 'check',
    code: 'above_max_input',
    message: amount
      ? `the rate moved: it costs ${money(amount, currency)} now, more than the limit, ${money(most, currency)}`
      : 'what it costs cannot be read, so no limit can be kept',
    hint: isOff
      ? again
      : said`it could not be called off, and nobody pays it: ${{ do: 'show_transaction', id: id ?? '' }}; it ends by itself after its hour`,
    outcome: 'not applied',
    outcomeNote: isOff ? 'nothing was paid, and the transaction was called off' : 'nothing was paid',
  });
}

/**
 * What would be refused after the creation is refused before it, so that no transaction is left behind. What cannot be read, the service
 * itself refuses later.
 * @throws Problem (validation)
 */
async function refuseHopeless(
  desk: Desk,
  { sender }: TransactionWrite,
  { input_amount: cost, input_currency: currency }: Transaction,
): Promise<void> {
  const [held, payer] = await Promise.all([readable(readBalances(desk)), readable(senderOf(desk, sender))]);
  if (payer !== undefined && payer.state !== 'approved')
    throw refused(
      'sender_not_approved',
      `sender ${payer.id ?? ''} is not approved: ${payer.state ?? 'state unknown'}`,
    );
  if (held === undefined || !cost || !currency) return;
  const there = held.get(currency) ?? '0';
  if (gt(cost, there))
    throw refused(
      'insufficient_balance',
      `it costs ${money(cost, currency)}, and the balance is ${money(there, currency)}: ${money(sub(cost, there), currency)} is missing`,
    );
}

const refused = (code: string, message: string): Problem =>
  new Problem({
    category: 'validation',
    code,
    message,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });

/** Undefined where it cannot be read: that is no reason against a payment. */
async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isCallError(error)) return undefined;
    throw error;
  }
}

/** Undefined for one that is made with the payment. */
async function senderOf(
  desk: Desk,
  { id, external_id: externalId }: TransactionWrite['sender'],
): Promise<Sender | undefined> {
  const client = await desk.client();
  if (typeof id === 'string') return (await client.call(getSender, { path: { sender_id: id } })).object;
  if (typeof externalId !== 'string') return undefined;
  const { object } = await client.call(listSenders, { query: { external_id: externalId } });
  return object.find(({ external_id: theirs }) => theirs === externalId);
}
