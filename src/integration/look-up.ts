/** A word of the service, looked up as people write it. */
import { nearest } from '../core/distance.ts';
import { fold } from '../core/fold.ts';
import type { Explanation } from './glossary.ts';

/** By its name; else by words of its meaning. */
export function meaningsOf(word: string, all: readonly Explanation[]): Explanation[] {
  const named = namedBy(word, all);
  return named.length > 0 ? named : saying(word, all);
}

/** Looks for the word as written; else in any case, and by other names that the service has for it. */
function namedBy(word: string, all: readonly Explanation[]): Explanation[] {
  const exact = all.filter(({ name }) => name === word);
  if (exact.length > 0) return exact;
  const plain = word.toLowerCase().replace(/[\s-]+/g, '_');
  return all.filter(
    ({ name, notes }) =>
      name.toLowerCase() === plain || notes.some((note) => aliasesIn(note).includes(plain)),
  );
}

/** Returns the entries whose meaning, label or note has every word: `account number` finds bank_account. */
function saying(text: string, all: readonly Explanation[]): Explanation[] {
  const words = fold(text)
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
  if (words.every((word) => word.length < 3)) return [];
  const has = (where: string): boolean => words.every((word) => fold(where).includes(word));
  const inMeaning = all.filter(({ name, meaning }) => has(`${name} ${meaning}`));
  return inMeaning.length > 0 ? inMeaning : all.filter(({ notes }) => has(notes.join(' ')));
}

const aliasesIn = (note: string): string[] =>
  note.startsWith('on the wire also: ') ? note.slice('on the wire also: '.length).split(', ') : [];

/** In any case; where nothing is near, what begins with the same letters. */
export function wordsNear(word: string, names: readonly string[]): string[] {
  const plain = new Map(names.map((name) => [fold(name), name]));
  const begun = fold(word).replace(/(?<!\d)\d+$/, '');
  const found = nearest(fold(word), [...plain.keys()]);
  const others = begun.length < 2 ? [] : [...plain.keys()].filter((name) => name.startsWith(begun));
  return (found.length > 0 ? found : others.slice(0, 3)).map((name) => plain.get(name) ?? name);
}
