import { decimalsOf } from './currency.ts';
import { format, isDecimal, mul } from './money.ts';

/** `12.50 EUR`: every digit the service gave, at least the currency's decimals. */
export function money(amount: string | null | undefined, currency: string | null | undefined): string | null {
  const digits = amountText(amount, currency);
  if (digits === null) return null;
  return currency ? `${digits} ${currency}` : digits;
}

export function amountText(
  amount: string | null | undefined,
  currency: string | null | undefined,
): string | null {
  if (amount === null || amount === undefined) return null;
  return format(amount, decimalsOf(currency ?? ''));
}

/** `1 row`, `12,345 rows`; `many` where it is another word: `3 deliveries`. */
export const counted = (count: number, what: string, many = `${what}s`): string =>
  `${thousands(count)} ${count === 1 ? what : many}`;

/** `12,345`. */
export const thousands = (count: number): string => grouped(String(count));

/** `12345` is `12,345`. Takes digits alone. */
export function grouped(digits: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/.../g) ?? [];
  return (first === 0 ? groups : [digits.slice(0, first), ...groups]).join(',');
}

/** `0.9833` is `98.33 %`; what is no number stays as it is. */
export const percent = (share: string | null): string | null =>
  share !== null && isDecimal(share) ? `${mul(share, '100')} %` : share;

/** Lengths of time in words. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `45s`, `12m`, `5h 20m`, `3d 4h`: two units at most, rounded down. */
export function span(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`;
  if (ms < DAY_MS) return two(ms, HOUR_MS, 'h', MINUTE_MS, 'm');
  return two(ms, DAY_MS, 'd', HOUR_MS, 'h');
}

function two(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeUnit}${rest > 0 ? ` ${rest}${smallUnit}` : ''}`;
}
