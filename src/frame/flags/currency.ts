/** A currency as somebody types it: three letters in any case. */
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
