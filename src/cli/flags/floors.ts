/** `--min GHS=50000,NGN=1000000`. */
import { decimalsOf } from '../../core/currency.ts';
import { type Decimal, parseAmount } from '../../core/money.ts';
import { usage } from '../../core/problem.ts';
import type { Floors } from '../../desk/payments/balance-floors.ts';

const CODE = /^[A-Z]{3}(?:::.+)?$/;

/** @throws Problem (usage) naming the entry that is wrong */
export function readFloors(text: string): Floors {
  const floors = new Map<string, Decimal>();
  for (const entry of text.split(',')) {
    const [code = '', amount, ...rest] = entry.split('=').map((part) => part.trim());
    const currency = code.toUpperCase();
    if (!CODE.test(currency) || !amount || rest.length > 0)
      throw usage(
        `--min: "${entry.trim()}" is not a currency with an amount`,
        'such as --min GHS=50000,NGN=1000000',
      );
    if (floors.has(currency)) throw usage(`--min has ${currency} twice`);
    floors.set(currency, parseAmount(amount, decimalsOf(currency), currency));
  }
  return floors;
}
