/**
 * The balance at a provider, from which payouts in these currencies are made. Made up and shown, never a limit.
 * @assumes partner-balance
 */

import { byWord } from '../../core/by-word.ts';
import { type Decimal, sub } from '../../core/money.ts';
import { type Ledger, move } from './ledger.ts';

const DAY_MS = 86_400_000;

const floats: Readonly<Record<string, Decimal>> = byWord({
  GHS: '2000000',
  KES: '20000000',
  NGN: '200000000',
  UGX: '500000000',
});

/** Day since 1970, and what had been delivered when that day began. */
type Days = Record<string, { day: number; deliveredBefore: Decimal }>;

export interface PartnerLine {
  currency: string;
  available: Decimal;
  previousClosing: Decimal;
  /** `YYYY-MM-DD`. */
  date: string;
}

export class Partner {
  #days: Days = {};

  /** To be called before a payout is posted: remembers what the day began with. */
  note(currency: string, ledger: Ledger, now: number): void {
    if (!Object.hasOwn(floats, currency)) return;
    const day = Math.floor(now / DAY_MS);
    if (this.#days[currency]?.day === day) return;
    this.#days[currency] = { day, deliveredBefore: ledger.balance('delivered', currency) };
  }

  lines(ledger: Ledger, now: number): PartnerLine[] {
    const today = Math.floor(now / DAY_MS);
    return Object.entries(floats).map(([currency, float]) => {
      const delivered = ledger.balance('delivered', currency);
      const noted = this.#days[currency];
      const before = noted?.day === today ? noted.deliveredBefore : delivered;
      return {
        currency,
        available: sub(float, delivered),
        previousClosing: sub(float, before),
        date: new Date(today * DAY_MS).toISOString().slice(0, 10),
      };
    });
  }

  state(): Readonly<Days> {
    return this.#days;
  }

  resume(days: Days): void {
    this.#days = days;
  }
}

/** The balances that a fresh sandbox starts with. @assumes opening-balances */
export const openingBalances: Readonly<Record<string, Decimal>> = byWord({
  EUR: '250000.00',
  GBP: '100000.00',
  GHS: '500000.00',
  NGN: '50000000',
  USD: '250000.00',
  XOF: '25000000',
});

export function open(ledger: Ledger, balances: Readonly<Record<string, Decimal>>, at: number): void {
  for (const [currency, amount] of Object.entries(balances)) {
    ledger.post(`opening:${currency}`, at, move('opening', 'wallet', currency, amount));
  }
}
