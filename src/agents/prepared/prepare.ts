/**
 * Prepares a write for a person to carry out: nothing is sent but reads and a calculation. If the process dies before the plan is kept, nothing
 * happened; after it, the same wish again is the same plan.
 */

import { detailDifferences } from '../../client/compare.ts';
import { requestDigest } from '../../client/identity.ts';
import { wrongDetailsIn } from '../../contract/corridors/wrong-details.ts';
import type { RecipientWrite, Transaction } from '../../contract/resources/transaction.ts';
import { firstKeyOf } from '../../core/account.ts';
import { unsent } from '../../core/problem.ts';
import { checkBody, draftOf } from '../../payments/body.ts';
import { calculate } from '../../payments/calculate.ts';
import { planCancel, refusePredictedRefusal } from '../../payments/cancel.ts';
import { dayLines } from '../../payments/day-ceiling.ts';
import type { Desk } from '../../payments/desk.ts';
import { editOf, planEdit, refuseUneditable } from '../../payments/edit-recipient.ts';
import { noConfirmer, type WriteStep } from '../../payments/gate.ts';
import { mostOfOne } from '../../payments/limits.ts';
import { findRecipient, findRecipients } from '../../payments/lookup/recipient.ts';
import { refuseGaps } from '../../payments/missing-fields.ts';
import { paymentStep, planPayment } from '../../payments/plan.ts';
import type { Similar } from '../../payments/recent-payments.ts';
import { namingSender } from '../../payments/sender-words.ts';
import { serviceDate } from '../../payments/service-time.ts';
import { looksMasked } from '../../payments/words/mask.ts';
import { maskedRecipient, maskedSummary } from '../../payments/words/payment-lines.ts';
import { isAccountField } from '../../payments/words/person.ts';
import { guardDetails } from '../../payments/wrong-accounts.ts';
import { accountOf } from '../../profiles/connection.ts';
import type { NewPrepared, Prepared } from '../store/port.ts';
import { createPrepared } from '../store/prepared.ts';
import { ofPlan, paidAlike, planNames, referenceOf } from './alike.ts';
import type { PlanStatus } from './plan-state.ts';
import { isExpired, ofPayment, planStatusOf } from './plan-status.ts';
import {
  alikeTexts,
  type CorrectionWish,
  detailsSeen,
  handleOf,
  type PreparedPayment,
  referenceId,
  type Wish,
  wishDigest,
} from './wish.ts';

export type PreparedAs =
  | {
      kind: 'planned';
      plan: Prepared;
      standing: PlanStatus;
      lines: readonly string[];
      cost: Transaction | undefined;
    }
  /** The reference names another payment, or one that came back: a payment has its reference for ever. */
  | { kind: 'taken'; standing: PlanStatus }
  /** Other payments of the last week look like this one. */
  | { kind: 'alike'; earlier: readonly Similar[] };

export interface PaymentAsk {
  reference: string;
  sender: string;
  type: string;
  amount: string;
  inputCurrency: string;
  currency?: string | undefined;
  recipientType?: string | undefined;
  details: Readonly<Record<string, string>>;
  notTheSameAs: readonly string[];
}

/** @throws Problem where the payment cannot be right, or the service refuses its calculation */
export async function preparePayment(desk: Desk, ask: PaymentAsk, by: string): Promise<PreparedAs> {
  const { reference, details, notTheSameAs: given, ...flags } = ask;
  const external_id = referenceId(reference);
  refuseMasked(details);
  const plain = withoutMarks(details);
  const draft = draftOf(undefined, { ...flags, details: plain, externalId: external_id, senderFields: {} });
  await refuseGaps(draft);
  const body = checkBody(structuredClone(draft));
  await guardDetails(desk, { confirmer: noConfirmer, asWritten: false }, await wrongDetailsIn(body));
  const wish: PreparedPayment = { kind: 'payment', body: { ...body, external_id } };
  const before = await ofPayment(desk, wish);
  if (before?.state === 'taken' || before?.state === 'not_applied')
    return { kind: 'taken', standing: before };
  const notTheSameAs = await planNames(desk, given);
  const { earlier, unread } =
    before === undefined ? await paidAlike(desk, wish, notTheSameAs) : { earlier: [], unread: [] };
  if (earlier.length > 0) return { kind: 'alike', earlier };
  // What stands already is not priced: a price that cannot be had would read as a refusal of it.
  if (before !== undefined && before.state !== 'planned')
    return keep(desk, wish, { by, notTheSameAs, summary: maskedSummary(body) });
  const cost = await namingSender(desk, body, () => calculate(desk, body));
  const { limits } = await desk.connection();
  const allowed = mostOfOne(limits);
  const plan = planPayment({ body: wish.body, fund: true, maxInput: undefined, allowed });
  return keep(desk, wish, {
    ...{ by, notTheSameAs, cost },
    summary: maskedSummary(body),
    lines: [
      ...unread,
      ...linesOf(paymentStep(desk, plan, cost)),
      ...(await dayLines(desk, body.input_currency)),
    ],
  });
}

