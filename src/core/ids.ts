import type { Random } from './random.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The least number of characters that name an id; tables show eight. */
const SHORTEST = 6;
const BEGINNING = new RegExp(`^[0-9a-f]{${SHORTEST}}[0-9a-f-]*$`, 'i');

export const isBeginning = (text: string): boolean => BEGINNING.test(text);
/** Looks like the beginning of an id, and is too short to be one. */
export const isTooShort = (text: string): boolean => text.length < SHORTEST && /^[0-9a-f]+$/i.test(text);
export const TOO_SHORT = `the beginning of an id needs six characters or more`;

const DIGIT_CODES = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const DASH = '-'.charCodeAt(0);
/** Where a byte's two digits stand in the text. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** A version 4 UUID from the given source, so that a seed gives the same ids. One text is made, and no parts of it. */
export function uuid(random: Random): string {
  const codes = new Array<number>(36).fill(DASH);
  let word = 0;
  for (let i = 0; i < 16; i++) {
    if ((i & 3) === 0) word = Math.floor(random.next() * 4294967296);
    const drawn = (word >>> ((i & 3) * 8)) & 0xff;
    const byte = i === 6 ? (drawn & 0x0f) | 0x40 : i === 8 ? (drawn & 0x3f) | 0x80 : drawn;
    const place = PLACES[i] ?? 0;
    codes[place] = DIGIT_CODES[byte >> 4] ?? 0;
    codes[place + 1] = DIGIT_CODES[byte & 0x0f] ?? 0;
  }
  return String.fromCharCode(...codes);
}

const COUNTS = 4096;

/**
 * A version 7 UUID: milliseconds since 1970, a count within them, then randomness, so that later ones are greater as text.
 * It is greater than `after` too, whatever the clock says. RFC 9562, 5.7 and 6.2 (method 1).
 */
export function timeOrderedId(now: number, random: Random, after = ''): string {
  const { ms, count } = placeAfter(after, now, random);
  const time = ms.toString(16).padStart(12, '0');
  const order = count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}${uuid(random).slice(18)}`;
}

/** A new millisecond begins its count in the lower half, so that there is room to count on. */
function placeAfter(after: string, now: number, random: Random): { ms: number; count: number } {
  const last = after === '' ? -1 : Number.parseInt(after.slice(0, 8) + after.slice(9, 13), 16);
  if (last < now) return { ms: now, count: Math.floor((random.next() * COUNTS) / 2) };
  const count = Number.parseInt(after.slice(15, 18), 16) + 1;
  return count < COUNTS ? { ms: last, count } : { ms: last + 1, count: 0 };
}
