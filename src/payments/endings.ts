/** The endings of a cancel (docs/rules.md 5): one for each recipient, and never called whole if one was paid. */

import type { Recipient } from '../contract/resources/transaction.ts';
import { money } from '../core/amount-words.ts';
import { add } from '../core/money.ts';
import { type Hint, hint } from '../core/next.ts';
import type { Category } from '../core/problem.ts';

export type EndingWord =
  | 'refunded'
  | 'cancelled before funding'
  | 'cancelled, refund pending'
  | 'cancelled, refund needs the operator'
  | 'cancellation requested'
  | 'paid before'
  | 'paid meanwhile'
  | 'not cancelled'
  | 'unknown';

/** The category of each ending. */
const CATEGORY: Record<EndingWord, Category | 'done'> = {
  refunded: 'done',
  'cancelled before funding': 'done',
  'cancelled, refund pending': 'pending',
  'cancelled, refund needs the operator': 'check',
  'cancellation requested': 'pending',
  'paid before': 'conflict',
  'paid meanwhile': 'conflict',
  'not cancelled': 'conflict',
  unknown: 'unknown',
};

export interface Ending {
  recipient: Recipient;
  /** The payment of the recipient: each payment is concluded on its own, as to whether money came back. */
  transaction_id: string;
  ending: EndingWord;
  /** Why, where it was not asked or was refused. */
  why?: Hint;
  /** Where it was refused: what the refusal is an instance of. */
  category?: Category;
  /** True where the service was asked at all. */
  sent: boolean;
}

export const endingCategory = (ending: Ending): Category | 'done' =>
  ending.category ?? CATEGORY[ending.ending];

export interface Conclusion {
  /** The categories of the endings: a face tells the worst of them. */
  categories: (Category | 'done')[];
  notes: Hint[];
}

/**
 * Returns the conclusion of all endings together, and all there is to say. Money of a payment that came back
 * for some recipients while others had been paid before is a partial refund, which is neither a refund nor a
 * failure: those paid before do not count as failed there.
 */
export function conclusionOf(endings: readonly Ending[]): Conclusion {
  const payments = [...new Set(endings.map((one) => one.transaction_id))];
  const concluded = payments.map((id) => {
    const own = endings.filter((one) => one.transaction_id === id);
    return paymentConclusion(own, payments.length > 1 ? id : undefined);
  });
  const isOpen = endings.some(({ ending }) => OPEN.has(ending));
  return {
    categories: concluded.flatMap(({ categories }) => categories),
    notes: [
      ...concluded.flatMap(({ notes }) => notes),
      ...(isOpen ? [CREDIT_NOTE] : []),
      ...askAnyway(endings.filter(({ ending }) => ending === 'not cancelled')),
    ],
  };
}

/** @param name of the payment, where it must be told from others */
function paymentConclusion(endings: readonly Ending[], name?: string): Conclusion {
  const back = endings.filter(({ ending }) => ending === 'refunded');
  const gone = endings.filter(({ ending }) => ending === 'paid before');
  if (back.length === 0 || gone.length === 0) return { categories: endings.map(endingCategory), notes: [] };
  const rest = endings.filter((one) => !gone.includes(one)).map(endingCategory);
  const told = `partly refunded: ${totalOf(back)} came back, ${totalOf(gone)} had been paid out before`;
  return {
    categories: ['check', ...rest],
    notes: [name === undefined ? told : `payment ${name} is ${told}`],
  };
}

/** Endings after which the money may still go either way. */
const OPEN: ReadonlySet<EndingWord> = new Set([
  'cancelled, refund pending',
  'cancelled, refund needs the operator',
  'cancellation requested',
  'unknown',
] as const);

function totalOf(endings: readonly Ending[]): string {
  const totals = new Map<string, string>();
  for (const { recipient } of endings) {
    const currency = recipient.input_currency ?? '';
    totals.set(currency, add(totals.get(currency) ?? '0', recipient.input_amount ?? '0'));
  }
  return [...totals].map(([currency, total]) => money(total, currency)).join(' + ');
}

const CREDIT_NOTE = 'Do not credit your customer before it says refunded.';

/** Returns a line for the recipients that were not asked for because the payout is under way. */
function askAnyway(endings: readonly Ending[]): Hint[] {
  const ids = endings.filter(({ sent }) => !sent).map(({ recipient }) => recipient.id ?? '');
  if (ids.length === 0) return [];
  return [
    hint`To ask the provider to cancel all the same: ${{ do: 'cancel_recipients', ids, request: true, wait: true }}`,
  ];
}
