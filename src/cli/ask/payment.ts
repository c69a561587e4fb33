/** Makes a body that is ready to be sent, from flags, a file and, on a terminal, questions. */
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { type BodyFlags, checkBody, type Draft, draftOf } from '../../desk/payments/body.ts';
import { refuseUnknownPayinDetails, refuseWrongPayinAccounts } from '../../desk/payments/collection.ts';
import { refuseWrongDetailsIn, unknownNames } from '../../desk/payments/details.ts';
import { refuseGaps } from '../../desk/payments/gaps.ts';
import type { Context } from '../context.ts';
import type { PaymentFlags } from '../flags/payment.ts';
import { parseTextFile, readTextFile } from '../flags/text-file.ts';

export async function draftFrom(context: Context, { file, from, body }: PaymentFlags): Promise<Draft> {
  if (from !== undefined) {
    const { likeEarlier } = await import('../../desk/payments/from-earlier.ts');
    return draftOf(await likeEarlier(context, from), body);
  }
  if (file === undefined) return draftOf(undefined, body);
  const text = await readTextFile(context.world, file);
  return draftOf(await parseTextFile(text, file === '-' ? 'standard input' : file), body);
}

/** @throws Problem (usage) where something is missing and nobody is there to ask */
export async function prepare(context: Context, flags: PaymentFlags): Promise<TransactionWrite> {
  const draft = await draftFrom(context, flags);
  const isBegun = flags.file !== undefined || flags.from !== undefined;
  if (context.interactive && !isBegun) await completeByAsking(context, draft, flags.body);
  await refuseGaps(draft);
  const body = checkBody(draft);
  await refuseWrongDetailsIn(body);
  for (const payin of body.payin_methods ?? []) {
    refuseUnknownPayinDetails(payin, payin.in_details ?? {});
    refuseWrongPayinAccounts(payin, payin.in_details ?? {});
  }
  const { listedSoFar } = await import('../../desk/payments/offered.ts');
  for (const note of unknownNames(body, await listedSoFar(context))) context.say(note);
  return body;
}

async function completeByAsking(context: Context, draft: Draft, flags: BodyFlags): Promise<void> {
  const [{ askOpenDetails, askType }, { askText }] = await Promise.all([
    import('./details.ts'),
    import('../terminal/prompt.ts'),
  ]);
  const recipient = firstRecipient(draft);
  recipient.payout_method ??= { details: {} };
  const method = recipient.payout_method as { type?: string; details?: Record<string, unknown> };
  method.type ??= await askType(context);
  recipient.requested_currency ??= method.type.split('::')[0];
  recipient.requested_amount ??= await askText(context, `Amount in ${recipient.requested_currency}`, {
    required: true,
  });
  draft.input_currency ??= (
    await askText(context, 'Which currency do you pay in?', { required: true, default: 'EUR' })
  ).toUpperCase();
  if (draft.sender === undefined) draft.sender = await askSender(context);
  const kind = recipient.type === 'business' ? 'business' : 'person';
  method.details = await askOpenDetails(context, {
    type: method.type,
    kind,
    details: { ...method.details, ...flags.details },
  });
}

function firstRecipient(draft: Draft): Record<string, unknown> {
  if (!Array.isArray(draft.recipients) || draft.recipients.length === 0) draft.recipients = [{}];
  return (draft.recipients as Record<string, unknown>[])[0] ?? {};
}

async function askSender(context: Context): Promise<Record<string, string>> {
  const [{ askText }, { isUuid }] = await Promise.all([
    import('../terminal/prompt.ts'),
    import('../../core/ids.ts'),
  ]);
  const given = await askText(context, 'Sender: its id, or your external id of it', { required: true });
  return isUuid(given) ? { id: given } : { external_id: given };
}
