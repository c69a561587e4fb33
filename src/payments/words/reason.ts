/** Why something stands as it does, in the words of its reason code. */

import type { CategoryInfo } from '../../contract/categories.ts';
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

/** `the service: wait for webhooks`, by the category of a reason. */
export const whoActs = ({ actor, next }: Pick<CategoryInfo, 'actor' | 'next'>): string =>
  actor === 'nobody' ? 'nobody' : `${actor === 'service' ? 'the service' : actor}: ${next}`;

const WAYS = {
  fund: 'fund it',
  edit: 'edit it',
  cancel: 'cancel it',
  request_cancel: 'request a cancel from the provider (--request)',
  retry: 'try it again',
} as const;
type Way = keyof typeof WAYS;

const isWay = (word: string): word is Way => Object.hasOwn(WAYS, word);

/** `edit it, or cancel it`, of what can be done oneself. */
export const waysOf = (can: readonly string[]): string =>
  can
    .filter(isWay)
    .map((word) => WAYS[word])
    .join(', or ');

/** `ask the operator; or you: edit it, or cancel it`. */
export function askOperator(can: readonly string[]): string {
  const ways = waysOf(can);
  return `ask the operator${ways === '' ? '' : `; or you: ${ways}`}`;
}
