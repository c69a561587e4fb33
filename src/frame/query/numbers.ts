/**
 * Numbers of a JMESPath expression are decimals, never floats. Amounts are decimal strings in the data: they are compared and added
 * up as what they are.
 */
import * as money from '../../core/money.ts';

/** A number that an expression made, with its exact digits. */
export class Exact {
  readonly digits: money.Decimal;
  constructor(digits: money.Decimal) {
    this.digits = digits;
  }
}

export const isNumeric = (value: unknown): value is number | Exact =>
  typeof value === 'number' || value instanceof Exact;

/** The digits of a number or of an amount; null of anything else. */
export function digitsOf(value: unknown): money.Decimal | null {
  if (value instanceof Exact) return value.digits;
  if (typeof value === 'string') return money.isDecimal(value) ? value : null;
  return money.toDecimal(value);
}

/** An amount stays an amount, a decimal string; a number stays a number. */
export const like = (model: unknown, digits: money.Decimal): unknown =>
  typeof model === 'string' ? digits : new Exact(digits);

export type Order = -1 | 0 | 1;

/** By size where both are numbers or amounts, by the alphabet where both are texts; null where they have no order. */
export function order(a: unknown, b: unknown): Order | null {
  const [left, right] = [digitsOf(a), digitsOf(b)];
  if (left !== null && right !== null) return money.eq(left, right) ? 0 : money.gt(left, right) ? 1 : -1;
  if (typeof a !== 'string' || typeof b !== 'string') return null;
  return a === b ? 0 : a > b ? 1 : -1;
}

/** Two texts are equal letter by letter. A number is equal to an amount of the same size. */
export function equal(a: unknown, b: unknown): boolean {
  if (isNumeric(a) || isNumeric(b)) return order(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, index) => equal(one, b[index]));
  if (!isPlainRecord(a) || !isPlainRecord(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  );
}

export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Exact);

/** The number of digits that every reader of JSON holds exactly. */
const SAFE_DIGITS = 15;

/**
 * Returns a value as data again. A number with more digits than a reader of JSON keeps is written as a
 * decimal string.
 */
export function asData(value: unknown): unknown {
  if (value instanceof Exact) {
    const { digits } = value;
    const isKept = digits.replace(/\D/g, '').replace(/^0+/, '').length <= SAFE_DIGITS;
    return isKept && String(Number(digits)) === digits ? Number(digits) : digits;
  }
  if (Array.isArray(value)) return value.map(asData);
  if (!isPlainRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asData(one)]));
}
