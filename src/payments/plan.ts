/**
 * A payment as a plan: what would be sent, what it costs, and the notes about it. `--dry-run`, a confirmation and the call are
 * three uses of one plan.
 *
 * If the process dies: before the intent is written, nothing was sent; after it, settling finds out what became of it
 * (client/intents.ts lists every step).
 */

import { transactionDifferences, writtenOtherwise } from '../client/compare.ts';
import { aboveWords, looksAbove, lowerLimit, readLimit } from '../client/limit.ts';
import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { isCalledOff } from '../contract/states/money.ts';
import { money } from '../core/amount-words.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { unsent } from '../core/problem.ts';
import { roundingNotes } from './body.ts';
import { byName, byRecipients, type Confirmation, type ShownAmount } from './confirmation.ts';
import { type Desk, tell } from './desk.ts';
import { paysNobody } from './duplicate-check.ts';
import type { WritePermit, WriteStep } from './gate.ts';
import { reusableExternalId } from './manual-outcome.ts';
import { incompleteNotes } from './words/payin-lacks.ts';
import { calculationLines, maskedSummary, paymentLines, totalOf } from './words/payment-lines.ts';
import { onAccount, payQuestion, spoken } from './words/questions.ts';
import { type WriteRequest, type Written, write } from './write.ts';

export interface PaymentPlan {
  /** The body that is sent, but for the external id that is made where none was given. */
  body: TransactionWrite;
  /** Created and paid from the balance in one call. */
  fund: boolean;
  /** The most that it may cost, in the currency that is paid in. */
  limit: string | undefined;
  /** The most that may be debited, by the limit and by the profile; where there is none, what is shown decides (`make.ts`). */
  most: string | undefined;
  /** Amounts that the service will round. */
  roundings: string[];
}

export interface PaymentWish {
  body: TransactionWrite;
  fund: boolean;
  maxInput: string | undefined;
  /** The most that the profile allows for one payment, by currency (`mostOfOne`). */
  allowed?: Readonly<Record<string, string>> | undefined;
}

/** Sends nothing. @throws AmountError where `maxInput` is no amount */
export function planPayment({ body, fund, maxInput, allowed = {} }: PaymentWish): PaymentPlan {
  const currency = body.input_currency;
  const limit = maxInput === undefined ? undefined : readLimit(maxInput, currency);
  const most = fund
    ? lowerLimit(limit, Object.hasOwn(allowed, currency) ? allowed[currency] : undefined)
    : undefined;
  return {
    body,
    fund,
    limit,
    most,
    roundings: roundingNotes(body),
  };
}

/**
 * Returns the step that is shown and let through before the payment is sent; `calculation` is the service's
 * own, where it was read.
 * @throws Problem (check) where it would cost more than its limit
 */
export function paymentStep(
  { mask }: Pick<Desk, 'mask'>,
  { body, fund, limit, most }: PaymentPlan,
  calculation: Transaction | undefined,
): WriteStep {
  const lines = paymentLines(body, mask);
  const question = questionFor({ body, fund }, calculation);
  if (calculation === undefined) {
    invariant(!fund || limit === undefined, 'nothing is paid against a limit that was not looked at');
    // No price was read, so the gate must not take it for one without an amount: a profile with limits refuses it.
    return {
      effect: 'money',
      what: lines,
      question,
      confirm: confirmBody(body),
      amounts: [{ amount: null, currency: body.input_currency, isLater: !fund }],
    };
  }
  const { input_amount: amount, input_currency: currency } = calculation;
  if (limit !== undefined && looksAbove(calculation, limit)) {
    throw unsent(
      'check',
      'above_max_input',
      aboveWords(calculation, limit),
      calculation.id
        ? hint`its transaction stands unpaid until ${calculation.expires_at ?? 'its hour is over'}: a higher limit pays it`
        : undefined,
    );
  }
  return {
    effect: 'money',
    what: [
      ...lines,
      ...calculationLines(calculation),
      ...(fund && most !== undefined && !calculation.id
        ? [`at most ${money(most, currency)}, if the rate moves`]
        : []),
    ],
    question,
    confirm: confirmBody(body, { amount, currency }),
    amounts: [{ amount, currency, isLater: !fund }],
  };
}

