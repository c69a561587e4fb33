import { byWord } from './by-word.ts';

/** A text as it is searched for: without diacritics, in lower case, every run of blanks as one. `Zoë  Ñúñez` is `zoe nunez`. */
export const fold = (text: string): string => (PLAIN_ALREADY.test(text) ? text.toLowerCase() : folded(text));

/** Most texts are: words of ASCII with one blank between them. */
const PLAIN_ALREADY = /^[!-~]*(?: [!-~]+)*$/;

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøđðħŧıßæœþ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();

/** Letters that have no parts to take apart, as people type them without. */
const PLAIN: Readonly<Record<string, string>> = byWord({
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
});