/** @throws Problem where it cannot be corrected */
export async function prepareCorrection(
  desk: Desk,
  { id, details: given }: { id: string; details: Readonly<Record<string, string>> },
  by: string,
): Promise<PreparedAs> {
  refuseMasked(given);
  const details = withoutMarks(given);
  if (Object.values(details).every((value) => value.trim() === ''))
    throw unsent(
      'usage',
      'empty_correction',
      'a correction names the details that change, and here is none',
      'name each as it is to be, such as bank_account',
    );
  const found = await findRecipient(desk, id, { use: 'write' });
  const { recipient } = found;
  const current = recipient.payout_method?.details;
  const wish: CorrectionWish = {
    kind: 'correction',
    recipientId: recipient.id ?? id,
    details,
    seen: detailsSeen(current),
  };
  const summary = `correct ${Object.keys(details).join(', ')} of ${maskedRecipient(recipient)}`;
  if (detailDifferences(details, current ?? {}).length === 0) return keep(desk, wish, { by, summary });
  refuseUneditable(recipient);
  const guard = { confirmer: noConfirmer, asWritten: false };
  const plan = await planEdit(desk, found, { details, skipValidation: false, nameAsGiven: false, guard });
  const [account, { intents }] = await Promise.all([desk.connection(), desk.store()]);
  const sends = requestDigest(account, editOf(plan));
  const [newest] = await intents.list({ limit: 1 });
  return keep(desk, { ...wish, sends, after: newest?.id }, { by, summary, lines: linesOf(plan.step) });
}

/** @throws Problem (conflict) where one alone cannot be cancelled */
export async function prepareCancel(
  desk: Desk,
  { ids, request }: { ids: readonly string[]; request: boolean },
  by: string,
): Promise<PreparedAs> {
  const found = await findRecipients(desk, ids, { use: 'write' });
  const plan = await planCancel(desk, found, { request, waitMs: undefined });
  const recipientIds = found.map(({ recipient }) => recipient.id ?? '');
  refusePredictedRefusal(plan);
  const summary = `cancel ${found.map(({ recipient }) => maskedRecipient(recipient)).join('; ')}`;
  return keep(desk, { kind: 'cancel', recipientIds, request }, { by, summary, lines: linesOf(plan.step) });
}

export interface NewPlan {
  by: string;
  summary: string;
  lines?: readonly string[];
  notTheSameAs?: readonly string[];
  cost?: Transaction;
  /** Whom a run pays; a payment says it itself. */
  recipients?: readonly RecipientWrite[];
}

export async function keep(
  desk: Desk,
  wish: Wish,
  { by, summary, lines = [], notTheSameAs = [], cost, recipients = [] }: NewPlan,
): Promise<PreparedAs> {
  const [account, store] = await Promise.all([desk.connection().then(accountOf), desk.store()]);
  const { intents } = store;
  const prepared = store.part(createPrepared);
  // By its first key: a wish is the same after the key was changed.
  const first = { ...account, ...firstKeyOf(account, await intents.joins()) };
  const digest = wishDigest(first, wish);
  const plan: NewPrepared = {
    ...{ handle: handleOf(digest), digest, account, kind: wish.kind, wish: JSON.stringify(wish) },
    ...{ summary, notTheSameAs, by },
    alike: alikeTexts(account, wish, wish.kind === 'payment' ? wish.body.recipients : recipients),
    plannedAt: await serviceDate(desk),
  };
  const now = plan.plannedAt ?? desk.clock.now();
  // A plan that stands already was compared when it was made; a plan of another agent may have been made just now.
  const ended = await prepared.keep(plan, (alike) => {
    const others = otherPlans(alike, now, notTheSameAs);
    return others.length > 0 ? others : undefined;
  });
  if ('refused' in ended) return { kind: 'alike', earlier: ended.refused.map(ofPlan) };
  const { kept } = ended;
  return { kind: 'planned', plan: kept, standing: await planStatusOf(desk, kept, wish), lines, cost };
}

export const otherPlans = (alike: readonly Prepared[], now: number, names: readonly string[]): Prepared[] =>
  alike.filter((one) => !isExpired(one, now) && !isNamed(one, names));

const isNamed = (plan: Prepared, names: readonly string[]): boolean =>
  names.includes(plan.handle) || names.includes(referenceOf(plan) ?? '');

const linesOf = ({ what }: WriteStep): readonly string[] => what.map((line) => line.trim());

/** People write blanks and dashes into account numbers; a plan is the same with them and without. */
const withoutMarks = (details: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      isAccountField(name) ? value.replace(/[\s-]/g, '') : value,
    ]),
  );

function refuseMasked(details: Readonly<Record<string, string>>): void {
  const masked = Object.keys(details).filter((name) => looksMasked(details[name] ?? ''));
  if (masked.length > 0)
    throw unsent(
      'usage',
      'masked_value',
      `a masked value is no account: ${masked.join(', ')}`,
      'write all of it',
    );
}
