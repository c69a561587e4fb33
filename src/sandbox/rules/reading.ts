/** Reads members of a request tolerantly: absent, null and empty are the same, and a whole number is its text. */
import { isBlank } from '../../contract/corridors/values.ts';
import { isDecimal } from '../../core/money.ts';
import type { Plain } from '../store/records.ts';
import type { Problems } from './problems.ts';

/** A body that is sent bare came in a wrapper: it has members, and none that the record has. */
export function isWrapped(body: Plain, record: Plain): boolean {
  const names = Object.keys(body);
  return names.length > 0 && !names.some((name) => Object.hasOwn(record, name));
}

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export { isBlank };

/** The text of a member, null when it is blank; anything that is no text is a problem. */
export function readText(value: unknown, field: string, problems: Problems): string | null {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  problems.add(field, 'invalid');
  return null;
}

export function requireText(value: unknown, field: string, problems: Problems): string | null {
  if (isBlank(value)) problems.add(field, 'blank');
  return readText(value, field, problems);
}

/** PHP writes an empty map as an empty list. @assumes empty-maps */
export function isEmptyMap(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** Free-form metadata: absent is empty, and so is an empty list. */
/** One for all: a sandbox in memory keeps three for each payment. */
export const NOTHING: Plain = Object.freeze({});

export function readMap(value: unknown, field: string, problems: Problems): Plain {
  if (isEmptyMap(value)) return NOTHING;
  if (isPlain(value)) return Object.keys(value).length === 0 ? NOTHING : value;
  problems.add(field, 'invalid');
  return NOTHING;
}

export function readFlag(value: unknown, fallback: boolean, field: string, problems: Problems): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  problems.add(field, 'invalid');
  return fallback;
}

/** `YYYY-MM-DD`, or a full ISO 8601 time: a day that exists. */
export function isDate(text: string): boolean {
  const [, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? [];
  if (year === undefined) return false;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
}

/** A plain amount in a request, a decimal text or a number: no exponent, no sign but minus; null otherwise. */
export function plainAmount(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && isDecimal(text) ? text : null;
}
