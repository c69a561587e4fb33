/** A planned payment is priced, shown, let through and sent: for a person at a terminal, or for one who approves what an agent prepared. */
import { looksAbove, lowerLimit, shownLimit } from '../client/limit.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { hint } from '../core/next.ts';
import { type Problem, unsent } from '../core/problem.ts';
import { calculate } from './calculate.ts';
import { type Desk, tell } from './desk.ts';
import { authorizeWrite, type Confirmer, type WriteStep } from './gate.ts';
import { createPayment, type PaymentPlan, paymentStep } from './plan.ts';
import type { Written } from './write.ts';

export interface Making {
  confirmer: Confirmer;
  plan: PaymentPlan;
  newPayment: boolean;
  /** False where the service is not asked for the price of a payment that no user looks at and no limit binds. */
  isLookedAt: boolean;
  /** Adds to what is shown before the answer. */
  framed?: ((step: WriteStep) => WriteStep) | undefined;
}

/** @throws Problem where it was not made, or it is unknown */
export async function makePayment(desk: Desk, making: Making): Promise<Written<Transaction>> {
  const { confirmer, plan, newPayment, isLookedAt, framed = (step) => step } = making;
  if (plan.fund) return makeWithin(desk, making);
  const calculation = isLookedAt ? await calculate(desk, plan.body) : undefined;
  const permit = await authorizeWrite(desk, framed(paymentStep(desk, plan, calculation)), confirmer);
  return createPayment(desk, permit, plan, { newPayment });
}

/**
 * The same, paid: under a limit that holds whatever the rate does. A person's yes allows what was shown and half a per cent, and no more
 * than `--max-input`. Where the transaction turns out to cost more, nothing is debited, and the person is asked again about what it costs.
 */
async function makeWithin(
  desk: Desk,
  { confirmer, plan, newPayment, framed = (step) => step }: Making,
): Promise<Written<Transaction>> {
  const { boundPayment, payAtMost, standsAbove } = await import('./bound.ts');
  const isAsked = confirmer.stance(await desk.connection()).kind === 'asks';
  const bound = await boundPayment(desk, plan);
  for (let { standing } = bound, above: Problem | undefined; ; ) {
    const calculation = standing ?? (await calculate(desk, bound.plan.body));
    const within = withinShown(bound.plan, calculation, isAsked);
    const step = paymentStep(desk, within, calculation);
    const amounts = step.amounts?.map((one) => ({ ...one, names: bound.names }));
    const permit = await authorizeWrite(desk, framed({ ...step, amounts }), confirmer).catch((error) => {
      throw above ?? error;
    });
    const isNew = bound.isNew && standing === undefined;
    const end = await payAtMost(desk, permit, { plan: within, isNew, calculation, newPayment });
    if (!('above' in end)) return end;
    standing = end.above;
    above = standsAbove(standing, within.most);
    const isWithin = standing.input_amount != null && !looksAbove(standing, plan.most);
    if (!isAsked || !isWithin) throw above;
    tell(desk, above.message);
  }
}

/** @throws Problem (check) where there is no limit, and no price to take for one */
function withinShown(
  plan: PaymentPlan,
  calculation: Transaction,
  isAsked: boolean,
): PaymentPlan & { most: string } {
  const shown = isAsked || plan.limit === undefined ? shownLimit(calculation) : undefined;
  const most = lowerLimit(shown, plan.most);
  if (most !== undefined) return { ...plan, most };
  throw unsent(
    'check',
    'cost_unread',
    'what it costs cannot be read, so a yes would have no limit',
    hint`set one: ${{ give: 'max_input', value: 'AMOUNT' }}`,
  );
}
