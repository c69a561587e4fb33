/**
 * Tries a failed collection again. The service takes a retry in state `error` only, when no money came in. If the process
 * dies after the intent is written, the payin method is read again (`remit history settle`).
 */
import { retryPayinMethod } from '../../../contract/operations/payin-methods.ts';
import type { PayinMethod } from '../../../contract/resources/payment-method.ts';
import { Problem } from '../../../core/problem.ts';
import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { write } from '../../../desk/payments/write.ts';
import { completeHint } from '../../../desk/words/payin-lacks.ts';
import { payinLine } from '../../../desk/words/payment-lines.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { flagOn } from '../../flags/flag.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export { retry as command };

const retry = command<{ given: string; newPayment: boolean }>({
  description: 'The customer is asked to pay once more, with the details as they read now.',
  args: [payinMethodArgument],
  flags: [{ flags: '--new-payment', summary: 'send it although an earlier try of the same is not settled' }],
  shows: [payinMethodView],
  effect: 'money',
  examples: [
    'remit payin-method retry order-3',
    'remit payin-method retry 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input) => ({
    given: readName(input, payinMethodNext),
    newPayment: flagOn(input, 'newPayment'),
  }),
  async run(context, { given, newPayment }) {
    const { id, method } = await findPayinMethod(context, given, 'write');
    if (method.state !== 'error') throw notFailed(method);
    const pass = await admit(
      context,
      { effect: retryPayinMethod.effect, what: [`try again: ${payinLine(method)}`] },
      context.approver,
    );
    const { value } = await write<PayinMethod>(context, pass, {
      asked: { plan: 'payin_method_retry', payinMethodId: id },
      subject: id,
      transactionId: method.transaction_id ?? undefined,
      summary: `try again: ${payinLine(method)}`,
      newPayment,
    });
    return result(payinMethodView, value);
  },
});

const notFailed = (method: PayinMethod): Problem => {
  const { id, state } = method;
  return new Problem({
    category: 'conflict',
    code: 'not_retriable',
    message: `only a collection in state error can be tried again; payin method ${id} is ${state}`,
    hint: state === 'incomplete' ? completeHint(method) : undefined,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
};
