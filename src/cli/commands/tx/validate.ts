/**
 * Checks a transaction as the service would, and which payin flows are open to it. It creates nothing, but a corridor that
 * needs a mandate begins its signing here; sent twice it does no more, so a lost answer is simply asked for again.
 */
import { collectFields } from '../../../client/fields.ts';
import { loadCorridor } from '../../../contract/corridors/index.ts';
import { validateTransaction } from '../../../contract/operations/transactions.ts';
import type { PayinMethodWrite } from '../../../contract/resources/payment-method.ts';
import type { Transaction, TransactionWrite } from '../../../contract/resources/transaction.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure, usage } from '../../failure.ts';
import { guard } from '../../guard.ts';
import { flowsOf } from '../../payment/collection.ts';
import { type PaymentFlags, paymentFlags, readPaymentFlags } from '../../payment/flags.ts';
import { paymentLines } from '../../payment/lines.ts';
import { prepare } from '../../payment/prepare.ts';
import { nothingToSee, plainWrite } from '../../plain-write.ts';
import { fieldLine } from '../../report.ts';
import { type FlowAnswer, validationView } from '../../views/validation.ts';

export { validate as command };

const validate = command<PaymentFlags>({
  description:
    'With --payin and no --payin-flow it asks for every flow of that type, and says which are open. Ends with 5 where the transaction would be refused, where no flow that was asked for is open, and while a mandate is not signed.',
  flags: paymentFlags,
  shows: [validationView],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit tx validate --file payment.yaml',
    'remit tx validate --payin GHS::Mobile --payin-detail phone_number=+233302123400 --payin-detail mobile_provider=mtn --amount 50 --type GHS::Balance --sender customer-17',
  ],
  read: readPaymentFlags,
  async run(context, flags) {
    const body = await bodyOf(context, flags);
    await guard(context, {
      effect: 'write',
      what: ['check, and create nothing:', ...paymentLines(body, context.mask)],
    });
    const { value } = await send(context, body);
    const flows = (body.payin_methods ?? []).map((asked, index) => answerFor(asked, value, index));
    const isOpen = flows.length === 0 || flows.some(({ open }) => open);
    return result(
      validationView,
      { valid: isOpen, flows, transaction: value },
      isOpen ? {} : { exit: exitCodes.validation, notes: ['no payin flow that was asked for is open'] },
    );
  },
});

/** Every flow of a type, each with those details that it knows. */
async function bodyOf(context: Context, flags: PaymentFlags): Promise<TransactionWrite> {
  const { payin, inputCurrency } = flags.body;
  const flows = payin?.type === undefined || payin.flow !== undefined ? undefined : flowsOf(payin.type);
  if (payin?.type === undefined || flows === undefined) return prepare(context, flags);
  const { type, details } = payin;
  const known = Object.values(flows).flatMap(({ inDetails }) => inDetails.map(({ name }) => name));
  const unknown = Object.keys(details).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw usage(
      `${type} has no detail called ${unknown.join(', ')}`,
      `it knows ${[...new Set(known)].join(', ')}`,
    );
  const isBegun = flags.file !== undefined || flags.from !== undefined;
  const currency = inputCurrency ?? (isBegun ? undefined : type.split('::')[0]);
  const body = await prepare(context, {
    ...flags,
    body: { ...flags.body, payin: undefined, inputCurrency: currency },
  });
  const methods = Object.entries(flows).map(([flow, { inDetails }]): PayinMethodWrite => {
    const names = inDetails.map(({ name }) => name);
    const own = Object.entries(details).filter(([name]) => names.includes(name));
    return { type, ux_flow: flow, in_details: Object.fromEntries(own) };
  });
  return { ...body, payin_methods: methods };
}

async function send(context: Context, body: TransactionWrite): Promise<{ value: Transaction }> {
  try {
    return await plainWrite<Transaction>(context, {
      send: async (client) =>
        (await client.call(validateTransaction, { body: { transaction: body } })).object,
      look: nothingToSee,
      repeatable: true,
      next: 'run it again: it creates nothing, and begins a mandate only once',
    });
  } catch (error) {
    throw error instanceof Failure ? ((await unsigned(error, body)) ?? error) : error;
  }
}

/** A refusal of the whole, with no field at fault, of a corridor that pays only against a mandate. */
async function unsigned({ facts }: Failure, body: TransactionWrite): Promise<Failure | undefined> {
  const { fields = [] } = facts;
  const ofTheWhole =
    fields.length > 0 && fields.every(({ path }) => path === 'base' || path === 'main_error');
  if (facts.category !== 'validation' || !ofTheWhole) return undefined;
  const corridors = await Promise.all(
    body.recipients.map(({ payout_method: { type } }) => loadCorridor(type ?? '')),
  );
  if (!corridors.some((corridor) => corridor?.mandate)) return undefined;
  return new Failure({
    ...facts,
    code: 'mandate_not_signed',
    hint: 'the recipient must sign a mandate first, and this check has begun it: validate again later',
  });
}

/** In the order in which they were asked for. */
function answerFor(asked: PayinMethodWrite, answer: Transaction, index: number): FlowAnswer {
  const said = answer.payin_methods?.[index];
  const problems = collectFields(said).map((problem) => fieldLine(problem));
  return {
    type: asked.type ?? '',
    ux_flow: asked.ux_flow ?? '',
    open: said !== undefined && problems.length === 0,
    problems,
  };
}
