/**
 * Changes the details of a stored payout method: whatever is paid by it later goes elsewhere, so it counts as money. If the
 * process dies after the intent is written, the method is read again to tell whether the new details stand
 * (`remit history settle`).
 */
import { detailDifferences } from '../../../client/compare.ts';
import { editPayoutMethod, getPayoutMethod } from '../../../contract/operations/payout-methods.ts';
import type { PayoutMethod } from '../../../contract/resources/payment-method.ts';
import { Problem, usage } from '../../../core/problem.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { partyOf, refuseUnknownDetails, refuseWrongAccounts } from '../../../desk/payments/details.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { write } from '../../../desk/payments/write.ts';
import { changeLines, pick } from '../../../desk/words/changes.ts';
import { maskedMethod, methodLine } from '../../../desk/words/payment-lines.ts';
import { confirmChange } from '../../ask/changes.ts';
import { inRounds } from '../../ask/rounds.ts';
import { command, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagMany, flagOn } from '../../flags/flag.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { readPairs } from '../../flags/pairs.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface EditOptions {
  id: string;
  details: Record<string, string>;
  newPayment: boolean;
}

export { edit as command };

const next = 'remit payout-method list shows them';

const edit = command<EditOptions>({
  description:
    'A payout method of a recipient is edited with its recipient: remit recipient edit. Without flags, on a terminal, each detail is asked.',
  args: [idArgument('payout method')],
  flags: [
    {
      flags: '--detail <name=value>',
      summary: 'one detail to change, such as bank_account=0123456789; repeat it',
      many: true,
    },
    { flags: '--new-payment', summary: 'send it although an earlier try of the same is not settled' },
  ],
  shows: [payoutMethodView],
  effect: 'money',
  examples: [
    'remit payout-method edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail bank_account=0123456700',
  ],
  read: (input) => ({
    id: readId(input, 'payout method', next),
    details: readPairs(flagMany(input, 'detail'), '--detail'),
    newPayment: flagOn(input, 'newPayment'),
  }),
  async run(context, { id, details, newPayment }) {
    const method = await readOne(context, getPayoutMethod, id, { thing: 'payout method', next });
    if (method.state === 'disabled') throw disabled(id);
    const current = method.details ?? {};
    const wasAsked = Object.keys(details).length === 0;
    const asked = wasAsked ? await askChanges(context, method) : details;
    return inRounds(context, { asked, current, wasAsked }, (changes, confirm) =>
      change(context, method, { asked: changes, confirm, newPayment }),
    );
  },
});

interface Change {
  asked: Readonly<Record<string, unknown>>;
  /** Answers to questions are confirmed. */
  confirm: boolean;
  newPayment: boolean;
}

async function change(
  context: Context,
  method: PayoutMethod,
  { asked, confirm, newPayment }: Change,
): Promise<Result> {
  const id = method.id ?? '';
  const type = method.type ?? undefined;
  const current = method.details ?? {};
  const kind = partyOf(current);
  await refuseUnknownDetails(type, kind, asked, 'details');
  const names = detailDifferences(asked, current);
  await refuseWrongAccounts({
    type,
    kind,
    details: { ...current, ...asked },
    only: names,
    path: 'details',
  });
  if (names.length === 0) return nothingToChange(context, method);
  const changes = pick(asked, names);
  const pass = await admit(
    context,
    {
      effect: 'money',
      what: [`redirect ${methodLine(method, context.mask)}`, ...changeLines(context, current, changes)],
    },
    context.approver,
  );
  await confirmChange(context, confirm);
  const { value } = await write<PayoutMethod>(context, pass, {
    asked: {
      plan: 'payout_method_edit',
      payoutMethodId: id,
      details: changes,
      before: pick(current, names),
    },
    subject: id,
    summary: `change ${names.join(', ')} of ${maskedMethod(method)}`,
    newPayment,
  });
  return result(payoutMethodView, value);
}

async function nothingToChange(context: Context, method: PayoutMethod): Promise<Result> {
  const { settleLeftOpen } = await import('../../../desk/payments/settle.ts');
  const settled = await settleLeftOpen(context, editPayoutMethod.id, method.id);
  const nothing = 'nothing to change: these are its details already; nothing was sent';
  return result(payoutMethodView, method, { notes: [nothing, ...settled] });
}

const disabled = (id: string): Problem =>
  new Problem({
    category: 'conflict',
    code: 'not_editable',
    message: `payout method ${id} is disabled`,
    hint: 'store another: remit payout-method create',
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });

async function askChanges(context: Context, method: PayoutMethod): Promise<Record<string, string>> {
  if (!context.interactive)
    throw usage('nothing to change was given', 'name it: --detail bank_account=0123456789');
  const [{ accountJudge, askDetails }, { offeredFields }] = await Promise.all([
    import('../../ask/details.ts'),
    import('../../../desk/payments/offered.ts'),
  ]);
  const current = method.details ?? {};
  const descriptors = method.fields ?? (await offeredFields(context, method.type ?? '', partyOf(current)));
  if (!descriptors)
    throw usage(`remit does not know the fields of ${method.type}`, 'name the detail: --detail NAME=VALUE');
  return askDetails(context, descriptors, {
    current,
    judge: await accountJudge(method.type ?? '', partyOf(current)),
  });
}
