import type { Account } from '../../contract/resources/account.ts';
import type { View } from '../view.ts';
import { amountText } from './amount.ts';

export const accountView: View<Account> = {
  kind: 'balance',
  empty: 'no balances',
  columns: [
    { name: 'currency', get: (row) => row.currency },
    { name: 'amount', right: true, get: (row) => amountText(row.amount, row.currency) },
    {
      name: 'amount_after_pending',
      head: 'AFTER PENDING',
      right: true,
      priority: 2,
      get: (row) => amountText(row.amount_after_pending, row.currency),
    },
  ],
};
