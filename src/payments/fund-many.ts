/**
 * Several transactions funded from the balance, one after the other. Each has its own intent and its own ending: what is refused or
 * stays unknown for one says nothing about the next, so the others are still paid.
 */

import { isAbove, readLimit } from '../client/limit.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { money } from '../core/amount-words.ts';
import { invariant } from '../core/invariants.ts';
import { add } from '../core/money.ts';
import type { Hint } from '../core/next.ts';
import { type Category, Problem, usage } from '../core/problem.ts';
import { byName, byTotal } from './confirmation.ts';
import { releaseForDay } from './day-ceiling.ts';
import type { Desk } from './desk.ts';
import { earlierDebit } from './duplicate-check.ts';
import { type FundPlan, fund, paymentNames, planFunding } from './fund.ts';
import type { WritePermit, WriteStep } from './gate.ts';
import type { FoundTransaction } from './lookup/transaction.ts';
import { problemOf } from './problem-of.ts';

export interface FundEnding {
  transaction: Transaction;
  ending: 'funded' | 'not funded' | 'unknown';
  why?: Hint;
  /** The category of the problem that kept it from being funded. */
  category?: Category;
}

export interface FundingsPlan {
  /** The payments that were named, in that order: a plan, or the ending of one for which nothing is sent. */
  named: readonly (FundPlan | FundEnding)[];
  plans: readonly FundPlan[];
  /** `29.98 EUR`, for each currency. */
  total: string;
  step: WriteStep;
}

/** @throws Problem (usage) where it comes to more than `maxInput` */
export async function planFundings(
  desk: Desk,
  found: readonly FoundTransaction[],
  maxInput: string | undefined,
): Promise<FundingsPlan> {
  const named: (FundPlan | FundEnding)[] = [];
  for (const one of found) named.push(await planOrEnding(desk, one));
  const plans = named.filter((one) => 'step' in one);
  const amounts = plans.flatMap(({ step }) => step.amounts ?? []);
  refuseAbove(plans, maxInput);
  const total = [...totalsOf(plans)].map(([currency, amount]) => money(amount, currency)).join(' and ');
  return {
    named,
    plans,
    total,
    step: {
      effect: 'money',
      explicitId: found.every(({ explicit }) => explicit),
      amounts,
      question: (account) => `Pay ${total} from the ${account} balance, for ${countOf(plans)}?`,
      confirm: byTotal(amounts, byName(countOf(plans))),
      what: [...plans.flatMap(({ step }) => step.what), `in all ${total} for ${countOf(plans)}`],
    },
  };
}

async function planOrEnding(desk: Desk, found: FoundTransaction): Promise<FundPlan | FundEnding> {
  const { transaction } = found;
  const isOpen = transaction.state === 'approved';
  const earlier = isOpen || !transaction.id ? undefined : await earlierDebit(desk, transaction.id);
  if (earlier !== undefined) return { transaction, ending: 'funded', why: earlier };
  try {
    return planFunding(desk, found);
  } catch (error) {
    return refused(transaction, error);
  }
}

export const countOf = (plans: readonly FundPlan[]): string =>
  plans.length === 1 ? '1 payment' : `${plans.length} payments`;

function totalsOf(plans: readonly FundPlan[]): Map<string, string> {
  const totals = new Map<string, string>();
  for (const { transaction } of plans) {
    const { input_amount: amount, input_currency: currency } = transaction;
    if (amount && currency) totals.set(currency, add(totals.get(currency) ?? '0', amount));
  }
  return totals;
}

/** @throws Problem (usage) */
export function refuseAbove(plans: readonly FundPlan[], maxInput: string | undefined): void {
  if (maxInput === undefined) return;
  const silent = plans.find(
    ({ transaction: { input_amount: amount, input_currency: currency } }) => !amount || !currency,
  );
  if (silent !== undefined)
    throw usage(`what transaction ${silent.transaction.id} costs cannot be read, so no limit can be kept`);
  const totals = totalsOf(plans);
  if (totals.size > 1)
    throw usage(
      `these are paid in ${[...totals.keys()].join(' and ')}, and a limit is in one currency`,
      'fund those of one currency at a time',
    );
  for (const [currency, total] of totals) {
    const limit = readLimit(maxInput, currency);
    if (isAbove({ input_amount: total, input_currency: currency }, limit))
      throw usage(
        `this costs ${money(total, currency)}, more than ${money(limit, currency)}`,
        'raise the limit, or pay less',
      );
  }
}

/** Follows the order in which they were named; after Ctrl-C nothing more is sent. */
export async function fundAll(
  desk: Desk,
  permit: WritePermit,
  { named }: FundingsPlan,
  { newPayment, isStopped }: { newPayment: boolean; isStopped: () => boolean },
): Promise<FundEnding[]> {
  const endings: FundEnding[] = [];
  for (const one of named) {
    if (!('step' in one)) endings.push(one);
    else if (isStopped()) {
      await releaseForDay(desk, permit, paymentNames(one.transaction));
      endings.push({ transaction: one.transaction, ...STOPPED });
    } else endings.push(await fundOne(desk, permit, one, newPayment));
  }
  invariant(endings.length === named.length, 'every transaction that was named has its ending');
  return endings;
}

const STOPPED = { ending: 'not funded', why: 'stopped before it was sent', category: 'interrupted' } as const;

async function fundOne(
  desk: Desk,
  permit: WritePermit,
  plan: FundPlan,
  newPayment: boolean,
): Promise<FundEnding> {
  try {
    const { transaction, notes } = await fund(desk, permit, plan, { newPayment });
    return { transaction, ending: 'funded', ...(notes[0] === undefined ? {} : { why: notes[0] }) };
  } catch (error) {
    return refused(plan.transaction, error);
  }
}

function refused(transaction: Transaction, error: unknown): FundEnding {
  const { message, facts } = error instanceof Problem ? error : problemOf(error);
  const isUnknown = facts.category === 'unknown' || facts.outcome === 'unknown';
  return {
    transaction,
    ending: isUnknown ? 'unknown' : 'not funded',
    why: isUnknown && facts.hint !== undefined ? facts.hint : message,
    category: isUnknown ? 'unknown' : facts.category,
  };
}
