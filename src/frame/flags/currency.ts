/** Currencies as users type them: three letters in any case. */
import { decimalsOf } from '../../core/currency.ts';
import { type Decimal, parseAmount } from '../../core/money.ts';
import { usage } from '../../core/problem.ts';
import type { Input, ManyFlag } from './flag.ts';

/** @throws Problem (usage) */
export function readCurrency(text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw usage(`"${text}" is not a currency code`, 'three letters, such as EUR');
  return code;
}

/** `--currency EUR --currency USD`. @throws Problem (usage) */
export const readCurrencies = (input: Input<{ currency: ManyFlag }>): string[] =>
  input.flags.currency.map(readCurrency);

/** `EUR=5000,GBP=4000`, as login takes it. @throws Problem (usage) */
export function readMaxAmounts(text: string): Record<string, Decimal> {
  const amounts: Record<string, Decimal> = {};
  for (const part of text.split(',')) {
    const [code = '', ...rest] = part.split('=');
    const value = rest.join('=');
    const currency = code.trim().toUpperCase();
    if (!/^[A-Z]{3}$/.test(currency) || value.trim() === '')
      throw usage(`"${part}" is not a currency with an amount`, 'such as EUR=5000,GBP=4000');
    if (Object.hasOwn(amounts, currency)) throw usage(`${currency} is given twice`);
    amounts[currency] = parseAmount(value, decimalsOf(currency), currency);
  }
  return amounts;
}
