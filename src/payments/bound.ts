/**
 * A payment under a limit, at the desk: what it adds to `client/bound.ts`, which has the steps and what happens where the process dies. It
 * takes the next external id where one is used up, asks the gate, and has the words.
 */
import { type BoundSteps, isOpenOf, isSamePayment, payBound } from '../client/bound.ts';
import { byExternalId } from '../client/find-payment.ts';
import { aboveWords } from '../client/limit.ts';
import { predictedRefusal } from '../client/predicted-refusal.ts';
import type { Intent } from '../client/store/port.ts';
import { createDebits } from '../contract/operations/accounts.ts';
import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { invariant } from '../core/invariants.ts';
import { hint } from '../core/next.ts';
import { Problem, refuse } from '../core/problem.ts';
import { countAgain, releaseForDay, releaseOnFailure } from './day-ceiling.ts';
import { type Desk, tell } from './desk.ts';
import { fund, paymentNames, planFunding } from './fund.ts';
import type { WritePermit } from './gate.ts';
import { hearFunded } from './lookup/found-later.ts';
import { freeId, hasExpired } from './next-id.ts';
import { madeOtherwise } from './outcome-problem.ts';
import { createPayment, type PaymentPlan } from './plan.ts';
import { problemOf } from './problem-of.ts';
import { settleLeftOpen } from './settle.ts';
import type { Written } from './write.ts';

export interface Bound {
  plan: PaymentPlan;
  /** Made by this same command before, and not paid: then its amount is what counts, and not that of a new calculation. */
  standing: Transaction | undefined;
  /** No transaction has its external id yet, as far as one can know. */
  isNew: boolean;
  /** The names under which it is counted for the day, as far as it has any yet. */
  names: readonly string[];
}

/**
 * Returns the transaction that the limit is held against: one of an earlier try, or a new one. One that ended
 * unpaid after its hour has used up its external id, so the next one is taken.
 */
export async function boundPayment(desk: Desk, plan: PaymentPlan): Promise<Bound> {
  const { external_id: asked } = plan.body;
  if (asked === undefined) return { plan, standing: undefined, isNew: true, names: [] };
  const { externalId, standing } = await freeId(
    byExternalId(await desk.client()),
    asked,
    (found) => hasExpired(found) && isSamePayment(plan.body, found),
  );
  if (externalId !== asked)
    tell(
      desk,
      `${asked} was not paid within its hour, and its external id is used up: this is ${externalId}`,
    );
  const named = { ...plan, body: { ...plan.body, external_id: externalId } };
  return {
    plan: named,
    standing: standing !== undefined && isOpenOf(named.body, standing) ? standing : undefined,
    isNew: standing === undefined,
    names: paymentNames({ id: standing?.id, external_id: externalId }),
  };
}

/** Returns what stands unpaid where it costs more than the limit. @throws Problem where it was not paid, or it is unknown */
export async function payAtMost(
  desk: Desk,
  permit: WritePermit,
  {
    plan,
    isNew,
    calculation,
    newPayment,
  }: Omit<Bound, 'standing' | 'names'> & { calculation: Transaction; newPayment: boolean },
): Promise<Written<Transaction> | { above: Transaction }> {
  const { most } = plan;
  invariant(most !== undefined, 'a payment is bound by a limit');
  const check = () => refuseHopeless(desk, plan.body, calculation);
  let isDebited = false;
  const steps: BoundSteps<Written<Transaction>, Written<Transaction> | { above: Transaction }> = {
    async create() {
      const how = { newPayment, goesOn: true, ...(isNew && { check }) };
      const made = await createPayment(desk, permit, { ...plan, fund: false }, { ...how, awaitsDebit: true });
      return { made, transaction: made.value, intent: await intentOf(desk, made) };
    },
    async paidBefore(made) {
      await settleLeftOpen(desk, createDebits.id, made.value.id);
      await hearFunded(desk, made.value);
      return made;
    },
    over: async (made) => made,
    above: async ({ value }) => ({ above: value }),
    async otherwise(made) {
      await releaseForDay(desk, permit);
      throw madeOtherwise(plan.body, made.value);
    },
    async pay(made) {
      if (made.how === 'existing' || made.how === 'earlier')
        tell(desk, 'it was created before, and not paid: it is paid now');
      isDebited = true;
      const { transaction, notes } = await paid(desk, permit, made, plan.body.external_id);
      for (const one of notes) tell(desk, one);
      return { ...made, value: transaction, how: made.how === 'found' ? 'found' : 'answered' };
    },
  };
  const written = await releaseOnFailure(desk, permit, {
    work: () => payBound({ most, asked: plan.body }, steps),
  });
  // It was paid before, or called off: this pass paid nothing.
  if (!isDebited) await releaseForDay(desk, permit);
  return written;
}

async function intentOf(desk: Desk, { intentId }: Pick<Written<Transaction>, 'intentId'>): Promise<Intent> {
  const intent = await (await desk.store()).intents.get(intentId);
  invariant(intent !== undefined, 'what was created is in the journal');
  return intent;
}

async function paid(
  desk: Desk,
  permit: WritePermit,
  { value: transaction, intentId }: Written<Transaction>,
  givenId: string | undefined,
) {
  try {
    const plan = planFunding(desk, { transaction, explicit: true });
    const { input_amount: amount, input_currency: currency } = transaction;
    await countAgain(desk, permit, { amount, currency, names: paymentNames(transaction) });
    const { digest: payment } = await intentOf(desk, { intentId });
    return await fund(desk, permit, plan, { newPayment: false, half: { payment, givenId } });
  } catch (error) {
    const { facts } = problemOf(error);
    if (facts.outcome !== 'not applied') throw error;
    const until = transaction.expires_at ?? 'its hour is over';
    const goOn = hint`the transaction stands unpaid until ${until}: the same command goes on with it`;
    throw new Problem(
      {
        ...facts,
        hint: facts.hint === undefined ? goOn : hint`${facts.hint}; ${goOn}`,
        outcomeNote: 'nothing was paid',
      },
      { cause: error },
    );
  }
}

/** The problem of a transaction that was made, and costs more than was agreed to: nothing is debited, and nothing calls it off. */
export function standsAbove(made: Transaction, most: string): Problem {
  const { id, expires_at: until } = made;
  return refuse(
    'check',
    'above_max_input',
    `${aboveWords(made, most, { moved: true })}: transaction ${id} is made, and not paid`,
    {
      hint: hint`${{ do: 'fund', id: id ?? '' }} pays it at this price, until ${until ?? 'its hour is over'}; unpaid, the service cancels it then`,
      note: 'nothing was paid',
    },
  );
}

/** @throws Problem (validation) where it would be refused once it is created */
async function refuseHopeless(desk: Desk, body: TransactionWrite, cost: Transaction): Promise<void> {
  const refusal = await predictedRefusal(await desk.client(), body, cost);
  if (refusal === undefined) return;
  throw new Problem({
    category: 'validation',
    ...refusal,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}
