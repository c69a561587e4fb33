/**
 * Amounts are decimal strings on our side of the wire, never floats (docs/wire.md 2).
 * This is the one place that does arithmetic on them.
 */
import Big from 'big.js';

/** A plain decimal: optional minus, digits, optional fraction. Never an exponent, never `NaN`. */
export type Decimal = string;

export type Rounding = 'up' | 'half_up' | 'down';

export class AmountError extends Error {
  override readonly name = 'AmountError';
}

/** The most characters of a number: a product of longer ones takes minutes. No amount and no rate is near it. */
const LONGEST = 1_000;
const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const MAX_WHOLE_DIGITS = 15;

const big = Big();
big.DP = 40;
big.NE = -1000;
big.PE = 1000;

export function isDecimal(text: string): boolean {
  return text.length <= LONGEST && PLAIN.test(text);
}

/** People type an amount; a program writes one, with a decimal point by definition (XML, JSON numbers, the library). */
export type AmountFrom = 'typed' | 'written';

/**
 * Says how to write an amount with one mark and exactly three digits behind it, in a currency with fewer decimals:
 * `450.000` is 450 to some and 450000 to others. Undefined for any other. `text` has no blanks around it.
 */
export function clearerAmount(text: string, decimals: number): string | undefined {
  const found = decimals < 3 ? /^([1-9]\d*)[.,](\d{3})$/.exec(text) : null;
  if (found === null) return undefined;
  const [, whole = '', digits = ''] = found;
  const fraction = digits.replace(/(?<!0)0+$/, '');
  if (fraction.length > decimals)
    return `${whole}${digits}, or ${decimals === 0 ? 'no' : `at most ${decimals}`} decimals`;
  return `${fraction === '' ? whole : `${whole}.${fraction}`} or ${whole}${digits}`;
}

/**
 * Reads an amount that a person or a file gave: positive, plain digits, at most `decimals` places and 15 whole digits.
 * @throws AmountError with a sentence for people
 */
export function parseAmount(
  text: string,
  decimals: number,
  currency: string,
  from: AmountFrom = 'typed',
): Decimal {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST)
    throw new AmountError(`an amount of ${trimmed.length} characters is too long: at most ${LONGEST}`);
  const clearer = from === 'typed' ? clearerAmount(trimmed, decimals) : undefined;
  if (clearer !== undefined)
    throw new AmountError(`amount "${trimmed}" can be read in two ways: write ${clearer}`);
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(trimmed)) {
    throw new AmountError(
      `amount "${trimmed}" has thousands separators: write ${trimmed.replaceAll(',', '')}`,
    );
  }
  if (!PLAIN.test(trimmed)) {
    throw new AmountError(`"${trimmed}" is not an amount: write digits with a point, such as 1250.50`);
  }
  if (!gt(trimmed, '0')) throw new AmountError(`amount ${trimmed} must be more than 0`);
  const [whole = '', fraction = ''] = trimmed.split('.');
  if (whole.length > MAX_WHOLE_DIGITS) {
    throw new AmountError(`amount ${trimmed} is too large: at most ${MAX_WHOLE_DIGITS} whole digits`);
  }
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) {
    throw new AmountError(`amount ${trimmed} has more decimals than ${currency} has (${decimals})`);
  }
  return format(trimmed, decimals);
}

/** A number or a string as it came from a JSON text, as a plain decimal; null when it is not a finite number, or longer than any amount. */
export function toDecimal(value: unknown): Decimal | null {
  if (typeof value === 'string') {
    if (value.length > LONGEST) return null;
    if (PLAIN.test(value)) return value;
    // The library knows no plus in front.
    const number = value.replace(/^\+(?=\d)/, '');
    return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(number) ? big(number).toFixed() : null;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  // Between these bounds a number's own text has no exponent.
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-6 && size < 1e21) ? String(value) : big(value).toFixed();
}

