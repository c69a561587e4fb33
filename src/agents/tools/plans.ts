/** Tools that plan: nothing is sent but reads and a calculation. */
import * as z from 'zod';
import type { ToolCall } from '../call.ts';
import type { PreparedAs } from '../prepared/prepare.ts';
import { asAmount, asCurrency, asTheirs } from '../text.ts';
import { given, PLANS, tool } from '../tool.ts';
import { moneyText } from './look.ts';
import { alikeAnswer, SAYS, standingAnswer, written } from './written.ts';

export function planAnswer(call: ToolCall, made: PreparedAs) {
  if (made.kind === 'alike') return alikeAnswer(null, made.earlier);
  if (made.kind === 'taken') {
    const answer = standingAnswer(call, null, made.standing);
    const isOver = made.standing.state === 'not_applied';
    return {
      ...answer,
      says: isOver
        ? 'NOT APPLIED. This reference was used: its payment came back, or was called off. A new payment needs a reference of its own.'
        : answer.says,
    };
  }
  const { plan, standing, lines, cost } = made;
  const costs =
    cost === undefined
      ? {}
      : { costs: asAmount(cost.input_amount), costs_currency: asCurrency(cost.input_currency) };
  const answer = standingAnswer(call, plan.handle, standing, {
    ...costs,
    ...(standing.state === 'planned' && { lines: lines.slice(0, 20).map(asTheirs) }),
  });
  if (standing.state !== 'planned' || cost === undefined) return answer;
  return {
    ...answer,
    says: `${SAYS.planned} It would cost ${moneyText(cost.input_amount ?? null, cost.input_currency ?? null)}.`,
  };
}

export const notTheSame = z.array(z.string().min(1).max(80)).max(20).optional().meta({
  description:
    'Ids of earlier payments or plans that a person said this one is not. Take them from an answer, never make them up.',
});

export const planPaymentTool = tool({
  name: 'plan_payment',
  title: 'Plan a payment',
  description:
    'Plans one payment from the balance to one payee, and says what it would cost. Nothing is paid. The same payment again is the same plan, however it is spelt. The reference comes from the records of the person: the number of an invoice, an order, a ticket.',
  hints: PLANS,
  needs: 'prepares',
  input: {
    reference: given.text(
      'From the records of the person: the number of the invoice, the order or the ticket that this pays',
    ),
    sender: given.text('The id or the external id of the sender who pays'),
    type: given.text('The payout type, such as NGN::Bank'),
    amount: given.text('Decimal digits in the currency that arrives, such as 25000 or 12.50'),
    currency: given.text('Of the amount, where it is not the one that arrives').optional(),
    pays_in: given.text('The currency that is paid in, such as EUR'),
    recipient_type: z.enum(['person', 'business']).optional(),
    details: z.record(z.string().min(1).max(60), z.string().max(300)).meta({
      description:
        'What the payout type asks of the payee, such as first_name, last_name, bank_code, bank_account',
    }),
    not_the_same_as: notTheSame,
  },
  output: written,
  async run(
    call,
    { reference, sender, type, amount, currency: code, pays_in, recipient_type, details, not_the_same_as },
  ) {
    const { preparePayment } = await import('../prepared/prepare.ts');
    const ask = {
      ...{ reference, sender, type, amount, details, inputCurrency: pays_in.toUpperCase() },
      ...{
        currency: code?.toUpperCase(),
        recipientType: recipient_type,
        notTheSameAs: not_the_same_as ?? [],
      },
    };
    return planAnswer(call, await preparePayment(call.desk, ask, call.client));
  },
});

export const planCorrectionTool = tool({
  name: 'plan_correction',
  title: 'Plan a correction of a payout',
  description:
    'Plans a change of the details of one payout that is not paid yet: it changes where money goes. Nothing is sent.',
  hints: PLANS,
  needs: 'prepares',
  input: {
    id: given.text('The id of the payout (recipient_id)'),
    details: z
      .record(z.string().min(1).max(60), z.string().max(300))
      .meta({ description: 'The details as they are to be, such as bank_account' }),
  },
  output: written,
  async run(call, asked) {
    const { prepareCorrection } = await import('../prepared/prepare.ts');
    return planAnswer(call, await prepareCorrection(call.desk, asked, call.client));
  },
});

export const planCancelTool = tool({
  name: 'plan_cancel',
  title: 'Plan to cancel payouts',
  description:
    'Plans to cancel payouts. With request, the provider is asked although the payout is under way: it may still be paid. Nothing is sent.',
  hints: PLANS,
  needs: 'prepares',
  input: {
    ids: z
      .array(z.string().min(1).max(80))
      .min(1)
      .max(20)
      .meta({ description: 'Ids of payouts (recipient_id)' }),
    request: z.boolean().optional().meta({ description: 'Ask the provider although it is under way' }),
  },
  output: written,
  async run(call, { ids, request = false }) {
    const { prepareCancel } = await import('../prepared/prepare.ts');
    return planAnswer(call, await prepareCancel(call.desk, { ids, request }, call.client));
  },
});
