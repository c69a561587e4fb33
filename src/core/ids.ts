import type { Random } from './random.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

/** A version 4 UUID from the given source, so that a seed gives the same ids. */
export function uuid(random: Random): string {
  const word = () => Math.floor(random.next() * 4294967296);
  const words = [word(), word(), word(), word()];
  const byte = (i: number) => ((words[i >> 2] ?? 0) >>> ((i & 3) * 8)) & 0xff;
  let text = '';
  for (let i = 0; i < 16; i++) {
    const value = i === 6 ? (byte(i) & 0x0f) | 0x40 : i === 8 ? (byte(i) & 0x3f) | 0x80 : byte(i);
    text += HEX[value];
    if (i === 3 || i === 5 || i === 7 || i === 9) text += '-';
  }
  return text;
}
