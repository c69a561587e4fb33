/**
 * Hands in a one-time code, or changes a detail of a collection: it decides who is asked to pay, so it counts as money. If
 * the process dies after the intent is written, the payin method is read again (`remit history settle`).
 */

import { detailDifferences } from '../../../client/compare.ts';
import { editPayinMethod } from '../../../contract/operations/payin-methods.ts';
import type { PayinMethod } from '../../../contract/resources/payment-method.ts';
import type { Said } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { refuseUnknownPayinDetails, refuseWrongPayinAccounts } from '../../../desk/payments/collection.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { write } from '../../../desk/payments/write.ts';
import { changeLines, pick } from '../../../desk/words/changes.ts';
import { incompleteNotes, lackedDetails } from '../../../desk/words/payin-lacks.ts';
import { payinLine } from '../../../desk/words/payment-lines.ts';
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
    'Without flags, on a terminal, what an incomplete collection waits for is asked. The code that the customer received starts a collection that is incomplete.',
  args: [payinMethodArgument],
  flags: [
    { flags: '--otp <code>', summary: 'the one-time code that the customer received' },
    {
      flags: '--detail <name=value>',
      summary: 'one detail to change, such as phone_number=+233302123400; repeat it',
      many: true,
    },
    { flags: '--new-payment', summary: 'send it although an earlier try of the same is not settled' },
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
    const { id, method } = await findPayinMethod(context, given, 'write');
    const details = asks ? await askLacked(context, method) : named;
    refuseUnknownPayinDetails(method, details);
    const current = method.in_details ?? {};
    const names = detailDifferences(details, current);
    refuseWrongPayinAccounts(method, { ...current, ...details }, names);
    if (names.length === 0) {
      const { settleLeftOpen } = await import('../../../desk/payments/settle.ts');
      const settled = await settleLeftOpen(context, editPayinMethod.id, id);
      const nothing = 'nothing to change: these are its details already; nothing was sent';
      return result(payinMethodView, method, { notes: [nothing, ...settled] });
    }
    const changes = pick(details, names);
    const { otp, ...shown } = changes;
    const pass = await admit(
      context,
      {
        effect: 'money',
        what: [
          `change ${payinLine(method)}`,
          ...changeLines(context, current, shown),
          ...(otp === undefined ? [] : ['  hand in the one-time code']),
        ],
      },
      context.approver,
    );
    const { value } = await write<PayinMethod>(context, pass, {
      asked: { plan: 'payin_method_edit', payinMethodId: id, details: changes, before: pick(current, names) },
      subject: id,
      transactionId: method.transaction_id ?? undefined,
      summary: `change ${names.join(', ')} of ${payinLine(method)}`,
      newPayment,
    });
    return result(payinMethodView, value, { notes: notesOf(value) });
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

const nothingGiven = () => usage('nothing to change was given', 'name it: --otp CODE or --detail NAME=VALUE');

function notesOf(method: PayinMethod): Said[] {
  if (method.state === 'error') return [`the next try uses it: remit payin-method retry ${method.id}`];
  return incompleteNotes(method);
}