export const add = (a: Decimal, b: Decimal): Decimal => sum([a, b]);
export const sub = (a: Decimal, b: Decimal): Decimal => shortest(difference(a, b));
export const mul = (a: Decimal, b: Decimal): Decimal => {
  const [left, right] = [scaled(a), scaled(b)];
  return shortest({ units: left.units * right.units, places: left.places + right.places });
};
/** Quotient to 40 places: round it before it is shown or kept. */
export const div = (a: Decimal, b: Decimal): Decimal => big(a).div(b).toFixed();
export const eq = (a: Decimal, b: Decimal): boolean => difference(a, b).units === 0n;
export const gt = (a: Decimal, b: Decimal): boolean => difference(a, b).units > 0n;
export const gte = (a: Decimal, b: Decimal): boolean => difference(a, b).units >= 0n;
export const isZero = (a: Decimal): boolean => scaled(a).units === 0n;

export function sum(amounts: Iterable<Decimal>): Decimal {
  let total: Scaled = { units: 0n, places: 0 };
  for (const amount of amounts) {
    const more = scaled(amount);
    const places = Math.max(total.places, more.places);
    total = { units: unitsAt(total, places) + unitsAt(more, places), places };
  }
  return shortest(total);
}

/** Halves and rests go away from zero. */
export function round(amount: Decimal, decimals: number, mode: Rounding): Decimal {
  const { units, places } = scaled(amount);
  if (places <= decimals) return fromMinorUnits(unitsAt({ units, places }, decimals), decimals);
  const step = tenTo(places - decimals);
  const whole = units < 0n ? -rounded(-units, step, mode) : rounded(units, step, mode);
  return fromMinorUnits(whole, decimals);
}

/** At least `decimals` places, and never fewer digits than the amount has: nothing is rounded away for show. */
export function format(amount: Decimal, decimals: number): Decimal {
  const value = big(amount);
  const exact = value.toFixed();
  const places = exact.includes('.') ? exact.length - exact.indexOf('.') - 1 : 0;
  return value.toFixed(Math.max(decimals, places));
}

/**
 * The quotient of two amounts that are not negative, rounded once, in integers: exact, and a tenth of the work of `round(div())`,
 * for files of many rows.
 */
export function divRounded(a: Decimal, b: Decimal, decimals: number, mode: Rounding): Decimal {
  const [dividend, divisor] = [scaled(a), scaled(b)];
  const numerator = dividend.units * tenTo(divisor.places + decimals);
  return fromMinorUnits(rounded(numerator, divisor.units * tenTo(dividend.places), mode), decimals);
}

/** Neither is negative. */
function rounded(numerator: bigint, denominator: bigint, mode: Rounding): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  const isUp = mode === 'up' ? rest > 0n : mode === 'half_up' && rest * 2n >= denominator;
  return isUp ? whole + 1n : whole;
}

/** An amount as a whole number and its decimal places: exact, and a fraction of the work of the library. */
interface Scaled {
  units: bigint;
  places: number;
}

/** A number may come too, of a record that was read without the contract: the library takes it as before. */
function scaled(amount: Decimal): Scaled {
  const text = typeof amount === 'string' && PLAIN.test(amount) ? amount : big(amount).toFixed();
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), places: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), places: text.length - point - 1 };
}

function difference(a: Decimal, b: Decimal): Scaled {
  const [left, right] = [scaled(a), scaled(b)];
  const places = Math.max(left.places, right.places);
  return { units: unitsAt(left, places) - unitsAt(right, places), places };
}

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);
const unitsAt = ({ units, places }: Scaled, wanted: number): bigint =>
  places === wanted ? units : units * tenTo(wanted - places);

/** Without zeros at the end of the fraction. */
function shortest({ units, places }: Scaled): Decimal {
  const text = fromMinorUnits(units, places);
  if (places === 0) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** Whole minor units, for a ledger: `minorUnits('12.50', 2)` is `1250n`. @throws AmountError when it does not fit */
export function minorUnits(amount: Decimal, decimals: number): bigint {
  const text = PLAIN.test(amount) ? amount : big(amount).toFixed();
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text + '0'.repeat(decimals));
  const fraction = text.slice(point + 1);
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals)))
    throw new AmountError(`amount ${amount} has more than ${decimals} decimals`);
  return BigInt(text.slice(0, point) + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

export function fromMinorUnits(minor: bigint, decimals: number): Decimal {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return negative ? `-${text}` : text;
}
