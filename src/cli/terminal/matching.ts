/** Which choices fit what was typed: by code, by words, by the initials of the words. Case and accents do not matter. */
import { fold } from '../../core/fold.ts';

export interface Matchable {
  value: string;
  label: string;
}

/** `United Bank for Africa` is known as UBA: small words give no letter. */
const SMALL = new Set(['and', 'et', 'for', 'of', 'the', 'de', 'du', 'la']);

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const initials = (words: readonly string[]): string => words.map((word) => word.charAt(0)).join('');

/** All of them, as they stand, where nothing was typed; else those that fit, the best first. */
export function bestMatches<T extends Matchable>(typed: string, choices: readonly T[]): T[] {
  const wanted = fold(typed);
  if (wanted === '') return [...choices];
  const ranked = choices.map((choice, place) => ({ choice, place, rank: rankOf(wanted, choice) }));
  return ranked
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ choice }) => choice);
}

const NO_MATCH = 6;

function rankOf(wanted: string, { value, label }: Matchable): number {
  const [code, text] = [fold(value), fold(label)];
  const words = wordsOf(text);
  const letters = [initials(words), initials(words.filter((word) => !SMALL.has(word)))];
  if (code === wanted || text === wanted) return 0;
  if (letters.includes(wanted)) return 1;
  if (text.startsWith(wanted) || code.startsWith(wanted)) return 2;
  if (wordsOf(wanted).every((part) => words.some((word) => word.startsWith(part)))) return 3;
  if (letters.some((one) => one.startsWith(wanted))) return 4;
  return `${text} ${code}`.includes(wanted) ? 5 : NO_MATCH;
}
