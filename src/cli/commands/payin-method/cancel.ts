/**
 * Asks for the cancellation of a collection. If the process dies after the intent is written, the payin method is read again
 * (`remit history settle`); asking twice does no harm.
 */
import type { PayinMethod } from '../../../contract/resources/payment-method.ts';
import { isCalledOff } from '../../../contract/states/money.ts';
import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { write } from '../../../desk/payments/write.ts';
import { payinLine } from '../../../desk/words/payment-lines.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export { cancel as command };

const cancel = command<{ given: string }>({
  description:
    'Cancels the collection with its transaction. Money that the customer sent already goes back later: it says refunded then. Ends with 8 where the service only took note of it.',
  args: [payinMethodArgument],
  shows: [payinMethodView],
  effect: 'destructive',
  examples: [
    'remit payin-method cancel collection-17',
    'remit payin-method cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input) => ({ given: readName(input, payinMethodNext) }),
  async run(context, { given }) {
    const { id, method } = await findPayinMethod(context, given, 'write');
    if (isCalledOff(method.state))
      return result(payinMethodView, method, { notes: [`it is ${method.state} already; nothing was sent`] });
    const pass = await admit(
      context,
      { effect: 'destructive', what: [`cancel ${payinLine(method)}`] },
      context.approver,
    );
    const { value } = await write<PayinMethod>(context, pass, {
      asked: { plan: 'payin_method_cancel', payinMethodId: id },
      subject: id,
      transactionId: method.transaction_id ?? undefined,
      summary: `cancel ${payinLine(method)}`,
    });
    return isCalledOff(value.state)
      ? result(payinMethodView, value)
      : result(payinMethodView, value, {
          exit: exitCodes.pending,
          notes: [`the cancellation was asked for, and is not done yet: remit payin-method show ${id}`],
        });
  },
});
