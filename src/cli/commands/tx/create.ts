/**
 * Creates a transaction; with --fund creates and funds it in one call, which approves the rate unseen, so it calculates
 * first. If the process dies: before the intent is written, nothing was sent; after it, `remit history settle` finds out
 * what became of it (client/intents.ts lists every step).
 */
import { randomUUID } from 'node:crypto';
import { getPayinMethod } from '../../../contract/operations/payin-methods.ts';
import type { Transaction, TransactionWrite } from '../../../contract/resources/transaction.ts';
import { isCalledOff } from '../../../contract/states/money.ts';
import { decimalsOf } from '../../../core/currency.ts';
import { gt, parseAmount } from '../../../core/money.ts';
import { Failure, interrupted, usage } from '../../../core/problem.ts';
import { seenIn } from '../../../desk/lookup/transaction.ts';
import { roundingNotes } from '../../../desk/payments/body.ts';
import { paysNobody } from '../../../desk/payments/earlier.ts';
import { guard, type Intention } from '../../../desk/payments/gate.ts';
import { namingSender } from '../../../desk/payments/sender-words.ts';
import { type Written, write } from '../../../desk/payments/write.ts';
import { money } from '../../../desk/words/amount.ts';
import { incompleteNotes } from '../../../desk/words/payin-lacks.ts';
import { calculationLines, maskedSummary, paymentLines } from '../../../desk/words/payment-lines.ts';
import { prepare } from '../../ask/payment.ts';
import { command, flagOn, flagText, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type PaymentFlags, paymentFlags, readPaymentFlags } from '../../flags/payment.ts';
import { dryRunView } from '../../views/dry-run.ts';
import { transactionView } from '../../views/transaction.ts';

export interface CreateOptions {
  payment: PaymentFlags;
  fund: boolean;
  maxInput: string | undefined;
  newPayment: boolean;
  dryRun: boolean;
}

export { create as command };

const create = command<CreateOptions>({
  description: `Without --fund the transaction waits up to an hour to be funded (remit tx fund).
With --payin it is a collection: the sender is asked to pay, and has an hour. --type CURRENCY::Balance credits your balance, any other type pays out once the money is there.
With --fund it is paid from your balance in one call. That approves the exchange rate unseen, so the amounts are calculated and shown first; without a terminal say the most you are willing to pay with --max-input.`,
  flags: [
    ...paymentFlags,
    { flags: '--fund', summary: 'pay it from the balance at once' },
    {
      flags: '--max-input <amount>',
      summary: 'with --fund: do not pay more than this, in the currency you pay in',
    },
    {
      flags: '--new-payment',
      summary: 'make it although the same was made, or sent and not settled, before',
    },
    {
      flags: '--dry-run',
      summary: 'show the request and the amounts as they will be rounded; sends nothing',
    },
  ],
  shows: [transactionView, dryRunView],
  effect: 'money',
  examples: [
    'remit tx create',
    'remit tx create --input-currency EUR --amount 5000 --type NGN::Bank --sender customer-17 --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456700',
    'remit tx create --payin GHS::Mobile --payin-flow ussd_popup --payin-detail phone_number=+233302123400 --payin-detail mobile_provider=mtn --amount 50 --type GHS::Balance --detail reference=order-17 --sender customer-17',
    'remit tx create --file payment.yaml --fund --max-input 15.50 --yes',
    'remit tx create --from wages-1 --external-id wages-1-again --amount 26000 --dry-run',
  ],
  read(input) {
    const fund = flagOn(input, 'fund');
    if (fund && flagText(input, 'payin') !== undefined)
      throw usage('a collection is paid by its payin, not from the balance', 'leave --fund out');
    const maxInput = flagText(input, 'maxInput');
    if (maxInput !== undefined && !fund) throw usage('--max-input goes with --fund');
    return {
      payment: readPaymentFlags(input),
      fund,
      maxInput,
      newPayment: flagOn(input, 'newPayment'),
      dryRun: flagOn(input, 'dryRun'),
    };
  },
  async run(context, options) {
    const body = await prepare(context, options.payment);
    for (const note of roundingNotes(body)) context.say(note);
    const limit = readLimit(options.maxInput, body);
    if (options.fund && limit === undefined && !context.interactive && !options.dryRun) throw needsLimit();
    if (options.dryRun) return dryRun(context, body, options.fund);
    return namingSender(body, () => carryOut(context, options, { body, limit }));
  },
});

interface Prepared {
  body: TransactionWrite;
  limit: string | undefined;
}

