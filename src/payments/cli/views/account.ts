import type { Account } from '../../../contract/resources/account.ts';
import { amountText } from '../../../core/amount-words.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { Column, View } from '../../../frame/terminal/view.ts';
import type { Floor } from '../../balance-floors.ts';
import { balanceCheckShape, balanceShape, partnerBalanceShape } from '../../shapes/service.ts';

const accountColumns: readonly Column<Account>[] = [
  { name: 'currency', get: (row) => row.currency },
  { name: 'amount', right: true, currency: 'currency', get: (row) => amountText(row.amount, row.currency) },
  {
    name: 'amount_after_pending',
    head: 'AFTER PENDING',
    right: true,
    currency: 'currency',
    priority: 2,
    get: (row) => amountText(row.amount_after_pending, row.currency),
  },
];

export const accountView: View<Account> = {
  shape: balanceShape,
  empty: 'no balances',
  columns: accountColumns,
};

export type PartnerBalance = DataOf<typeof partnerBalanceShape>;

/** The balance here, and what is held at a provider. */
export const besideView: View<PartnerBalance> = {
  shape: partnerBalanceShape,
  empty: 'no balances',
  columns: [
    { name: 'currency', get: (row) => row.currency },
    {
      name: 'amount',
      right: true,
      currency: 'currency',
      get: (row) => amountText(row.account?.amount, row.currency),
    },
    {
      name: 'amount_after_pending',
      head: 'AFTER PENDING',
      right: true,
      currency: 'currency',
      priority: 2,
      get: (row) => amountText(row.account?.amount_after_pending, row.currency),
    },
    {
      name: 'partner_available',
      head: 'AT PROVIDER',
      right: true,
      currency: 'currency',
      get: (row) => amountText(row.partner?.available_balance, row.currency),
    },
    {
      name: 'partner_previous_day',
      head: 'DAY BEFORE',
      right: true,
      currency: 'currency',
      priority: 1,
      get: (row) => amountText(row.partner?.previous_day_closing_balance, row.currency),
    },
    { name: 'partner_date', head: 'AS OF', priority: 2, get: (row) => row.partner?.current_balance_date },
  ],
};

export const floorView: View<Floor> = {
  shape: balanceCheckShape,
  columns: [
    { name: 'currency', get: (row) => row.currency },
    { name: 'amount', right: true, currency: 'currency', get: (row) => amountText(row.amount, row.currency) },
    {
      name: 'at_least',
      right: true,
      currency: 'currency',
      get: (row) => amountText(row.at_least, row.currency),
    },
    {
      name: 'short_by',
      right: true,
      currency: 'currency',
      get: (row) => (row.enough ? null : amountText(row.short_by, row.currency)),
    },
    { name: 'enough', get: (row) => (row.enough ? 'yes' : 'no') },
  ],
};

/** A balance as it was at one of many looks. */
export interface BalanceAtLook extends Account {
  seen_at: string;
}

export const seenBalanceView: View<BalanceAtLook> = {
  shape: balanceShape,
  columns: [{ name: 'seen_at', head: 'TIME', time: true, get: (row) => row.seen_at }, ...accountColumns],
};
