import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { planRetry, retryPayinMethod } from '../../../desk/payments/payin-method.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export { retry as command };

const retry = command({
  description: 'The customer is asked to pay once more, with the present details.',
  args: [payinMethodArgument],
  flags: { newPayment: { summary: 'send it even if an earlier try of it is not settled' } },
  shows: [payinMethodView],
  effect: 'money',
  examples: [
    'remit payin-method retry order-3',
    'remit payin-method retry 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input): { given: string; newPayment: boolean } => ({
    given: readName(input, payinMethodNext),
    newPayment: input.flags.newPayment,
  }),
  async run(context, { given, newPayment }) {
    const found = await findPayinMethod(context, given, 'write');
    const pass = await admit(context, planRetry(found), context.approver);
    return result(payinMethodView, await retryPayinMethod(context, pass, found, { newPayment }));
  },
});
