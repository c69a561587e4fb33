import { knownFlow } from '../../../contract/corridors/wrong-details.ts';
import type { PayinMethod } from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { changePayinMethod, leavePayinMethod, planPayinChange } from '../../../desk/payments/payin-method.ts';
import { lackedDetails } from '../../../desk/words/payin-lacks.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { type Form, throughForm } from '../../ask/form.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from '../../flags/details.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { pairWords, sameCommand } from '../../output/command-line.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export interface EditOptions {
  given: string;
  details: Record<string, string>;
  accountAsWritten: boolean;
  newPayment: boolean;
}

export { edit as command };

const edit = command({
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
  read(input): EditOptions {
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
    const found = await findPayinMethod(context, given, 'write');
    const details: Record<string, string> = { ...named };
    const form = await formFor(context, found.method, { details, asks });
    return throughForm(context, form, async (approver, wasAsked) => {
      const plan = await planPayinChange(context, found, details, { approver, asWritten });
      const unchanged = Object.keys(plan.changes).length === 0;
      const { value, notes } = unchanged
        ? await leavePayinMethod(context, plan)
        : await changePayinMethod(context, await admit(context, plan.step, approver), plan, { newPayment });
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
  const { fieldQuestion } = await import('../../ask/details.ts');
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
