/**
 * A payment under a limit, for the library: intents and outcomes around the steps of `client/bound.ts`, where it is written what happens if
 * the process dies after each. What was created and not paid is an outcome, and the same call goes on with it.
 */
import { calculated, debitOf, isOpenOf, payBound } from '../../client/bound.ts';
import { transactionDifferences } from '../../client/compare.ts';
import { isCallError } from '../../client/errors.ts';
import { byExternalId } from '../../client/find-payment.ts';
import { requestDigest } from '../../client/identity.ts';
import { aboveWords, type Cost, costText, isAbove, looksAbove } from '../../client/limit.ts';
import { predictedRefusal } from '../../client/predicted-refusal.ts';
import type { Asked } from '../../client/writes.ts';
import { createAndFundTransaction } from '../../contract/operations/transactions.ts';
import { isCalledOff } from '../../contract/states/money.ts';
import { invariant } from '../../core/invariants.ts';
import type * as Public from '../client-types.ts';
import { CheckError } from './errors.ts';
import { leftUnknown, openDebit, openPayment } from './left-open.ts';
import type { WriteMoney } from './money.ts';
import { madeOtherwiseWords, notSent, unknown } from './outcome.ts';
import type { Settle } from './repeat.ts';
import type { Scope } from './scope.ts';

export interface Payer {
  scope: Scope;
  write: WriteMoney;
  settle: Settle;
}

type Outcome = Public.Outcome<Public.Transaction>;
/** A transaction that is there, with the intent that made it. */
type Made = Extract<Outcome, { outcome: 'applied' }>;

interface Within {
  payment: Public.NamedTransaction;
  limit: string;
  /** The options of each of its writes. */
  money: Public.MoneyOptions;
  terms: Public.CallOptions;
}

/** @throws what the journal throws: nothing was sent */
export async function payWithin(payer: Payer, within: Within): Promise<Outcome> {
  try {
    return await paidWithin(payer, within);
  } catch (error) {
    // A read before the first write broke off, or said no: what was written answers by its outcome.
    if (!isCallError(error)) throw error;
    const { payment } = within;
    const asked = { plan: 'create', transaction: payment, fund: false, awaitsDebit: true } as const;
    const { scope } = payer;
    const left = await openPayment(scope, requestDigest(scope.account, asked), payment.external_id);
    return left === undefined ? notSent(error) : leftUnknown(left, error.message);
  }
}

async function paidWithin(payer: Payer, within: Within): Promise<Outcome> {
  const { payment, limit, money, terms } = within;
  const client = payer.scope.client(terms);
  const standing = await byExternalId(client)(payment.external_id);
  const open = standing !== undefined && isOpenOf(payment, standing) ? standing : undefined;
  const asked = { plan: 'create', transaction: payment, fund: false, awaitsDebit: true } as const;
  // A transaction that is over, or another payment, is answered as it is, whatever it would cost now.
  const cost = open ?? (standing === undefined ? await calculated(client, payment) : undefined);
  if (cost !== undefined && looksAbove(cost, limit)) return refuseAbove(payer, { asked, cost, limit, open });
  return payBound<Made, Outcome>(
    { most: limit, asked: payment },
    {
      async create() {
        const created = await payer.write<Public.Transaction>(
          {
            asked,
            externalId: payment.external_id,
            summary: `create, to pay at most ${costText(limit, payment.input_currency)}`,
            isBound: true,
            ...(standing === undefined && cost && { check: () => refuseHopeless(payer, within, cost) }),
          },
          money,
        );
        if (created.outcome !== 'applied') return { ended: created };
        return { made: created, transaction: created.record, intent: created.intent };
      },
      paidBefore: (made) => paidBefore(payer, made, terms),
      over: async (made) => usedUp(made, `${payment.external_id} is ${made.record.state}, and pays nobody`),
      above: (made) => callOff(payer, within, made),
      otherwise: async (made) => otherwise(payment, made),
      pay: (made) => pay(payer, within, made),
    },
  );
}

/**
 * Refuses a payment above its limit, and sends nothing. Where an earlier try of it may still be applied, the outcome is
 * `unknown`: that is no proof that the payment was not made.
 */
