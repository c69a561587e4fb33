/** The endings of the transactions that were to be funded. */

import { amountText, money } from '../../../core/amount-words.ts';
import { renderHint } from '../../../frame/output/spell.ts';
import type { View } from '../../../frame/terminal/view.ts';
import type { FundEnding } from '../../fund-many.ts';
import { fundingShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';

export interface ShownFunding extends Omit<FundEnding, 'why' | 'category'> {
  why: string | null;
}

export const shownFunding = ({ transaction, ending, why }: FundEnding): ShownFunding => ({
  transaction,
  ending,
  why: why === undefined ? null : renderHint(why),
});

export const fundEndingView: View<ShownFunding> = {
  shape: fundingShape,
  columns: [
    { name: 'transaction_id', head: 'TRANSACTION', get: ({ transaction }) => transaction.id },
    { name: 'ending', get: ({ ending }) => ending },
    { name: 'state', state: lookOf, priority: 2, get: ({ transaction }) => transaction.state },
    {
      name: 'amount',
      right: true,
      priority: 1,
      get: ({ transaction }) => money(transaction.input_amount, transaction.input_currency),
      apart: ['input_amount', 'input_currency'],
    },
    { name: 'external_id', priority: 3, get: ({ transaction }) => transaction.external_id },
    { name: 'why', priority: 1, wrap: true, get: ({ why }) => why },
  ],
  flat: [
    { name: 'transaction_id', get: ({ transaction }) => transaction.id },
    { name: 'external_id', get: ({ transaction }) => transaction.external_id },
    { name: 'ending', get: ({ ending }) => ending },
    { name: 'state', get: ({ transaction }) => transaction.state },
    {
      name: 'input_amount',
      amount: true,
      get: ({ transaction }) => amountText(transaction.input_amount, transaction.input_currency),
    },
    { name: 'input_currency', get: ({ transaction }) => transaction.input_currency },
    { name: 'why', get: ({ why }) => why },
  ],
};
