/**
 * Why a payout or a collection stands where it stands: codes and categories of `state_reason_details`
 * (docs/wire.md 14). They explain and group for people; no automatic write, retry or exit
 * code follows from them (docs/rules.md 4). The category of a code comes from this table, never from its first digit:
 * 541 and 543 are recipient errors.
 */

import { type PayinCategory, payinCategories } from './categories.ts';
import { failedCodes } from './codes/failed.ts';
import type { CodeInfo } from './codes/row.ts';
import { underWayCodes } from './codes/under-way.ts';

const byCode: ReadonlyMap<string, CodeInfo> = new Map(
  [...underWayCodes, ...failedCodes].map(([code, category, text, description, tell]) => [
    code,
    { code, category, messages: tiers(text), description, tell },
  ]),
);

function tiers(text: string): [string, string, string] {
  const [one = '', two = one, three = two] = text.split('|');
  return [one, two, three];
}

export const recipientCodes: readonly CodeInfo[] = [...byCode.values()];

/** A code as the wire has it, a text or (in older payloads) a number. */
export function codeInfo(code: string | number): CodeInfo | undefined {
  return byCode.get(String(code));
}

/** Collections use the recipient codes; two categories have other names there. */
export function payinCategoryOf(code: string | number): PayinCategory | undefined {
  const category = codeInfo(code)?.category;
  if (category === undefined) return undefined;
  if (category === 'recipient_action_required') return 'sender_action_required';
  if (category === 'recipient_error') return 'invalid_user_data_error';
  return Object.hasOwn(payinCategories, category) ? (category as PayinCategory) : 'pending';
}
