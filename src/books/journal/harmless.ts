/** Texts from outside, made harmless for the programs that read a journal: a payee is a name there, and never a tag, a comment or a formula. */
import { byWord } from '../../core/by-word.ts';

/** One line, one space between words, nothing that cannot be seen. */
export const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** A part of a description in hledger and ledger, where `;` begins a comment, `|` ends the payee, and some characters in front have a meaning. */
export const inDescription = (text: string): string =>
  oneLine(text)
    .replaceAll(';', ',')
    .replaceAll('|', '/')
    .replaceAll('"', "'")
    .replace(/^[\s(*!=~%#&@[{]+/u, '');

/** A string of beancount. */
export const quoted = (text: string): string =>
  `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Letters that Windows-1252 has no room for lose their marks; what has no letter left becomes `?`. */
export function latin(text: string): string {
  const plain = (character: string): string => {
    if (character <= '~' || (character >= '\u00a0' && character <= '\u00ff')) return character;
    const bare = character.normalize('NFKD').replace(/\p{M}/gu, '');
    return /^[ -~\u00a0-\u00ff]+$/u.test(bare) ? bare : (LATIN[character] ?? '?');
  };
  return Array.from(oneLine(text), plain).join('');
}

const LATIN: Readonly<Record<string, string>> = byWord({
  '€': 'EUR',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': "'",
  '”': "'",
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  œ: 'oe',
  Œ: 'OE',
});
