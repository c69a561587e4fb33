/** Amounts as texts that sort as the amounts do: a database has no decimals, and floats would move the ends of a range. */
import type { Decimal } from '../../core/money.ts';

/** The key of an amount that is not negative. It begins with the number of digits before the point. */
export function amountKey(amount: Decimal): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = whole.replace(/^0+/, '');
  const rest = fraction.replace(/(?<!0)0+$/, '');
  return `${String(digits.length).padStart(3, '0')}${digits}${rest === '' ? '' : `.${rest}`}`;
}

/** The ends of a range as keys; null when nothing can be in it. */
export function amountRange(
  from: Decimal | undefined,
  to: Decimal | undefined,
): { from?: string; to?: string } | null {
  if (to?.startsWith('-')) return null;
  return {
    ...(from === undefined || from.startsWith('-') ? {} : { from: amountKey(from) }),
    ...(to === undefined ? {} : { to: amountKey(to) }),
  };
}
