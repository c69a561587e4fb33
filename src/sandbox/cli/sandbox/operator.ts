/** Does in a sandbox what the operator of the service would do: senders, reviews, mandates, refunds and balances. */

import { mandateDecisions, reviewDecisions } from '../../../contract/controls/index.ts';
import type { Account } from '../../../contract/resources/account.ts';
import { currencyRule } from '../../../core/currency.ts';
import { parseAmount } from '../../../core/money.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { withChosenMandate } from '../../../payments/cli/ask/find.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { mandateArgument, readName } from '../../../payments/cli/flags/ids.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import { accountView } from '../../../payments/cli/views/account.ts';
import { findSender } from '../../../payments/lookup/sender.ts';
import { findTransaction } from '../../../payments/lookup/transaction.ts';
import { control, controlAccess } from '../control.ts';
import { decidedView } from '../views/sandbox.ts';

const balance = defineCommand({
  description: `Money comes in from outside, as when you transfer some to the operator. The service tells nothing of it but the new balance: no event and no transaction. So remit statement has it as a line that no payment explains, once remit books sync saw the balance before and after.`,
  args: [
    { name: 'CURRENCY', summary: 'of the balance, such as EUR' },
    { name: 'AMOUNT', summary: 'what comes in, with a plus: +5000' },
  ],
  shows: [accountView],
  effect: 'write',
  examples: ['remit sandbox balance EUR +5000', 'remit sandbox balance GHS +1250.50 -o json'],
  read(input) {
    const [code = '', text = ''] = input.args;
    const currency = code.toUpperCase();
    const rule = currencyRule(currency);
    if (!rule) throw usage(`"${code}" is no currency of the service`, 'such as EUR; remit currencies');
    // The plus says that this is added, and not what the balance becomes.
    if (!text.startsWith('+'))
      throw usage(
        `"${text}" has no plus: this command adds to the balance, and does not set it`,
        `with a plus: +${text.replace(/^-/, '') || '500'}`,
      );
    return { currency, amount: parseAmount(text.slice(1), rule.decimals, currency) };
  },
  async run(context, { currency, amount }) {
    const now = await control<Account>(context, 'sandbox.balances.credit', {
      id: currency,
      body: { amount },
    });
    return result(accountView, now);
  },
});

interface AboutSender {
  id: string;
  reason: string | undefined;
}

const senderArgument = { name: 'SENDER', summary: 'the sender’s id or external id' };
const reasonFlag = flags({ reason: { value: 'text', summary: 'the state_reason to give' } });

const readAboutSender = (input: Input<typeof reasonFlag>): AboutSender => ({
  id: input.args[0] ?? '',
  reason: input.flags.reason,
});

async function decideSender(
  context: Context,
  decision: 'approve' | 'reject' | 'ban' | 'unban',
  { id, reason }: AboutSender,
): Promise<Result> {
  await controlAccess(context);
  const senderId = (await findSender(context, id, 'read')).id ?? '';
  const body = { decision, ...(reason === undefined ? {} : { reason }) };
  return result(decidedView, await control(context, 'sandbox.senders.decide', { id: senderId, body }));
}

const approve = defineCommand({
  description:
    'Does what the operator would do, where `remit sandbox settings kyc=operator` is set. Transactions that wait for the sender can be funded then.',
  args: [senderArgument],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox approve customer-17'],
  read: (input): AboutSender => ({ id: input.args[0] ?? '', reason: undefined }),
  run: (context, options) => decideSender(context, 'approve', options),
});

const reject = defineCommand({
  description: 'Does what the operator would do, where `remit sandbox settings kyc=operator` is set.',
  args: [senderArgument],
  flags: reasonFlag,
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox reject customer-17'],
  read: readAboutSender,
  run: (context, options) => decideSender(context, 'reject', options),
});

const ban = defineCommand({
  description: 'Does what the operator would do. --lift ends the ban.',
  args: [senderArgument],
  flags: {
    ...reasonFlag,
    lift: { summary: 'lift the ban' },
  },
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox ban customer-17', 'remit sandbox ban customer-17 --lift'],
  read(input) {
    const { lift, reason } = input.flags;
    if (lift && reason !== undefined)
      throw usage('--lift gives no reason', 'say --reason with a ban, or leave it out');
    return { ...readAboutSender(input), lift };
  },
  run: (context, { lift, ...options }) => decideSender(context, lift ? 'unban' : 'ban', options),
});

const review = defineCommand({
  description: `hold        puts a funded transaction under compliance review (processing)
release     lets it go on; after 24 hours it goes on without this
exception   gives it to the operator
resume      lets one in exception or manual go on
With \`remit sandbox settings review=true\` every funded transaction is reviewed.`,
  args: [
    { name: 'ID', summary: 'the transaction’s id or external id' },
    { name: 'DECISION', summary: reviewDecisions.join(', ') },
  ],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox review invoice-2024-17 release'],
  read(input) {
    const [id = '', decision = ''] = input.args;
    const known = reviewDecisions.find((each) => each === decision);
    if (!known) throw usage(`compliance has no decision "${decision}"`, reviewDecisions.join(', '));
    return { id, decision: known };
  },
  async run(context, { id, decision }) {
    await controlAccess(context);
    const { transaction } = await findTransaction(context, id, 'write');
    const asked = { id: transaction.id ?? '', body: { decision } };
    return result(decidedView, await control(context, 'sandbox.reviews.decide', asked));
  },
});

const refund = defineCommand({
  description:
    'Does what the operator would do. The money of a collection did not come from a balance, so there is no automatic refund.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox refund order-17'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    await controlAccess(context);
    const { transaction } = await findTransaction(context, id, 'write');
    return result(decidedView, await control(context, 'sandbox.refunds.post', { id: transaction.id ?? '' }));
  },
});

const mandate = defineCommand({
  description:
    'A sandbox sends no mail. Payouts that wait for a mandate continue once it is signed or bypassed.',
  args: [mandateArgument, { name: 'STATUS', summary: mandateDecisions.join(', ') }],
  shows: [decidedView],
  effect: 'write',
  examples: [
    'remit sandbox mandate zar-1 signed',
    'remit sandbox mandate 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 signed',
  ],
  read(input) {
    const [, status = ''] = input.args;
    const known = mandateDecisions.find((each) => each === status);
    if (!known) throw usage(`a mandate cannot be "${status}"`, mandateDecisions.join(', '));
    return { given: readName(input, 'remit recipient list shows recipients'), status: known };
  },
  async run(context, { given, status }) {
    await controlAccess(context);
    const decided = await withChosenMandate(context, { given, use: 'write' }, (id) =>
      control(context, 'sandbox.mandates.decide', { id, body: { status } }),
    );
    return result(decidedView, decided);
  },
});

export const commands = { balance, approve, reject, ban, review, refund, mandate };
