import { isCalledOff } from '../../../contract/states/money.ts';
import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { cancelPayinMethod, cancelStep } from '../../../desk/payments/payin-method.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export { cancel as command };

const cancel = command({
  description:
    'Cancels a collection and its transaction. Money that the customer has already paid is refunded later; the state is refunded then. Ends with 8 if the cancellation was requested and is not done yet.',
  args: [payinMethodArgument],
  shows: [payinMethodView],
  effect: 'destructive',
  examples: [
    'remit payin-method cancel collection-17',
    'remit payin-method cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input): { given: string } => ({ given: readName(input, payinMethodNext) }),
  async run(context, { given }) {
    const found = await findPayinMethod(context, given, 'write');
    const { state } = found.method;
    if (isCalledOff(state))
      return result(payinMethodView, found.method, { notes: [`it is ${state} already; nothing was sent`] });
    const pass = await admit(context, cancelStep(found), context.approver);
    const { value, notes, isOver } = await cancelPayinMethod(context, pass, found);
    return result(payinMethodView, value, { notes, ...(isOver ? {} : { exit: exitCodes.pending }) });
  },
});