async function carryOut(
  context: Context,
  options: CreateOptions,
  { body, limit }: Prepared,
): Promise<Result> {
  const { limits } = await context.connection();
  const seen =
    options.fund || context.interactive || limits.max_amount !== undefined
      ? await seeAmounts(context, body, limit)
      : { what: paymentLines(body, context.mask) };
  await guard(context, { effect: 'money', ...seen });
  if (options.fund && limit === undefined && !context.globals.yes) await approve(context);
  const written = await send(context, body, options);
  await context.remember(seenIn(written.value));
  const value = await withPayins(context, written.value);
  return result(transactionView, value, {
    notes: notesOf({ ...written, value }, options.fund),
    exit: isOver(written) ? exitCodes.failed : exitCodes.ok,
  });
}

/** Sends nothing, not even a calculation; only --from reads the earlier transaction. */
async function dryRun(context: Context, body: TransactionWrite, fund: boolean): Promise<Result> {
  const { dryRunOf } = await import('../../../desk/payments/dry-run.ts');
  const notes = [
    ...(body.external_id === undefined ? ['without --external-id one is made up for each run'] : []),
    ...(context.mask === 'none'
      ? []
      : ['people and accounts are masked here: --reveal shows the body as it is sent']),
    'dry run: nothing was sent',
  ];
  return result(dryRunView, await dryRunOf(context, body, fund), { notes });
}

/** What the customer is to be told may come a moment after the creation: one more look, which changes nothing if it fails. */
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

async function calculated(context: Context, body: TransactionWrite): Promise<Transaction> {
  const { calculate } = await import('../../../desk/payments/calculate.ts');
  return calculate(context, body);
}

function readLimit(text: string | undefined, body: TransactionWrite): string | undefined {
  return text === undefined
    ? undefined
    : parseAmount(text, decimalsOf(body.input_currency), body.input_currency);
}

const needsLimit = (): Failure =>
  usage(
    '--fund approves the exchange rate unseen, and nobody is there to look at it',
    'say the most it may cost: --max-input AMOUNT',
  );

async function seeAmounts(
  context: Context,
  body: TransactionWrite,
  limit: string | undefined,
): Promise<Pick<Intention, 'what' | 'amounts'>> {
  const answer = await calculated(context, body);
  if (limit !== undefined && gt(answer.input_amount ?? '0', limit)) {
    const currency = answer.input_currency;
    throw new Failure({
      category: 'check',
      code: 'above_max_input',
      message: `it would cost ${money(answer.input_amount, currency)}, more than --max-input ${money(limit, currency)}`,
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    });
  }
  return {
    what: [...paymentLines(body, context.mask), ...calculationLines(answer)],
    amounts: [{ amount: answer.input_amount, currency: answer.input_currency }],
  };
}

/** In production the guard has asked already; paying is asked about in a sandbox too, so that nobody is surprised later. */
async function approve(context: Context): Promise<void> {
  const { environment } = await context.connection();
  if (environment === 'production') return;
  const { askConfirm } = await import('../../terminal/prompt.ts');
  if (!(await askConfirm(context, 'Pay it at this rate?'))) throw interrupted();
}

function send(
  context: Context,
  body: TransactionWrite,
  options: CreateOptions,
): Promise<Written<Transaction>> {
  const externalId = body.external_id ?? `remit-${randomUUID()}`;
  return write<Transaction>(context, {
    asked: {
      plan: 'create',
      transaction: { ...body, external_id: externalId },
      fund: options.fund,
      madeId: body.external_id === undefined,
    },
    externalId,
    summary: maskedSummary(body),
    newPayment: options.newPayment,
  });
}

/** It existed, and nothing will be paid by it any more: a script must not go on as if it would. */
const isOver = ({ how, value }: Pick<Written<Transaction>, 'how' | 'value'>): boolean =>
  (how === 'existing' || how === 'earlier') && isCalledOff(value.state);

function overNote(how: Written<Transaction>['how'], value: Transaction): string {
  const next = how === 'earlier' ? 'run it again' : 'take another --external-id';
  return paysNobody(value)
    ? `it is ${value.state}: to pay, ${next}`
    : `it is ${value.state}, and not every recipient was called off: look at each before you pay again`;
}

function notesOf({ how, value }: Pick<Written<Transaction>, 'how' | 'value'>, fund: boolean): string[] {
  const notes: string[] = [];
  if (how === 'existing') {
    notes.push(
      'it existed already with this external id, the same in every amount and detail: nothing new was created',
    );
  }
  if (isOver({ how, value })) notes.push(overNote(how, value));
  if (how === 'found') notes.push('the answer was lost on the way; it was found by looking, once');
  if ((value.payin_methods ?? []).length > 0) return [...notes, ...collectionNotes(value)];
  if (!fund && value.state === 'approved') notes.push(`next: remit tx fund ${value.id}     within the hour`);
  return notes;
}

function collectionNotes({ id, state, payin_methods: payins }: Transaction): string[] {
  if (state !== 'approved' && state !== 'initial') return [];
  return [
    ...(payins ?? []).flatMap(incompleteNotes),
    `the customer has an hour to pay; next: remit tx watch ${id}`,
  ];
}
