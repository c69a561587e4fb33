/**
 * Text of any characters but half surrogates, as fast-check's unit `binary` gives it. That unit keeps a map of all 1,112,064 of them: a
 * second of the processor and 60 MB, in each process that makes one such text.
 */
import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count), placeOf);

/** The way back, by which fast-check puts in names like `__proto__`. */
function placeOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character');
  return code < SURROGATES.from ? code : code - SURROGATES.count;
}

export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...lengths, unit: anyCharacter });
