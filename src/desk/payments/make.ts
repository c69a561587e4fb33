/** A planned payment is priced, shown, let through and sent: whoever asks, a person at a terminal or somebody who approves what an agent prepared. */
import type { Transaction } from '../../contract/resources/transaction.ts';
import type { Desk } from '../desk.ts';
import { calculate } from './calculate.ts';
import { type Approver, admit, type Step } from './gate.ts';
import { createPayment, type PaymentPlan, paymentStep } from './plan.ts';
import type { Written } from './write.ts';

export interface Making {
  approver: Approver;
  plan: PaymentPlan;
  newPayment: boolean;
  /** False where the service is not asked for the price of a payment that nobody looks at, and that no limit binds. */
  isLookedAt: boolean;
  /** Adds to what is shown before the answer. */
  framed?: (step: Step) => Step;
}

/** @throws Problem where it was not made, or nobody can say */
export async function makePayment(desk: Desk, making: Making): Promise<Written<Transaction>> {
  const { approver, plan, newPayment, isLookedAt, framed = (step) => step } = making;
  if (plan.most !== undefined) return makeWithin(desk, making);
  const calculation = isLookedAt ? await calculate(desk, plan.body) : undefined;
  const pass = await admit(desk, framed(paymentStep(desk, plan, calculation)), approver);
  return createPayment(desk, pass, plan, { newPayment });
}

/** The same, under a limit that holds whatever the rate does. */
async function makeWithin(
  desk: Desk,
  { approver, plan, newPayment, framed = (step) => step }: Making,
): Promise<Written<Transaction>> {
  const { boundPayment, payWithin } = await import('./bound.ts');
  const bound = await boundPayment(desk, plan);
  const calculation = bound.standing ?? (await calculate(desk, bound.plan.body));
  const step = paymentStep(desk, bound.plan, calculation);
  const amounts = step.amounts?.map((one) => ({ ...one, names: bound.names }));
  const pass = await admit(desk, framed({ ...step, amounts }), approver);
  return payWithin(desk, pass, { ...bound, calculation, newPayment });
}
