/**
 * Corrects the details of a recipient. It redirects money, so it counts as money: the change is shown before it is sent,
 * and only what changed is sent. If the process dies after the intent is written, the recipient is read again to tell
 * whether the new details stand (`remit history settle`); sending them twice changes nothing.
 */
import { detailDifferences } from '../../../client/compare.ts';
import type { PartyKind } from '../../../contract/corridors/corridor.ts';
import type { Recipient } from '../../../contract/resources/transaction.ts';
import { changeLines, confirmChange, pick } from '../../changes.ts';
import { command, flagMany, flagOn, flagText, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Failure, usage } from '../../failure.ts';
import { guard } from '../../guard.ts';
import { refuseUnknownDetails } from '../../payment/details.ts';
import { maskedRecipient } from '../../payment/lines.ts';
import { readPairs } from '../../payment/pairs.ts';
import { findRecipient, recipientArgument, txFlag } from '../../find-recipient.ts';
import { recipientView } from '../../views/recipient.ts';
import { write } from '../../write.ts';

export interface EditOptions {
  id: string;
  tx: string | undefined;
  details: Record<string, string>;
  newPayment: boolean;
}

export { edit as command };

const edit = command<EditOptions>({
  description:
    'Later payout tries use the new details. A payout that is with the bank goes on with the old ones; the new ones count if it fails.',
  args: [recipientArgument],
  flags: [
    {
      flags: '--detail <name=value>',
      summary: 'one payout detail to change, such as bank_account=0123456789; repeat it',
      many: true,
    },
    txFlag,
    { flags: '--new-payment', summary: 'send it although an earlier try of the same is not settled' },
  ],
  examples: [
    'remit recipient edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail bank_account=0123456700',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    tx: flagText(input, 'tx'),
    details: readPairs(flagMany(input, 'detail'), '--detail'),
    newPayment: flagOn(input, 'newPayment'),
  }),
  async run(context, { id, tx, details, newPayment }) {
    const { recipient, transaction, explicit } = await findRecipient(context, id, { tx, use: 'write' });
    refuseUneditable(recipient);
    const current = recipient.payout_method?.details ?? {};
    const asked = Object.keys(details).length > 0 ? details : await askChanges(context, recipient, current);
    await refuseUnknownDetails(
      recipient.payout_method?.type ?? undefined,
      kindOf(recipient),
      asked,
      'payout_method.details',
    );
    const names = detailDifferences(asked, current);
    if (names.length === 0)
      return result(recipientView, recipient, {
        notes: ['nothing to change: these are its details already; nothing was sent'],
      });
    const changes = Object.fromEntries(names.map((name) => [name, asked[name] ?? '']));
    await guard(context, {
      effect: 'money',
      explicitId: explicit,
      what: [`redirect ${maskedRecipient(recipient)}`, ...changeLines(context, current, changes)],
    });
    await confirmChange(context, Object.keys(details).length === 0);
    const { value } = await write<Recipient>(context, {
      asked: {
        plan: 'edit',
        recipientId: recipient.id ?? '',
        transactionId: transaction.id ?? '',
        recipient: { payout_method: { details: changes } },
        before: pick(current, names),
      },
      identity: { recipientId: recipient.id, changes },
      subject: recipient.id ?? undefined,
      transactionId: transaction.id ?? undefined,
      summary: `change ${names.join(', ')} of ${maskedRecipient(recipient)}`,
      newPayment,
    });
    return result(recipientView, value, { notes: notesOf(recipient) });
  },
});

const kindOf = (recipient: Recipient): PartyKind => (recipient.type === 'business' ? 'business' : 'person');

function refuseUneditable(recipient: Recipient): void {
  if (recipient.editable !== false || recipient.state === 'pending') return;
  throw new Failure({
    category: 'conflict',
    code: 'not_editable',
    message: `recipient ${recipient.id} cannot be edited (state: ${recipient.state})`,
    hint: recipient.may_cancel
      ? `new details do not help here; cancel it: remit recipient cancel ${recipient.id}`
      : undefined,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}

async function askChanges(
  context: Context,
  recipient: Recipient,
  current: Record<string, unknown>,
): Promise<Record<string, string>> {
  if (!context.interactive)
    throw usage('nothing to change was given', 'name it: --detail bank_account=0123456789');
  const { askDetails, knownDescriptors } = await import('../../payment/ask.ts');
  const offered = recipient.payout_method?.fields ?? undefined;
  const descriptors =
    offered ?? (await knownDescriptors(recipient.payout_method?.type ?? '', kindOf(recipient)));
  if (!descriptors)
    throw usage(
      `remit does not know the fields of ${recipient.payout_method?.type}`,
      'name the detail: --detail NAME=VALUE',
    );
  return askDetails(context, descriptors, { current });
}

function notesOf(before: Recipient): string[] {
  if (before.state === 'pending')
    return ['the payout is with the bank: the new details count only if this try fails'];
  return before.state === 'error' || before.state === 'manual' ? ['the next try uses the new details'] : [];
}
