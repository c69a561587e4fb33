import type { PayinMethod } from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { changePayinMethod, leavePayinMethod, planPayinChange } from '../../../desk/payments/payin-method.ts';
import { lackedDetails } from '../../../desk/words/payin-lacks.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagMany, flagOn, flagText } from '../../flags/flag.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { readPairs } from '../../flags/pairs.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export interface EditOptions {
  given: string;
  details: Record<string, string>;
  newPayment: boolean;
}

export { edit as command };

const edit = command<EditOptions>({
  description:
    'An incomplete collection starts once it has what it waits for, such as the code that the customer received. Without flags, on a terminal, remit asks for it.',
  args: [payinMethodArgument],
  flags: [
    { flags: '--otp <code>', summary: 'the one-time code that the customer received' },
    {
      flags: '--detail <name=value>',
      summary: 'one detail to change, such as phone_number=+233302123400; repeat it',
      many: true,
    },
    { flags: '--new-payment', summary: 'send it even if an earlier try of it is not settled' },
  ],
  shows: [payinMethodView],
  effect: 'money',
  examples: [
    'remit payin-method edit order-1 --otp 123456',
    'remit payin-method edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail phone_number=+233302123400',
  ],
  read(input) {
    const otp = flagText(input, 'otp');
    const details = readPairs(flagMany(input, 'detail'), '--detail');
    return {
      given: readName(input, payinMethodNext),
      details: otp === undefined ? details : { ...details, otp },
      newPayment: flagOn(input, 'newPayment'),
    };
  },
  async run(context, { given, details: named, newPayment }) {
    const asks = Object.keys(named).length === 0;
    if (asks && !context.interactive) throw nothingGiven();
    const found = await findPayinMethod(context, given, 'write');
    const plan = planPayinChange(context, found, asks ? await askLacked(context, found.method) : named);
    const unchanged = Object.keys(plan.changes).length === 0;
    const { value, notes } = unchanged
      ? await leavePayinMethod(context, plan)
      : await changePayinMethod(context, await admit(context, plan.step, context.approver), plan, {
          newPayment,
        });
    return result(payinMethodView, value, { notes });
  },
});

/** What the collection waits for. Where it waits for nothing, only the caller knows what is to change. */
async function askLacked(context: Context, method: PayinMethod): Promise<Record<string, string>> {
  const lacked = lackedDetails(method);
  if (method.state !== 'incomplete' || lacked.length === 0) throw nothingGiven();
  const [{ askDetails }, { askText }] = await Promise.all([
    import('../../ask/details.ts'),
    import('../../terminal/prompt.ts'),
  ]);
  const descriptors = Object.fromEntries(
    lacked
      .filter((name) => name !== 'otp')
      .map((name) => {
        const field = method.fields?.[name];
        return [name, { type: 'input', ...field, validations: { ...field?.validations, presence: true } }];
      }),
  );
  const details = await askDetails(context, descriptors);
  if (!lacked.includes('otp')) return details;
  const otp = await askText(context, 'The one-time code that the customer received', { required: true });
  return { ...details, otp };
}

const nothingGiven = () => usage('no change was given', 'name it: --otp CODE or --detail NAME=VALUE');
