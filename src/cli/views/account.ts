import type { Account, PartnerBalance } from '../../contract/resources/account.ts';
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

export interface Beside {
  currency: string;
  account: Account | null;
  partner: PartnerBalance | null;
}

/** The balance here, and what is held at the payout partner. */
export const besideView: View<Beside> = {
  kind: 'partner_balance',
  empty: 'no balances',
  columns: [
    { name: 'currency', get: (row) => row.currency },
    { name: 'amount', right: true, get: (row) => amountText(row.account?.amount, row.currency) },
    {
      name: 'partner_available',
      right: true,
      get: (row) => amountText(row.partner?.available_balance, row.currency),
    },
    {
      name: 'partner_previous_day',
      right: true,
      priority: 1,
      get: (row) => amountText(row.partner?.previous_day_closing_balance, row.currency),
    },
    { name: 'partner_date', priority: 2, get: (row) => row.partner?.current_balance_date },
  ],
};
