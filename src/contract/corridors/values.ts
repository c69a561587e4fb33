/** How the service reads a value of a detail. */

/** Absent, null, empty and white space are the same to the service. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** A text, or a whole number as its text; null for anything else. */
export function textValue(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

/** An e-mail address, as the source of a regular expression. Linear to match: no part can take what the next one wants. */
export const EMAIL = '^[^@\\s]+@[^@\\s.]+(?:\\.[^@\\s.]+)+$';

const patterns = new Map<string, RegExp>();

/** A format of the corridors' own data, which are few. It is made once: a file of payments asks it a million times. */
export function patternOf(source: string): RegExp {
  const known = patterns.get(source);
  if (known) return known;
  const made = new RegExp(source, 's');
  patterns.set(source, made);
  return made;
}
