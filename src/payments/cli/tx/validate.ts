/**
 * Checks a transaction as the service would, and which payin flows are open to it. It creates nothing, but a corridor that
 * needs a mandate begins its signing here; sent twice it does no more, so a lost answer is simply asked for again.
 */
import { planValidation } from '../../../client/check-plans.ts';
import { collectFields } from '../../../client/fields.ts';
import { loadCorridor } from '../../../contract/corridors/index.ts';
import type { PayinMethod, PayinMethodWrite } from '../../../contract/resources/payment-method.ts';
import type {
  FlowDiscovery,
  Transaction,
  TransactionWrite,
} from '../../../contract/resources/transaction.ts';
import { Problem, usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { fieldLine } from '../../../frame/output/report.ts';
import { chosenFlow, flowsOf, refuseUnknownPayinDetails } from '../../collection.ts';
import { byName } from '../../confirmation.ts';
import { authorizeWrite, type WritePermit } from '../../gate.ts';
import { plainWrite } from '../../plain-write.ts';
import { namingSender } from '../../sender-words.ts';
import type { FlowAnswer } from '../../shapes/payments.ts';
import { paymentLines } from '../../words/payment-lines.ts';
import { preparedBody } from '../ask/payment.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { type PaymentFlags, paymentFlags, readPaymentFlags } from '../flags/payment.ts';
import { result } from '../result.ts';
import { validationView } from '../views/validation.ts';

/** A payin type and nothing of a payment: the flows alone are asked for. */
function isDiscovery({ file, from, body }: PaymentFlags): boolean {
  const { payin, inputCurrency, externalId, details, senderFields, ...payment } = body;
  const named = [file, from, ...Object.values(payment)].some((value) => value !== undefined);
  const detailed = Object.keys({ ...details, ...senderFields }).length > 0;
  return payin?.type !== undefined && !named && !detailed;
}

/** @throws Problem (usage) where a detail or a type is not known */
function discoveryOf({ body: { payin, inputCurrency, externalId } }: PaymentFlags): FlowDiscovery {
  const { type = '', flow, details = {} } = payin ?? {};
  return {
    payin_methods:
      flow === undefined && flowsOf(type) ? everyFlow(type, details) : [oneFlow(type, flow, details)],
    ...(inputCurrency === undefined ? {} : { input_currency: inputCurrency }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
  };
}

function oneFlow(type: string, flow: string | undefined, details: Record<string, string>): PayinMethodWrite {
  const ux_flow = chosenFlow(type, flow);
  refuseUnknownPayinDetails({ type, ux_flow }, details);
  return { type, ux_flow, in_details: details };
}

/** Every flow of a type, each with those details that it knows. @throws Problem (usage) */
function everyFlow(type: string, details: Record<string, string>): PayinMethodWrite[] {
  const flows = Object.entries(flowsOf(type) ?? {});
  const known: string[] = flows.flatMap(([, { inDetails }]) => inDetails.map(({ name }) => name));
  const unknown = Object.keys(details).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw usage(
      `${type} has no detail called ${unknown.join(', ')}`,
      `it knows ${[...new Set(known)].join(', ')}`,
    );
  }
  return flows.map(([flow, { inDetails }]) => {
    const names: string[] = inDetails.map(({ name }) => name);
    const own = Object.entries(details).filter(([name]) => names.includes(name));
    return { type, ux_flow: flow, in_details: Object.fromEntries(own) };
  });
}

/** Answers come in the order in which flows were asked for. A flow of which nothing is said is not open. */
function answersFor(asked: readonly PayinMethodWrite[], answer: Transaction): FlowAnswer[] {
  const answers = answer.payin_methods ?? [];
  return asked.map((one, index) => {
    const fits = (each: PayinMethod | undefined) =>
      (each?.type ?? one.type) === one.type && (each?.ux_flow ?? one.ux_flow) === one.ux_flow;
    const at = answers[index];
    const said = at && fits(at) ? at : answers.find((each) => each.type === one.type && fits(each));
    const problems = collectFields(said).map((problem) => fieldLine(problem));
    const open = said !== undefined && problems.length === 0;
    return { type: one.type ?? '', ux_flow: one.ux_flow ?? '', open, problems };
  });
}

export const command = defineCommand({
  description:
    'Asks the service whether it would accept the transaction. With --payin and no --payin-flow it asks about every flow of that type, and says which are open; --payin without a payment checks the flows alone. Ends with 5 if the transaction would be refused, if no flow is open or a named one is not, and while a mandate is not signed.',
  flags: paymentFlags,
  shows: [validationView],
  // A check may start the signing of a mandate.
  effect: 'write',
  exits: [exitCodes.validation],
  examples: [
    'remit tx validate --file payment.yaml',
    'remit tx validate --payin GHS::Mobile --payin-detail phone_number=+233302123400 --payin-detail mobile_provider=mtn',
    'remit tx validate --payin GHS::Mobile --payin-detail phone_number=+233302123400 --payin-detail mobile_provider=mtn --amount 50 --type GHS::Balance --sender customer-17',
  ],
  read: readPaymentFlags,
  async run(context, flags) {
    const body = isDiscovery(flags) ? discoveryOf(flags) : await bodyOf(context, flags);
    const what = isWhole(body) ? paymentLines(body, context.mask) : ['ask which payin flows are open'];
    const permit = await authorizeWrite(
      context,
      {
        effect: 'write',
        what: ['check, and create nothing:', ...what],
        confirm: byName('check'),
      },
      context.confirmer,
    );
    const { value } = isWhole(body)
      ? await namingSender(context, body, () => send(context, permit, body))
      : await send(context, permit, body);
    const flows = answersFor(body.payin_methods ?? [], value);
    const note = problemOf(flows, value, { all: !asksEveryFlow(flags) });
    return result(
      validationView,
      { valid: note === null, flows, transaction: value },
      note === null ? {} : { exit: exitCodes.validation, notes: [note] },
    );
  },
});

/** Where flows were named, each of them must be open; where all of a type were asked for, one is enough. */
function problemOf(
  flows: readonly FlowAnswer[],
  answer: Transaction,
  { all }: { all: boolean },
): string | null {
  const ofTheWhole = collectFields(answer).filter(({ path }) => !path.startsWith('payin_methods'));
  if (ofTheWhole.length > 0) return ofTheWhole.map((problem) => fieldLine(problem)).join('; ');
  if (flows.length === 0 || flows.every(({ open }) => open)) return null;
  if (!flows.some(({ open }) => open)) return 'no payin flow that was asked for is open';
  return all ? 'not every payin flow that was named is open' : null;
}

const asksEveryFlow = ({ body: { payin } }: PaymentFlags): boolean =>
  payin?.type !== undefined && payin.flow === undefined && flowsOf(payin.type) !== undefined;

const isWhole = (body: TransactionWrite | FlowDiscovery): body is TransactionWrite => 'recipients' in body;

/** Every flow of a type, each with those details that it knows. */
async function bodyOf(context: Context, flags: PaymentFlags): Promise<TransactionWrite> {
  const { payin, inputCurrency } = flags.body;
  if (payin?.type === undefined || !asksEveryFlow(flags)) return preparedBody(context, flags);
  const isBegun = flags.file !== undefined || flags.from !== undefined;
  const currency = inputCurrency ?? (isBegun ? undefined : payin.type.split('::')[0]);
  const methods = everyFlow(payin.type, payin.details);
  const body = await preparedBody(context, {
    ...flags,
    body: { ...flags.body, payin: undefined, inputCurrency: currency },
  });
  return { ...body, payin_methods: methods };
}

async function send(
  context: Context,
  permit: WritePermit,
  body: TransactionWrite | FlowDiscovery,
): Promise<{ value: Transaction }> {
  try {
    return await plainWrite<Transaction>(context, permit, {
      plan: (client) => planValidation(client, body),
      next: 'run it again: it creates nothing, and begins a mandate only once',
    });
  } catch (error) {
    throw error instanceof Problem && isWhole(body) ? ((await unsigned(error, body)) ?? error) : error;
  }
}

/** A refusal of the whole, with no field at fault, of a corridor that pays only against a mandate. */
async function unsigned({ facts }: Problem, body: TransactionWrite): Promise<Problem | undefined> {
  const { fields = [] } = facts;
  const ofTheWhole =
    fields.length > 0 && fields.every(({ path }) => path === 'base' || path === 'main_error');
  if (facts.category !== 'validation' || !ofTheWhole) return undefined;
  const corridors = await Promise.all(
    body.recipients.map(({ payout_method: { type } }) => loadCorridor(type ?? '')),
  );
  if (!corridors.some((corridor) => corridor?.mandate)) return undefined;
  return new Problem({
    ...facts,
    code: 'mandate_not_signed',
    hint: 'the recipient must sign a mandate first, and this check has begun it: validate again later',
  });
}
