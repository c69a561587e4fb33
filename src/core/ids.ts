import type { Random } from './random.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

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
