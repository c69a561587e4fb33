/**
 * Corrects the details of a recipient. It redirects money, so it counts as money: the new account is checked, the change is
 * shown, and only what changed is sent. If the process dies before the intent is written, nothing was sent; after it, the
 * recipient is read again to tell whether the new details stand (`remit history settle`), and sending them twice changes nothing.
 */

import { changeLines, confirmChange, pick } from '../../cli/ask/changes.ts';
import { inRounds } from '../../cli/ask/rounds.ts';
import type { Context } from '../../cli/context.ts';
import { detailDifferences } from '../../client/compare.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { editRecipient as editRecipientRow } from '../../contract/operations/recipients.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import { Failure, interrupted, usage } from '../../core/problem.ts';
import { checkAccount } from '../cases/account-check.ts';
import type { FoundRecipient } from '../lookup/recipient.ts';
import { escapeLine } from '../words/escape.ts';
import { maskedRecipient, recipientLine } from '../words/payment-lines.ts';
import { refuseUnknownDetails, refuseWrongAccounts } from './details.ts';
import { guard } from './gate.ts';
import { write } from './write.ts';

export interface Edit {
  /** What to change; asked for on a terminal where it is empty. */
  details: Readonly<Record<string, string>>;
  skipValidation: boolean;
  newPayment: boolean;
}

export interface Edited {
  recipient: Recipient;
  /** What was sent; empty where nothing was. */
  changes: Readonly<Record<string, string>>;
  notes: string[];
}

export async function editRecipient(context: Context, found: FoundRecipient, edit: Edit): Promise<Edited> {
  const { recipient } = found;
  refuseUneditable(recipient);
  const current = recipient.payout_method?.details ?? {};
  const wasAsked = Object.keys(edit.details).length === 0;
  const asked = wasAsked ? await askChanges(context, recipient, current) : edit.details;
  return inRounds(context, { asked, current, wasAsked }, (details, confirm) =>
    apply(context, found, { ...edit, details, wasAsked: confirm }),
  );
}

interface Sent {
  details: Readonly<Record<string, unknown>>;
  /** On a terminal, by questions: then it is confirmed. */
  wasAsked: boolean;
}

async function apply(
  context: Context,
  { recipient, transaction, explicit }: FoundRecipient,
  { details: asked, wasAsked, ...edit }: Omit<Edit, 'details'> & Sent,
): Promise<Edited> {
  const current = recipient.payout_method?.details ?? {};
  const type = recipient.payout_method?.type ?? '';
  await refuseUnknownDetails(type || undefined, kindOf(recipient), asked, 'payout_method.details');
  const names = detailDifferences(asked, current);
  await refuseWrongAccounts({
    type,
    kind: kindOf(recipient),
    details: { ...current, ...asked },
    only: names,
    path: 'payout_method.details',
  });
  if (names.length === 0) {
    const { settleLeftOpen } = await import('./settle.ts');
    const settled = await settleLeftOpen(context, editRecipientRow.id, recipient.id);
    return {
      recipient,
      changes: {},
      notes: ['nothing to change: these are its details already; nothing was sent', ...settled],
    };
  }
  const changes = Object.fromEntries(names.map((name) => [name, String(asked[name] ?? '')]));
  await guard(context, {
    effect: 'money',
    explicitId: explicit,
    what: [
      `redirect ${recipientLine(recipient, context.mask)}`,
      ...changeLines(context, current, changes),
      `  takes effect: ${effectOf(recipient)}`,
    ],
    look: edit.skipValidation
      ? undefined
      : () => checkedLines(context, type, { ...current, ...changes }, names),
  });
  await confirmChange(context, wasAsked);
  const { value } = await write<Recipient>(context, {
    asked: {
      plan: 'edit',
      recipientId: recipient.id ?? '',
      transactionId: transaction.id ?? '',
      recipient: { payout_method: { details: changes } },
      before: pick(current, names),
    },
    subject: recipient.id ?? undefined,
    transactionId: transaction.id ?? undefined,
    summary: `change ${names.join(', ')} of ${maskedRecipient(recipient)}`,
    newPayment: edit.newPayment,
  });
  return { recipient: value, changes, notes: [`it takes effect ${effectOf(recipient)}`] };
}

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
  const [{ accountJudge, askDetails }, { offeredFields }] = await Promise.all([
    import('../../cli/ask/details.ts'),
    import('./offered.ts'),
  ]);
  const offered = recipient.payout_method?.fields ?? undefined;
  const type = recipient.payout_method?.type ?? '';
  const descriptors = offered ?? (await offeredFields(context, type, kindOf(recipient)));
  if (!descriptors)
    throw usage(`remit does not know the fields of ${type}`, 'name the detail: --detail NAME=VALUE');
  return askDetails(context, descriptors, { current, judge: await accountJudge(type, kindOf(recipient)) });
}

/** An account that is not found is sent only on purpose: it may be wrong, or its bank may not answer just now. */
async function checkedLines(
  context: Context,
  type: string,
  details: Readonly<Record<string, unknown>>,
  changed: readonly string[],
): Promise<string[]> {
  const check = await checkAccount(context, type, details, changed);
  if (check.kind === 'none') return [];
  if (check.kind === 'unavailable') return [`  ${check.says}; it is sent unchecked`];
  if (check.kind === 'known') {
    if (!check.differs) return [`  checked: ${check.says}`];
    context.say(`    checked: ${escapeLine(check.says)}`, context.paint.yellow);
    return [];
  }
  if (!context.interactive)
    throw new Failure({
      category: 'validation',
      code: 'account_not_found',
      message: check.says,
      hint: 'the bank may not answer just now: try again in a few minutes; --skip-validation sends it unchecked',
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    });
  context.say(escapeLine(check.says), context.paint.yellow);
  const { askConfirm } = await import('../../cli/terminal/prompt.ts');
  if (!(await askConfirm(context, 'Use this account all the same?'))) throw interrupted();
  return [`  ${check.says}; it is sent all the same`];
}

/** When the new details count (`spec` service "Recipient update"). */
function effectOf({ state }: Recipient): string {
  if (state === 'pending') return 'only if the present try fails';
  return state === 'initial' ? 'with the first try' : 'with the next try';
}