async function refuseAbove(
  { scope }: Payer,
  {
    asked,
    cost,
    limit,
    open,
  }: {
    asked: Asked & { plan: 'create' };
    cost: Cost;
    limit: string;
    open: Public.Transaction | undefined;
  },
): Promise<Outcome> {
  const { external_id: externalId } = asked.transaction;
  const left =
    (await openPayment(scope, requestDigest(scope.account, asked), externalId)) ??
    (await openDebit(scope, open?.id));
  if (left !== undefined) return leftUnknown(left);
  const words = aboveWords(cost, limit);
  const stands = open && `its transaction stands unpaid until ${open.expires_at ?? 'its hour is over'}`;
  const said = stands ? `${words}; ${stands}` : words;
  return notSent(new CheckError('above_max_input', createAndFundTransaction.id, said));
}

/** @throws CheckError */
async function refuseHopeless({ scope }: Payer, { payment, terms }: Within, cost: Cost): Promise<void> {
  const refusal = await predictedRefusal(scope.client(terms), payment, cost);
  if (refusal !== undefined) throw new CheckError(refusal.code, createAndFundTransaction.id, refusal.message);
}

/** It is paid: a debit that an earlier try left open is settled by looking, and nothing is sent. */
async function paidBefore({ scope, settle }: Payer, made: Made, terms: Public.CallOptions): Promise<Outcome> {
  const debit = await openDebit(scope, made.record.id);
  // A debit that cannot be settled now stands open, and is settled later: it is paid either way.
  if (debit !== undefined) await settle(debit, { ...terms, look: true }).catch(() => undefined);
  return made;
}

/** Its external id names it for ever, so another payment takes another. */
const usedUp = ({ record, intent }: Made, why: string): Outcome => ({
  outcome: 'not_applied',
  why: `${why}: its external id is used up, so take another`,
  error: undefined,
  conflict: { record, differences: ['state: it was called off'] },
  intent,
});

/** A debit of it would pay a thing not asked for, or be the second of two. */
const otherwise = (payment: Public.NamedTransaction, { record, intent }: Made): Outcome => ({
  ...unknown(madeOtherwiseWords(record, transactionDifferences(payment, record))),
  intent,
});

/** The rate moved between the calculation and the creation. Nothing was paid, whether it can be called off or not. */
async function callOff({ scope, write }: Payer, { limit, terms }: Within, made: Made): Promise<Outcome> {
  const { record, intent } = made;
  const debit = await openDebit(scope, record.id);
  if (debit !== undefined) return leftUnknown(debit);
  const why = aboveWords(record, limit, { moved: true });
  let isOff = (record.recipients ?? []).length > 0;
  for (const { id } of record.recipients ?? []) {
    const ids = { recipientId: id ?? '', transactionId: record.id };
    const asked = { plan: 'cancel', ...ids } as const;
    const cancelled = await write<Public.Recipient>(
      { asked, subject: ids.recipientId, transactionId: record.id, summary: 'call off: above its limit' },
      terms,
    ).catch(() => undefined);
    isOff &&= cancelled?.outcome === 'applied' && isCalledOff(cancelled.record.state);
  }
  if (isOff) return usedUp(made, `${why}; it was called off`);
  return {
    outcome: 'not_applied',
    why: `${why}; it could not be called off, nobody pays it, and it ends by itself after its hour`,
    error: undefined,
    conflict: undefined,
    intent,
  };
}

/**
 * Pays the transaction that was made. An error of the debit is answered as an outcome and not thrown: the transaction
 * is there, and stands unpaid.
 */
async function pay({ write }: Payer, { payment, limit, money }: Within, made: Made): Promise<Outcome> {
  const { record, intent } = made;
  invariant(!isAbove(record, limit), 'nothing is paid above its limit');
  const { input_amount: amount, input_currency: currency } = record;
  const unpaid = `the transaction stands unpaid until ${record.expires_at ?? 'its hour is over'}, and the same call goes on with it`;
  try {
    const paid = await write<Public.Transaction>(
      {
        asked: { plan: 'debit', debit: debitOf(record), payment: intent.digest },
        externalId: payment.external_id,
        subject: record.id,
        transactionId: record.id,
        amount: amount ?? undefined,
        currency: currency ?? undefined,
        summary: `pay ${amount} ${currency}`,
        isBound: true,
      },
      { ...money, newPayment: false },
    );
    if (paid.outcome === 'not_applied') return { ...paid, why: `${paid.why}; ${unpaid}` };
    if (paid.outcome === 'unknown' || paid.record.state) return paid;
    return { ...paid, record: { id: record.id, external_id: payment.external_id } };
  } catch (error) {
    const why = `it was created, and its debit was not sent (${(error as Error).message}): ${unpaid}`;
    const call = isCallError(error) ? error : undefined;
    return { outcome: 'not_applied', why, error: call, conflict: undefined, intent };
  }
}
