/** Amounts as people type them in a search, and as the index of the books has them. */
import { isDecimal, sub } from '../core/money.ts';

const MARKED = /^\d{1,3}(?:,\d{2,3})+(?:\.\d+)?$/;
const MARKED_OTHERWISE = /^\d{1,3}(?:[.']\d{3})+(?:,\d+)?$/;

/** The decimals that a text may mean, with marks for thousands or for decimals; none where it is no amount. */
export function readingsOf(text: string): string[] {
  const readings = [
    ...(isDecimal(text) ? [text] : []),
    ...(MARKED.test(text) ? [text.replaceAll(',', '')] : []),
    ...(MARKED_OTHERWISE.test(text) ? [text.replace(/[.']/g, '').replace(',', '.')] : []),
    ...(/^\d+,\d+$/.test(text) ? [text.replace(',', '.')] : []),
  ];
  return [...new Set(readings)];
}

/** `250.00` may stand as 250, 250.0 or 250.00: the index has a line break before and behind. */
export function partsOfAmount(amount: string): string[] {
  const shortest = `\n${sub(amount, '0')}`;
  return [`${shortest}\n`, `${shortest}${shortest.includes('.') ? '' : '.'}0`];
}
