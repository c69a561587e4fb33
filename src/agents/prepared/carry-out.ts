/**
 * Carries out a plan: looks how it stands, looks again for payments that are alike, and comes through the gate.
 *
 * If the process dies before the gate let it through, nothing was sent, and the plan stands. After it, the write's own intent is on disk before its
 * request leaves (`payments/write.ts`, `payments/cancel.ts`, `payruns/pay.ts`), and `standingOf` finds it there.
 */

import { accountRelation } from '../../core/account.ts';
import { isoTime } from '../../core/clock.ts';
import { hint } from '../../core/next.ts';
import { notFound, type Problem, unsent } from '../../core/problem.ts';
import { cancelRecipients, planCancel, refusePredictedRefusal } from '../../payments/cancel.ts';
import type { Desk } from '../../payments/desk.ts';
import { applyEdit, planEdit, refuseUneditable } from '../../payments/edit-recipient.ts';
import { authorizeWrite, type Confirmer, type WriteStep } from '../../payments/gate.ts';
import { mostOfOne } from '../../payments/limits.ts';
import { findRecipients } from '../../payments/lookup/recipient.ts';
import { makePayment } from '../../payments/make.ts';
import { planPayment } from '../../payments/plan.ts';
import { alikeSince, type Similar } from '../../payments/recent-payments.ts';
import { serviceDate } from '../../payments/service-time.ts';
import { accountOf } from '../../profiles/connection.ts';
import * as runs from '../runs/wish.ts';
import type { Prepared } from '../store/port.ts';
import { createPrepared } from '../store/prepared.ts';
import { paidAlike } from './alike.ts';
import type { Doing, PlanStatus } from './plan-state.ts';
import { carriedOut, planStatusOf } from './plan-status.ts';
import {
  type CancelWish,
  type CorrectionWish,
  detailsSeen,
  type PreparedPayment,
  readWish,
  type Wish,
} from './wish.ts';

export interface FoundPlan {
  plan: Prepared;
  wish: Wish;
}

/**
 * @throws Problem (not_found) for a handle that this machine does not know, or one of another account. It says nothing of what became of the
 * plan: another machine may have carried it out.
 */
export async function findPlan(desk: Desk, given: string): Promise<FoundPlan> {
  const [store, account] = await Promise.all([desk.store(), desk.connection()]);
  const handle = given.trim().toLowerCase();
  const plan = await store.part(createPrepared).get(handle);
  if (plan === undefined)
    throw notFound(
      'this machine has no such plan: it is of another machine, or over a week old and forgotten',
      hint`ask the machine where it was made: ${{ do: 'approve_plan', handle }}`,
    );
  const { baseUrl, keyLast4 } = plan.account;
  if (accountRelation(accountOf(account), plan.account, await store.intents.joins()) !== 'same')
    throw notFound(
      `this plan is of another account (${baseUrl}, key …${keyLast4})`,
      'ask with the profile of that account',
    );
  return { plan, wish: readWish(plan.wish) };
}

export interface Carried {
  standing: PlanStatus;
  /** True where this call sent something. */
  isSent: boolean;
  /** Payments that came since it was planned, and look like it: then nothing was sent. */
  alike: readonly Similar[];
}

/** @throws Problem where it was not applied, or perhaps not */
export async function carryOutPlan(desk: Desk, found: FoundPlan, confirmer: Confirmer): Promise<Carried> {
  const { plan, wish } = found;
  const before = await standingOf(desk, found);
  if (before.state !== 'planned') return { standing: before, isSent: false, alike: [] };
  const { earlier: alike, unread } = await paidAlike(desk, wish, plan.notTheSameAs);
  if (alike.length > 0) return { standing: before, isSent: false, alike };
  const frame = [...unread, ...frameOf(plan)];
  const again = () => refuseStale(desk, found);
  const framed = (step: WriteStep): WriteStep => ({ ...step, what: [...frame, ...step.what], again });
  await DO[wish.kind](desk, wish as never, { confirmer, frame, framed, again });
  return { standing: await planStatusOf(desk, plan, wish), isSent: true, alike: [] };
}

/** @throws Problem (usage) where its time is over, by the service's clock */
async function standingOf(desk: Desk, { plan, wish }: FoundPlan): Promise<PlanStatus> {
  await serviceDate(desk);
  const standing = await planStatusOf(desk, plan, wish);
  if (standing.state === 'expired') throw over();
  return standing;
}

/** All that was asked before the question, once more: a person may have read it for a night. @throws Problem, and nothing is sent */
async function refuseStale(desk: Desk, found: FoundPlan): Promise<void> {
  const { plan, wish } = found;
  const { state } = await standingOf(desk, found);
  if (state !== 'planned')
    throw unsent(
      'conflict',
      'changed_since',
      `this plan is ${state.replaceAll('_', ' ')}: it changed while the question stood`,
      hint`look how it stands: ${{ do: 'approve_plan', handle: plan.handle }}`,
    );
  const { earlier } = await paidAlike(desk, wish, plan.notTheSameAs);
  if (earlier.length > 0) throw alikeSince(earlier);
}

const over = (): Problem =>
  unsent(
    'usage',
    'plan_over',
    'this plan is over three days old: its payee may have changed',
    'plan it again',
  );

/** Shown first: who asked for it, and what it is declared not to be. */
const frameOf = ({ by, createdAt, notTheSameAs }: Prepared): string[] => [
  ...(notTheSameAs.length === 0
    ? []
    : [`SAID NOT TO BE THE SAME AS ${notTheSameAs.join(', ')}: look at both`]),
  `prepared by ${by} at ${isoTime(createdAt)}`,
];

const DO: {
  [K in Wish['kind']]: (desk: Desk, wish: Extract<Wish, { kind: K }>, how: Doing) => Promise<void>;
} = {
  payment: pay,
  correction: correct,
  cancel,
  ...runs.planActs,
};

async function pay(desk: Desk, { body }: PreparedPayment, how: Doing): Promise<void> {
  const { limits } = await desk.connection();
  const plan = planPayment({ body, fund: true, maxInput: undefined, allowed: mostOfOne(limits) });
  await makePayment(desk, { ...how, plan, newPayment: false, isLookedAt: true });
}

/** @throws Problem (conflict) where it was corrected since */
async function correct(desk: Desk, wish: CorrectionWish, { confirmer, framed }: Doing): Promise<void> {
  const [found] = await findRecipients(desk, [wish.recipientId], { use: 'write' });
  if (found === undefined || detailsSeen(found.recipient.payout_method?.details) !== wish.seen)
    throw corrected();
  refuseUneditable(found.recipient);
  const guard = { confirmer, asWritten: false };
  const { details } = wish;
  const plan = await planEdit(desk, found, { details, skipValidation: false, nameAsGiven: false, guard });
  const permit = await authorizeWrite(desk, framed(plan.step), confirmer);
  // Another process may have done it while a person read the question.
  if ((await carriedOut(desk, wish)) !== undefined) throw corrected();
  await applyEdit(desk, permit, plan, { newPayment: false });
}

const corrected = (): Problem =>
  unsent(
    'conflict',
    'changed_since',
    'this payout was corrected since it was planned',
    'look at it, and plan it again',
  );

async function cancel(
  desk: Desk,
  { recipientIds, request }: CancelWish,
  { confirmer, framed }: Doing,
): Promise<void> {
  const found = await findRecipients(desk, recipientIds, { use: 'write' });
  const plan = await planCancel(desk, found, { request, waitMs: undefined });
  refusePredictedRefusal(plan);
  await cancelRecipients(desk, await authorizeWrite(desk, framed(plan.step), confirmer), plan);
}