/** Confirms by its cost; without a price, by its request. */
function confirmBody({ recipients, external_id }: TransactionWrite, cost?: ShownAmount): Confirmation {
  const asked = recipients.map(({ requested_amount: amount, requested_currency: currency }) => ({
    amount,
    currency,
  }));
  return byRecipients(
    recipients.map(({ payout_method }) => payout_method.details),
    cost === undefined ? asked : [cost],
    byName(external_id ?? `${recipients.length} payouts`),
  );
}

/** A payment that is not funded moves nothing yet, and a collection asks the customer for the money. */
function questionFor(
  { body, fund }: Pick<PaymentPlan, 'body' | 'fund'>,
  calculation: Transaction | undefined,
): NonNullable<WriteStep['question']> {
  if (fund && calculation !== undefined)
    return payQuestion(calculation.input_amount, calculation.input_currency);
  const [one] = body.recipients;
  const what =
    one && body.recipients.length === 1
      ? spoken(one.requested_amount, one.requested_currency)
      : `${body.recipients.length} payouts`;
  if ((body.payin_methods ?? []).length > 0)
    return (account) => `Ask the customer to pay ${what}, ${onAccount(account)}?`;
  return (account) => `Create this payment of ${what}, ${onAccount(account)}?`;
}

/** @throws Problem where it was not made, or it is unknown */
export async function createPayment(
  desk: Desk,
  permit: WritePermit,
  { body, fund }: PaymentPlan,
  {
    newPayment,
    awaitsDebit = false,
    ...more
  }: { newPayment: boolean; awaitsDebit?: boolean } & Pick<WriteRequest, 'check' | 'goesOn'>,
): Promise<Written<Transaction>> {
  const madeId = body.external_id === undefined;
  const asked = (external_id: string) =>
    ({
      plan: 'create',
      transaction: { ...body, external_id },
      fund,
      madeId,
      ...(awaitsDebit && { awaitsDebit }),
    }) as const;
  const kept = madeId ? await reusableExternalId(desk, asked('')) : undefined;
  if (kept !== undefined)
    tell(
      desk,
      `somebody said that it was not applied before: it goes on as ${kept}, which the service takes once`,
    );
  const externalId = body.external_id ?? kept ?? `remit-${desk.newId()}`;
  return write<Transaction>(desk, permit, {
    asked: asked(externalId),
    externalId,
    summary: maskedSummary(body),
    ...totalOf(body),
    newPayment,
    ...more,
  });
}

/** It existed, and nothing will be paid by it any more: a script must not go on as if it would. */
export const isCalledOffAlready = ({ how, value }: Pick<Written<Transaction>, 'how' | 'value'>): boolean =>
  (how === 'existing' || how === 'earlier') && isCalledOff(value.state);

/** Returns the notes on a payment that was made. */
export function paymentNotes(
  { how, value }: Pick<Written<Transaction>, 'how' | 'value'>,
  { fund, body }: Pick<PaymentPlan, 'fund' | 'body'>,
): Hint[] {
  const notes: Hint[] = [];
  if (how === 'existing') {
    notes.push(
      'a payment with this external id, and the same amounts and details, exists already: nothing new was created',
    );
  }
  if (isCalledOffAlready({ how, value })) notes.push(overNote(how, value));
  // What is found may have been edited since.
  const edited = how === 'found' ? transactionDifferences(body, value) : [];
  const others = [...edited, ...writtenOtherwise(body, value)];
  if (others.length > 0)
    notes.push(`the service has it otherwise than it was sent, in ${others.join(', ')}: this is what stands`);
  else if (how === 'found') notes.push('the answer was lost; remit looked, and found it, once');
  if ((value.payin_methods ?? []).length > 0) return [...notes, ...collectionNotes(value)];
  if (!fund && value.state === 'approved')
    notes.push(hint`Next, within the hour: ${{ do: 'fund', id: value.id ?? '' }}`);
  return notes;
}

function overNote(how: Written<Transaction>['how'], value: Transaction): Hint {
  const next = how === 'earlier' ? 'run it again' : hint`take another ${{ give: 'external_id' }}`;
  return paysNobody(value)
    ? hint`it is ${value.state ?? ''}: to pay, ${next}`
    : `it is ${value.state}, and not every recipient was cancelled: look at each before you pay again`;
}

function collectionNotes({ id, state, payin_methods: payins }: Transaction): Hint[] {
  if (state !== 'approved' && state !== 'initial') return [];
  return [
    ...(payins ?? []).flatMap(incompleteNotes),
    hint`the customer has an hour to pay; next: ${{ do: 'watch_transaction', id: id ?? '' }}`,
  ];
}
