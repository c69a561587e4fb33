/** `state_reason` and `state_reason_details`, in the category words of the service description. */
import { payinCategories, recipientCategories } from '../../contract/categories.ts';
import { codeInfo, payinCategoryOf } from '../../contract/codes.ts';
import type { Plain } from '../store/records.ts';

export interface Reason {
  text: string | null;
  details: Plain | null;
}

const none: Reason = { text: null, details: null };

/** @assumes category-words */
export function recipientReason(code: string | null, text: string | null): Reason {
  const info = code === null ? undefined : codeInfo(code);
  if (!info) return { ...none, text };
  const category = recipientCategories[info.category].wire;
  const sentence = text ?? info.description;
  return {
    text: category === 'paid' ? null : sentence,
    details: { code: info.code, category, messages: info.messages, description: sentence },
  };
}

export function payinReasonDetails(code: string | null): Plain | null {
  const info = code === null ? undefined : codeInfo(code);
  const category = info && payinCategoryOf(info.code);
  if (!info || !category) return null;
  const { wire } = payinCategories[category];
  return { code: info.code, category: wire, messages: info.messages, description: info.description };
}
