/** Why something stands as it does, in the words of its reason code. */
import { codeInfo } from '../../contract/codes.ts';
import type { PayinMethod } from '../../contract/resources/payment-method.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';

export function reasonOf(recipient: Recipient): string | null {
  const details = recipient.state_reason_details;
  if (!details?.code || details.code === '0') return null;
  return `${details.messages?.at(-1) ?? codeInfo(details.code)?.messages[2] ?? ''} (${details.code})`.trim();
}

export function payinReasonOf({ state_reason_details: reason }: PayinMethod): string | null {
  if (!reason?.code || reason.code === '0') return null;
  return `${reason.messages?.at(-1) ?? reason.description ?? ''} (${reason.code})`.trim();
}
