/**
 * Creates a transaction; with --fund it is paid too, by a debit of a known amount under a limit. It is calculated first. One plan (desk/payments/plan.ts) is shown by --dry-run, confirmed, and sent.
 */
import { getPayinMethod } from '../../../contract/operations/payin-methods.ts';
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { money } from '../../../core/amount-words.ts';
import { type Problem, usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { flagWords, sameCommand } from '../../../frame/output/command-line.ts';
import type { Confirmer } from '../../gate.ts';
import { mostOfOne } from '../../limits.ts';
import { seenIn } from '../../lookup/transaction.ts';
import { makePayment } from '../../make.ts';
import { isCalledOffAlready, type PaymentPlan, paymentNotes, planPayment } from '../../plan.ts';
import { besideAlike } from '../../recent-payments.ts';
import { namingSender } from '../../sender-words.ts';
import { throughForm } from '../ask/form.ts';
import { paymentFrom } from '../ask/payment.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { paymentFlags, paymentWords, readPaymentFlags } from '../flags/payment.ts';
import { readWait, waitFlags } from '../flags/wait.ts';
import { type Result, result } from '../result.ts';
import { dryRunView } from '../views/dry-run.ts';
import { transactionView } from '../views/transaction.ts';

export const command = defineCommand({
  description: `Without --fund the transaction waits up to an hour to be funded (remit tx fund).
With --payin it is a collection: the sender is asked to pay, and has an hour. --type CURRENCY::Balance credits your balance, any other type pays out once the money is there.
With --fund it is paid from your balance. The amounts are calculated and shown first; then the transaction is created, compared with the limit, and paid by a debit of exactly what it costs. Above the limit nothing is debited (10), and the transaction stands unpaid for its hour: a person is shown what it costs and asked again. A person’s limit is the price that was shown and 0.5 % more, and at most --max-input; --yes, and a script, need --max-input. A max_amount or max_per_day of the profile holds too.
On a terminal, what is missing is asked: Esc goes back one question, and all answers are shown before anything is sent.`,
  flags: {
    ...paymentFlags,
    fund: { summary: 'pay it from the balance at once' },
    maxInput: {
      value: 'amount',
      summary: 'with --fund: do not pay more than this, in the currency you pay in',
    },
    ...waitFlags('it is paid or needs someone; with --fund'),
    newPayment: { summary: 'make it although the same was made, or sent and not settled, before' },
    dryRun: { summary: 'show the request and the amounts as they will be rounded; sends nothing' },
  },
  shows: [transactionView, dryRunView],
  effect: 'money',
  exits: [exitCodes.pending],
  examples: [
    'remit tx create',
    'remit tx create --file payment.yaml --fund --max-input 15.50 --wait --yes',
    'remit tx create --input-currency EUR --amount 5000 --type NGN::Bank --sender customer-17 --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456700',
    'remit tx create --payin GHS::Mobile --payin-flow ussd_popup --payin-detail phone_number=+233302123400 --payin-detail mobile_provider=mtn --amount 50 --type GHS::Balance --detail reference=order-17 --sender customer-17',
    'remit tx create --from wages-1 --external-id wages-1-again --amount 26000 --dry-run',
  ],
  read(input) {
    const fund = input.flags.fund;
    if (fund && input.flags.payin !== undefined)
      throw usage('a collection is paid by its payin, not from the balance', 'leave --fund out');
    const maxInput = input.flags.maxInput;
    if (maxInput !== undefined && !fund) throw usage('--max-input goes with --fund');
    const waitMs = readWait(input);
    if (waitMs !== undefined && !fund)
      throw usage('--wait goes with --fund', 'remit tx watch follows any other');
    return {
      payment: readPaymentFlags(input),
      fund,
      maxInput,
      newPayment: input.flags.newPayment,
      dryRun: input.flags.dryRun,
      waitMs,
    };
  },
  async run(context, { payment, fund, maxInput, newPayment, dryRun, waitMs }) {
    const { form, draft, body: bodyOf } = await paymentFrom(context, payment);
    return throughForm(context, form, async (confirmer, wasAsked) => {
      const { transaction: body, isAsWritten } = await bodyOf(confirmer);
      const { limits } = await context.connection();
      const plan = planPayment({ body, fund, maxInput, allowed: mostOfOne(limits) });
      for (const note of plan.roundings) context.say(note);
      const isAsked = confirmer.stance(await context.connection()).kind === 'asks';
      if (fund && plan.limit === undefined && !isAsked && !dryRun) throw needsLimit();
      const argv = [
        ...paymentWords(draft),
        ...flagWords({
          'max-input': maxInput,
          timeout: waitMs === undefined ? undefined : `${waitMs / 1_000}s`,
        }),
      ];
      const switches = {
        fund,
        'new-payment': newPayment,
        'dry-run': dryRun,
        'account-as-written': isAsWritten,
      };
      const same = (): string[] => (wasAsked() ? sameCommand(context, argv, switches) : []);
      if (dryRun) return shown(context, plan, same());
      return namingSender(context, body, () => made(context, { confirmer, plan, newPayment, waitMs, same }));
    });
  },
});

/** Sends nothing, not even a calculation; only --from reads the earlier transaction. */
async function shown(context: Context, plan: PaymentPlan, same: readonly string[]): Promise<Result> {
  const { dryRunOf } = await import('../../dry-run.ts');
  const isNamed = plan.body.external_id !== undefined;
  const notes = [
    ...(isNamed ? [] : ['without --external-id one is made up for each run']),
    ...(context.mask === 'none' || !context.streams.stdoutIsTerminal
      ? []
      : ['people and accounts are masked here: --reveal shows the body as it is sent']),
    ...(plan.fund
      ? [
          `what it costs then is paid by a debit of exactly that, at most ${plan.most === undefined ? 'the price that is shown then, and 0.5 % more' : money(plan.most, plan.body.input_currency)}`,
        ]
      : []),
    'dry run: nothing was sent',
    ...same,
  ];
  return result(dryRunView, await dryRunOf(context, plan), { notes });
}

interface Making {
  confirmer: Confirmer;
  plan: PaymentPlan;
  newPayment: boolean;
  waitMs: number | undefined;
  /** The command line that does the same, where questions were asked. */
  same(): string[];
}

async function made(
  context: Context,
  { confirmer, plan, newPayment, waitMs, same }: Making,
): Promise<Result> {
  const { fund } = plan;
  const { limits } = await context.connection();
  const isLookedAt = plan.fund || context.interactive || limits.max_amount !== undefined;
  const isAsked = confirmer.stance(await context.connection()).kind === 'asks';
  const framed = isAsked ? await besideAlike(context, plan.body) : undefined;
  const written = await makePayment(context, { confirmer, plan, newPayment, isLookedAt, framed });
  await context.remember(seenIn(written.value));
  const { failedNotes, waited } = await import('../output/after-funding.ts');
  if (fund && waitMs !== undefined && !isCalledOffAlready(written))
    return waited(context, written.value, {
      waitMs,
      notes: [...paymentNotes(written, plan), ...same()],
    });
  const value = await asItReads(context, plan, written.value);
  return result(transactionView, value, {
    notes: [...paymentNotes({ ...written, value }, plan), ...failedNotes(value), ...same()],
    exit: isCalledOffAlready(written) ? exitCodes.failed : exitCodes.ok,
  });
}

/** A debit was looked at already; what was paid in one call is looked at now. */
async function asItReads(context: Context, plan: PaymentPlan, made: Transaction): Promise<Transaction> {
  if (!plan.fund) return withPayins(context, made);
  if (plan.most !== undefined) return made;
  return (await import('../output/after-funding.ts')).lookedAt(context, made);
}

/**
 * Looks once more at the payin methods, which changes nothing if it fails: the words for the customer may
 * come a moment after the creation.
 */
async function withPayins(context: Context, transaction: Transaction): Promise<Transaction> {
  const payins = transaction.payin_methods ?? [];
  if (payins.every(({ id, state }) => !id || state !== 'initial')) return transaction;
  try {
    const client = await context.client();
    const read = payins.map(async (payin) =>
      payin.id ? (await client.call(getPayinMethod, { path: { payin_method_id: payin.id } })).object : payin,
    );
    return { ...transaction, payin_methods: await Promise.all(read) };
  } catch {
    return transaction;
  }
}

const needsLimit = (): Problem =>
  usage(
    '--fund without a question needs a limit: nobody looks at the exchange rate',
    'say the most it may cost: --max-input AMOUNT',
  );
