/** The balances that a fresh sandbox starts with. @assumes opening-balances */
import type { Decimal } from '../../core/money.ts';
import { type Ledger, move } from './ledger.ts';

export const openingBalances: Readonly<Record<string, Decimal>> = {
  EUR: '250000.00',
  GBP: '100000.00',
  GHS: '500000.00',
  NGN: '50000000',
  USD: '250000.00',
  XOF: '25000000',
};

export function open(ledger: Ledger, balances: Readonly<Record<string, Decimal>>, at: number): void {
  for (const [currency, amount] of Object.entries(balances)) {
    ledger.post(`opening:${currency}`, at, move('opening', 'wallet', currency, amount));
  }
}
