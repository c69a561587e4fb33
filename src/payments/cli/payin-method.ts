/** Shows, completes, cancels and retries collections. */
import { knownFlow } from '../../contract/corridors/wrong-details.ts';
import type { PayinMethod } from '../../contract/resources/payment-method.ts';
import { isCalledOff } from '../../contract/states/money.ts';
import { usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { pairWords, sameCommand } from '../../frame/output/command-line.ts';
import { authorizeWrite } from '../gate.ts';
import { payinMethodNext } from '../lookup/payin-method.ts';
import {
  cancelPayin,
  cancelStep,
  changePayinMethod,
  leavePayinMethod,
  planPayinChange,
  planRetry,
  retryPayin,
} from '../payin-method.ts';
import { incompleteNotes, lackedDetails } from '../words/payin-lacks.ts';
import { choosePayinMethod } from './ask/find.ts';
import { type Form, throughForm } from './ask/form.ts';
import { defineCommand } from './command.ts';
import type { Context } from './context.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from './flags/details.ts';
import { payinMethodArgument, readName } from './flags/ids.ts';
import { result } from './result.ts';
import { payinMethodView } from './views/payin-method.ts';

const show = defineCommand({
  description: 'What the customer must be told to pay, and how far the collection is.',
  args: [payinMethodArgument],
  shows: [payinMethodView],
  effect: 'read',
  examples: [
    'remit payin-method show collection-17',
    'remit payin-method show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input) => ({ given: readName(input, payinMethodNext) }),
  async run(context, { given }) {
    const { method } = await choosePayinMethod(context, given, 'read');
    return result(payinMethodView, method, { notes: incompleteNotes(method) });
  },
});

const edit = defineCommand({
  description:
    'An incomplete collection starts once it has what it waits for, such as the code that the customer received. Without flags, on a terminal, remit asks for it.',
  args: [payinMethodArgument],
  flags: {
    otp: { value: 'code', summary: 'the one-time code that the customer received' },
    detail: {
      value: 'name=value',
      summary: 'one detail to change, such as phone_number=+233302123400; repeat it',
      many: true,
    },
    ...accountAsWrittenFlag,
    newPayment: { summary: 'send it even if an earlier try of it is not settled' },
  },
  shows: [payinMethodView],
  effect: 'money',
  examples: [
    'remit payin-method edit order-1 --otp 123456',
    'remit payin-method edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail phone_number=+233302123400',
  ],
  read(input) {
    const otp = input.flags.otp;
    const details = readPairs(input.flags.detail, '--detail');
    return {
      given: readName(input, payinMethodNext),
      details: otp === undefined ? details : { ...details, otp },
      accountAsWritten: readAccountAsWritten(input),
      newPayment: input.flags.newPayment,
    };
  },
  async run(context, { given, details: named, accountAsWritten: asWritten, newPayment }) {
    const asks = Object.keys(named).length === 0;
    if (asks && !context.interactive) throw nothingGiven();
    const found = await choosePayinMethod(context, given, 'write');
    const details: Record<string, string> = { ...named };
    const form = await formFor(context, found.method, { details, asks });
    return throughForm(context, form, async (confirmer, wasAsked) => {
      const plan = await planPayinChange(context, found, details, { confirmer, asWritten });
      const unchanged = Object.keys(plan.changes).length === 0;
      const { value, notes } = unchanged
        ? await leavePayinMethod(context, plan)
        : await changePayinMethod(context, await authorizeWrite(context, plan.step, confirmer), plan, {
            newPayment,
          });
      // A code is for one use: there is no command to keep.
      const same =
        wasAsked() && details.otp === undefined
          ? sameCommand(context, [found.id, ...pairWords('detail', details)], {
              'account-as-written': plan.isAsWritten,
            })
          : [];
      return result(payinMethodView, value, { notes: [...notes, ...same] });
    });
  },
});

/**
 * Returns the form for the details that the collection waits for, or for those that were given, where they
 * are refused. Where it waits for nothing, only the caller knows what is to change.
 */
async function formFor(
  context: Context,
  method: PayinMethod,
  { details, asks }: { details: Record<string, string>; asks: boolean },
): Promise<Form> {
  if (!context.interactive) return { questions: async () => [] };
  const lacked = asks ? lackedDetails(method) : Object.keys(details);
  if (asks && (method.state !== 'incomplete' || lacked.length === 0)) throw nothingGiven();
  const { fieldQuestion } = await import('./ask/details.ts');
  const known = knownFlow(method)?.inDetails ?? [];
  const at = { type: '', kind: 'person' as const, prefix: '', details, isOpen: () => asks };
  return {
    isShownByGate: true,
    questions: async () =>
      lacked.map((name) => {
        const field = method.fields?.[name];
        return fieldQuestion(context, at, {
          name,
          field: { type: 'input', ...field, validations: { ...field?.validations, presence: true } },
          known:
            name === 'otp'
              ? {
                  name,
                  label: 'The one-time code that the customer received',
                  required: true,
                  control: 'input',
                }
              : known.find((one) => one.name === name),
        });
      }),
  };
}

const nothingGiven = () => usage('no change was given', 'name it: --otp CODE or --detail NAME=VALUE');

const cancel = defineCommand({
  description:
    'Cancels a collection and its transaction. Money that the customer has already paid is refunded later; the state is refunded then. Ends with 8 if the cancellation was requested and is not done yet.',
  args: [payinMethodArgument],
  shows: [payinMethodView],
  effect: 'destructive',
  examples: [
    'remit payin-method cancel collection-17',
    'remit payin-method cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input) => ({ given: readName(input, payinMethodNext) }),
  async run(context, { given }) {
    const found = await choosePayinMethod(context, given, 'write');
    const { state } = found.method;
    if (isCalledOff(state))
      return result(payinMethodView, found.method, { notes: [`it is ${state} already; nothing was sent`] });
    const permit = await authorizeWrite(context, cancelStep(found), context.confirmer);
    const { value, notes, isOver } = await cancelPayin(context, permit, found);
    return result(payinMethodView, value, { notes, ...(isOver ? {} : { exit: exitCodes.pending }) });
  },
});

const retry = defineCommand({
  description: 'The customer is asked to pay once more, with the present details.',
  args: [payinMethodArgument],
  flags: { newPayment: { summary: 'send it even if an earlier try of it is not settled' } },
  shows: [payinMethodView],
  effect: 'money',
  examples: [
    'remit payin-method retry order-3',
    'remit payin-method retry 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input) => ({
    given: readName(input, payinMethodNext),
    newPayment: input.flags.newPayment,
  }),
  async run(context, { given, newPayment }) {
    const found = await choosePayinMethod(context, given, 'write');
    const permit = await authorizeWrite(context, planRetry(found), context.confirmer);
    return result(payinMethodView, await retryPayin(context, permit, found, { newPayment }));
  },
});

export const commands = { show, edit, cancel, retry };
